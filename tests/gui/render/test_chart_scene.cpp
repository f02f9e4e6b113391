#include "charts/chart_drawing.hpp"
#include "charts/painting/recording_painter.hpp"
#include "gui/render/chart_scene.hpp"
#include "gui/render/colour_map.hpp"
#include "gui/render/painting/text_atlas.hpp"
#include "gui/render/painting/triangle_painter.hpp"
#include "gui/render/painting/window_texts.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/pixels.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <limits>
#include <set>

using namespace gantry;

class TestChartScene : public QObject {
  Q_OBJECT

  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  static constexpr double inf = std::numeric_limits<double>::infinity();

  static void addDecay(ChartScene& chart, const std::string& id, Rgb colour, double rate) {
    chart.setSeries(id, {id, colour});
    for (int i = 0; i <= 50; ++i) chart.append(id, i, 0.02 * std::exp(-rate * i));
  }

 private slots:
  void initTestCase() { NEEDS_DISPLAY(); }

  void curveRunsThroughItsPoints() {
    ChartScene chart;
    chart.setSeries("a", {"", rgb(0x00FF00), LineStyle::solid, 3});
    chart.setData("a", {0, 10, 20}, {1, 3, 2});
    const RgbImage image = renderOffscreen(chart, 400, 300);
    chart.resize(400, 300, 1);
    for (const auto& [x, y] :
         {std::pair{0.0, 1.0}, {5.0, 2.0}, {10.0, 3.0}, {15.0, 2.5}, {20.0, 2.0}}) {
      const PointPx p = chart.toDisplay(x, y);
      const int px = static_cast<int>(p.x), py = static_cast<int>(p.y);
      QVERIFY2(countNear(image, rgb(0x00FF00), 60, px - 2, py - 2, px + 3, py + 3) > 0,
               qPrintable(QStringLiteral("at %1").arg(x)));
    }
    const PointPx beside = chart.toDisplay(10, 1.2);
    QCOMPARE(countNear(image, rgb(0x00FF00), 60, static_cast<int>(beside.x) - 5,
                       static_cast<int>(beside.y) - 5, static_cast<int>(beside.x) + 5,
                       static_cast<int>(beside.y) + 5),
             0);
  }

  /// However far away its values are. A line that crosses the plot is drawn where it does so.
  void curvesEndJustOutsideThePlot() {
    const ChartTransform t{{0, 4, 0, 1}, {10, 20, 400, 100}};
    for (const LineStyle style : {LineStyle::solid, LineStyle::dashed}) {
      ChartModel model;
      model.setSeries("a", {"", rgb(0x00FF00), style});
      model.setData("a", {0, 1, 2, 3, 4, 5}, {0.5, 1e30, -1e30, 1e300, inf, 0.5});
      RecordingPainter painter(420, 140, table_ruler());
      drawCurves(painter, model, t);
      std::size_t lines = 0;
      for (const Drawing::Item& item : painter.drawing().items) {
        const auto& line = std::get<DrawnLine>(item);
        ++lines;
        for (const PointPx& p : line.points) QVERIFY(t.plot.grown(51).contains(p.x, p.y));
      }
      QCOMPARE(lines, std::size_t{3});  // up, down and up
      TextAtlas atlas;
      TrianglePainter triangles(atlas, 420, 140, 1);
      drawCurves(triangles, model, t);
      QVERIFY(!triangles.vertices().empty());
    }
  }

  /// What is drawn too far away for a graphics driver, or nowhere, is left out.
  void trianglesLieNearTheView() {
    TextAtlas atlas;
    TrianglePainter painter(atlas, 100, 100, 1);
    painter.line({0, 0}, {1e20, 1e20}, 1, rgb(0xFF0000));
    painter.disc({nan, 5}, 3, rgb(0xFF0000));
    painter.fill({0, 0, inf, 10}, rgb(0xFF0000));
    QVERIFY(painter.vertices().empty());
    painter.line({0, 0}, {50, 60}, 1, rgb(0xFF0000));
    QVERIFY(!painter.vertices().empty());
  }

  /// A mark is a tick across the curve at the first value from its place on, and nowhere else.
  void marksAreTicksOnTheirCurve() {
    const auto green = [](const ChartScene& chart, const RgbImage& image, double x, double y) {
      const PointPx p = chart.toDisplay(x, y);
      const int px = static_cast<int>(p.x), py = static_cast<int>(p.y);
      return countNear(image, rgb(0x00FF00), 60, px - 2, py - 9, px + 3, py - 4);
    };
    ChartScene chart;
    chart.setSeries("a", {"", rgb(0x00FF00), LineStyle::solid, 1.5});
    chart.setData("a", {0, 10, 20}, {2, 2, 2});
    chart.setMarks("a", {{9.5, "from here: λ 0.3"}});
    const RgbImage image = renderOffscreen(chart, 400, 300);
    chart.resize(400, 300, 1);
    QVERIFY(green(chart, image, 10, 2) > 0);
    QCOMPARE(green(chart, image, 0, 2), 0);
    QCOMPARE(green(chart, image, 20, 2), 0);
    const ChartSeries& series = *chart.model().find("a");
    QVERIFY(series.markAt(0) == nullptr && series.markAt(2) == nullptr);
    QCOMPARE(series.markAt(1)->text, std::string("from here: λ 0.3"));
  }

  void axesFollowTheDataAndIgnoreWhatIsNotFinite() {
    ChartScene chart;
    chart.resize(400, 300, 1);
    chart.setData("a", {0, 1, 2, 3, 4, nan, 6}, {5, nan, 7, inf, 9, 100, -inf});
    const ChartRange range = chart.range();
    QVERIFY(range.x0 <= 0 && range.x0 > -0.5);
    QVERIFY(range.x1 >= 4 && range.x1 < 4.5);
    QVERIFY(range.y0 < 5 && range.y0 > 4);
    QVERIFY(range.y1 > 9 && range.y1 < 10);
    chart.append("a", 10, 20);
    QVERIFY(chart.range().x1 >= 10 && chart.range().y1 >= 20);
  }

  void metricsDoNotGetAirBelowZero() {
    ChartScene chart;
    chart.setData("a", {0, 1, 2}, {10, 0.01, 0.005});
    QCOMPARE(chart.range().y0, 0.0);
  }

  void logAxisSkipsWhatHasNoLogarithm() {
    ChartScene chart;
    chart.setSeries("a", {"residual", rgb(0x00FF00), LineStyle::solid, 3});
    chart.setData("a", {0, 1, 2, 3, 4, 5}, {100, 10, 0, -5, nan, 0.1});
    chart.setLogY(true);
    const ChartRange range = chart.range();
    QVERIFY(range.y0 < -1 && range.y0 > -1.5);
    QVERIFY(range.y1 > 2 && range.y1 < 2.5);
    const RgbImage image = renderOffscreen(chart, 400, 300);
    chart.resize(400, 300, 1);
    const PointPx p = chart.toDisplay(0.5, std::sqrt(1000.0));  // a straight line in log10
    QVERIFY(countNear(image, rgb(0x00FF00), 60, static_cast<int>(p.x) - 2,
                      static_cast<int>(p.y) - 2, static_cast<int>(p.x) + 3,
                      static_cast<int>(p.y) + 3) > 0);
    EXPECT_NEAR(chart.yAt(p.y), std::sqrt(1000.0), 1e-6);
    const PointPx gap = chart.toDisplay(3, 1);
    QCOMPARE(countNear(image, rgb(0x00FF00), 60, static_cast<int>(gap.x) - 20, 30,
                       static_cast<int>(gap.x) + 20, 260),
             0);
    const PointPx lone = chart.toDisplay(5, 0.1);  // without neighbours: a dot
    QVERIFY(countNear(image, rgb(0x00FF00), 60, static_cast<int>(lone.x) - 2,
                      static_cast<int>(lone.y) - 2, static_cast<int>(lone.x) + 3,
                      static_cast<int>(lone.y) + 3) > 4);
  }

  void aLogAxisAlongXIsOne() {
    ChartScene chart;
    chart.setSeries("a", {"power law", rgb(0x00FF00), LineStyle::solid, 3});
    chart.setData("a", {0, -2, 1, 10, 100, 1000}, {5, 5, 1, 2, 3, 4});
    chart.setLogX(true);
    const ChartRange range = chart.range();  // what has no logarithm has no place
    QVERIFY(range.x0 < 0 && range.x0 > -0.2 && range.x1 > 3 && range.x1 < 3.2);
    const RgbImage image = renderOffscreen(chart, 500, 300);
    chart.resize(500, 300, 1);
    // y = 1 + log10 x is a straight line, and a decade is as wide as the next.
    for (const double x : {2.0, 30.0, 700.0}) {
      const PointPx p = chart.toDisplay(x, 1 + std::log10(x));
      EXPECT_NEAR(chart.xAt(p.x), x, 1e-9 * x);
      QVERIFY(countNear(image, rgb(0x00FF00), 60, static_cast<int>(p.x) - 2,
                        static_cast<int>(p.y) - 2, static_cast<int>(p.x) + 3,
                        static_cast<int>(p.y) + 3) > 0);
    }
    EXPECT_NEAR(chart.toDisplay(100, 1).x - chart.toDisplay(10, 1).x,
                chart.toDisplay(10, 1).x - chart.toDisplay(1, 1).x, 1e-9);
    std::set<std::string> labels;
    double right = -100;
    for (const Tick& tick : chart.layout().x_ticks) {
      labels.insert(tick.label);
      const double centre = chart.layout().transform.toDisplay(tick.value, 0).x;
      const double half = measureText(tick.label, {{}, 11}, 1).width / 2;
      QVERIFY2(centre - half > right + 3, tick.label.c_str());
      right = centre + half;
    }
    for (const char* label : {"1", "10", "100", "1000"}) QVERIFY2(labels.contains(label), label);
    const std::optional<ChartHit> hit =
        chart.hitAt(chart.toDisplay(100, 3).x, chart.toDisplay(100, 3).y);
    QVERIFY(hit && hit->x == 100);
    const double before = chart.xAt(200);
    chart.zoomAt(200, 100, 2, 1);  // about the mouse
    EXPECT_NEAR(chart.xAt(200), before, 0.05 * before);
    QVERIFY(chart.range().x1 - chart.range().x0 < 2);
  }

  void nothingPositiveOnALogAxisIsAnEmptyChart() {
    ChartScene chart;
    chart.setHint("Nothing above zero");
    chart.setData("a", {0, 1}, {0, -1});
    chart.setLogY(true);
    QVERIFY(chart.model().empty());
    renderOffscreen(chart, 200, 100);
  }

  void emptyChartSaysSomethingAndDrawsNoFrame() {
    ChartScene chart;
    chart.setHint("Run a method to see its error");
    chart.setBackground(rgb(0xFFFFFF));
    const RgbImage image = renderOffscreen(chart, 300, 200);
    QVERIFY(countNear(image, chart.theme().muted, 60, 40, 90, 260, 110) > 50);
    QCOMPARE(countNear(image, rgb(0xFFFFFF), 1, 0, 0, 300, 85), 300 * 85);
    QCOMPARE(countNear(image, rgb(0xFFFFFF), 1, 0, 115, 300, 200), 300 * 85);
    QVERIFY(!chart.hitAt(150, 100));
    chart.zoomAt(10, 10, 2, 2);
    chart.panBy(10, 10);
    QVERIFY(chart.followsData());
  }

  void hoverFindsTheNearestPoint() {
    ChartScene chart;
    chart.resize(400, 300, 1);
    addDecay(chart, "slow", rgb(0x0072B2), 0.02);
    addDecay(chart, "fast", rgb(0xE69F00), 0.2);
    const double expected = 0.02 * std::exp(-0.2 * 12);
    const PointPx p = chart.toDisplay(12, expected);
    const std::optional<ChartHit> hit = chart.hitAt(p.x + 2, p.y - 2);
    QVERIFY(hit.has_value());
    QCOMPARE(hit->id, std::string("fast"));
    QCOMPARE(hit->index, std::size_t{12});
    QCOMPARE(hit->x, 12.0);
    EXPECT_NEAR(hit->y, expected, 1e-15);
    QVERIFY(!chart.hitAt(chart.plotRect().right() - 10, chart.plotRect().y + 10));
    chart.setLogY(true);
    const PointPx q = chart.toDisplay(40, 0.02 * std::exp(-0.2 * 40));
    QCOMPARE(chart.hitAt(q.x, q.y)->index, std::size_t{40});
    chart.remove("fast");
    const std::optional<ChartHit> other = chart.hitAt(q.x, q.y);
    QVERIFY(!other || other->id == "slow");
  }

  void hoveredPointIsMarkedAndRead() {
    ChartScene chart;
    addDecay(chart, "SART", rgb(0x0072B2), 0.05);
    chart.setAxisTitles({"Iteration", ""}, {"RMSE", "1/mm"});
    const RgbImage before = renderOffscreen(chart, 300, 200);
    chart.setHover(ChartHit{"SART", 20, 20, 0.02 * std::exp(-1.0)});
    const RgbImage after = renderOffscreen(chart, 300, 200);
    chart.resize(300, 200, 1);
    const PointPx p = chart.toDisplay(20, 0.02 * std::exp(-1.0));
    const auto disc = [&](const RgbImage& image) {
      return countNear(image, rgb(0x0072B2), 30, static_cast<int>(p.x) - 6,
                       static_cast<int>(p.y) - 6, static_cast<int>(p.x) + 7,
                       static_cast<int>(p.y) + 7);
    };
    QVERIFY(disc(after) > disc(before) + 20);
    QVERIFY(countNear(after, chart.theme().panel, 4) >
            countNear(before, chart.theme().panel, 4) + 500);
    chart.setHover(ChartHit{"no such", 0, 0, 0});
    renderOffscreen(chart, 300, 200);
  }

  void labelsAreDistinctAndDoNotTouch() {
    for (const double size : {1e-7, 1e-3, 1.0, 5000.0, 3e8}) {
      ChartScene chart;
      chart.setAxisTitles({"Position", "mm"}, {"Value", "1/mm"});
      chart.setData("a", {0, size}, {-0.2 * size, 1.3 * size});
      for (const auto& [w, h] : {std::pair{260, 160}, {420, 280}, {150, 100}}) {
        chart.resize(w, h, 1);
        const ChartLayout& layout = chart.layout();
        QVERIFY(layout.x_ticks.size() >= 2 || w < 200);
        QVERIFY(layout.y_ticks.size() >= 2);
        std::set<std::string> seen;
        for (const Tick& tick : layout.y_ticks)
          QVERIFY2(seen.insert(tick.label).second, tick.label.c_str());
        double right = -100;
        for (const Tick& tick : layout.x_ticks) {
          const double centre = layout.transform.toDisplay(tick.value, 0).x;
          const double half = measureText(tick.label, {{}, 11}, 1).width / 2;
          QVERIFY2(centre - half > right + 3, tick.label.c_str());
          right = centre + half;
        }
        QVERIFY(layout.transform.plot.width > 0.45 * w);
        QVERIFY(layout.transform.plot.height > 0.5 * h);
      }
    }
  }

  /// Quantity and unit stay readable where there is no room beside the axes: in the corners.
  void aLowChartNamesItsAxes() {
    for (const int height : {40, 60, 100}) {
      ChartScene chart;
      chart.setAxisTitles({"iterations", ""}, {"RMSE", "1/mm"});
      addDecay(chart, "run", rgb(0x0072B2), 0.1);
      chart.resize(900, height, 1);
      const ChartLayout& layout = chart.layout();
      QCOMPARE(layout.corner_titles.size(), std::size_t{2});
      QCOMPARE(layout.corner_titles[0].text, std::string("RMSE (1/mm)"));
      QCOMPARE(layout.corner_titles[1].text, std::string("iterations"));
      QVERIFY(!layout.corner_titles[0].at.overlaps(layout.corner_titles[1].at));
      const ChartSeries& run = *chart.model().find("run");  // begins at the top left
      const RectPx title = layout.corner_titles[0].at;
      for (std::size_t i = 0; height > 40 && i < run.xs.size(); ++i) {
        const PointPx p = layout.transform.toDisplay(run.xs[i], chart.model().plotted(run.ys[i]));
        QVERIFY(!title.contains(p.x, p.y));
      }
      const RgbImage image = renderOffscreen(chart, 900, height);
      for (const auto& [text, at] : layout.corner_titles) {
        QVERIFY(at.x >= chart.plotRect().x && at.right() <= chart.plotRect().right());
        QVERIFY(!at.overlaps(layout.legend));
        QVERIFY(countNear(image, chart.theme().text, 90, static_cast<int>(at.x),
                          static_cast<int>(at.y), static_cast<int>(at.right()),
                          static_cast<int>(at.bottom())) > 30);
      }
    }
    ChartScene high;
    high.setAxisTitles({"iterations", ""}, {"RMSE", "1/mm"});
    addDecay(high, "run", rgb(0x0072B2), 0.1);
    high.resize(900, 200, 1);
    QVERIFY(high.layout().titles && high.layout().corner_titles.empty());
  }

  void iterationsHaveWholeTicks() {
    ChartScene chart;
    chart.resize(500, 200, 1);
    chart.setData("a", {0, 1, 2}, {3, 2, 1});
    for (const Tick& tick : chart.layout().x_ticks) {
      QCOMPARE(tick.value, std::round(tick.value));
      QVERIFY(tick.label.find('.') == std::string::npos);
    }
  }

  void legendAvoidsTheCurves() {
    // One curve fills the top right, the other the bottom: only the top left is free.
    ChartScene chart;
    chart.setSeries("a", {"first method", rgb(0x0072B2)});
    chart.setSeries("b", {"second method", rgb(0xE69F00)});
    for (int i = 0; i <= 100; ++i) {
      chart.append("a", i, i < 45 ? 0.02 * i : 8 + 0.02 * i);
      chart.append("b", i, 0.5 + 0.3 * std::sin(i));
    }
    chart.resize(420, 280, 1);
    const ChartLayout& layout = chart.layout();
    QCOMPARE(layout.legend_rows.size(), std::size_t{2});
    for (const ChartSeries& series : chart.model().series())
      for (std::size_t i = 0; i < series.xs.size(); ++i) {
        const PointPx p = chart.toDisplay(series.xs[i], series.ys[i]);
        QVERIFY(!layout.legend.contains(p.x, p.y));
      }
    QVERIFY(layout.legend.x < chart.plotRect().centre().x);
    QVERIFY(layout.legend.y < chart.plotRect().centre().y);
  }

  void legendStaysWhileItIsInNobodysWay() {
    ChartScene chart;
    chart.resize(420, 280, 1);
    chart.setSeries("a", {"run", rgb(0x0072B2)});
    chart.append("a", 0, 1);
    const double x = chart.layout().legend.x;
    for (int i = 1; i < 60; ++i) {
      chart.append("a", i, std::exp(-0.1 * i));
      EXPECT_NEAR(chart.layout().legend.x, x, 60);
      QVERIFY(chart.layout().legend.y < chart.plotRect().centre().y);
    }
  }

  /// In a low chart that its curves fill, the legend stands beside the plot and names all of them.
  void aLowChartNamesEveryCurve() {
    for (const int height : {90, 120, 160}) {
      ChartScene chart;
      for (int k = 0; k < 8; ++k) {
        const std::string id = std::to_string(k);
        chart.setSeries(id, {"run " + id, rgb(0x0072B2)});
        for (int i = 0; i <= 50; ++i) chart.append(id, i, k + std::sin(0.3 * i));
      }
      chart.resize(900, height, 1);
      const ChartLayout& layout = chart.layout();
      QCOMPARE(layout.legend_rows.size(), std::size_t{8});
      QVERIFY(!layout.legend.overlaps(chart.plotRect()));
      QVERIFY(layout.legend.right() <= 900 && layout.legend.bottom() <= height);
      for (const ChartLayout::LegendRow& row : layout.legend_rows) {
        QCOMPARE(row.text, chart.model().series()[row.series].style.label);
        QVERIFY(layout.legend.contains(row.at.x, row.at.y));
      }
    }
  }

  void histogramFillsItsBars() {
    ChartScene chart;
    chart.setBackground(rgb(0x000000));
    chart.setHistogram(Histogram{{0, 1, 2, 3, 4}, {10, 0, 40, 20}, rgb(0xFFFFFF)});
    const RgbImage image = renderOffscreen(chart, 400, 240);
    chart.resize(400, 240, 1);
    const auto at = [&](double x, double y) {
      const PointPx p = chart.toDisplay(x, y);
      return image.at(static_cast<int>(p.x), static_cast<int>(p.y));
    };
    const Rgb bar = at(2.5, 15);
    QVERIFY(luminance(bar) > 0.1);
    EXPECT_COLOUR(image, static_cast<int>(chart.toDisplay(3.5, 15).x),
                  static_cast<int>(chart.toDisplay(3.5, 15).y), bar, 2);
    QVERIFY(luminance(at(3.3, 27)) < 0.1);
    QVERIFY(luminance(at(1.3, 5)) < 0.1);
    QVERIFY(luminance(at(0.3, 14)) < 0.1);
    QCOMPARE(chart.range().y0, 0.0);
    QCOMPARE(chart.range().x0, 0.0);
    QCOMPARE(chart.range().x1, 4.0);
    chart.setLogY(true);  // an empty bin has no logarithm
    QVERIFY(std::isfinite(chart.range().y0));
    renderOffscreen(chart, 400, 240);
    chart.setHistogram(Histogram{{0, 1}, {1, 2, 3}, {}});  // edges and counts disagree
    QVERIFY(chart.model().empty());
  }

  void windowLimitsCanBeGrasped() {
    ChartScene chart;
    chart.resize(400, 240, 1);
    chart.setHistogram(Histogram{{0, 1, 2, 3, 4}, {10, 5, 40, 20}, rgb(0x8899AA)});
    QCOMPARE(chart.limitAt(100, 100), LimitPart::none);
    chart.setWindowLimits(std::pair{1.0, 3.0});
    const double low = chart.toDisplay(1, 1).x, high = chart.toDisplay(3, 1).x;
    QCOMPARE(chart.limitAt(low + 4, 100), LimitPart::low);
    QCOMPARE(chart.limitAt(high - 4, 100), LimitPart::high);
    QCOMPARE(chart.limitAt((low + high) / 2, 100), LimitPart::body);
    QCOMPARE(chart.limitAt(high + 30, 100), LimitPart::none);
    const RgbImage image = renderOffscreen(chart, 400, 240);
    QVERIFY(countNear(image, chart.theme().accent, 8, static_cast<int>(low) - 2, 20,
                      static_cast<int>(low) + 3, 200) > 150);
    QVERIFY(countNear(image, chart.theme().accent, 8, static_cast<int>(high) - 2, 20,
                      static_cast<int>(high) + 3, 200) > 150);
  }

  void zoomKeepsThePointUnderTheMouse() {
    ChartScene chart;
    chart.resize(400, 300, 1);
    addDecay(chart, "a", rgb(0x0072B2), 0.05);
    const double x = chart.xAt(250), y = chart.yAt(90);
    chart.zoomAt(250, 90, 2, 2);
    QVERIFY(!chart.followsData());
    EXPECT_NEAR(chart.toDisplay(x, y).x, 250, 6);  // axis labels may have changed their width
    EXPECT_NEAR(chart.xAt(chart.toDisplay(x, y).x), x, 1e-9);
    const ChartRange before = chart.range();
    chart.panBy(chart.plotRect().width / 2, 0);
    EXPECT_NEAR(chart.range().x0, before.x0 - (before.x1 - before.x0) / 2, 1e-9);
    for (int i = 0; i < 200; ++i) chart.zoomAt(250, 90, 1.5, 1.5);  // cannot be zoomed to death
    QVERIFY(chart.range().x1 > chart.range().x0 && chart.range().y1 > chart.range().y0);
    renderOffscreen(chart, 400, 300);
    chart.resetRange();
    QVERIFY(chart.followsData());
    QVERIFY(chart.range().x1 >= 50);
  }

  void curvesStayInsideThePlot() {
    ChartScene chart;
    chart.setSeries("a", {"", rgb(0x00FF00), LineStyle::solid, 3});
    chart.setData("a", {0, 1, 2, 3}, {0, 10, -10, 0});
    chart.setRange({0.5, 2.5, -1, 1});
    const RgbImage image = renderOffscreen(chart, 300, 200);
    chart.resize(300, 200, 1);
    const RectPx plot = chart.plotRect();
    const int all = countNear(image, rgb(0x00FF00), 60);
    const int inside = countNear(image, rgb(0x00FF00), 60, static_cast<int>(plot.x) - 1,
                                 static_cast<int>(plot.y) - 1, static_cast<int>(plot.right()) + 2,
                                 static_cast<int>(plot.bottom()) + 2);
    QVERIFY(all > 100);
    QCOMPARE(inside, all);
  }

  void markerStandsAtItsX() {
    ChartScene chart;
    addDecay(chart, "a", rgb(0x0072B2), 0.05);
    chart.setMarker(ChartMarker{25, "it 25"});
    const RgbImage image = renderOffscreen(chart, 400, 300);
    chart.resize(400, 300, 1);
    const int x = static_cast<int>(chart.toDisplay(25, 0.01).x);
    QVERIFY(countNear(image, chart.theme().accent, 40, x - 2, 10, x + 3, 250) > 200);
  }

  void extremeDataDoesNotCrash() {
    for (const bool log : {false, true}) {
      ChartScene chart;
      chart.setLogY(log);
      chart.setAxisTitles({"x", "mm"}, {"y", "1"});
      chart.setSeries("a", {"a", rgb(0x0072B2)});
      chart.setData("a", {0, 1, 2}, {1e300, 1e-300, 5e307});
      renderOffscreen(chart, 200, 140);
      chart.setData("a", {5}, {5});
      renderOffscreen(chart, 200, 140);
      chart.setData("a", {1, 1, 1}, {2, 2, 2});
      renderOffscreen(chart, 200, 140);
      chart.setData("a", {}, {});
      renderOffscreen(chart, 200, 140);
      chart.setData("a", {-1e-310, 1e-310}, {1, 2});
      renderOffscreen(chart, 1, 1);
      renderOffscreen(chart, 30, 20);
    }
  }
};

GANTRY_TEST(TestChartScene)
#include "test_chart_scene.moc"
