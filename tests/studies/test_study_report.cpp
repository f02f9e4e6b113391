// The report of studies: verdicts, that every table, chart and image of a result stands in it, that
// it is well-formed and escaped, and that a study that fails does not end the others.
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/markup.hpp"
#include "studies/report/base64.hpp"
#include "studies/report/figure_index.hpp"
#include "studies/report/image_png.hpp"
#include "studies/report/report_html.hpp"
#include "studies/report/study_json.hpp"
#include "studies/report/verdict.hpp"
#include "studies/study_context.hpp"
#include "studies/study_list.hpp"
#include "tests/studies/matrix_machine.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QXmlStreamReader>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace gantry;
using namespace gantry::test;

namespace {

/// What a browser would show of a page, and the sources of its images.
struct Page {
  QString words, error;
  QStringList images, links, ids, elements;

  explicit Page(const std::string& html) {
    QXmlStreamReader xml(QByteArray::fromStdString(html));
    while (!xml.atEnd()) {
      xml.readNext();
      if (xml.isCharacters()) words += xml.text().toString();
      if (!xml.isStartElement()) continue;
      elements << xml.name().toString();
      const QXmlStreamAttributes attributes = xml.attributes();
      if (xml.name() == QLatin1String("img")) images << attributes.value("src").toString();
      if (attributes.hasAttribute("id")) ids << attributes.value("id").toString();
      if (attributes.hasAttribute("href")) links << attributes.value("href").toString();
    }
    if (xml.hasError()) error = xml.errorString();
  }
};

StudyTable one_of_each() {
  StudyTable t = StudyTable::comparing("k", "Title", {{"what", ""}}, "s");
  t.compare({"near"}, 2.0, 2.09, like_for_like, Better::smaller);
  t.compare({"faster"}, 2.0, 1.0, like_for_like, Better::smaller);
  t.compare({"slower"}, 2.0, 2.2, like_for_like, Better::smaller);
  t.compare({"larger"}, 2.0, 3.0, like_for_like, Better::larger);
  t.compare({"less"}, 2.0, 1.0, like_for_like, Better::larger);
  t.compare({"apart"}, 2.0, 1.0, like_for_like);
  t.compare({"stated"}, StudyCell::stated("below 2", 2), 1.0, like_for_like, Better::smaller);
  t.compare({"other"}, 2.0, 1.0, "print: with transfers", Better::smaller);
  t.compare({"nothing"}, 2.0, {}, like_for_like, Better::smaller);
  t.compare({"word here"}, 2.0, "no GPU", like_for_like, Better::smaller);
  t.compare({"word there"}, "linear", 1.0, like_for_like);
  t.compare({"only here"}, {}, 1.0, like_for_like);
  return t;
}

StudyResult whole_result() {
  StudyResult result;
  result.scale = 0.25;
  result.devices = {"Device <1>"};
  result.notes = {"A & B \"quoted\" \x01 and \xff"};
  result.tables = {one_of_each(), {"plain", "Plain <table>", {{"a<b", "1/mm"}}, {{"x>y"}}}};
  result.charts = {{"c", "Chart & title", "x", "y", false, false, {{"curve <i>", {1, 2}, {3, 4}}}}};
  result.images = {{"i", "Image <b>", "HU", 2, 2, {0, 1, 2, 3}, 0, 3}};
  return result;
}

Study study(const std::string& key, std::function<StudyResult(const StudyOptions&)> compute) {
  return {key, "Study " + key, std::move(compute), {{"Author 2020", "Author: On <CT>. 2020"}}};
}

}  // namespace

class TestStudyReport : public QObject {
  Q_OBJECT

 private slots:
  void verdictsAreComputed() {
    StudyResult result;
    result.tables = {one_of_each()};
    const std::vector<Comparison> all = comparisons(result);
    const std::vector<std::pair<Outcome, std::string>> expected = {
        {Outcome::reached, "reached"},         {Outcome::beaten, "beaten"},
        {Outcome::missed, "not reached"},      {Outcome::beaten, "beaten"},
        {Outcome::missed, "not reached"},      {Outcome::missed, "not reached"},
        {Outcome::beaten, "beaten"},           {Outcome::unlike, "print: with transfers"},
        {Outcome::open, "not computed here"},  {Outcome::open, "no number here: no GPU"},
        {Outcome::open, "print has no number"}};
    QCOMPARE(all.size(), expected.size());  // what print does not have is no comparison
    for (std::size_t i = 0; i < all.size(); ++i) {
      QVERIFY2(all[i].verdict.outcome == expected[i].first, all[i].what.c_str());
      QCOMPARE(all[i].verdict.text, expected[i].second);
      QCOMPARE(all[i].ratio.has_value(), i < 7);
      QCOMPARE(all[i].unit, std::string("s"));
      QCOMPARE(all[i].part, std::string("k"));
    }
    EXPECT_NEAR(*all[0].ratio, 1.045, 1e-12);
  }

  /// What a chosen scan gives again is no merit; a count has to be met exactly.
  void fittedScansAndCountsHaveTheirOwnRules() {
    StudyTable t = StudyTable::comparing("k", "Title", {{"what", ""}}, "");
    t.compare({"near"}, StudyCell::of_fitted_scan(2.0), 2.05, like_for_like, Better::smaller);
    t.compare({"far"}, StudyCell::of_fitted_scan(2.0), 1.0, like_for_like, Better::smaller);
    t.compare({"count"}, StudyCell::exact_count(90), 91.0, like_for_like);
    t.compare({"met"}, StudyCell::exact_count(90), 90.0, like_for_like);
    t.compare({"never"}, 2.0,
              StudyCell::stated("not in 50", std::numeric_limits<double>::infinity()),
              like_for_like, Better::smaller);
    const auto verdict = [&](std::size_t r) { return comparison_of(t, t.rows[r]).verdict; };
    QVERIFY(verdict(0).outcome == Outcome::fitted && verdict(0).text.ends_with("it does"));
    QVERIFY(verdict(1).outcome == Outcome::fitted && verdict(1).text.ends_with("it does not"));
    QVERIFY(verdict(2).outcome == Outcome::missed);
    QVERIFY(verdict(3).outcome == Outcome::reached);
    QVERIFY(verdict(4).outcome == Outcome::missed);
    QVERIFY(!comparison_of(t, t.rows[4]).ratio && !t.rows[4][3].number);
    QCOMPARE(shown(t.rows[4][2]), std::string("not in 50"));
  }

  /// Both the table with a column for what is meant and the one without.
  void misprintsAreSaidToBeWrong() {
    const PrintedNumber misprint(0.7, 0.07, "16.16.16 takes 0.06");
    StudyTable with = StudyTable::comparing_misprints("k", "Title", {{"what", ""}}, "nJ", "mJ");
    StudyTable without = StudyTable::comparing("k", "Title", {{"what", ""}}, "mJ");
    for (StudyTable* table : {&with, &without}) {
      table->compare({"a"}, misprint, 0.035, like_for_like, Better::smaller);
      table->compare({"b"}, misprint, 0.035, "another size", Better::smaller);
      const Comparison like = comparison_of(*table, table->rows[0]),
                       unlike = comparison_of(*table, table->rows[1]);
      QVERIFY(like.verdict.outcome == Outcome::misprint);
      QCOMPARE(like.verdict.text,
               std::string("print is wrong: 16.16.16 takes 0.06; 0.07 meant: beaten"));
      EXPECT_NEAR(*like.ratio, 0.5, 1e-12);
      QCOMPARE(unlike.verdict.text,
               std::string("print is wrong: 16.16.16 takes 0.06; 0.07 meant: another size"));
      QVERIFY(!unlike.ratio);
      QCOMPARE(like.unit, std::string("mJ"));
    }
  }

  /// The summary repeats the other tables; its columns name part and unit.
  void theSummaryStandsForItsStudy() {
    StudyResult result;
    result.tables = {
        one_of_each(),
        StudyTable::comparing("summary", "S", {{"part", ""}, {"what", ""}, {"in", ""}}, "")};
    result.tables[1].compare({"times", "CSR", "ms"}, 2.0, 1.0, like_for_like, Better::smaller);
    const std::vector<Comparison> all = comparisons(result);
    QCOMPARE(all.size(), std::size_t{1});
    QVERIFY(all[0].part == "times" && all[0].what == "CSR" && all[0].unit == "ms");
  }

  /// Numbers among the words have the names of their columns.
  void rowsAreNamed() {
    StudyTable t = StudyTable::comparing("k", "Title", {{"image", ""}, {"view", "degrees"}}, "GB");
    t.compare({"512^2", 45.0}, 1.0, 1.0, like_for_like);
    t.compare({{}, 45.0}, 1.0, 1.0, like_for_like);
    QCOMPARE(comparison_of(t, t.rows[0]).what, std::string("512^2, view 45 degrees"));
    QCOMPARE(comparison_of(t, t.rows[1]).what, std::string("view 45 degrees"));
  }

  void theReportHasAllAndIsWellFormed() {
    std::vector<StudyRun> runs;
    run_study(study("one", [](const StudyOptions&) { return whole_result(); }), {}, runs);
    const std::string html =
        report_html({"Gantry <0>", "2026-01-31", {"CPU & more"}, "A remark"}, runs);
    const Page page(html);
    QVERIFY2(page.error.isEmpty(), qPrintable(page.error));
    for (const char* words :
         {"Gantry <0>",
          "2026-01-31",
          "CPU & more",
          "A remark",
          "A small form",
          "one 0.25",
          "sizes 0.25 of print's",
          "Device <1>",
          "Author 2020",
          "Author: On <CT>. 2020",
          "Title",
          "Plain <table>",
          "a<b [1/mm]",
          "x>y",
          "Chart & title",
          "curve <i>",
          "Image <b>",
          "grey from 0 to 3 HU",
          "A & B \"quoted\" \\x01 and ?",
          "not reached",
          "beaten",
          "print: with transfers",
          "11 comparisons with print: 1 reached, 3 beaten, 3 not reached, 0 where print is wrong, "
          "0 "
          "of scans that print does not state and that are chosen to fit, 1 whose"})
      QVERIFY2(page.words.contains(QString::fromUtf8(words)), words);
    // It needs no other file and runs nothing.
    QVERIFY(!page.elements.contains("script") && !page.elements.contains("link"));
    QCOMPARE(page.elements.count("svg"), 2);    // a chart, and its curves cut at the frame
    QCOMPARE(page.elements.count("table"), 4);  // two of the study, and two over all
    QCOMPARE(page.images.size(), 1);
    // A pixel of the page is one of 128 x 128 for each pixel of the image, of which there are 2
    // x 2.
    const std::vector<std::byte> png = png_of(enlarged(runs[0].result.images[0], 128));
    QVERIFY(page.words.contains("grey from 0 to 3 HU; 2 x 2 pixels, drawn 128 times as large"));
    const QByteArray bytes(reinterpret_cast<const char*>(png.data()),
                           static_cast<qsizetype>(png.size()));
    QCOMPARE(page.images[0], "data:image/png;base64," + QString::fromLatin1(bytes.toBase64()));
    for (const QString& link : page.links)
      QVERIFY2(link.startsWith('#') && page.ids.contains(link.mid(1)), qPrintable(link));
    QVERIFY(page.links.contains("#one") && page.links.contains("#summary"));
  }

  /// What is kept as JSON gives the same page again, images, misprints and fitted scans included.
  void resultsAreReadAgain() {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    StudyResult result = whole_result();
    StudyTable& ruled =
        result.tables.emplace_back(StudyTable::comparing("r", "Rules", {{"what", ""}}, "GB"));
    ruled.compare({"fits"}, StudyCell::of_fitted_scan(2.0), 2.05, like_for_like);
    ruled.compare({"does not fit"}, StudyCell::of_fitted_scan(2.0), 1.0, like_for_like);
    ruled.compare({"another count"}, StudyCell::exact_count(90), 91.0, like_for_like);
    ruled.compare({"never"}, 2.0, StudyCell::stated("not in 50", infinite), like_for_like,
                  Better::smaller);
    for (const double diverged : {infinite, -infinite, std::nan("")})
      ruled.compare({"diverged"}, 2.0, diverged, like_for_like, Better::smaller);
    StudyCell as_printed = 137.74;
    as_printed.all_digits = true;
    result.tables.push_back({"d", "Digits", {{"printed", ""}}, {{as_printed}}});
    const PrintedNumber misprint(0.7, 0.07, "16.16.16 takes 0.06");
    result.tables.push_back(
        StudyTable::comparing_misprints("m", "Misprints", {{"what", ""}}, "nJ", "mJ"));
    result.tables.back().compare({"a"}, misprint, 0.035, like_for_like, Better::smaller);
    result.charts[0].curves[0].y[1] = std::nan("");
    result.charts[0].log_y = true;
    result.charts[0].top = 3.5;
    result.notes = {"A note"};
    const Study& study = studies().front();
    const StudyOrigin origin{"Gantry <0>", "abc", "2026-01-31", result.devices};
    const KeptStudy kept = read_study_json(json_of(study, result, origin).dump(), "kept.json");
    QCOMPARE(kept.study.key, study.key);
    QCOMPARE(kept.origin.commit, std::string("abc"));
    const ReportHead head{"Gantry", "today", {"CPU"}};
    QCOMPARE(QString::fromStdString(report_html(head, {{kept.study, kept.result, {}, false, 0}})),
             QString::fromStdString(report_html(head, {{study, result, {}, false, 0}})));
  }

  /// Results of parts that were computed apart become one: later rows and images replace earlier
  /// ones of the same name.
  void keptResultsAreJoined() {
    const auto part = [](const std::string& name, double here, const std::string& commit) {
      StudyResult result;
      result.devices = {"Device " + commit};
      result.notes = {"A note"};
      result.tables = {
          {"table-" + name, name, {{"a", ""}}, {{here}}},
          StudyTable::comparing("summary", "S", {{"part", ""}, {"what", ""}, {"in", ""}}, "")};
      result.tables[1].compare({name, "CSR", "ms"}, 2.0, here, like_for_like, Better::smaller);
      return KeptStudy{studies().front(), result, {"Gantry", commit, "today", result.devices}};
    };
    std::vector<StudyRun> runs;
    add_kept(part("times", 1, "old"), runs);
    add_kept(part("sizes", 3, "old"), runs);
    add_kept(part("times", 5, "new"), runs);
    QCOMPARE(runs.size(), std::size_t{1});
    const StudyResult& joined = runs[0].result;
    QCOMPARE(joined.tables.size(), std::size_t{3});
    QCOMPARE(joined.tables.back().key, std::string("summary"));
    QCOMPARE(*table(joined, "table-times").rows[0][0].number, 5.0);
    const std::vector<Comparison> all = comparisons(joined);
    QCOMPARE(all.size(), std::size_t{2});
    QVERIFY(*all[0].here.number == 5 && *all[1].here.number == 3);
    QCOMPARE(joined.devices, (std::vector<std::string>{"Device old", "Device new"}));
    QCOMPARE(joined.notes.size(), std::size_t{3});  // two origins and the note
    QCOMPARE(joined.notes[0],
             std::string("Computed on today by Gantry, commit old, on Device old."));
    KeptStudy named = part("times", 1, "abc");  // the program's name may hold the commit
    named.origin.program = "Gantry (commit abc)";
    std::vector<StudyRun> one;
    add_kept(named, one);
    QCOMPARE(one[0].result.notes[0],
             std::string("Computed on today by Gantry (commit abc), on Device abc."));
    const Page page(report_html({"Gantry", "today", {"CPU"}}, runs));
    QVERIFY(page.words.contains("Computed apart, ") && !page.words.contains("Computed in "));
  }

  void damagedResultsAreRefused() {
    StudyResult result = whole_result();
    result.notes = {"A note"};
    const nlohmann::json whole = nlohmann::json::parse(
        json_of(studies().front(), result, {"Gantry", "abc", "today", {"CPU"}}).dump());
    const auto refused = [&](const char* pointer, const nlohmann::json& value, const char* words) {
      nlohmann::json damaged = whole;
      damaged[nlohmann::json::json_pointer(pointer)] = value;
      EXPECT_THROWS(InputError, read_study_json(damaged.dump(), "kept.json"), words);
    };
    refused("/study", "planets", "is no study of this program");
    refused("/tables", 1, "tables: is no list");
    refused("/tables/0/rows/0", {1}, "without a cell for each column");
    refused("/tables/0/rows/0/1", {1}, "has a cell that is no cell");
    refused("/tables/0/rows/0/1/number", "much", "is a text, not a number");
    refused("/charts/0/curves/0/y", {1}, "another number of values");
    refused("/images/0/greys", "AAA=", "are not one for each pixel");
    refused("/images/0/width", 0, "width");
    refused("/notes/0", 7, "is no list of texts");
  }

  /// A study whose entries of print are those of others is shown and not counted.
  void entriesAreCountedOnce() {
    std::vector<StudyRun> runs;
    Study again = study("again", [](const StudyOptions&) { return whole_result(); });
    again.repeats = true;
    run_study(study("one", [](const StudyOptions&) { return whole_result(); }), {}, runs);
    run_study(again, {}, runs);
    const Page page(report_html({"Gantry", "today", {"CPU"}}, runs));
    QVERIFY(page.words.contains("11 comparisons with print: 1 reached, 3 beaten"));
    QVERIFY(page.words.contains("are not counted: again."));
    QCOMPARE(page.ids.count("again"), 1);
    QCOMPARE(page.elements.count("table"), 6);
    // By itself it repeats nothing, and neither does it beside a study of another paper.
    runs.erase(runs.begin());
    QVERIFY(Page(report_html({"Gantry", "today", {"CPU"}}, runs))
                .words.contains("11 comparisons with print: 1 reached, 3 beaten"));
    Study other = study("other", [](const StudyOptions&) { return whole_result(); });
    other.papers = {{"Another 2021", "Another: On CT. 2021"}};
    run_study(other, {}, runs);
    QVERIFY(Page(report_html({"Gantry", "today", {"CPU"}}, runs))
                .words.contains("22 comparisons with print: 2 reached, 6 beaten"));
    // Neither does it where the other study has no GPU for these entries.
    const auto without_gpu = [](const StudyOptions&) {
      StudyTable table = StudyTable::comparing("times", "Times", {{"what", ""}}, "s");
      table.compare({"a product"}, 1.0, StudyCell(needs_cuda), {});
      StudyResult result;
      result.tables = {table};
      return result;
    };
    for (const bool needs_gpu : {false, true}) {
      runs.clear();
      again.others_need_gpu = needs_gpu;
      run_study(again, {}, runs);
      run_study(study("one", without_gpu), {}, runs);
      QCOMPARE(Page(report_html({"Gantry", "today", {"CPU"}}, runs)).words.contains("not counted"),
               !needs_gpu);
    }
  }

  /// The first row is the bottom one; what lies outside the window is black or white, and so is
  /// what is no number.
  void imagesAreDrawnInTheirWindow() {
    const StudyImage image{"i", "t", "", 2, 2, {-5, 0.5, 9, std::nanf("")}, 0, 1};
    const std::vector<std::byte> png = png_of(image);
    const QByteArray file(reinterpret_cast<const char*>(png.data()),
                          static_cast<qsizetype>(png.size()));
    const qsizetype data = file.indexOf("IDAT") + 4;
    QByteArray counted(4, '\0');
    counted[3] = 6;
    QCOMPARE(qUncompress(counted + file.mid(data, file.indexOf("IEND") - 8 - data)).toHex(),
             QByteArray("00ff00000080"));
    QCOMPARE(caption_of(image), std::string("t; grey from 0 to 1"));
  }

  /// Small images are at least 256 pixels wide in the page, by whole factors, and not too high.
  void smallImagesAreEnlarged() {
    const auto factor = [](int width, int height) {
      return enlargement({.key = "i", .title = "t", .width = width, .height = height});
    };
    QCOMPARE(factor(32, 4), 8);
    QCOMPARE(factor(100, 100), 3);
    QCOMPARE(factor(255, 8), 2);
    QCOMPARE(factor(256, 8), 1);
    QCOMPARE(factor(1024, 1024), 1);
    QCOMPARE(factor(16, 256), 4);
    QCOMPARE(factor(16, 4096), 1);
    const StudyImage large = enlarged({"i", "t", "", 2, 1, {0, 1}, 0, 1}, 3);
    QVERIFY(large.width == 6 && large.height == 3);
    QCOMPARE(large.values,
             (std::vector<float>{0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1}));
  }

  void bytesBecomeBase64() {
    for (const char* text : {"", "f", "fo", "foo", "foob", "\xff\xfe\xfd\xfc\xfb"}) {
      const auto bytes = std::as_bytes(std::span(text, std::strlen(text)));
      QCOMPARE(base64(bytes), QByteArray(text).toBase64().toStdString());
      const auto back = from_base64(base64(bytes));
      QVERIFY(back && std::ranges::equal(*back, bytes));
    }
    for (const char* wrong : {"A", "AAA", "A===", "AA=A", "====", "AAAA=AAA", "AA*A"})
      QVERIFY2(!from_base64(wrong), wrong);
  }

  void bytesThatAreNoUtf8AreSeen() {
    QCOMPARE(escaped("\u00fc\u20ac\U0001F600"), std::string("\u00fc\u20ac\U0001F600"));
    QCOMPARE(escaped("a\xc3"), std::string("a?"));            // cut short
    QCOMPARE(escaped("\xed\xa0\x80|"), std::string("???|"));  // a surrogate
    QCOMPARE(escaped("\xc0\xaf"), std::string("??"));         // overlong
    QCOMPARE(escaped("<&>\"\n"), std::string("&lt;&amp;&gt;&quot; "));
  }

  /// What a study throws is the reason in its section, beside what it had shown until then.
  void aFailingStudyDoesNotEndTheOthers() {
    std::vector<StudyRun> runs;
    const auto failing = [](const StudyOptions& options) -> StudyResult {
      options.so_far(whole_result());
      throw InputError("the file is cut short", "a.tif", "copy it again");
    };
    const auto refusing = [](const StudyOptions&) -> StudyResult {
      throw UsageError("needs a series", "--pictures", "name one");
    };
    run_study(study("fails", failing), {}, runs);
    run_study(study("refuses", refusing), {}, runs);
    run_study(study("works", [](const StudyOptions&) { return whole_result(); }), {}, runs);
    QCOMPARE(runs.size(), std::size_t{3});
    QVERIFY(!runs[0].left_out && runs[1].left_out && !runs[2].left_out);
    QVERIFY(runs[2].problem.empty() && runs[0].result.tables.size() == 2);
    const Page page(report_html({"Gantry", "today", {"CPU"}}, runs));
    QVERIFY2(page.error.isEmpty(), qPrintable(page.error));
    QVERIFY(page.words.contains("Not complete: a.tif: the file is cut short"));
    QVERIFY(page.words.contains("needs a series"));
    QVERIFY(page.words.contains("(left out)") && page.words.contains("(not complete)"));
    QCOMPARE(page.ids.count("works"), 1);
  }

  void anInterruptEndsThemWithTheResultsSoFar() {
    std::vector<StudyRun> runs;
    const auto interrupted = [](const StudyOptions& options) -> StudyResult {
      options.so_far(whole_result());
      throw Interrupted{};
    };
    bool passed_on = false;
    try {
      run_study(study("stops", interrupted), {}, runs);
    } catch (const Interrupted&) {
      passed_on = true;
    }
    QVERIFY(passed_on);
    QVERIFY(runs[0].problem == "interrupted" && runs[0].result.tables.size() == 2);
  }

  /// Parts and sizes for several studies select what each one knows.
  void studiesTakeWhatTheyKnow() {
    StudyOptions options;
    options.sizes = {64, 999, 512};
    EXPECT_THROWS(UsageError, known_sizes(options, "k", {64, 512}), "k has no size 999");
    options.for_several = true;
    QCOMPARE(known_sizes(options, "k", {64, 512}), (std::vector<int>{64, 512}));
    EXPECT_THROWS(UsageError, known_sizes(options, "k", {128}), "use some of 128");
    options.sizes = {};
    QVERIFY(known_sizes(options, "k", {128}).empty());
    std::vector<StudyRun> runs;
    options.parts = {"times"};
    run_study(study("whole", [](const StudyOptions&) { return whole_result(); }), options, runs);
    QVERIFY(runs[0].left_out && runs[0].problem == "whole has no parts");
  }

  /// Every table and figure is computed by a part of a study that there is, or has a reason.
  void theIndexNamesPartsOfStudies() {
    const Machine machine;
    for (const IndexOfPaper& paper : figure_index())
      for (const IndexEntry& entry : paper.entries) {
        const std::string name = paper.paper + ", " + entry.number;
        if (entry.study.empty()) {
          QVERIFY2(!entry.remark.empty(), name.c_str());
          continue;
        }
        const auto found = std::ranges::find(studies(), entry.study, &Study::key);
        QVERIFY2(found != studies().end(), name.c_str());
        QVERIFY2(std::ranges::find(found->papers, paper.paper, &Paper::name) != found->papers.end(),
                 name.c_str());
        if (entry.part.empty()) continue;
        try {
          found->compute(machine.options({"none of them"}));
          QFAIL(name.c_str());
        } catch (const UsageError& error) {  // tells the parts that there are
          QVERIFY2(std::string(error.what()).find(entry.part) != std::string::npos, error.what());
        }
      }
  }

  /// Every published study names its papers.
  void studiesNameTheirPapers() {
    for (const Study& published : studies()) {
      QVERIFY2(!published.papers.empty(), published.key.c_str());
      for (const Paper& paper : published.papers)
        QVERIFY2(published.title.find(paper.name) != std::string::npos, published.key.c_str());
    }
  }
};

GANTRY_TEST(TestStudyReport)
#include "test_study_report.moc"
