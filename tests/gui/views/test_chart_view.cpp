#include "gui/views/chart_view.hpp"
#include "gui/views/geometry_view.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/gestures.hpp"
#include "tests/support/pixels.hpp"
#include "tests/support/test_program.hpp"

#include <QSignalSpy>

#include <cmath>

using namespace gantry;

class TestChartView : public QObject {
  Q_OBJECT

  static void fill(ChartView& view) {
    view.edit([](ChartScene& chart) {
      chart.setSeries("SART", {"SART", rgb(0x0072B2)});
      for (int i = 0; i <= 20; ++i) chart.append("SART", i, std::exp(-0.2 * i));
    });
    view.resize(400, 260);
    view.show();
  }
  static QPoint at(const ChartView& view, double x, double y) {
    const PointPx p = view.chart().toDisplay(x, y);
    return {qRound(p.x), qRound(p.y)};
  }

 private slots:
  void init() { NEEDS_DISPLAY(); }

  void hoverReadsAPoint() {
    ChartView view;
    fill(view);
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_VERIFY(view.paintCount() > 0);
    QSignalSpy hovered(&view, &ChartView::pointHovered), left(&view, &ChartView::hoverLeft),
        clicked(&view, &ChartView::pointClicked);
    hover(view, at(view, 5, std::exp(-1.0)) + QPoint(2, 1));
    QCOMPARE(hovered.count(), 1);
    QCOMPARE(hovered.at(0).at(0).value<ChartHit>().index, std::size_t{5});
    QTest::mouseClick(&view, Qt::LeftButton, {}, at(view, 5, std::exp(-1.0)));
    QCOMPARE(clicked.count(), 1);
    hover(view, at(view, 18, 0.95));
    QCOMPARE(left.count(), 1);
  }

  void wheelZoomsAndDoubleClickResets() {
    ChartView view;
    fill(view);
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_VERIFY(view.paintCount() > 0);
    const ChartRange all = view.chart().range();
    turnWheel(view, at(view, 10, 0.5), 240);
    const ChartRange zoomed = view.chart().range();
    QVERIFY(zoomed.x1 - zoomed.x0 < 0.8 * (all.x1 - all.x0));
    QVERIFY(zoomed.y1 - zoomed.y0 < 0.8 * (all.y1 - all.y0));
    QTest::mouseDClick(&view, Qt::LeftButton, {}, at(view, 10, 0.5));
    QCOMPARE(view.chart().range(), all);
    turnWheel(view, {view.width() / 2, view.height() - 6}, 240);  // over the x axis: only that
    QCOMPARE(view.chart().range().y1, all.y1);
    QVERIFY(view.chart().range().x1 - view.chart().range().x0 < all.x1 - all.x0);
    drag(view, Qt::LeftButton, {200, 100}, {260, 100});
    QVERIFY(view.chart().range().x0 < zoomed.x0 + 10);
    QVERIFY(!view.chart().followsData());
  }

  void dragPans() {
    ChartView view;
    fill(view);
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_VERIFY(view.paintCount() > 0);
    const ChartRange all = view.chart().range();
    const double per_px = (all.x1 - all.x0) / view.chart().plotRect().width;
    drag(view, Qt::LeftButton, {200, 100}, {240, 100});
    EXPECT_NEAR(view.chart().range().x0, all.x0 - 40 * per_px, 0.05 * (all.x1 - all.x0));
    QVERIFY(view.chart().range().x0 < all.x0);
  }

  void limitsAreDraggedOverAHistogram() {
    ChartView view;
    view.edit([](ChartScene& chart) {
      chart.setHistogram(
          Histogram{{0, 1, 2, 3, 4, 5, 6, 7, 8}, {3, 5, 9, 12, 8, 6, 4, 1}, rgb(0x8899AA)});
      chart.setWindowLimits(std::pair{2.0, 6.0});
    });
    view.resize(400, 220);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_VERIFY(view.paintCount() > 0);
    QSignalSpy spy(&view, &ChartView::windowLimitsChanged);
    drag(view, Qt::LeftButton, at(view, 2, 6), at(view, 3, 6));
    QVERIFY(spy.count() > 1);
    EXPECT_NEAR(spy.last().at(0).toDouble(), 3, 0.05);
    EXPECT_NEAR(spy.last().at(1).toDouble(), 6, 1e-12);
    drag(view, Qt::LeftButton, at(view, 4.5, 3), at(view, 3.5, 3));  // both
    EXPECT_NEAR(view.chart().windowLimits()->first, 2, 0.05);
    EXPECT_NEAR(view.chart().windowLimits()->second, 5, 0.05);
    drag(view, Qt::LeftButton, at(view, 5, 3), at(view, 0.5, 3));  // never through each other
    QVERIFY(view.chart().windowLimits()->second > view.chart().windowLimits()->first);
    QVERIFY(view.chart().followsData());  // none of this has panned
  }

  void geometryTurnsUnderTheMouse() {
    ScanSpec spec;
    spec.source_to_isocenter_mm = 500;
    spec.source_to_detector_mm = 900;
    spec.detector_columns = 100;
    spec.column_pitch_mm = spec.row_pitch_mm = 4;
    spec.central_column = 49.5;
    spec.view_angles_rad = angles_from_degrees(0, 1, 360);
    GeometryView view;
    view.setGeometry(std::make_shared<ScanGeometry>(spec),
                     VolumeGrid::centered(64, 64, 1, {3, 3, 3}));
    view.resize(320, 260);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_VERIFY(view.paintCount() > 0);
    const auto place = [&] {
      const int before = view.paintCount();
      view.scheduleRender();
      [&] { QTRY_VERIFY(view.paintCount() > before); }();
      return view.geometry().worldToDisplay({0, -500, 0});
    };
    const PointPx before = place();
    drag(view, Qt::LeftButton, {160, 130}, {200, 130});
    const PointPx turned = place();
    QVERIFY(turned.x > before.x + 10);  // the front follows the mouse
    turnWheel(view, {160, 130}, 240);   // the plain wheel scrolls the panel around it
    EXPECT_NEAR(place().x, turned.x, 1e-9);
    turnWheel(view, {160, 130}, 240, Qt::ControlModifier);
    const PointPx zoomed = place();
    QVERIFY(std::hypot(zoomed.x - 160, zoomed.y - 130) >
            std::hypot(turned.x - 160, turned.y - 130));
    QTest::mouseDClick(&view, Qt::LeftButton, {}, {160, 130});
    EXPECT_NEAR(place().x, before.x, 1e-6);
    view.setView(90);
    QCOMPARE(view.geometry().view(), 90);
  }
};

GANTRY_TEST(TestChartView)
#include "test_chart_view.moc"
