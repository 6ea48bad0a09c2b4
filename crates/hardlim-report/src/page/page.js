// The parts of the page, from the first to the last.
(() => {
  const section = (id) => document.getElementById(id);
  section("title").textContent = `${report.title} on ${report.source}`;
  Verdict.show(section("verdict"));
  Effects.show(section("effects"));
  Try.show(section("try"));
  Quality.show(section("quality"), (number) => {
    Try.load(report.samples.findIndex((sample) => sample.row === number));
    section("try").scrollIntoView();
    section("picker").focus();
  });
  Origin.show(section("origin"));
  window.hardlim = { predict: report.predict, answer: report.answer, report, row: Try.row, load: Try.load };
})();
