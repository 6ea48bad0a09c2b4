"""Reports in a real browser: they answer like ``predict``, load nothing, and have manners.

A copy of the page with a script of the test at its end is opened by Chromium without a window, and what the script found
is read from the page. Without Chromium the tests are skipped, unless HARDLIM_TOOLS names it.
"""

import csv
import html
import json
import os
import shutil
import subprocess
import urllib.parse
from pathlib import Path

import pytest

PENGUINS = Path("docs/guide/penguins.csv")
DESK, PHONE = (1440, False), (390, False)
WATCH = """<script>
window.problems = [];
addEventListener('error', (e) => problems.push(`error: ${e.message}`));
addEventListener('unhandledrejection', (e) => problems.push(`rejection: ${e.reason}`));
addEventListener('securitypolicyviolation', (e) => problems.push(`blocked: ${e.blockedURI}`));
for (const how of ['error', 'warn']) {
  console[how] = (...words) => problems.push(`${how}: ${words.join(' ')}`);
}
</script>"""
TEST = """<script>(async () => {
const wait = () => new Promise((done) => setTimeout(done, 300)); // until the page has drawn what a change asks for
let found;
try { found = await (async () => { @script@ })(); }
catch (e) { problems.push(`test: ${e.stack}`); }
const loaded = performance.getEntriesByType('resource').map((e) => e.name);
const pre = document.createElement('pre');
pre.id = 'found';
pre.textContent = encodeURIComponent(JSON.stringify({ found, problems, loaded }));
top.document.body.append(pre);
})()</script></body>"""
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-background-networking "
    "--disable-component-update --no-first-run --virtual-time-budget=60000 --dump-dom"
).split()


@pytest.fixture(scope="module")
def chromium():
    names = map(shutil.which, ["chromium", "chromium-browser", "google-chrome", "chrome"])
    found = next(filter(None, names), None)
    if not PENGUINS.exists():
        pytest.skip("the guide is not part of the package")
    if not found:
        assert "chromium" not in os.environ.get("HARDLIM_TOOLS", "").split(), "HARDLIM_TOOLS names chromium"
        pytest.skip("no chromium: reports in a browser")
    return found


@pytest.fixture
def visit(chromium, hardlim_program, tmp_path):
    """Opens the report of a model on a screen, and returns the result of the body of an asynchronous function in it."""

    def run(model, data, script, screen=DESK):
        (width, dark), profile, copy = screen, tmp_path / "profile", tmp_path / "visit.html"
        hardlim_program("report", model, data, "-o", tmp_path / "report.html")
        page = (tmp_path / "report.html").read_text("utf-8").replace("<head>", "<head>" + WATCH, 1)
        page = TEST.replace("@script@", script).join(page.rsplit("</body>", 1))
        if width < 500:  # windows of Chromium are not as narrow as a phone, but frames are
            inside = html.escape(page)
            page = (
                f'<!DOCTYPE html><meta charset="utf-8"><iframe width="{width}" height="850" srcdoc="{inside}"></iframe>'
            )
        copy.write_text(page, "utf-8")
        log = tmp_path / "net.json"
        own = [f"--window-size={width},900", f"--user-data-dir={profile}", f"--log-net-log={log}"]
        own += ["--blink-settings=preferredColorScheme=0"] * dark
        done = subprocess.run([chromium, *FLAGS, *own, f"file://{copy}"], capture_output=True, text=True, check=False)
        dom = done.stdout.split('<pre id="found">')
        assert len(dom) == 2, done.stderr
        found = json.loads(urllib.parse.unquote(dom[1].split("</pre>")[0]))
        assert (found["problems"], found["loaded"]) == ([], [])
        # What the browser asks for on its own has no page behind it.
        asked = log.read_text("utf-8", "replace").split('"initiator":"')[1:]
        assert all(rest.startswith('not an origin"') for rest in asked)
        shutil.rmtree(profile, ignore_errors=True)
        return found.get("found")

    return run


@pytest.fixture
def trained(hardlim_program, tmp_path):
    """Trains on the text of a table, or on a file."""

    def run(name, table, flags):
        data = table
        if isinstance(table, str):
            data = tmp_path / f"{name}.csv"
            data.write_text(table, "utf-8")
        model = tmp_path / f"{name}.hardlim"
        hardlim_program("train", data, "-o", model, *flags.split())
        return model, data

    return run


def lines(head, row, count):
    return "".join(f"{line}\n" for line in [head, *map(row, range(count))])


def labelled(count):
    """Two columns, and the second class where their sum is large."""

    def row(i):
        a, b = i * 7 % 11 * 0.5, i * 5 % 13 - 6.0
        return f"{a},{b},{'yes' if a + b > 1 else 'no'}"

    return lines("a,b,label", row, count)


def mixed():
    """Dates, months, times, money, losses in parentheses, units, per cent, labels, numbers that are labels, and
    missing values."""

    def row(i):
        losses = [f'"($1,{7 * i % 1000:03}.50)"', f"-${i}.25"]
        balance = losses[i % 4] if i % 4 < 2 else f'"${i % 9 + 1},{31 * i % 1000:03}"'
        fields = [
            f"{i % 28 + 1:02}.{i % 12 + 1:02}.2024 {i % 24:02}:{7 * i % 60:02}",
            f"20{20 + i % 4}-{i % 12 + 1:02}",
            f"{i % 12 + 1}:{i % 60:02} pm",
            f'"{"45" if i % 3 else "1.200"},{i % 100:02} €"',
            balance,
            f"{i % 90}.{i % 10} kg",
            f"{i * 3 % 80}.5 %",
            "3.25" if i % 5 else "NA",
            ["a", "b", "", "é", "c d"][i % 5],
            ["0.0000001", "2", "30.5"][i % 3],
            ["0.1", "-0.00000025", "1000000000000", "0.30000000000000004"][i % 4],
            str(int(i % 28 > 12 or i % 5 == 3)),
        ]
        return ",".join(fields)

    return lines("when,month,time,price,balance,weight,rate,gap,label,code,size,y", row, 120)


def whole():
    """Whole numbers, among them one of two values and one with zero inside, and a number with decimals."""

    def row(i):
        a, b, c, d = i % 2, i * 7 % 11, i * 5 % 9 - 4, i * 37 % 101 / 10
        return f"{a},{b},{c},{d},{'yes' if a + 0.4 * b - 0.7 * c + 0.3 * d > 4 else 'no'}"

    return lines("a,b,c,d,y", row, 90)


def many(features):
    def row(i):
        return ",".join(str((i * i + 3 * j * i + 7 * j) % 10_007) for j in range(features)) + f",{i % 2}"

    return lines(",".join(f"feature{j}" for j in range(features)) + ",y", row, 6)


def numbers():
    def row(i):
        a, b = i * 7 % 11, i * 5 % 13
        return f"{a},{b},{0.5 * a - b**0.5}"

    return lines("a,b,value", row, 60)


@pytest.fixture
def models(trained):
    """Every kind of model has a page."""
    return [
        trained("two", labelled(80), "--beta 1 --max-inputs 2"),
        trained("one", labelled(80), "--beta 1 --max-inputs 1"),
        trained("numbers", numbers(), "--beta 1"),
        trained("many", many(500), "--beta 1"),
        trained("deep", labelled(80), "--layers 3 --widths 2 --beta 1"),
        trained("mixed", mixed(), "--method sample --patterns 300"),
        trained("three", PENGUINS, "--loss logistic --max-inputs 2"),
    ]


def test_the_page_answers_like_predict(trained, visit, hardlim_program):
    """Outputs and classes to the last digit; probabilities up to the last digit of ``exp``, which programs compute
    differently."""
    for name, table, flags in [
        ("labelled", labelled(200), "--method sample --beta 2"),
        ("penguins", PENGUINS, "--loss logistic --max-inputs 2"),
        ("mixed", mixed(), "--method sample --patterns 400 --categorical code"),
    ]:
        model, data = trained(name, table, flags)
        with open(data, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        found = visit(model, data, f"return {json.dumps(rows)}.map((row) => hardlim.predict(row));")
        expected = hardlim_program("predict", model, data)
        outputs = [output if isinstance(output, list) else [output] for output in expected["outputs"]]
        assert [answer["outputs"] for answer in found] == outputs, name
        assert [answer["prediction"] for answer in found] == expected["predictions"], name
        for answer, probabilities in zip(found, expected.get("probabilities") or []):
            if isinstance(probabilities, list):
                assert answer["probabilities"] == pytest.approx(probabilities, rel=2e-15), name


def test_the_page_reads_every_column_as_it_was_meant(trained, visit):
    model, data = trained("mixed", mixed(), "--method sample --patterns 400 --categorical code")
    # The page would answer labels and numbers alike.
    script = """return Object.fromEntries(hardlim.report.columns.map((column) => [column.name, column.time ? 'time' :
        hardlim.report.codingsOf(column).some(({ kind }) => kind.category) ? 'labels' : 'number']));"""
    kinds = {"time": "when month time", "number": "price balance weight rate gap size", "labels": "label code"}
    assert visit(model, data, script) == {name: kind for kind, names in kinds.items() for name in names.split()}
    # What cannot be read is said.
    script = """try { return hardlim.predict({
        ...Object.fromEntries(hardlim.report.columns.map((c) => [c.name, ''])), when: 'noon' });
        } catch (e) { return e.message; }"""
    assert "when" in visit(model, data, script)


def test_every_kind_of_model_can_be_tried_without_a_word_in_the_console(models, visit):
    # Every control moves the answer or leaves it, and the row of the page stays what the controls say.
    script = """
        document.querySelectorAll('details').forEach((box) => { box.open = true; });
        await wait();
        const before = hardlim.answer(hardlim.row.x).outputs.join();
        const texts = new Set([document.querySelector('.answer').textContent]);
        const controls = '.control input[type=range], .control select';
        const inputs = [...document.querySelectorAll(controls)];
        const change = (input) => {
          const range = input.type === 'range';
          if (range) input.value = input.max;
          else input.selectedIndex = input.options.length - 1;
          input.dispatchEvent(new Event(range ? 'input' : 'change', { bubbles: true }));
        };
        change(inputs[0]);
        await wait();
        texts.add(document.querySelector('.answer').textContent);
        inputs.forEach(change);
        await wait();
        texts.add(document.querySelector('.answer').textContent);
        const moved = texts.size > 1;
        const same = hardlim.report.samples.every((sample, k) => {
          hardlim.load(k);
          return hardlim.answer(hardlim.row.x).outputs.join() === sample.outputs.join();
        });
        await wait();
        hardlim.load(0);
        const back = hardlim.answer(hardlim.row.x).outputs.join() === before;
        const wide = document.documentElement.scrollWidth > innerWidth;
        const sections = [...document.querySelectorAll('section')];
        return { moved, same, back, wide, parts: sections.map((s) => s.children.length > 1) };"""
    expected = {"moved": True, "same": True, "back": True, "wide": False, "parts": [True] * 5}
    for model, data in models:
        for screen in (DESK, PHONE):
            assert visit(model, data, script, screen) == expected, (model, screen)


def test_the_nearest_change_is_the_nearest(trained, visit):
    # Every whole number is tried, and a fine grid of the others.
    script = """
        const wrong = [];
        let flips = 0;
        hardlim.report.samples.forEach((sample, s) => {
          hardlim.load(s);
          const x = hardlim.row.x, now = hardlim.answer(x), found = Flips.nearest(x, now);
          flips += found.length;
          hardlim.report.variables.forEach((variable, v) => {
            const f = variable.feature, at = x[f], step = v < 3 ? 1 : 0.01;
            const [least, most] = hardlim.report.rangeOf(v);
            const next = (value) => Number((value + step).toFixed(2));
            let best = null;
            for (let value = least; value <= most + 1e-9; value = next(value)) {
              const changed = x.slice();
              changed[f] = value;
              const nearer = best === null || Math.abs(value - at) < Math.abs(best - at);
              if (hardlim.answer(changed).place !== now.place && nearer) best = value;
            }
            const own = found.find((flip) => flip.v === v);
            const none = (value) => value === null || value === undefined;
            const distance = (value) => (none(value) ? null : Math.abs(value - at));
            const [mine, tried] = [distance(own?.cell), distance(best)];
            // Round numbers may be a little further away.
            const far = tried + step + 0.02 * mine + 0.01 * hardlim.report.rangeOf(v)[2];
            const off = tried !== null && !(mine !== null && mine <= far);
            if (v < 3 ? mine !== tried : off) {
              wrong.push([sample.row, variable.name, at, own?.cell ?? null, best]);
            }
            if (own) {
              const changed = x.slice();
              changed[f] = own.cell;
              const place = hardlim.answer(changed).place;
              if (place === now.place || place !== own.place) {
                wrong.push([sample.row, variable.name, 'no change']);
              }
            }
          });
        });
        return { wrong, some: flips > 50 };"""
    for name, flags in [("plain", "--beta 1"), ("deep", "--layers 3 --widths 2 --beta 1")]:
        assert visit(*trained(name, whole(), flags), script) == {"wrong": [], "some": True}, name


def test_names_are_harmless(trained, visit):
    def row(i):
        label = "x\u2028&amp;" if i % 3 else "</script><b>"
        return f'{i}.5,"{label}",{int(i > 20 or i % 3 == 0)}'

    head = "<script>alert(1)</script>,</script><img src=x onerror=alert(1)>,'y'"
    model, data = trained("<b>evil", lines(head, row, 40), "--beta 0.5 --max-inputs 1")
    script = """window.alert = () => problems.push('alert');
        document.querySelectorAll('details').forEach((box) => { box.open = true; });
        await wait();
        const evil = '<script>alert(1)</scr' + 'ipt>';
        const names = [...document.querySelectorAll('.bar-name')];
        const shown = names.some((e) => e.title === evil);
        return [document.querySelectorAll('b, img').length, document.title, shown];"""
    assert visit(model, data, script) == [0, "<b>evil.hardlim on <b>evil.csv", True]


@pytest.mark.skipif("HARDLIM_AXE" not in os.environ, reason="no axe-core (HARDLIM_AXE): rules of accessibility")
def test_axe_finds_nothing_to_complain_about(models, visit):
    axe = Path(os.environ["HARDLIM_AXE"]).read_text("utf-8")
    # A function keeps the source apart from the page.
    script = f"""document.querySelectorAll('details').forEach((box) => {{ box.open = true; }});
        await wait();
        (() => {{ {axe} }}).call(window);
        const found = await axe.run(document);
        return found.violations.map((v) => `${{v.id}}: ${{v.nodes[0].html}}`);"""
    for model, data in models:
        for width, _ in (DESK, PHONE):
            for dark in (False, True):
                assert visit(model, data, script, (width, dark)) == [], (model, width, dark)
