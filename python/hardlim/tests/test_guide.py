"""The Python of README, guide and manual runs, and prints what the pages show.

The blocks of one page run one after the other, in a folder that holds the tables of the guide under their path in the
repository. A block of the language ``text`` right below a block of Python is what that block prints; ``…`` stands for
any text. ``HARDLIM_UPDATE_TRANSCRIPTS=1`` writes what is printed now into the pages.
"""

import contextlib
import io
import os
import re
import shutil
from pathlib import Path

import pytest

BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<shown>.*?)^```\n)?", re.M | re.S)
HERE = Path.cwd()
PAGES = ["README.md", "docs/python.md", "docs/scale.md", *sorted(map(str, Path("docs/guide").glob("*.md")))]
PAGES = [page for page in PAGES if Path(page).exists() and BLOCK.search(Path(page).read_text("utf-8"))]


def matches(shown, printed):
    """Whether this was printed, but for what ``…`` stands for."""
    return re.fullmatch(".*".join(map(re.escape, shown.split("…"))), printed, re.S) is not None


@pytest.mark.skipif(not PAGES, reason="the pages are not part of the package")
@pytest.mark.parametrize("name", PAGES)
def test_the_python_of_a_page_does_what_it_says(name, tmp_path, monkeypatch):
    page = HERE / name
    if name == "docs/scale.md":
        pytest.importorskip("distributed")
    (tmp_path / "docs/guide").mkdir(parents=True)
    for table in (HERE / "docs/guide").glob("*.csv"):
        shutil.copy(table, tmp_path / "docs/guide")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    names = {"__name__": "page"}

    def run(block):
        code, shown = block["code"], block["shown"]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, name, "exec"), names)
        if shown is None or matches(shown, printed.getvalue()):
            return block[0]
        return f"```python\n{code}```\n\n```text\n{printed.getvalue()}```\n"

    text = page.read_text("utf-8")
    now = BLOCK.sub(run, text)
    if os.environ.get("HARDLIM_UPDATE_TRANSCRIPTS"):
        page.write_text(now, "utf-8")
    else:
        assert now == text, "HARDLIM_UPDATE_TRANSCRIPTS=1 writes the page again"
