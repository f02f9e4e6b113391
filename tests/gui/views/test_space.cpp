// The workspace Space: three planes through one voxel, and the volume, of a run, of the truth and
// of a file of which one slice is reconstructed.
#include "core/io/volumes/volume_file.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/stage/space_board.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/views/volume_view.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QComboBox>
#include <QSet>
#include <QTemporaryDir>
#include <QToolButton>

using namespace gantry;
using namespace gantry::test;

class TestSpace : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;
  QTemporaryDir folder_;

  MainWindow& window() { return *w_->window; }
  SpaceBoard& space() { return window().space(); }
  const SliceImage& shown(Axis axis) { return *space().plane(axis).slice().image(); }
  bool shows(Axis axis, int index) {
    const auto image = space().plane(axis).slice().image();
    return image != nullptr && image->axis == axis && image->index == index;
  }
  QToolButton* workspace(const QString& name) {
    for (QToolButton* button : window().findChildren<QToolButton*>())
      if (button->text() == name) return button;
    return nullptr;
  }
  void openSpatial() {
    Experiment spatial = WindowFixture::small();
    spatial.source.phantom = "forbild_head_3d";
    spatial.geometry = default_scan(128, 40, 32);
    spatial.grid = VolumeGrid::centered(24, 20, 16, {9, 11, 13});
    for (RunSpec& run : spatial.runs) run.iterations = 3;
    w_->model().reset(spatial, {});
    w_->controller().prepareData();
    WAIT_FOR(w_->controller().data() != nullptr && !w_->controller().isPreparing());
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
  }
  void cleanup() { w_.reset(); }

  void aSingleSliceHasNoSpace() {
    w_->openSmall();
    WAIT_FOR(w_->controller().data() != nullptr && !w_->controller().isPreparing());
    QVERIFY(!workspace(QStringLiteral("Space"))->isEnabled());
    QVERIFY(workspace(QStringLiteral("Space"))->toolTip().contains(QStringLiteral("single slice")));
  }

  void threePlanesGoThroughOneVoxel() {
    openSpatial();
    workspace(QStringLiteral("Space"))->click();
    WAIT_FOR(space().isVisible() && !window().board().isVisible());
    // The truth, until a run has an estimate.
    WAIT_FOR(shows(Axis::axial, 8) && shows(Axis::coronal, 10) && shows(Axis::sagittal, 12));
    const auto reference = w_->controller().reference();
    QVERIFY(shown(Axis::coronal).values ==
            extract_slice(reference->grid, reference->mu, Axis::coronal, 10).values);

    const int id = w_->run(0);
    window().runs().selectRun(id);
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::finished &&
             w_->controller().status(id).iterates->size() == 3);
    const auto& estimate =
        w_->controller().status(id).iterates->back().progress->solver.arrays.front();
    const auto is_estimate = [&](Axis axis, int index) {
      return shows(axis, index) &&
             shown(axis).values == extract_slice(reference->grid, estimate, axis, index).values;
    };
    WAIT_FOR(is_estimate(Axis::axial, 8) && is_estimate(Axis::coronal, 10) &&
             is_estimate(Axis::sagittal, 12));

    // A click in the axial plane moves the two others there, and nothing else.
    SliceView& axial = space().plane(Axis::axial);
    const Vec3 to = reference->grid.voxel_center_mm(5, 14, 8);
    const PointPx at = axial.slice().worldToDisplay(to.x, to.y);
    QTest::mouseClick(&axial, Qt::LeftButton, {}, QPoint(qRound(at.x), qRound(at.y)));
    QCOMPARE(space().voxel(), (std::array<int, 3>{5, 14, 8}));
    WAIT_FOR(is_estimate(Axis::sagittal, 5) && is_estimate(Axis::coronal, 14) &&
             is_estimate(Axis::axial, 8));
    // The wheel moves the plane that the mouse is over.
    emit space().plane(Axis::coronal).sliceStepRequested(3);
    WAIT_FOR(is_estimate(Axis::coronal, 17));
    emit space().plane(Axis::coronal).sliceStepRequested(1 << 24);
    WAIT_FOR(is_estimate(Axis::coronal, 19));

    // The playhead moves the planes as well.
    window().playhead().set(ProgressAxis::iterations, 1);
    const auto& first =
        w_->controller().status(id).iterates->front().progress->solver.arrays.front();
    QVERIFY(shown(Axis::axial).values ==
            extract_slice(reference->grid, first, Axis::axial, 8).values);

    workspace(QStringLiteral("Compare"))->click();
    WAIT_FOR(!space().isVisible() && window().board().isVisible());
  }

  void theVolumeIsDrawn() {
    openSpatial();
    window().applyLayout(WindowLayout::space);
    const auto brightness = [&] {
      const QImage picture = space().volume().grabImage(1);
      double sum = 0;
      for (int y = 60; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) sum += qGray(picture.pixel(x, y));
      return sum / (picture.width() * picture.height());
    };
    WAIT_FOR(brightness() > 5);
    auto* mode = space().findChild<QComboBox*>(QStringLiteral("volumeMode"));
    QSet<int> seen{qRound(100 * brightness())};
    for (int i = 1; i < mode->count(); ++i) {
      mode->setCurrentIndex(i);
      emit mode->activated(i);
      QVERIFY(brightness() > 2);
      seen << qRound(100 * brightness());
    }
    QCOMPARE(seen.size(), mode->count());  // the three ways look different
  }

  /// Of a file of 12 slices, one is reconstructed; the whole file can be looked through.
  void aFileIsLookedThrough() {
    VolumeToWrite volume;
    volume.grid = VolumeGrid::centered(24, 24, 12, {4, 4, 4});
    std::vector<float> mu(volume.grid.voxels());
    for (std::size_t i = 0; i < mu.size(); ++i) mu[i] = 0.001F * static_cast<float>(i % 29);
    volume.mu = mu;
    const QString path = folder_.filePath(QStringLiteral("block.mha"));
    write_volume(path.toStdString(), volume);
    window().open(path);
    WAIT_FOR(w_->controller().data() != nullptr && w_->controller().data()->source_slices == 12);
    QCOMPARE(w_->controller().data()->grid.nz, 1);
    workspace(QStringLiteral("Space"))->click();
    WAIT_FOR(shows(Axis::axial, 6) && shows(Axis::coronal, 12) && shows(Axis::sagittal, 12));
    for (const auto& [axis, index] : {std::pair{Axis::axial, 6}, {Axis::sagittal, 12}})
      QVERIFY(shown(axis).values == extract_slice(volume.grid, mu, axis, index).values);
    emit space().plane(Axis::axial).sliceStepRequested(2);
    QVERIFY(shows(Axis::axial, 8));
  }
};

GANTRY_TEST(TestSpace)
#include "test_space.moc"
