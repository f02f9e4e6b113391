// The computed studies against the numbers of independent prototypes, and how results are written.
#include "studies/slice_image.hpp"
#include "studies/study.hpp"
#include "studies/study_chart.hpp"
#include "studies/study_context.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/study_table.hpp"
#include "tests/support/test_program.hpp"

#include <QPointF>
#include <QRectF>
#include <QRegularExpression>
#include <QXmlStreamReader>

#include <algorithm>
#include <numeric>
#include <set>

using namespace gantry;
using namespace gantry::test;

namespace {

StudyResult compute(const std::string& key) {
  const auto study = std::ranges::find(studies(), key, &Study::key);
  return study->compute({});
}

const std::vector<StudyCell>& row(const StudyTable& t, std::string_view name) {
  return *std::ranges::find_if(t.rows, [&](const auto& r) { return r[0].words == name; });
}

/// A line of a chart: its ends, and what it looks like.
struct ChartLine {
  QPointF first, last;
  QString look;
};

/// What an SVG of a chart holds. The curves lie in an element of its own that cuts them at the
/// frame.
struct ChartSvg {
  QRectF frame;
  std::vector<ChartLine> curves, others;
  std::vector<QPointF> dots;
  QStringList texts;
  QString problem;

  explicit ChartSvg(const StudyChart& chart) {
    QXmlStreamReader xml(QByteArray::fromStdString(svg_chart(chart)));
    int depth = 0;
    while (!xml.atEnd()) {
      xml.readNext();
      if (xml.isEndElement() && xml.name() == QLatin1String("svg")) --depth;
      if (xml.isStartElement()) {
        if (xml.name() == QLatin1String("svg") && ++depth == 2) frame = frame_of(xml.attributes());
        if (xml.name() == QLatin1String("polyline"))
          (depth == 2 ? curves : others).push_back(line_of(xml.attributes()));
        if (xml.name() == QLatin1String("circle"))
          dots.emplace_back(xml.attributes().value("cx").toDouble(),
                            xml.attributes().value("cy").toDouble());
        if (xml.name() == QLatin1String("text")) texts << xml.readElementText();
      }
    }
    if (xml.hasError()) problem = xml.errorString();
  }

  /// The samples of the legend, which lies below the frame.
  std::vector<ChartLine> samples() const {
    std::vector<ChartLine> found;
    for (const ChartLine& line : others)
      if (line.first.y() > frame.bottom() + 20) found.push_back(line);
    return found;
  }

  static QRectF frame_of(const QXmlStreamAttributes& a) {
    return {a.value("x").toDouble(), a.value("y").toDouble(), a.value("width").toDouble(),
            a.value("height").toDouble()};
  }
  static ChartLine line_of(const QXmlStreamAttributes& a) {
    const QStringList points = a.value("points").toString().split(' ');
    const auto point = [](const QString& text) {
      return QPointF(text.section(',', 0, 0).toDouble(), text.section(',', 1).toDouble());
    };
    return {point(points.front()), point(points.back()),
            (a.value("stroke").toString() + ' ' + a.value("stroke-dasharray").toString())};
  }
};

template <class Value>
std::size_t different(const std::vector<ChartLine>& lines, Value&& value) {
  std::set<std::decay_t<decltype(value(lines.front()))>> found;
  for (const ChartLine& line : lines) found.insert(value(line));
  return found.size();
}

/// A chart of 26 curves with so many values of x.
StudyChart many_curves(int values) {
  StudyChart chart{"k", "t", "x", "y", false, false, {}};
  for (int i = 0; i < 26; ++i) {
    chart.curves.push_back({"curve " + std::to_string(i), {}, {}});
    for (int k = 0; k < values; ++k) {
      chart.curves.back().x.push_back(256 + k);
      chart.curves.back().y.push_back(i * (k + 1));
    }
  }
  return chart;
}

}  // namespace

class TestStudies : public QObject {
  Q_OBJECT

  static void readingsStandBesidePrint(const StudyResult& result) {
    const StudyTable& readings = table(result, "rmse-readings");
    const auto of = [&](const char* what, const char* weights) {
      return *std::ranges::find_if(readings.rows, [&](const auto& cells) {
        return cells[0].words == what && cells[1].words == weights;
      });
    };
    const auto exact = of("RMSE, mm", "exact"), rounded = of("RMSE, mm", "eight bits"),
               cm = of("RMSE, cm", "exact"), nine = of("RMSE, mm, fractions of nine bits", "exact");
    // Both views of the table "ones" together; 0.0775 of the prototype's backprojection of every
    // seventh voxel line, 0.1106 with rounded weights.
    EXPECT_NEAR(*exact[2].number, std::hypot(0.077212, 0.085795) / std::sqrt(2), 3e-5);
    EXPECT_NEAR(*exact[4].number, 0.0775, 2e-3);
    EXPECT_NEAR(*rounded[4].number, 0.1106, 6e-3);
    EXPECT_NEAR(*cm[2].number, 0.1 * *exact[2].number, 1e-12);
    EXPECT_NEAR(*nine[4].number, 0.5 * *exact[4].number, 0.03 * *exact[4].number);
    int both = 0;
    for (const auto& cells : readings.rows) {
      EXPECT_NEAR(*cells[3].number, *cells[2].number / 2.77e-2, 1e-12);
      if (cells[4].number) EXPECT_NEAR(*cells[5].number, *cells[4].number / 5.24e-2, 1e-12);
      const bool agrees = cells[5].number && std::abs(*cells[3].number - 1) <= 0.1 &&
                          std::abs(*cells[5].number - 1) <= 0.1;
      QCOMPARE(cells[6].words, std::string(agrees ? "yes" : "no"));
      both += agrees ? 1 : 0;
    }
    const std::string counted = "of " + std::to_string(readings.rows.size()) +
                                " readings of print's RMSE " +
                                (both == 0 ? "none" : std::to_string(both));
    QVERIFY(std::ranges::any_of(result.notes, [&](const std::string& note) {
      return note.find(counted) != std::string::npos;
    }));
  }

 private slots:
  void artConvergesAsInThePrototype() {
    const StudyResult result = compute("art-convergence");
    const StudyTable& rmse = table(result, "rmse");
    struct Expected {
      const char* method;
      std::vector<double> values;  ///< after 1, 5, 15, 30, 50 iterations
    };
    const std::vector<Expected> all = {
        {"ART, lambda 1", {.1197, .0526, .0190}},
        {"ART, lambda 0.2", {.0634, .0149, .0061, .0038}},
        {"ART, lambda 1, golden views", {.0268, .0051, .0025}},
        {"whole scan as printed, lambda 1", {.2361, .2329, .2257, .2164, .2064}},
        {"whole scan, half of the largest step", {.1798, .1430, .1055, .0790, .0602}},
        {"whole scan, 0.9 of the largest step", {.1977, .1303, .0827, .0573, .0412}},
        {"whole scan, 1.02 of the largest step", {.2134, .1986, .2484, .4281, .9316}},
        {"by view as printed, lambda 1", {.1743, .1276, .0864, .0604, .0437}},
        {"by view as printed, lambda 10", {.1009, .0428, .0185, .0105, .0070}},
        {"by view, c 0.25", {.0671, .0146, .0053, .0034, .0025}},
        {"by view, c 0.5", {.0956, .0311, .0075, .0026, .0017}},
        {"by view, c 1", {.1595, .1141, .0736, .0533, .0424}},
        {"by view, c 1, golden views", {.0585, .0084, .0039, .0025, .0017}}};
    QCOMPARE(rmse.rows.size(), all.size());
    for (const Expected& expected : all) {
      const auto& cells = row(rmse, expected.method);
      for (std::size_t i = 0; i < expected.values.size(); ++i) {
        // Past its bound the error grows exponentially, and with it the rounding of that bound.
        const double slack =
            std::string(expected.method).find("1.02") != std::string::npos ? 2e-2 : 0;
        EXPECT_NEAR(*cells[i + 1].number, expected.values[i], 0.6e-4 + slack * expected.values[i]);
      }
      for (std::size_t i = expected.values.size() + 1; i < cells.size(); ++i)
        QVERIFY(!cells[i].number);
    }
    QVERIFY(result.notes[1].find(": 320") != std::string::npos);  // 319.6
    QVERIFY(rmse.title.find("0.2369 of the empty image") != std::string::npos);
    // Print has three methods; none of its numbers stands beside another.
    for (const auto& cells : table(result, "convergence").rows) {
      const std::string& name = cells[0].words;
      const bool whole = name == "whole scan as printed, lambda 1",
                 view = name == "by view as printed, lambda 1", art = name == "ART, lambda 1";
      QCOMPARE(cells[1].number, art     ? std::optional(15.0)
                                : whole ? std::optional(50.0)
                                : view  ? std::optional(30.0)
                                        : std::nullopt);
      QCOMPARE(cells[4].number.has_value(), whole || view);
    }
  }

  void sizesOfMatrices() {
    const StudyResult result = compute("nonzeros");
    const auto nonzeros = [&](std::size_t r) {
      return *table(result, "area-integral").rows[r][3].number;
    };
    EXPECT_NEAR(nonzeros(7), 78607323, 80);  // 720 views, SCSR: 512, 1024, 2048
    EXPECT_NEAR(nonzeros(9), 201629745, 200);
    EXPECT_NEAR(nonzeros(11), 580918445, 600);
    const StudyTable& siddon = table(result, "siddon");
    EXPECT_NEAR(*siddon.rows[0][3].number, 9.447e6, 0.001e6);
    EXPECT_NEAR(*siddon.rows[0][6].number, 72.25, 0.01);
    EXPECT_NEAR(*siddon.rows[1][6].number, 88.25, 0.01);
    EXPECT_NEAR(*siddon.rows[2][6].number, 547.27, 0.01);
    EXPECT_NEAR(*siddon.rows[3][6].number, 641.0, 0.01);
    // Print's 512^2 has 180 views.
    QCOMPARE(siddon.rows[2][7].words, std::string("print: 180 angles"));
    QVERIFY(siddon.rows[4][7].number && std::abs(*siddon.rows[4][7].number) < 0.2);
    // 8 x 201629745 weights in 1024 x 720 rows; 11.97 / (2 x 6.19) is 0.9669.
    QVERIFY(std::ranges::any_of(result.notes, [](const std::string& note) {
      return note.find("2188 of 1048576 pixels") != std::string::npos &&
             note.find("up to 3.3 %") != std::string::npos;
    }));
    const StudyTable& footprints = table(result, "footprints");
    EXPECT_NEAR(*footprints.rows[1][4].number, 39.0, 0.05);  // 64^2, linear interpolation
    EXPECT_NEAR(*footprints.rows[10][4].number, 322.3, 0.1);
    EXPECT_NEAR(*footprints.rows[11][4].number, 311.9, 0.1);
  }

  /// A prototype of its own, of ones alone, has the same numbers in the same rows: 8 of 64.
  void eightBitsCostWhatThePrototypeSays() {
    const auto study = std::ranges::find(studies(), "dd-accuracy", &Study::key);
    const StudyResult result = study->compute({.scale = 0.125});
    const StudyTable& staircase = table(result, "staircase");
    EXPECT_NEAR(*staircase.rows[0][2].number, 128, 1e-9);
    EXPECT_NEAR(*staircase.rows[1][2].number, 1.0 / 512, 1e-12);
    const StudyTable& ones = table(result, "ones");
    QCOMPARE(ones.rows.size(), std::size_t{12});
    // RMSE of double sums and fractions of eight bits, and with float sums and rounded weights.
    const std::vector<std::pair<double, double>> prototype = {
        {0.077212, 0.13280}, {0.085795, 0.15214}, {0.068748, 0.13538}};
    for (std::size_t v = 0; v < prototype.size(); ++v) {
      EXPECT_NEAR(*ones.rows[4 * v + 1][5].number, prototype[v].first, 2e-5);
      EXPECT_NEAR(*ones.rows[4 * v][5].number, prototype[v].second, 1e-3);
    }
    EXPECT_NEAR(*ones.rows[9][2].number, 0.1928, 1e-4);
    for (const auto& cells : ones.rows) QVERIFY(*cells[2].number < 0.4);
    // Fig. 12: both views printed, DB far better than BL, and curves of either.
    for (const std::size_t first : {std::size_t{0}, std::size_t{4}}) {
      QCOMPARE(*ones.rows[first][4].number, 2.77e-2);
      QCOMPARE(*ones.rows[first + 3][4].number, 3.50e-4);
      QVERIFY(!ones.rows[first][6].number);  // of what unit is not in print
      QVERIFY(*ones.rows[first + 3][5].number < 0.1 * *ones.rows[first][5].number);
      QCOMPARE(*ones.rows[first + 3][3].number, 0.0);
    }
    const auto chart = std::ranges::find(result.charts, "ones-profiles", &StudyChart::key);
    QVERIFY(chart != result.charts.end());
    QCOMPARE(chart->curves.size(), std::size_t{6});
    // At 0 degrees the middle of the row sees the whole slice: 500 mm, and little more for the fan.
    EXPECT_NEAR(chart->curves[0].y[445], 500, 0.2);
    for (const auto& cells : table(result, "bar").rows) {
      QVERIFY(*cells[3].number < 0.28);
      QCOMPARE(cells[2].words == "below 0.2", cells[0].number == 30.0);  // said of Fig. 15 (a)
    }
    readingsStandBesidePrint(result);
    // Fig. 13: three contours, GPU-BL itself and two differences, of which GPU-DB's is far smaller.
    const auto image = [&](const char* key) {
      return *std::ranges::find(result.images, key, &StudyImage::key);
    };
    const auto largest = [](const StudyImage& of) {
      const auto [low, high] = std::ranges::minmax(of.values);
      return std::max(-low, high);
    };
    const StudyImage bl = image("back-less-bl"), db = image("back-less-db");
    EXPECT_NEAR(bl.high, largest(bl), 1e-6 * bl.high);
    QVERIFY(db.high == bl.high && largest(db) < 0.01 * largest(bl));
    for (const char* key : {"back-contours-cpu", "back-contours-bl", "back-contours-db"}) {
      QVERIFY(image(key).title.find("in ten steps") != std::string::npos);
      QCOMPARE(largest(image(key)), 1.0F);
    }
    EXPECT_NEAR(largest(image("back-bl")), image("back-bl").high, 0.03);
  }

  void storedViewsAreOrbits() {
    const StudyResult result = compute("symmetry");
    const std::vector<double> views = {90, 91, 45, 46, 123, 124, 246, 2, 2, 3, 3};
    const StudyTable& t = table(result, "symmetry");
    QCOMPARE(t.rows.size(), views.size());
    for (std::size_t r = 0; r < views.size(); ++r) {
      QCOMPARE(*t.rows[r][8].number, views[r]);
      // Rays of which none is the image of another: the rows of the matrix over the elements.
      EXPECT_NEAR(*t.rows[r][6].number, 100 / *t.rows[r][3].number, 1e-9);
    }
  }

  void planesAndContoursOfAVolume() {
    const VolumeGrid grid = VolumeGrid::centered(3, 4, 2, {1, 1, 1});
    std::vector<float> volume;
    for (std::size_t i = 0; i < grid.voxels(); ++i) volume.push_back(static_cast<float>(i));
    const auto of = [&](Plane plane) { return slice_image("k", "t", volume, grid, {}, 2, plane); };
    const StudyImage flat = of(Plane::transverse), side = of(Plane::sagittal),
                     front = of(Plane::coronal);
    QVERIFY(flat.width == 3 && flat.height == 4 && side.width == 4 && side.height == 2 &&
            front.width == 3 && front.height == 2);
    QCOMPARE(flat.values[1], 2.0F * 13);                                        // (1, 0, 1)
    QCOMPARE(side.values, (std::vector<float>{2, 8, 14, 20, 26, 32, 38, 44}));  // x = 1
    QCOMPARE(front.values, (std::vector<float>{12, 14, 16, 36, 38, 40}));       // y = 2
    // Levels 0, 10, 20, ...: between 8 and 14, 14 and 20, and along z everywhere.
    StudyImage plane = side;
    plane.values = {2, 8, 14, 19, 3, 9, 15, 18};
    const StudyImage contours = contour_image(plane, 0, 10);
    QCOMPARE(contours.values, (std::vector<float>{0, 1, 0, 0, 0, 1, 0, 0}));
    plane.width = 20;
    plane.height = 1;
    plane.values.resize(20);
    std::iota(plane.values.begin(), plane.values.end(), 0.0F);
    const StudyImage ten = ten_contours(plane, plane);
    QVERIFY(ten.title.find("levels 3.545") != std::string::npos);
    // Eleven steps of 17/11 from 2 on: 2, 3.5, 5.1, ...; below 2, levels continue downwards.
    QCOMPARE(ten.values[3], 1.0F);
    QCOMPARE(ten.values[19], 0.0F);
    plane.width = 4;
    plane.height = 2;
    plane.values = {2, 8, 12, 19, 12, 8, 19, 20};
    QCOMPARE(contour_image(plane, 0, 10).values, (std::vector<float>{1, 1, 0, 1, 1, 1, 1, 0}));
  }

  void tablesCompareAndAreWritten() {
    StudyTable t = StudyTable::comparing("k", "Title", {{"what", ""}}, "GB");
    t.compare({"a, b"}, 2.0, 2.5, like_for_like);
    t.compare({"c"}, {}, 3, like_for_like);
    QCOMPARE(*t.rows[0][3].number, 25.0);
    QVERIFY(!t.rows[1][3].number);
    QCOMPARE(table_csv(t, {"one\ntwo"}),
             std::string("# one two\n# Title\nwhat,printed [GB],here [GB],deviation [%]\n"
                         "\"a, b\",2,2.5,25\nc,,3,\n"));
    QCOMPARE(table_text(t), std::string("Title\n"
                                        "  what  printed [GB]  here [GB]  deviation [%]\n"
                                        "  a, b             2        2.5             25\n"
                                        "  c                -          3              -\n"));
  }

  /// Print's numbers have all their digits, numbers of here four; words that state a number stand
  /// in its place.
  void printedNumbersKeepTheirDigits() {
    StudyTable t = StudyTable::comparing("k", "Title", {{"what", ""}}, "MB");
    t.compare({"a"}, 547.84, 547.274, like_for_like);
    t.compare({"b"}, StudyCell::stated("below 0.2", 0.2), 0.1, like_for_like, Better::smaller);
    QCOMPARE(shown(t.rows[0][1]), std::string("547.84"));
    QCOMPARE(shown(t.rows[0][2]), std::string("547.3"));
    QCOMPARE(shown(t.rows[1][1]), std::string("below 0.2"));
    QCOMPARE(*t.rows[1][3].number, -50.0);
    QCOMPARE(table_csv(t, {}), std::string("# Title\nwhat,printed [MB],here [MB],deviation [%]\n"
                                           "a,547.84,547.274,-0.1\nb,below 0.2,0.1,-50\n"));
  }

  /// A deviation is of like for like; otherwise the reason stands in its place, where there would
  /// have been one.
  void whatIsUnlikeHasNoDeviation() {
    StudyTable t = StudyTable::comparing("k", "Title", {{"what", ""}}, "s");
    t.compare({"a"}, 2.0, 2.5, "print: with transfers");
    t.compare({"b"}, 2.0, {}, "print: with transfers");
    t.compare({"c"}, "linear", 1.0, like_for_like);
    QCOMPARE(t.rows[0][3].words, std::string("print: with transfers"));
    QVERIFY(!t.rows[0][3].number);
    QVERIFY(t.rows[1][3].words.empty() && !t.rows[1][3].number);
    QVERIFY(t.rows[2][3].words.empty() && !t.rows[2][3].number);
    QCOMPARE(another_size(1.0), std::string(like_for_like));
    QCOMPARE(another_size(0.125), std::string("another size: 0.125 of print's"));
    QCOMPARE(another_size(128, 1024), std::string("another size: 128^2, print 1024^2"));
  }

  /// Print's own number stands in its column, what it means beside it, and deviations are from
  /// that.
  void misprintsStandAsTheyAre() {
    const PrintedNumber misprint(0.7, 0.07, "16.16.16 takes 0.06"), right = 0.5;
    QCOMPARE(misprint.value(), 0.07);
    QCOMPARE(right.value(), 0.5);
    QCOMPARE(misprint_note("Table 4, 64^2", misprint),
             std::string("Table 4, 64^2: 0.7 as printed, 0.07 meant: 16.16.16 takes 0.06."));
    StudyTable t = StudyTable::comparing_misprints("k", "Title", {{"what", ""}}, "nJ", "mJ");
    t.compare({"a"}, misprint, 0.14, like_for_like);
    t.compare({"b"}, right, 1.0, like_for_like);
    QCOMPARE(table_csv(t, {}),
             std::string("# Title\nwhat,printed [nJ],meant [mJ],here [mJ],deviation [%]\n"
                         "a,0.7,0.07,0.14,100\nb,0.5,,1,100\n"));
    StudyTable plain = StudyTable::comparing("k", "Title", {{"what", ""}}, "ms");
    plain.compare({"a"}, misprint, 0.14, like_for_like);
    QCOMPARE(plain.rows[0][3].words, std::string("misprint, 0.07 meant"));
  }

  void figuresAreWellFormed() {
    StudyChart chart{"k", "A < B & C", "x", "y", true, true, {}};
    chart.curves = {{"one", {1, 10, 100, 1000, 1e4, 1e5}, {1, 2, std::nan(""), 0, 5, 10}},
                    {"none", {}, {}}};
    const ChartSvg svg(chart);
    QVERIFY2(svg.problem.isEmpty(), qPrintable(svg.problem));
    for (const char* text : {"A < B & C", "one", "none", "x", "y", "100"})
      QVERIFY2(svg.texts.contains(QLatin1String(text)), text);
    QCOMPARE(svg.curves.size(), std::size_t{2});  // the pieces about the gap
    QCOMPARE(svg.samples().size(), std::size_t{2});
    const std::string text = svg_chart(chart);
    QVERIFY(text.find("nan") == std::string::npos && text.find("inf") == std::string::npos);
    // x from 1 to 1e5 fills the frame from left to right, up to a small margin.
    QVERIFY(svg.curves[0].first.x() > svg.frame.left());
    QVERIFY(svg.curves[0].first.x() < svg.frame.left() + 0.03 * svg.frame.width());
    QVERIFY(svg.curves[1].last.x() < svg.frame.right());
    QVERIFY(svg.curves[1].last.x() > svg.frame.right() - 0.03 * svg.frame.width());
    chart.curves.clear();
    QVERIFY(ChartSvg(chart).texts.contains(QLatin1String("No values")));
  }

  /// Of many curves no two look the same, each is named, and long names have the whole width of
  /// the legend.
  void manyCurvesAreToldApart() {
    StudyChart chart = many_curves(2);
    const auto look = [](const ChartLine& line) { return line.look; };
    const auto left = [](const ChartLine& line) { return line.first.x(); };
    const ChartSvg two(chart);
    QCOMPARE(two.samples().size(), std::size_t{26});
    QCOMPARE(different(two.samples(), look), std::size_t{26});
    QCOMPARE(different(two.curves, look), std::size_t{26});
    QCOMPARE(different(two.samples(), left), std::size_t{2});
    chart.curves[3].name = std::string(60, 'm');
    const ChartSvg one(chart);
    QCOMPARE(different(one.samples(), left), std::size_t{1});
    for (const StudyCurve& curve : chart.curves)
      QVERIFY2(one.texts.contains(QString::fromStdString(curve.name)), curve.name.c_str());
    QVERIFY(one.frame.height() > 300 && std::abs(one.frame.height() - two.frame.height()) < 1);
  }

  /// Values of a single size are dots over its tick; what tells curves of one colour apart is
  /// drawn beside them.
  void oneSizeIsReadable() {
    const ChartSvg svg(many_curves(1));
    QVERIFY(svg.curves.empty());
    QCOMPARE(svg.dots.size(), std::size_t{26});
    for (const QPointF& dot : svg.dots) {
      EXPECT_NEAR(dot.x(), svg.frame.center().x(), 0.01);
      QVERIFY(svg.frame.contains(dot));
    }
    QVERIFY(svg.texts.contains(QLatin1String("256")));
    std::set<QString> dashed;
    for (const ChartLine& line : svg.others)
      if (line.first.y() < svg.frame.bottom() && line.look.trimmed().contains(' '))
        dashed.insert(line.look);
    QCOMPARE(dashed.size(), std::size_t{26 - 8});
  }

  /// A curve that diverges leaves the frame and comes back; the others keep their height.
  void divergingCurvesLeaveTheFrame() {
    StudyChart chart{"k", "t", "x", "y", false, true, {}};
    chart.curves = {{"far", {1, 2, 3, 4}, {1, 10, 1e30, 1}}, {"near", {1, 4}, {1, 0.1}}};
    chart.top = 100;
    const ChartSvg svg(chart);
    const double decade = svg.frame.height() / (3 * 1.12);  // of 0.1 to 100 with both margins
    EXPECT_NEAR(svg.curves.back().last.y() - svg.curves.back().first.y(), decade, 0.01);
    QCOMPARE(svg.curves.size(), std::size_t{3});  // the first one leaves and comes back
    QVERIFY(svg.curves[0].last.y() < svg.frame.top() && svg.curves[1].first.y() < svg.frame.top());
    EXPECT_NEAR(svg.curves[1].last.y(), svg.curves[0].first.y(), 0.01);
  }

  /// On a dark page neither texts nor lines of axes nor the ground keep the colours of white paper.
  void aDarkPageExchangesTheColoursOfCharts() {
    const QString svg = QString::fromStdString(svg_chart(many_curves(2))),
                  rules = QString::fromStdString(chart_rules_on(rgb(0x17191C)));
    const QRegularExpression grey("<\\w+ [^>]*(fill|stroke)=\"#(..)\\2\\2\"");
    std::set<QString> colours;
    for (auto found = grey.globalMatch(svg); found.hasNext();) {
      const QRegularExpressionMatch match = found.next();
      colours.insert(QStringLiteral("[%1=\"#%2%2%2\"]").arg(match.captured(1), match.captured(2)));
    }
    colours.erase(QStringLiteral("[stroke=\"#8c8c8c\"]"));  // of a curve, seen on both
    colours.erase(QStringLiteral("[fill=\"#8c8c8c\"]"));
    QVERIFY(colours.size() >= 5);
    for (const QString& colour : colours) QVERIFY2(rules.contains(colour), qPrintable(colour));
  }

  void keysAreFileNames() {
    for (const Study& study : studies())
      QVERIFY(std::ranges::all_of(study.key, [](char c) {
        return std::islower(static_cast<unsigned char>(c)) || c == '-';
      }));
  }
};

GANTRY_TEST(TestStudies)
#include "test_studies.moc"
