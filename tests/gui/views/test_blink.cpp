// Two pictures in one view: in turn, and side by side with a divider between them.
#include "gui/stage/tile_content.hpp"
#include "gui/views/slice_view.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestBlink : public QObject {
  Q_OBJECT

  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  SliceTile* tile(std::size_t run) { return window().board().tile(w_->run(run)); }
  std::shared_ptr<const SliceImage> picture(int id) {
    return window().board().slice(id, Axis::axial, 0);
  }
  static std::string title(SliceTile* tile) { return tile->view().slice().title(); }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    w_->openSmall();
    for (const int id : w_->model().runIds()) w_->controller().start(id);
    for (const int id : w_->model().runIds()) WAIT_FOR(w_->state(id) == RunState::finished);
    WAIT_FOR(picture(w_->run(0)) != nullptr && picture(w_->run(1)) != nullptr);
  }
  void cleanup() { w_.reset(); }

  void picturesAreDivided() {
    SliceImage a, b;
    a.width = b.width = 4;
    a.height = b.height = 1;
    a.values = {1, 1, 1, 1};
    b.values = {2, 2, 2, 2};
    QVERIFY((divided(a, b, 1.0)->values == std::vector<float>{1, 1, 2, 2}));
    QVERIFY((divided(a, b, -1.0)->values == std::vector<float>{2, 2, 2, 2}));
    QVERIFY((difference(a, b)->values == std::vector<float>{-1, -1, -1, -1}));
    b.u0_mm = 0.5;  // other pixels: interpolated at those of a
    b.values = {0, 1, 2, 3};
    const auto both = divided(a, b, 1.5);
    EXPECT_NEAR(both->values[2], 1.5, 1e-6);
  }

  void aTileShowsTwoPicturesInTurn() {
    SliceTile* shown = tile(0);
    shown->show({TileContent::Kind::blink, w_->run(1)});
    const std::string own = shown->title().toStdString(), other = tile(1)->title().toStdString();
    QCOMPARE(title(shown), own + ", in turn with " + other);
    QVERIFY(shown->view().slice().image() == picture(w_->run(0)));
    // What is said of the run is not said of its partner.
    QVERIFY(!shown->view().slice().status().empty());
    WAIT_FOR(shown->view().slice().image() == picture(w_->run(1)));
    QVERIFY(shown->view().slice().status().empty());
    QCOMPARE(title(shown), other + ", in turn with " + own);
    WAIT_FOR(shown->view().slice().image() == picture(w_->run(0)));
    shown->toggle(TileContent::Kind::blink);
    QCOMPARE(title(shown), own);
    QVERIFY(shown->view().slice().image() == picture(w_->run(0)));
  }

  void aDividerIsBetweenTwoPictures() {
    SliceTile* shown = tile(0);
    shown->show({TileContent::Kind::swipe, w_->run(1)});
    const SliceScene& scene = shown->view().slice();
    QVERIFY(scene.divider().has_value());
    QCOMPARE(scene.divider()->left, shown->title().toStdString());
    QCOMPARE(scene.divider()->right, tile(1)->title().toStdString());
    const auto own = picture(w_->run(0)), other = picture(w_->run(1));
    const auto at = [&](const SliceImage& slice, int iu) {
      return slice.values[static_cast<std::size_t>(32 * slice.width + iu)];
    };
    QCOMPARE(at(*scene.image(), 20), at(*own, 20));
    QCOMPARE(at(*scene.image(), 44), at(*other, 44));
    emit shown->view().dividerMoved(own->u0_mm + 50 * own->du_mm);
    QCOMPARE(at(*scene.image(), 44), at(*own, 44));
    QCOMPARE(at(*scene.image(), 55), at(*other, 55));
  }

  /// The keys start blinking with the partner that was chosen last.
  void keysSwitchThem() {
    window().activateWindow();
    WAIT_FOR(window().isActiveWindow());
    SliceTile* shown = window().board().activeTile();
    shown->show({TileContent::Kind::swipe, w_->run(1)});
    QTest::keyClick(&window(), Qt::Key_B);
    QVERIFY((shown->content() == TileContent{TileContent::Kind::blink, w_->run(1)}));
    QTest::keyClick(&window(), Qt::Key_W);
    QVERIFY((shown->content() == TileContent{TileContent::Kind::swipe, w_->run(1)}));
    QTest::keyClick(&window(), Qt::Key_W);
    QVERIFY(shown->content() == TileContent{});
    QTest::keyClick(&window(), Qt::Key_D);
    QVERIFY(shown->showsDifference());
  }

  /// A double click fills the stage and fits, and goes back, also where the view is unlinked.
  void aDoubleClickFillsTheStageAndFits() {
    for (const bool linked : {true, false}) {
      SliceTile* shown = tile(0);
      shown->setLinked(linked);
      emit shown->view().viewChanged(SliceCamera{5, 5, 0.1});
      QVERIFY(!shown->view().slice().fitted());
      QTest::mouseDClick(&shown->view(), Qt::LeftButton, {}, QPoint(40, 60));
      QCOMPARE(window().board().focusedTile(), w_->run(0));
      QVERIFY(shown->view().slice().fitted());
      QTest::mouseDClick(&shown->view(), Qt::LeftButton, {}, QPoint(40, 60));
      QCOMPARE(window().board().focusedTile(), -1);
    }
  }

  /// A removed partner is shown no longer.
  void aPartnerMayVanish() {
    tile(0)->show({TileContent::Kind::blink, w_->run(1)});
    w_->controller().removeRun(w_->run(1));
    QVERIFY(tile(0)->content() == TileContent{});
    QVERIFY(tile(0)->view().slice().image() == picture(w_->run(0)));
  }
};

GANTRY_TEST(TestBlink)
#include "test_blink.moc"
