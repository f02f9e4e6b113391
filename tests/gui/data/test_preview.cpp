// The quick reconstruction that fills the views of runs that have not been started.
#include "gui/views/slice_view.hpp"
#include "gui/worker/preview.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestPreview : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  void open(const Experiment& experiment) {
    w_->model().reset(experiment, {});
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
  }
  const std::shared_ptr<const SliceImage>& shown(int id) {
    return window().board().tile(id)->view().slice().image();
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
  }
  void cleanup() { w_.reset(); }

  void itFillsViewsUntilTheirRunsStart() {
    open(WindowFixture::small());
    const int first = w_->run(0), second = w_->run(1);
    WAIT_FOR(shown(first) != nullptr && shown(second) != nullptr);
    QCOMPARE(shown(first), window().preview().slice(Axis::axial, 0));
    QCOMPARE(window().preview().text(first), QStringLiteral("Preview: FBP, 64 x 64"));
    // It looks like the truth.
    const std::vector<float>& truth = w_->controller().reference()->mu;
    double error = 0, size = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      error += std::pow(shown(first)->values[i] - truth[i], 2);
      size += std::pow(truth[i], 2);
    }
    QVERIFY2(error < 0.1 * size, qPrintable(QString::number(error / size)));
    // No estimate: neither profiles nor metrics count it.
    QVERIFY(window().board().slice(first, Axis::axial, 0) == nullptr);

    w_->controller().start(first);
    WAIT_FOR(w_->iterations(first) > 1);
    WAIT_FOR(shown(first) != nullptr && shown(first) != window().preview().slice(Axis::axial, 0));
    QCOMPARE(shown(second), window().preview().slice(Axis::axial, 0));
  }

  void slicesOfAVolumeAreShownNearby() {
    Experiment spatial = WindowFixture::small();
    spatial.source.phantom = "forbild_head_3d";
    spatial.geometry = default_scan(128, 40, 32);
    spatial.grid = VolumeGrid::centered(160, 160, 12, {1.4, 1.4, 18});
    open(spatial);
    WAIT_FOR(window().preview().image() != nullptr);
    QCOMPARE(window().preview().text(w_->run(0)), QStringLiteral("Preview: FDK, 80 x 80"));
    const auto slice = window().preview().slice(Axis::axial, 7);
    QVERIFY(slice != nullptr);
    QVERIFY(std::abs(slice->position_mm - slice_position_mm(*spatial.grid, Axis::axial, 7)) <= 18);
  }
};

GANTRY_TEST(TestPreview)
#include "test_preview.moc"
