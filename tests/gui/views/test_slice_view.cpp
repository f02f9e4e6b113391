#include "gui/views/slice_view.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/gestures.hpp"
#include "tests/support/pixels.hpp"
#include "tests/support/test_program.hpp"

#include <QSignalSpy>

#include <cmath>

using namespace gantry;

class TestSliceView : public QObject {
  Q_OBJECT

  std::unique_ptr<SliceView> view_;

  static std::shared_ptr<const SliceImage> slice() {
    auto s = std::make_shared<SliceImage>();
    s->width = s->height = 100;
    s->u0_mm = s->v0_mm = -49.5;
    s->values.assign(100 * 100, 0.02F);
    return s;
  }
  PointMm world(QPoint at) const { return view_->slice().displayToWorld(at.x(), at.y()); }
  QPoint display(double u, double v) const {
    const PointPx p = view_->slice().worldToDisplay(u, v);
    return {qRound(p.x), qRound(p.y)};
  }

 private slots:
  void init() {
    NEEDS_DISPLAY();
    view_ = std::make_unique<SliceView>();
    view_->setImage(slice());
    view_->setWindowLevel(0.04, 0.02);
    view_->resize(400, 400);
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    QTRY_VERIFY(view_->paintCount() > 0);
  }
  void cleanup() { view_.reset(); }

  void leftDragChangesWindowAndLevel() {
    QSignalSpy spy(view_.get(), &SliceView::windowLevelChanged);
    drag(*view_, Qt::LeftButton, {200, 200}, {260, 200});
    QVERIFY(spy.count() > 1);
    const double wider = spy.last().at(0).toDouble();
    QVERIFY(wider > 0.05);
    EXPECT_NEAR(spy.last().at(1).toDouble(), 0.02, 1e-12);
    QCOMPARE(view_->slice().window(), wider);
    drag(*view_, Qt::LeftButton, {260, 200}, {200, 200});
    EXPECT_NEAR(view_->slice().window(), 0.04, 1e-9);  // there and back
    drag(*view_, Qt::LeftButton, {200, 200}, {200, 140});
    EXPECT_NEAR(view_->slice().level(), 0.02 + 0.04 * 60 / 300,
                1e-9);  // in proportion to the window
    EXPECT_NEAR(view_->slice().window(), 0.04, 1e-9);
    const int paints = view_->paintCount();
    QTRY_VERIFY(view_->paintCount() > paints);
  }

  void levelOfADifferenceStaysZero() {
    view_->setColourMap(ColourMap::diverging);
    QSignalSpy spy(view_.get(), &SliceView::windowLevelChanged);
    drag(*view_, Qt::LeftButton, {200, 200}, {230, 100});
    QCOMPARE(spy.last().at(1).toDouble(), 0.0);
    QVERIFY(spy.last().at(0).toDouble() > 0.04);
  }

  void aClickChangesNothing() {
    QSignalSpy levels(view_.get(), &SliceView::windowLevelChanged),
        views(view_.get(), &SliceView::viewChanged);
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, {150, 150});
    QTest::mousePress(view_.get(), Qt::LeftButton, {}, {150, 150});
    QTest::mouseMove(view_.get(), {151, 151});  // a trembling hand
    QTest::mouseRelease(view_.get(), Qt::LeftButton, {}, {151, 151});
    QCOMPARE(levels.count() + views.count(), 0);
  }

  void middleAndShiftDragPan() {
    QSignalSpy spy(view_.get(), &SliceView::viewChanged);
    for (const auto& [button, keys] :
         {std::pair{Qt::MiddleButton, Qt::KeyboardModifiers{}},
          std::pair{Qt::LeftButton, Qt::KeyboardModifiers{Qt::ShiftModifier}}}) {
      const PointMm grasped = world({200, 200});
      drag(*view_, button, {200, 200}, {250, 170}, keys);
      EXPECT_NEAR(world({250, 170}).u, grasped.u, 1e-9);  // what was grasped is still in the hand
      EXPECT_NEAR(world({250, 170}).v, grasped.v, 1e-9);
    }
    QVERIFY(spy.count() >= 2);
    QCOMPARE(spy.last().at(0).value<SliceCamera>(), view_->slice().view());
    view_->setVUp(false);
    const PointMm grasped = world({200, 200});
    drag(*view_, Qt::MiddleButton, {200, 200}, {180, 260});
    EXPECT_NEAR(world({180, 260}).v, grasped.v, 1e-9);
  }

  void zoomKeepsThePointUnderTheMouse() {
    QSignalSpy spy(view_.get(), &SliceView::viewChanged);
    for (const bool up : {true, false}) {
      view_->setVUp(up);
      const double before = view_->slice().view().mm_per_pixel;
      const PointMm held = world({90, 300});
      turnWheel(*view_, {90, 300}, 240, Qt::ControlModifier);
      QVERIFY(view_->slice().view().mm_per_pixel < before);
      EXPECT_NEAR(world({90, 300}).u, held.u, 1e-9);
      EXPECT_NEAR(world({90, 300}).v, held.v, 1e-9);
      drag(*view_, Qt::RightButton, {90, 300}, {90, 240});
      QVERIFY(view_->slice().view().mm_per_pixel < 0.8 * before);
      EXPECT_NEAR(world({90, 300}).u, held.u, 1e-9);
      EXPECT_NEAR(world({90, 300}).v, held.v, 1e-9);
    }
    QVERIFY(spy.count() >= 4);
    for (int i = 0; i < 400; ++i) turnWheel(*view_, {90, 300}, 1200, Qt::ControlModifier);
    QVERIFY(view_->slice().view().mm_per_pixel > 0);
  }

  void wheelAsksForSlices() {
    QSignalSpy spy(view_.get(), &SliceView::sliceStepRequested);
    turnWheel(*view_, {200, 200}, 120);
    turnWheel(*view_, {200, 200}, -240);
    QCOMPARE(spy.count(), 2);
    QCOMPARE(spy.at(0).at(0).toInt(), 1);
    QCOMPARE(spy.at(1).at(0).toInt(), -2);
    for (int i = 0; i < 4; ++i) turnWheel(*view_, {200, 200}, 40);  // a touchpad adds up
    QCOMPARE(spy.count(), 3);
    QTest::keyClick(view_.get(), Qt::Key_Up);
    QTest::keyClick(view_.get(), Qt::Key_PageDown);
    QCOMPARE(spy.at(3).at(0).toInt(), 1);
    QCOMPARE(spy.at(4).at(0).toInt(), -10);
  }

  void hoverTellsWhere() {
    QSignalSpy moved(view_.get(), &SliceView::cursorMoved),
        left(view_.get(), &SliceView::cursorLeft);
    hover(*view_, {123, 77});
    QVERIFY(moved.count() >= 1);
    const PointMm at = moved.last().at(0).value<PointMm>();
    EXPECT_NEAR(at.u, world({123, 77}).u, 1e-9);
    EXPECT_NEAR(at.v, world({123, 77}).v, 1e-9);
    EXPECT_NEAR(at.u, -50 + (123) * 0.25, 1e-9);
    EXPECT_NEAR(at.v, 50 - (77) * 0.25, 1e-9);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(view_.get(), &leave);
    QVERIFY(left.count() >= 1);
  }

  void doubleClickMaximisesAndRightClickAsksForAMenu() {
    QSignalSpy maximise(view_.get(), &SliceView::maximiseRequested),
        menu(view_.get(), &SliceView::contextMenuAsked);
    QTest::mouseDClick(view_.get(), Qt::LeftButton, {}, {200, 200});
    QCOMPARE(maximise.count(), 1);
    QTest::mouseClick(view_.get(), Qt::RightButton, {}, {60, 70});
    QCOMPARE(menu.count(), 1);
    QCOMPARE(menu.at(0).at(0).toPoint(), QPoint(60, 70));
    drag(*view_, Qt::RightButton, {60, 70}, {60, 120});
    QCOMPARE(menu.count(), 1);
  }

  void resetShowsEverything() {
    view_->setView({30, 30, 0.01});
    QSignalSpy reset(view_.get(), &SliceView::viewReset);
    QTest::keyClick(view_.get(), Qt::Key_R);
    QCOMPARE(reset.count(), 1);
    QVERIFY(view_->slice().fitted());
    EXPECT_NEAR(view_->slice().view().mm_per_pixel, 0.25, 1e-9);
    QTest::keyClick(view_.get(), Qt::Key_R, Qt::ControlModifier);  // somebody else's key
    QCOMPARE(reset.count(), 1);
  }

  void profileIsDrawnAndTakenByItsParts() {
    view_->setProfileMode(true);
    QSignalSpy spy(view_.get(), &SliceView::profileChanged),
        levels(view_.get(), &SliceView::windowLevelChanged);
    drag(*view_, Qt::LeftButton, {100, 100}, {300, 180});
    QVERIFY(spy.count() > 1);  // already while dragging
    LineSegment line = spy.last().at(0).value<LineSegment>();
    EXPECT_NEAR(line.u0_mm, world({100, 100}).u, 1e-9);
    EXPECT_NEAR(line.v1_mm, world({300, 180}).v, 1e-9);
    QCOMPARE(*view_->slice().profile(), line);

    drag(*view_, Qt::LeftButton, {301, 179}, {320, 60});  // its end
    const LineSegment turned = *view_->slice().profile();
    QCOMPARE(turned.u0_mm, line.u0_mm);
    EXPECT_NEAR(turned.u1_mm, line.u1_mm + 19 * 0.25, 1e-9);

    drag(*view_, Qt::LeftButton, {100, 100}, {80, 90});  // its start
    EXPECT_NEAR(view_->slice().profile()->u0_mm, line.u0_mm - 20 * 0.25, 1e-9);
    QCOMPARE(view_->slice().profile()->u1_mm, turned.u1_mm);

    line = *view_->slice().profile();
    const QPoint middle = display((line.u0_mm + line.u1_mm) / 2, (line.v0_mm + line.v1_mm) / 2);
    drag(*view_, Qt::LeftButton, middle, middle + QPoint(12, 40));  // all of it
    EXPECT_NEAR(view_->slice().profile()->u0_mm, line.u0_mm + 3, 1e-9);
    EXPECT_NEAR(view_->slice().profile()->v1_mm, line.v1_mm - 10, 1e-9);

    drag(*view_, Qt::LeftButton, {30, 370}, {60, 330});  // elsewhere: a new line
    EXPECT_NEAR(view_->slice().profile()->u0_mm, world({30, 370}).u, 1e-9);
    QCOMPARE(levels.count(), 0);
    view_->setProfileMode(false);
    const int before = spy.count();
    drag(*view_, Qt::LeftButton, {60, 330}, {100, 330});
    QCOMPARE(spy.count(), before);
    QVERIFY(levels.count() > 0);
  }

  void regionsAreDrawnMovedAndResized() {
    QSignalSpy spy(view_.get(), &SliceView::regionDrawn),
        levels(view_.get(), &SliceView::windowLevelChanged);
    const auto drawn = [&] { return spy.last().at(1).value<Region>(); };
    view_->setDrawMode(DrawMode::region);
    drag(*view_, Qt::LeftButton, {160, 200}, {160, 240});
    QCOMPARE(spy.count(), 1);               // when it is done
    QCOMPARE(spy.last().at(0).toInt(), 0);  // a new one
    const PointMm centre = world({160, 200});
    Region region = Region::circle(centre.u, centre.v, 40 * 0.25);
    QVERIFY(drawn().shape == Region::Shape::circle);
    EXPECT_NEAR(drawn().x_mm, region.x_mm, 1e-9);
    EXPECT_NEAR(drawn().half_width_mm, region.half_width_mm, 1e-9);
    QCOMPARE(view_->slice().regions().size(), std::size_t{1});  // it stays to be seen
    view_->setRegions({{1, drawn(), "one"}});

    view_->setDrawMode(DrawMode::region, NewRegion::rectangle);
    drag(*view_, Qt::LeftButton, {250, 100}, {310, 140});
    QCOMPARE(spy.last().at(0).toInt(), 0);
    EXPECT_NEAR(drawn().half_width_mm, 30 * 0.25, 1e-9);
    EXPECT_NEAR(drawn().half_height_mm, 20 * 0.25, 1e-9);
    EXPECT_NEAR(drawn().x_mm, world({280, 120}).u, 1e-9);
    QCOMPARE(view_->slice().regions().size(), std::size_t{2});
    view_->setRegions({view_->slice().regions()[0], {2, drawn(), "two"}});
    drag(*view_, Qt::LeftButton, {280, 120}, {290, 150}, Qt::ControlModifier);  // moved
    QCOMPARE(spy.last().at(0).toInt(), 2);
    EXPECT_NEAR(drawn().y_mm, world({280, 150}).v, 1e-9);
    EXPECT_NEAR(drawn().half_width_mm, 30 * 0.25, 1e-9);
    drag(*view_, Qt::LeftButton, {320, 150}, {330, 155});  // by its right side
    EXPECT_NEAR(drawn().half_width_mm, 40 * 0.25, 1e-9);
    EXPECT_NEAR(drawn().half_height_mm, 20 * 0.25, 1e-9);

    view_->setDrawMode(DrawMode::region);
    drag(*view_, Qt::LeftButton, {200, 200}, {220, 200});  // by its rim
    QCOMPARE(spy.last().at(0).toInt(), 1);
    EXPECT_NEAR(drawn().x_mm, centre.u, 1e-9);
    EXPECT_NEAR(drawn().half_width_mm, 60 * 0.25, 1e-9);
    const auto before = spy.count();
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, {300, 300});  // no drag, no region
    QCOMPARE(spy.count(), before);
    QCOMPARE(levels.count(), 0);
    view_->setDrawMode(DrawMode::none);
    drag(*view_, Qt::LeftButton, {160, 200}, {180, 240});
    QCOMPARE(spy.count(), before);
    QVERIFY(levels.count() > 0);
  }

  /// A drag draws also where it begins in a region: a small one in a large one, or across its rim.
  void regionsAreDrawnWithinOthers() {
    QSignalSpy spy(view_.get(), &SliceView::regionDrawn),
        picked(view_.get(), &SliceView::regionPicked);
    const PointMm middle = world({200, 200});
    view_->setRegions({{1, Region::circle(middle.u, middle.v, 100 * 0.25), "large", {}, true}});
    view_->setDrawMode(DrawMode::region);
    drag(*view_, Qt::LeftButton, {220, 200}, {220, 230});
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy.last().at(0).toInt(), 0);  // a new one
    const auto small = spy.last().at(1).value<Region>();
    EXPECT_NEAR(small.x_mm, world({220, 200}).u, 1e-9);
    EXPECT_NEAR(small.half_width_mm, 30 * 0.25, 1e-9);
    view_->setDrawMode(DrawMode::region, NewRegion::rectangle);
    drag(*view_, Qt::LeftButton, {130, 180}, {60, 220});  // out of the large one
    QCOMPARE(spy.last().at(0).toInt(), 0);
    QCOMPARE(picked.count(), 0);
    // A click selects the smallest one that is there, Ctrl and a drag move it.
    view_->setRegions({{2, small, "small"}, view_->slice().regions()[0]});
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, {220, 205});
    QCOMPARE(picked.count(), 1);
    QCOMPARE(picked.last().at(0).toInt(), 2);
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, {150, 200});
    QCOMPARE(picked.last().at(0).toInt(), 1);
    view_->setRegions({{2, small, "small", {}, true},
                       {1, Region::circle(middle.u, middle.v, 100 * 0.25), "large"}});
    drag(*view_, Qt::LeftButton, {220, 205}, {230, 205}, Qt::ControlModifier);
    QCOMPARE(spy.last().at(0).toInt(), 2);
    EXPECT_NEAR(spy.last().at(1).value<Region>().x_mm, small.x_mm + 10 * 0.25, 1e-9);
    EXPECT_NEAR(spy.last().at(1).value<Region>().half_width_mm, small.half_width_mm, 1e-9);
  }

  /// An ellipse from corner to corner; its side moves its width alone.
  void anEllipseHasTwoSizes() {
    QSignalSpy spy(view_.get(), &SliceView::regionDrawn);
    const auto drawn = [&] { return spy.last().at(1).value<Region>(); };
    view_->setDrawMode(DrawMode::region, NewRegion::ellipse);
    drag(*view_, Qt::LeftButton, {100, 100}, {180, 140});
    EXPECT_NEAR(drawn().half_width_mm, 40 * 0.25, 1e-9);
    EXPECT_NEAR(drawn().half_height_mm, 20 * 0.25, 1e-9);
    QVERIFY(drawn().shape == Region::Shape::circle);
    view_->setRegions({{3, drawn(), "ellipse"}});
    drag(*view_, Qt::LeftButton, {180, 120}, {200, 130});
    EXPECT_NEAR(drawn().half_width_mm, 60 * 0.25, 1e-9);
    EXPECT_NEAR(drawn().half_height_mm, 20 * 0.25, 1e-9);
  }

  void keysMoveAndDeleteTheSelectedRegion() {
    QSignalSpy moved(view_.get(), &SliceView::regionNudged),
        deleted(view_.get(), &SliceView::regionDeleted),
        slices(view_.get(), &SliceView::sliceStepRequested);
    const Region region = Region::circle(1, 2, 3);
    view_->setRegions({{5, region, "one", {}, true}});
    QTest::keyClick(view_.get(), Qt::Key_Right);
    QCOMPARE(slices.count(), 1);  // while no region is drawn, the key is that of slices
    view_->setDrawMode(DrawMode::region);
    QTest::keyClick(view_.get(), Qt::Key_Right);
    QTest::keyClick(view_.get(), Qt::Key_Up);
    QCOMPARE(slices.count(), 1);
    QCOMPARE(moved.count(), 2);
    QCOMPARE(moved.first().at(0).toInt(), 5);
    const SliceImage& slice = *view_->slice().image();
    EXPECT_NEAR(moved.first().at(1).value<Region>().x_mm, 1 + slice.du_mm, 1e-12);
    EXPECT_NEAR(moved.last().at(1).value<Region>().y_mm, 2 + slice.dv_mm, 1e-12);
    QTest::keyClick(view_.get(), Qt::Key_Delete);
    QCOMPARE(deleted.count(), 1);
  }

  void distancesAndAnglesAreDrawn() {
    QSignalSpy spy(view_.get(), &SliceView::rulerDrawn);
    const auto drawn = [&] { return spy.last().at(0).value<std::vector<PointMm>>(); };
    view_->setDrawMode(DrawMode::distance);
    drag(*view_, Qt::LeftButton, {100, 100}, {130, 140});
    QCOMPARE(spy.count(), 1);
    EXPECT_NEAR(distance_mm(drawn()[0], drawn()[1]), 50 * 0.25, 1e-9);  // 3, 4, 5
    view_->setDrawMode(DrawMode::angle);
    drag(*view_, Qt::LeftButton, {200, 100}, {100, 100});
    QCOMPARE(spy.count(), 1);
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, {200, 200});
    QCOMPARE(spy.count(), 2);
    QCOMPARE(drawn().size(), std::size_t{3});
    EXPECT_NEAR(angle_degrees(drawn()[0], drawn()[1], drawn()[2]), 45, 1e-9);
    QVERIFY(view_->slice().rulers().empty());
  }

  /// Between the clicks the line follows the pointer; another mode of drawing forgets it.
  void distancesAndAnglesAreDrawnByClicks() {
    QSignalSpy spy(view_.get(), &SliceView::rulerDrawn);
    const auto drawn = [&] { return spy.last().at(0).value<std::vector<PointMm>>(); };
    const auto click = [this](QPoint at) {
      hover(*view_, at);
      QTest::mouseClick(view_.get(), Qt::LeftButton, {}, at);
    };
    view_->setDrawMode(DrawMode::angle);
    click({200, 100});
    hover(*view_, {150, 100});
    QCOMPARE(view_->slice().rulers().size(), std::size_t{1});
    EXPECT_NEAR(view_->slice().rulers()[0].points.back().u, world({150, 100}).u, 1e-9);
    click({100, 100});
    hover(*view_, {150, 150});
    QCOMPARE(view_->slice().rulers()[0].points.size(), std::size_t{3});
    QCOMPARE(spy.count(), 0);
    click({200, 200});
    QCOMPARE(spy.count(), 1);
    QCOMPARE(drawn().size(), std::size_t{3});
    EXPECT_NEAR(angle_degrees(drawn()[0], drawn()[1], drawn()[2]), 45, 1e-9);
    QVERIFY(view_->slice().rulers().empty());

    view_->setDrawMode(DrawMode::distance);
    click({100, 100});
    hover(*view_, {120, 120});
    view_->setDrawMode(DrawMode::none);
    QVERIFY(view_->slice().rulers().empty());
    view_->setDrawMode(DrawMode::distance);
    click({130, 140});
    QCOMPARE(spy.count(), 1);  // the point before was forgotten
    click({100, 100});
    QCOMPARE(spy.count(), 2);
    EXPECT_NEAR(distance_mm(drawn()[0], drawn()[1]), 50 * 0.25, 1e-9);
  }

  void theDividerIsMovedByDragsAndKeys() {
    QSignalSpy spy(view_.get(), &SliceView::dividerMoved);
    view_->setDivider(Divider{world({200, 0}).u, "left", "right"});
    drag(*view_, Qt::LeftButton, {200, 200}, {240, 210});
    EXPECT_NEAR(spy.last().at(0).toDouble(), world({240, 0}).u, 1e-9);
    const double before = view_->slice().divider()->u_mm;
    QTest::keyClick(view_.get(), Qt::Key_Left);
    EXPECT_NEAR(spy.last().at(0).toDouble(), before - 0.02 * view_->width() * 0.25, 1e-9);
  }

  void settersDoNotEmit() {
    QSignalSpy levels(view_.get(), &SliceView::windowLevelChanged),
        views(view_.get(), &SliceView::viewChanged),
        profiles(view_.get(), &SliceView::profileChanged),
        resets(view_.get(), &SliceView::viewReset);
    view_->setWindowLevel(1, 2);
    view_->setView({1, 2, 3});
    view_->setProfile(LineSegment{0, 0, 1, 1});
    view_->setCursor(PointMm{1, 1});
    view_->fit();
    QCOMPARE(levels.count() + views.count() + profiles.count() + resets.count(), 0);
  }

  void linkedViewsFollow() {
    SliceView other;
    other.setImage(slice());
    other.resize(300, 500);
    other.show();
    QVERIFY(QTest::qWaitForWindowExposed(&other));
    connect(view_.get(), &SliceView::windowLevelChanged, &other, &SliceView::setWindowLevel);
    connect(view_.get(), &SliceView::viewChanged, &other, &SliceView::setView);
    connect(view_.get(), &SliceView::viewReset, &other, &SliceView::fit);
    drag(*view_, Qt::LeftButton, {200, 200}, {260, 150});
    drag(*view_, Qt::MiddleButton, {200, 200}, {230, 220});
    QCOMPARE(other.slice().window(), view_->slice().window());
    QCOMPARE(other.slice().view(), view_->slice().view());
    QTest::keyClick(view_.get(), Qt::Key_R);
    EXPECT_NEAR(other.slice().view().mm_per_pixel, 100.0 / 300,
                1e-9);  // all of it, in its own size
  }
};

GANTRY_TEST(TestSliceView)
#include "test_slice_view.moc"
