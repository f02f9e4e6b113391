// What charts of studies need of the chart engine: titles, legends below, an end of the axis,
// dashes of two lengths, and texts that are measured without a window.
#include "charts/chart_layout.hpp"
#include "gui/render/chart_scene.hpp"
#include "gui/render/painting/text_atlas.hpp"
#include "gui/render/painting/triangle_painter.hpp"
#include "gui/render/painting/window_texts.hpp"
#include "gui/render/render_offscreen.hpp"
#include "tests/support/pixels.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <set>

using namespace gantry;

class TestChartLayout : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { NEEDS_DISPLAY(); }

  /// A legend below the axes has the whole width, where the chart has the height for it, and
  /// otherwise a place in or beside the plot.
  void aLegendStandsBelowTheAxes() {
    ChartModel model;
    for (int k = 0; k < 20; ++k) {
      const std::string id = std::to_string(k);
      model.setSeries(id, {"the method number " + id, rgb(0x0072B2)});
      model.setData(id, {0, 1}, {0, 1.0 * k});
    }
    ChartAnnotations notes;
    notes.x = {"iterations", ""};
    notes.title = "A title of the chart";
    notes.legend_below = true;
    ChartScene chart;
    chart.show(model, notes);
    for (const int height : {600, 260}) {
      chart.resize(800, height, 1);
      const ChartLayout& layout = chart.layout();
      QCOMPARE(layout.title_lines, std::vector<std::string>{notes.title});
      QVERIFY(layout.body.y > 14 && chart.plotRect().y > layout.body.y);
      QCOMPARE(layout.legend_rows.size(), std::size_t{20});
      QCOMPARE(layout.legend.y >= layout.body.bottom(), height == 600);
      QVERIFY(layout.legend.bottom() <= height);
      for (const ChartLayout::LegendRow& row : layout.legend_rows)
        QVERIFY(layout.legend.contains(row.at.x, row.at.y));
      const RgbImage image = renderOffscreen(chart, 800, height);
      QVERIFY(countNear(image, chart.theme().text, 90, 0, 0, 400, static_cast<int>(layout.body.y)) >
              50);
    }
  }

  /// Values that differ by the noise of float32 look equal, and have labels of a few digits.
  void noiseIsNotSpreadOverTheHeight() {
    ChartModel model;
    model.setData("residual", {0.5, 1, 1.5}, {0.24623082590, 0.24623082590, 0.24623082597});
    ChartScene chart;
    chart.show(model, {});
    chart.resize(600, 200, 1);
    const ChartRange range = *model.fullRange();
    QVERIFY(range.y1 - range.y0 > 0.9e-5 * 0.246 && range.y1 - range.y0 < 1e-4 * 0.246);
    for (const Tick& tick : chart.layout().y_ticks)
      QVERIFY2(tick.label.size() <= 9 && tick.label.find('e') == std::string::npos,
               tick.label.c_str());
    model.setData("residual", {0, 1}, {0.2462, 0.2463});  // differences that count stay
    QVERIFY(model.fullRange()->y1 - model.fullRange()->y0 < 1.2e-4);
  }

  /// Values beyond the top of a chart do not take the height of the others.
  void theTopOfAChartIsItsEnd() {
    ChartModel model;
    model.setData("a", {0, 1, 2}, {1, 2, 1e9});
    model.setTop(10);
    QVERIFY(model.fullRange()->y1 > 10 && model.fullRange()->y1 < 11);
    QVERIFY(!model.loneX());
    model.setData("a", {5, 5}, {1, 2});
    QCOMPARE(model.loneX().value(), 5.0);
  }

  void dashesMayHaveTwoLengths() {
    TextAtlas atlas;
    TrianglePainter painter(atlas, 100, 100, 1);
    painter.polyline({{0, 5}, {33, 5}}, 1, rgb(0xFF0000), 1, {9, 3, 2, 3});
    std::set<long> ends;
    for (const TrianglePainter::Vertex& v : painter.vertices()) ends.insert(std::lround(v.x));
    QCOMPARE(ends, (std::set<long>{0, 9, 12, 14, 17, 26, 29, 31}));
  }

  /// So that a chart without a window leaves its texts the room that they need.
  void theTableHasTheWidthsOfTheFont() {
    for (const char* text : {"RMSE of SART, 1/mm", "0.0512", "Siddon, sorted by nonzeros (CSR)"})
      for (const bool bold : {false, true}) {
        const TextStyle style{{}, 24, bold};
        const SizePx table = table_ruler().size(text, style),
                     font = windowRuler(1).size(text, style);
        QVERIFY2(std::abs(table.width / font.width - 1) < 0.06, text);
        QVERIFY2(std::abs(table.height / font.height - 1) < 0.25, text);
      }
  }
};

GANTRY_TEST(TestChartLayout)
#include "test_chart_layout.moc"
