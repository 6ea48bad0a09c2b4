"""A large table, and how long its report takes to open in Chromium."""

import json
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROWS, COLUMNS = 5000, 12

# Marks the start of the scripts, their end, and the first frame after the page was loaded.
START = "<script>performance.mark('scripts begin');</script>"
END = """<script>
performance.mark('scripts end');
addEventListener('load', () => requestAnimationFrame(() => setTimeout(() => {
  performance.mark('first frame');
  const at = (name) => performance.getEntriesByName(name)[0].startTime;
  const began = performance.getEntriesByType('navigation')[0].responseEnd;
  const pre = document.createElement('pre');
  pre.id = 'times';
  pre.textContent = JSON.stringify([at('scripts end') - at('scripts begin'), at('first frame') - began]);
  document.body.append(pre);
}, 0)));
</script></body>"""


def table():
    """The table of the test that a large report stays small."""
    print(",".join([f"input number {j}" for j in range(COLUMNS)] + ["y"]))
    for i in range(ROWS):
        cells = [(i * (7 + 3 * j) + i * i * (j + 1)) % 1009 / 8 for j in range(COLUMNS)]
        answer = "yes" if sum(v * (j - 5) for j, v in enumerate(cells)) > 400 else "no"
        print(",".join([str(v) for v in cells] + [answer]))


def opened(page):
    """The milliseconds of the scripts, and from the end of the file to the first frame."""
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--timeout=5000", "--window-size=1440,900"]
    with tempfile.TemporaryDirectory() as profile:
        command += [f"--user-data-dir={profile}", "--dump-dom", page.absolute().as_uri()]
        dom = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r'<pre id="times">(.*?)</pre>', dom)
    return json.loads(found.group(1)) if found else None


def time(path, times):
    text = Path(path).read_text()
    body, end = text.rsplit("</body>", 1)
    head, scripts = body.rsplit("<script>", 1)
    page = Path(path).with_suffix(".timed.html")
    page.write_text(head + START + "<script>" + scripts + END + end)
    neurons = len(json.loads(text.split('id="payload">')[1].split("</script>")[0])["networks"][0]["fires"])
    found = []
    for _ in range(4 * times):  # now and then Chromium ends before the first frame
        found += filter(None, [opened(page)])
        if len(found) == times:
            break
    print(f"{neurons} neurons, {ROWS} rows, {len(text)} bytes; milliseconds, {len(found)} times:")
    for name, values in zip(["reading and scripts", "from the file to the first frame"], zip(*found)):
        print(f"  {name}: median {statistics.median(values):.0f}, least {min(values):.0f}, most {max(values):.0f}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["table"]:
            table()
        case ["time", page, times]:
            time(page, int(times))
