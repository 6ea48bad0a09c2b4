"""The commands and the Python of README, guide and manual run, and print what the pages show.

The blocks of one page run one after the other, in a folder that holds the tables of the guide under their path in the
repository. In a block of the language ``console`` a line after ``$ `` is a command, and the lines below it are what it
prints. Commands of the program in blocks of the language ``sh`` run as well, without a look at what they print, unless a
comment says that they take minutes. A block of the language ``text`` right below a block of Python is what that block
prints. Times are not compared; ``…`` stands for any text, and on a line of its own for any lines.
``HARDLIM_UPDATE_TRANSCRIPTS=1`` writes what is printed now into the pages.
"""

import contextlib
import io
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<shown>.*?)^```\n)?", re.M | re.S)
CONSOLE = re.compile(r"^```(?P<language>console|sh)\n(?P<lines>.*?)^```\n", re.M | re.S)
COMMAND = re.compile(r"^\$ (?P<command>.*\n)(?P<shown>(?:(?!\$ ).*\n)*)", re.M)
TIME = re.compile(r"(?<![^\s(])[\d.e+-]+(?= (?:s|ms|min)[),.;]*(?:\s|$))")
HERE = Path.cwd()
TYPED = [page for page in ["README.md", *sorted(map(str, Path("docs/guide").glob("*.md")))] if Path(page).exists()]
PAGES = ["README.md", "docs/python.md", "docs/scale.md", *sorted(map(str, Path("docs/guide").glob("*.md")))]
PAGES = [page for page in PAGES if Path(page).exists() and BLOCK.search(Path(page).read_text("utf-8"))]


def matches(shown, printed):
    """Whether this was printed, but for what ``…`` stands for."""
    return re.fullmatch(".*".join(map(re.escape, shown.split("…"))), printed, re.S) is not None


def is_output(shown, printed):
    """Whether lines were printed, but for times and what ``…`` stands for."""
    lines = (r"(?:.*\n)*" if line == "…" else re.escape(line).replace("…", ".*") + r"\n" for line in shown.splitlines())
    return re.fullmatch("".join(lines), printed) is not None


def abridged(old, printed):
    """What is printed now, abridged as it was: where lines were left out, those are shown that start like the old ones."""
    if "…" not in old.splitlines():
        return printed
    kept, rest = [], printed.splitlines()
    for line in (line for line in old.splitlines() if line != "…"):
        at = next((k for k, new in enumerate(rest) if new.split()[:1] == line.split()[:1]), None)
        if at is not None:
            kept += ["…"] * (at > 0) + [rest[at]]
            rest = rest[at + 1 :]
    return "".join(f"{line}\n" for line in kept + ["…"] * bool(rest))


def copy_tables(folder):
    """A folder with the tables of the guide."""
    (folder / "docs/guide").mkdir(parents=True)
    for table in (HERE / "docs/guide").glob("*.csv"):
        shutil.copy(table, folder / "docs/guide")
    return folder


def compare(page, text, now):
    """Fails if a page differs from what it should be, or writes it again."""
    if os.environ.get("HARDLIM_UPDATE_TRANSCRIPTS"):
        page.write_text(now, "utf-8")
    else:
        assert now == text, "HARDLIM_UPDATE_TRANSCRIPTS=1 writes the page again"


def replay(text, folder, program):
    """A page with what its commands print now."""
    paths = f"{Path(HERE, program).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {name: value for name, value in os.environ.items() if name != "HARDLIM_DATA"} | {"PATH": paths}

    def printed(command):
        script = ["sh", "-c", f"exec 2>&1 </dev/null\n{command}"]
        done = subprocess.run(script, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=False)
        assert done.returncode == 0, f"$ {command}{done.stdout}"
        return re.sub(r"\n+\Z", "\n", done.stdout)

    def run(typed):
        shown, gap = re.fullmatch(r"(.*?)(\n*)", typed["shown"], re.S).groups()
        shown, found = shown and shown + "\n", printed(typed["command"])
        if is_output(TIME.sub("0", shown), TIME.sub("0", found)):
            return typed[0]
        return f"$ {typed['command']}{abridged(shown, found)}{gap[1:]}"

    def block(found):
        lines = found["lines"]
        if found["language"] == "console":
            assert lines.startswith("$ "), "a transcript starts with `$ `"
            return found[0].replace(lines, COMMAND.sub(run, lines))
        for line in lines.splitlines():
            if line.startswith("hardlim ") and "minutes" not in line:
                printed(line + "\n")
        return found[0]

    return CONSOLE.sub(block, text)


@pytest.fixture(scope="module")
def replays(tmp_path_factory):
    """The pages as they are and as they should be; all cores run their commands."""
    program = os.environ.get("HARDLIM") or shutil.which("hardlim")
    if not program:
        pytest.skip("no hardlim program: set HARDLIM to it")
    texts = {name: (HERE / name).read_text("utf-8") for name in TYPED}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        folders = (copy_tables(tmp_path_factory.mktemp("page")) for _ in TYPED)
        runs = {
            name: pool.submit(replay, text, folder, program) for (name, text), folder in zip(texts.items(), folders)
        }
    return {name: (texts[name], run) for name, run in runs.items()}


@pytest.mark.skipif(not TYPED, reason="the pages are not part of the package")
@pytest.mark.parametrize("name", TYPED)
def test_the_commands_of_a_page_print_what_it_shows(name, replays):
    text, run = replays[name]
    compare(HERE / name, text, run.result())


def test_ellipses_and_times_match_anything_else_nothing():
    def matches(shown, found):
        return is_output(TIME.sub("0", shown), TIME.sub("0", found))

    assert matches("  time       1.34 s (stopped: …)\n", "  time       0.02 s (stopped: gap)\n")
    assert matches("in (3.1 s), 2 rows\n", "in (12 s), 2 rows\n") and not matches("2 neurons\n", "3 neurons\n")
    assert matches("a\n…\nz\n", "a\nz\n") and matches("a\n…\nz\n", "a\nb\nc\nz\n")
    assert not matches("a\n…\nz\n", "a\nb\n") and not matches("2 … a\n", "2 b\n")


def test_pages_stay_abridged_when_they_are_written_again():
    assert abridged("a 1\n…\nm 1\n…\n", "a 2\nb\nm 2\nz\n") == "a 2\n…\nm 2\n…\n"
    assert abridged("a 1\n…\nm 1\n", "b\nm 1\n") == "…\nm 1\n"


@pytest.mark.skipif(not TYPED, reason="the pages are not part of the package")
def test_the_readme_is_short():
    assert len(Path("README.md").read_text("utf-8").splitlines()) <= 120, "the guide has room for more"


@pytest.mark.skipif(not PAGES, reason="the pages are not part of the package")
@pytest.mark.parametrize("name", PAGES)
def test_the_python_of_a_page_does_what_it_says(name, tmp_path, monkeypatch):
    page = HERE / name
    if name == "docs/scale.md":
        pytest.importorskip("distributed")
    monkeypatch.chdir(copy_tables(tmp_path))
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
    compare(page, text, BLOCK.sub(run, text))
