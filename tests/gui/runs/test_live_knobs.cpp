// Sliders beside numbers: while one is dragged a reduced reconstruction follows in the views; what
// is let go of is an edit, which the runs that had computed follow in full; nothing follows typing.
#include "core/geometry/default_scan.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/job/value_range.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/stage/slice_tile.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/knob.hpp"
#include "gui/worker/preview.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QDoubleSpinBox>
#include <QTemporaryDir>

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestLiveKnobs : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  const Preview& preview() { return window().preview(); }
  std::shared_ptr<const SliceImage> shown(int id) {
    return window().board().tile(id)->view().slice().image();
  }
  /// Moves a knob as a drag does, without letting go.
  void drag(Knob& knob, int position) {
    knob.setSliderDown(true);
    knob.setSliderPosition(position);
  }
  void letGo(Knob& knob) {
    knob.setSliderDown(false);
    QTest::mouseRelease(&knob, Qt::LeftButton);
  }
  /// Opens the present line integrals as a measured scan.
  void openMeasured() {
    const auto data = w_->controller().data();
    const QString path = folder_.filePath(QStringLiteral("measured.scan.json"));
    write_scan(path.toStdString(), *data->geometry, data->line_integrals, "measured");
    window().open(path);
    WAIT_FOR(w_->model().experiment().source.kind == SourceKind::scan &&
             !w_->controller().isPreparing());
  }
  void compute() {
    for (const int id : w_->model().runIds()) w_->controller().start(id);
    for (const int id : w_->model().runIds()) WAIT_FOR(w_->state(id) == RunState::finished);
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    w_->window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(w_->window.get()));
    Experiment few = WindowFixture::small();
    few.grid = VolumeGrid::centered(256, 256, 1, {1, 1, 1});
    few.noise.photons_per_ray = 20000;
    for (RunSpec& run : few.runs) run.iterations = 3;
    w_->model().reset(few, {});
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
    window().runs().selectRun(w_->run(1));
  }
  void cleanup() { w_.reset(); }

  /// In a rail of its usual width every slider is long enough to be dragged.
  void slidersAreLong() {
    for (const char* step : {"data", "scan", "runs"}) {
      window().panels().open(QString::fromLatin1(step));
      QCoreApplication::processEvents();
      for (const Knob* knob : window().findChildren<Knob*>())
        if (knob->isVisible())
          QVERIFY2(
              knob->width() >= 45,
              qPrintable(QStringLiteral("%1: %2 px").arg(knob->objectName()).arg(knob->width())));
    }
  }

  void rangesComeFromTheDescriptions() {
    const auto number = [](ParamValue fallback, double min, double max) {
      ParamSpec spec;
      spec.fallback = std::move(fallback);
      spec.min = min;
      spec.max = max;
      return spec;
    };
    const ValueRange wide = *range_worth_trying(number(0.015, 0, 1e9), 0.015, 100);
    QVERIFY(wide.logarithmic);
    EXPECT_NEAR(wide.low, 0.00015, 1e-12);
    EXPECT_NEAR(wide.high, 1.5, 1e-12);
    EXPECT_NEAR(wide.at(0.5), 0.015, 1e-9);  // the middle of a scale of equal ratios
    EXPECT_NEAR(wide.part_of(wide.at(0.25)), 0.25, 1e-3);
    const ValueRange narrow = *range_worth_trying(number(1.0, 0.001, 1.999), 0.7, 100);
    QVERIFY(!narrow.logarithmic && narrow.low == 0.001 && narrow.high == 1.999);
    const ValueRange counts = *range_worth_trying(number(std::int64_t{10}, 1, 65536), 10, 10);
    QVERIFY(counts.whole && counts.low == 1 && counts.high == 100);
    QCOMPARE(counts.at(0.3), std::round(counts.at(0.3)));
    const ParamSpec choice = number(std::string("a"), 0, 1);
    QVERIFY(!range_worth_trying(choice, 1, 10));
  }

  /// Every number that distinguishes runs of a method has a slider, whatever it is called.
  void everyMainNumberHasASlider() {
    int numbers = 0;
    for (const auto& solver : w_->program.catalog.solvers.entries()) {
      w_->model().editRun(w_->run(1), QStringLiteral("solver"), [&](RunSpec& run) {
        run.solver = solver.key;
        run.solver_params = {};
      });
      QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);  // the form before it
      for (const ParamSpec& spec : solver.params) {
        const bool is_number = range_worth_trying(spec, 1, 10).has_value();
        const auto name = QStringLiteral("knob_") + QString::fromStdString(spec.key);
        const auto knobs = window().findChildren<Knob*>(name);
        if (!is_number || !spec.in_names) continue;
        QVERIFY2(!knobs.isEmpty(), qPrintable(name));
        ++numbers;
      }
    }
    QVERIFY(numbers > 5);
  }

  /// The picture of the value that was tried goes with the runs, before their tiles do.
  void anotherExperimentIsOpenedDuringADrag() {
    compute();
    const int id = w_->run(1);
    drag(w_->part<Knob>("knob_relaxation"), 80);
    WAIT_FOR(preview().showsReduced(id));
    w_->model().reset(WindowFixture::small(), {});
    QVERIFY(w_->model().run(id) == nullptr && window().board().tile(id) == nullptr);
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
    QVERIFY(window().board().tile(w_->run(0)) != nullptr);
  }

  void aReducedPictureFollowsADrag() {
    compute();
    const int id = w_->run(1);
    auto& knob = w_->part<Knob>("knob_relaxation");
    auto& box = w_->part<QDoubleSpinBox>("param_relaxation");
    const auto full = shown(id);
    const double before = box.value();
    drag(knob, 80);
    WAIT_FOR(preview().showsReduced(id) && shown(id) != nullptr && shown(id) != full);
    QVERIFY(shown(id)->width == 128 && full->width == 256);
    QVERIFY2(preview().text(id).startsWith(QStringLiteral("Reduced: 128 x 128, ")),
             qPrintable(preview().text(id)));
    QVERIFY(window().board().tile(id)->status().contains(QStringLiteral("reduced")));
    QCOMPARE(box.value(), knob.number());
    QVERIFY(box.value() != before);
    QVERIFY(w_->controller().isCurrent(id));  // nothing has been edited
    QVERIFY(!preview().showsReduced(w_->run(0)));
    const auto at_80 = shown(id);
    drag(knob, 300);
    WAIT_FOR(shown(id) != at_80);
    QVERIFY(shown(id)->values != at_80->values);

    letGo(knob);
    QCOMPARE(w_->model().run(id)->solver_params.real("relaxation"), knob.number());
    WAIT_FOR(w_->controller().isCurrent(id) && w_->state(id) == RunState::finished);
    QVERIFY(w_->part<QWidget>("pendingBar").isHidden() && !preview().showsReduced(id));
    WAIT_FOR(shown(id) != nullptr && shown(id)->width == 256);
    QVERIFY(shown(id)->values != full->values);
    QCOMPARE(w_->controller().status(w_->run(0)).epoch, 1);  // the other run was not touched

    w_->model().undoStack().undo();  // value and restart
    WAIT_FOR(shown(id) != nullptr && shown(id)->values == full->values);
    QVERIFY(w_->controller().isCurrent(id));
    QCOMPARE(box.value(), before);
  }

  /// The title of a tile names the values of the picture below it, also while they are tried.
  void theTitleNamesTheValueThatIsTried() {
    compute();
    const int id = w_->run(1);
    SliceTile& tile = *window().board().tile(id);
    const QString other = window().board().tile(w_->run(0))->title(), before = tile.title();
    auto& knob = w_->part<Knob>("knob_relaxation");
    const auto names_value = [&] {
      return tile.title() == QStringLiteral("SIRT, λ %1").arg(knob.number()) &&
             tile.view().slice().title() == tile.title().toStdString();
    };
    QVERIFY(names_value());
    const int at = knob.value();
    for (const int to : {80, 300}) {
      drag(knob, to);
      WAIT_FOR(names_value() && tile.title() != before);
    }
    QCOMPARE(window().board().tile(w_->run(0))->title(), other);
    drag(knob, at);
    letGo(knob);
    WAIT_FOR(tile.title() == before);
  }

  /// One step of undo brings back data, results and number of all runs, and one of redo leads on.
  void undoOfALiveSliderIsWhole() {
    compute();
    const double before = w_->model().experiment().noise.photons_per_ray;
    const auto data = w_->controller().data();
    auto& photons = w_->part<Knob>("knob_photons");
    drag(photons, photons.maximum() / 4);
    letGo(photons);
    const double after = w_->model().experiment().noise.photons_per_ray;
    QVERIFY(after != before);
    const auto are_current = [this](int epoch) {
      return std::ranges::all_of(w_->model().runIds(), [&](int id) {
        return w_->controller().isCurrent(id) && w_->state(id) == RunState::finished &&
               w_->controller().status(id).epoch == epoch;
      });
    };
    WAIT_FOR(are_current(2));
    const auto noisier = w_->controller().data();
    w_->model().undoStack().undo();
    QCOMPARE(w_->model().experiment().noise.photons_per_ray, before);
    QCOMPARE(w_->part<QDoubleSpinBox>("photons").value(), before);
    QVERIFY(are_current(1));
    QCOMPARE(w_->controller().data(), data);
    QVERIFY(!w_->model().isModified() && !w_->model().undoStack().canUndo());
    QVERIFY(w_->part<QWidget>("pendingBar").isHidden());
    w_->model().undoStack().redo();
    QCOMPARE(w_->model().experiment().noise.photons_per_ray, after);
    QVERIFY(are_current(2));
    QCOMPARE(w_->controller().data(), noisier);
  }

  /// Undo before the data are there: nothing starts with them.
  void undoComesBeforeTheData() {
    compute();
    const auto data = w_->controller().data();
    auto& photons = w_->part<Knob>("knob_photons");
    drag(photons, photons.maximum() / 4);
    letGo(photons);
    QVERIFY(w_->controller().isPreparing());
    w_->model().undoStack().undo();
    QVERIFY(!w_->controller().isPreparing());
    for (const int id : w_->model().runIds()) {
      QVERIFY(w_->image(id) != nullptr);  // the worker has done what it was told before
      QVERIFY(w_->controller().isCurrent(id));
      QCOMPARE(w_->controller().status(id).epoch, 1);
    }
    QCOMPARE(w_->controller().data(), data);
  }

  /// A slider that comes back to where it was changes nothing.
  void aDragBackStartsNothing() {
    compute();
    const int id = w_->run(1);
    auto& knob = w_->part<Knob>("knob_relaxation");
    const int at = knob.value();
    drag(knob, 80);
    WAIT_FOR(preview().showsReduced(id));
    drag(knob, at);
    letGo(knob);
    WAIT_FOR(!preview().showsReduced(id));
    QCOMPARE(w_->controller().status(id).epoch, 1);
    QVERIFY(w_->controller().isCurrent(id));
  }

  void typingIsFollowedByNothing() {
    compute();
    const int id = w_->run(1);
    auto& box = w_->part<QDoubleSpinBox>("param_relaxation");
    box.setFocus();
    box.selectAll();
    QTest::keyClicks(&box, QStringLiteral("0.4"));
    QTest::keyClick(&box, Qt::Key_Return);
    QCOMPARE(w_->model().run(id)->solver_params.real("relaxation"), 0.4);
    QVERIFY(!preview().showsReduced(id));
    QVERIFY(!w_->controller().isCurrent(id) && w_->state(id) == RunState::finished);
    QVERIFY(w_->part<QWidget>("pendingBar").isVisible());  // asks; nothing starts by itself
    EXPECT_NEAR(w_->part<Knob>("knob_relaxation").number(), 0.4, 0.01);
  }

  void keysMoveAKnob() {
    const int id = w_->run(1);
    auto& knob = w_->part<Knob>("knob_relaxation");
    knob.setFocus();
    const int before = knob.value();
    QTest::keyPress(&knob, Qt::Key_Left);
    QVERIFY(knob.value() < before && w_->model().run(id)->solver_params.values().empty());
    QTest::keyRelease(&knob, Qt::Key_Left);
    QCOMPARE(w_->model().run(id)->solver_params.real("relaxation"), knob.number());
  }

  /// Data are simulated anew on the larger voxels; all runs follow.
  void viewsAndNoiseAreFollowed() {
    compute();
    const auto roughness = [](const std::shared_ptr<const SliceImage>& image) {
      double sum = 0;
      for (std::size_t i = 1; i < image->values.size(); ++i)
        sum += std::abs(image->values[i] - image->values[i - 1]);
      return sum;
    };
    auto& photons = w_->part<Knob>("knob_photons");
    drag(photons, photons.maximum() / 4);
    for (const int id : w_->model().runIds())
      WAIT_FOR(preview().showsReduced(id) && shown(id) != nullptr && shown(id)->width == 128);
    const double noisy = roughness(shown(w_->run(0)));
    drag(photons, photons.maximum());
    WAIT_FOR(roughness(shown(w_->run(0))) < 0.9 * noisy);
    letGo(photons);
    QVERIFY(w_->model().experiment().noise.photons_per_ray > 1e6);
    for (const int id : w_->model().runIds())
      WAIT_FOR(w_->controller().isCurrent(id) && w_->state(id) == RunState::finished);
    for (const int id : w_->model().runIds()) QVERIFY(!preview().showsReduced(id));

    auto& views = w_->part<Knob>("knob_views");
    drag(views, 0);
    WAIT_FOR(preview().text(w_->run(0)).endsWith(QStringLiteral(" 8 views")));
    QCOMPARE(w_->model().experiment().geometry->view_angles_rad.size(), std::size_t{60});
    letGo(views);
    QCOMPARE(w_->model().experiment().geometry->view_angles_rad.size(), std::size_t{8});
  }

  /// The line integrals of a measured scan stay as they are; only the positions at which they are
  /// taken to have been measured change.
  void theCentreOfAMeasuredScanIsFollowed() {
    openMeasured();
    const int id = w_->run(0);
    QVERIFY(w_->part<Knob>("knob_views").isHidden());
    auto& knob = w_->part<Knob>("knob_centralColumn");
    drag(knob, knob.maximum());
    WAIT_FOR(preview().showsReduced(id) && shown(id) != nullptr);
    const auto moved = shown(id)->values;
    drag(knob, knob.maximum() / 4);
    WAIT_FOR(preview().showsReduced(id) && shown(id)->values != moved);
    letGo(knob);
    EXPECT_NEAR(w_->model().experiment().geometry->central_column, knob.number(), 1e-9);
    QVERIFY(knob.number() < 31);              // the detector's middle is 31.5
    QCOMPARE(w_->state(id), RunState::idle);  // nobody had started the run
  }

  /// So does a number that is typed; where nobody looks, the picture says that it is an older one.
  void thePreviewOfTheDataFollowsAnEdit() {
    openMeasured();
    window().applyLayout(WindowLayout::data);
    const auto slice = [this] { return preview().slice(Axis::axial, 0); };
    WAIT_FOR(slice() != nullptr);
    const auto still = slice();
    const auto set_column = [this](double column) {
      w_->model().edit(QStringLiteral("Column"), [&](Experiment& e) {
        e.geometry = w_->controller().data()->geometry->spec();
        e.grid = w_->controller().data()->grid;
        e.geometry->central_column = column;
      });
    };
    set_column(24);
    WAIT_FOR(slice() != still);
    QCOMPARE(slice()->width, still->width);
    QVERIFY(slice()->values != still->values);
    w_->model().undoStack().undo();
    WAIT_FOR(slice() == still);
    QVERIFY(preview().text().startsWith(QStringLiteral("Preview: ")));
    window().applyLayout(WindowLayout::compare);
    set_column(25);
    QVERIFY2(preview().text().startsWith(QStringLiteral("Before the change: ")),
             qPrintable(preview().text()));
    QVERIFY2(preview().text(w_->run(0)).startsWith(QStringLiteral("Before the change: ")),
             qPrintable(preview().text(w_->run(0))));
    window().applyLayout(WindowLayout::data);
    WAIT_FOR(preview().text() == QStringLiteral("Preview: FBP, 64 x 64"));
  }

  /// The slice of the preview follows too, where somebody looks at it.
  void thePreviewOfTheDataFollowsTheCentre() {
    openMeasured();
    window().applyLayout(WindowLayout::data);
    const auto slice = [this] { return preview().slice(Axis::axial, 0); };
    WAIT_FOR(slice() != nullptr);
    const auto still = slice();
    auto& knob = w_->part<Knob>("knob_centralColumn");
    drag(knob, knob.maximum());
    WAIT_FOR(slice() != still);
    QVERIFY(slice() != nullptr && slice()->values != still->values);
    QCOMPARE(slice()->width, still->width);  // as fine as the preview at rest
    const QString column = QStringLiteral("column %1,").arg(knob.number(), 0, 'f', 2);
    QVERIFY2(w_->part<QLabel>("dataText").text().contains(column),
             qPrintable(column + w_->part<QLabel>("dataText").text()));
    QVERIFY2(preview().text().startsWith(QStringLiteral("Preview: ")),
             qPrintable(preview().text()));
    const auto moved = slice();
    drag(knob, knob.maximum() / 4);
    WAIT_FOR(slice() != moved);
    const auto last = slice();
    letGo(knob);
    QCOMPARE(slice(), last);  // until the data are made with it; it has all voxels
    QVERIFY(preview().text().startsWith(QStringLiteral("Preview: ")));
    w_->model().undoStack().undo();
    QCOMPARE(slice(), still);
  }

  /// What is let go of is shown on all voxels. Before, only the slice that is looked at is; the
  /// other planes follow the slider on larger voxels.
  void whatIsLetGoOfIsShownInFull() {
    Experiment cone = WindowFixture::small();
    cone.source.phantom = "forbild_head_3d";
    cone.geometry = default_scan(128, 16, 144);
    cone.geometry->view_angles_rad = angles_from_degrees(0, 30, 12);
    cone.grid.reset();
    w_->open(cone);
    WAIT_FOR(w_->isReady() && w_->controller().data()->geometry->views() == 12);
    openMeasured();
    window().applyLayout(WindowLayout::data);
    const VolumeGrid grid = w_->controller().data()->grid;
    QVERIFY(grid.nx > 128 && grid.nz > 1);
    const auto text = [](const char* form, int across) {
      return QStringLiteral("%1: FDK, %2 x %2").arg(QLatin1String(form)).arg(across);
    };
    WAIT_FOR(preview().text() == text("Preview", grid.nx));
    auto& knob = w_->part<Knob>("knob_centralColumn");
    drag(knob, knob.maximum());
    const auto across = [&] {
      const auto slice = preview().slice(Axis::coronal, grid.ny / 2);
      return slice == nullptr ? 0 : slice->width;
    };
    WAIT_FOR(across() == (grid.nx + 1) / 2);
    QCOMPARE(preview().text(), text("Preview", grid.nx));
    letGo(knob);
    WAIT_FOR(across() == grid.nx);
    QCOMPARE(preview().text(), text("Preview", grid.nx));
  }
};

GANTRY_TEST(TestLiveKnobs)
#include "test_live_knobs.moc"
