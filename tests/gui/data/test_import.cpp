// A scan of another program, dropped on the window: it is imported and shown, everything that was
// concluded from its files is said, and the form corrects it.
#include "core/job/experiment_file.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/stage/data_board.hpp"
#include "gui/stage/measurements.hpp"
#include "gui/stage/projection_board.hpp"
#include "gui/stage/slice_tile.hpp"
#include "gui/stage/space/space_board.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/worker/preview.hpp"
#include "tests/gui/counted_user.hpp"
#include "tests/gui/data/tiff_scan.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTreeWidget>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace gantry;
using namespace gantry::test;

class TestImport : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;
  std::unique_ptr<QTemporaryDir> folder_;

  MainWindow& window() { return *w_->window; }
  QString path(const char* name) const { return folder_->filePath(QLatin1String(name)); }
  const ScanGeometry& geometry() { return *w_->controller().data()->geometry; }
  QString assumptions() { return w_->part<QLabel>("importAssumptions").text(); }
  double last_angle_deg() {
    return geometry().angle_rad(geometry().views() - 1) * 180 / std::numbers::pi;
  }
  void open(const QString& what) {
    window().open(what);
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::scan);
  }
  void previewChanged() {
    QMetaObject::invokeMethod(const_cast<Preview*>(&window().preview()), "changed");
  }
  /// Until what was typed has been imported.
  template <class Change>
  void change(const Change& act) {
    const auto before = w_->controller().data();
    act();
    WAIT_FOR(w_->isReady() && w_->controller().data() != before);
  }
  void choose(QComboBox& box, int index) {
    change([&] {
      box.setCurrentIndex(index);
      emit box.activated(index);
    });
  }

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    w_ = std::make_unique<WindowFixture>();
    w_->window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(w_->window.get()));
    window().activateWindow();
    window().setFocus();
  }
  void cleanup() { w_.reset(); }

  /// From a folder to the first reconstructed slice: two actions.
  void aFolderIsImportedAndReconstructed() {
    const TiffScan scan;
    scan.write(path("scan"));
    CountedUser user(window());
    user.open(path("scan"));
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::scan);
    WAIT_FOR(window().data().isVisible());
    QCOMPARE(geometry().views(), scan.views);
    QCOMPARE(geometry().columns(), scan.columns);
    QVERIFY2(std::abs(geometry().spec().central_column - scan.centre) < 0.05,
             qPrintable(assumptions()));
    EXPECT_NEAR(last_angle_deg(), 180, 1e-9);
    const std::vector<float>& p = w_->controller().data()->line_integrals;
    for (const int view : {0, 17, 60})
      for (const int column : {5, 40, 70})
        EXPECT_NEAR(p[(static_cast<std::size_t>(view * scan.rows) + 2) *
                          static_cast<std::size_t>(scan.columns) +
                      static_cast<std::size_t>(column)],
                    scan.line_integral(view, 2, column), 1e-5);
    for (const char* said : {"mirror image of the first", "centre of rotation", "flats", "darks"})
      QVERIFY2(assumptions().contains(QLatin1String(said)), qPrintable(assumptions()));
    user.press(Qt::Key_F5);
    const int id = w_->run(0);
    WAIT_FOR(w_->iterations(id) > 2);
    QCOMPARE(user.actions(), 2);
  }

  void theFormCorrectsWhatWasAssumed() {
    TiffScan scan;
    scan.arc_deg = 130;  // which the first and the last view do not tell
    scan.write(path("scan"));
    open(path("scan"));
    QVERIFY2(assumptions().contains(QStringLiteral("nothing tells them")),
             qPrintable(assumptions()));
    QCOMPARE(w_->part<QDoubleSpinBox>("importArc").text(), QStringLiteral("0 to 180°, assumed"));
    change([&] { w_->part<QDoubleSpinBox>("importArc").setValue(130); });
    EXPECT_NEAR(last_angle_deg(), 130, 1e-9);
    QVERIFY(!assumptions().contains(QStringLiteral("nothing tells them")));
    change([&] { w_->part<QDoubleSpinBox>("importPixel").setValue(0.1); });
    EXPECT_NEAR(geometry().spec().column_pitch_mm, 0.1, 1e-12);
    change([&] { w_->part<QDoubleSpinBox>("importCentre").setValue(50.25); });
    QCOMPARE(geometry().spec().central_column, 50.25);
    w_->part<QDoubleSpinBox>("importSourceToAxis").setValue(300);
    QVERIFY(!w_->controller().isPreparing());  // the other distance is awaited
    change([&] { w_->part<QDoubleSpinBox>("importSourceToDetector").setValue(400); });
    QVERIFY(geometry().beam() == Beam::cone);
    change([&] {
      w_->model().undoStack().undo();
      QCOMPARE(w_->part<QDoubleSpinBox>("importSourceToDetector").value(), 0.0);
      w_->model().undoStack().undo();
    });
    QVERIFY(geometry().beam() == Beam::parallel);
    change([&] { w_->part<QDoubleSpinBox>("importArc").setValue(-130); });  // the other way round
    EXPECT_NEAR(last_angle_deg(), -130, 1e-9);
  }

  /// The axis is projected onto the detector or beside it, not farther away than its own width.
  void theAxisIsNearTheDetector() {
    const TiffScan scan;
    scan.write(path("scan"));
    open(path("scan"));
    auto& centre = w_->part<QDoubleSpinBox>("importCentre");
    const auto type = [&](const QString& text) {
      centre.setFocus();
      centre.selectAll();
      QTest::keyClicks(&centre, text);
      QTest::keyClick(&centre, Qt::Key_Return);
    };
    const QString range =
        QStringLiteral("%1 to %2. It stays at ").arg(-scan.columns).arg(2 * scan.columns - 1);
    for (const QString& text : {QStringLiteral("abc"), QString::number(3 * scan.columns)}) {
      type(text);
      QVERIFY2(w_->bannerText().contains(range), qPrintable(w_->bannerText()));
      QVERIFY(!w_->model().experiment().source.import_settings.centre);
    }
    change([&] { type(QStringLiteral("-3")); });
    QCOMPARE(geometry().spec().central_column, -3.0);
    // The columns that are imported are fewer; the file has as many as before.
    change([&] {
      auto& columns = w_->part<QLineEdit>("importColumns");
      columns.setText(QStringLiteral("0:9"));
      emit columns.editingFinished();
    });
    change([&] { type(QString::number(scan.columns + 20)); });
    QCOMPARE(geometry().spec().central_column, scan.columns + 20.0);
    // What an experiment says is kept and refused.
    w_->model().edit(QStringLiteral("far"), [](Experiment& e) {
      e.source.import_settings.centre = 5000;
      e.geometry.reset();
      e.grid.reset();
    });
    WAIT_FOR(w_->bannerText().contains(QStringLiteral("column 5000 is far outside the detector")));
    QCOMPARE(centre.value(), 5000.0);
    change([&] { type(QStringLiteral("3")); });
    QCOMPARE(geometry().spec().central_column, 3.0);
  }

  /// A preview that is ready later does not change the window that was set by hand.
  void aLatePreviewKeepsTheWindow() {
    TiffScan().write(path("scan"));
    open(path("scan"));
    WAIT_FOR(window().preview().slice(Axis::axial, 0) != nullptr);
    const double automatic = window().viewState().window();
    window().viewState().setWindowLevel(2 * automatic, 0.5 * automatic);
    previewChanged();
    QCOMPARE(window().viewState().window(), 2 * automatic);
    window().viewState().followData();
    QCOMPARE(window().viewState().window(), automatic);
    previewChanged();
    QCOMPARE(window().viewState().window(), automatic);
  }

  /// A folder with one sinogram is one at once; the form says otherwise, and undo takes it back.
  void aFolderOfASinogram() {
    const TiffScan scan;
    VolumeToWrite image;
    image.grid = VolumeGrid::centered(scan.columns, scan.views, 1, {1, 1, 1});
    std::vector<float> values;
    for (int view = 0; view < scan.views; ++view)
      for (int column = 0; column < scan.columns; ++column)
        values.push_back(10000 *
                         static_cast<float>(std::exp(-scan.line_integral(view, 0, column))));
    image.mu = values;
    image.lengths_are_known = false;
    QDir().mkpath(path("sino"));
    write_volume(path("sino/image.tif").toStdString(), image);
    open(path("sino"));
    QCOMPARE(geometry().views(), scan.views);
    QCOMPARE(geometry().rows(), 1);
    QVERIFY2(assumptions().contains(QStringLiteral("a sinogram, a view per row")),
             qPrintable(assumptions()));
    const auto shown = [this](const char* box) {
      return w_->part<QDoubleSpinBox>(box).specialValueText();
    };
    QCOMPARE(shown("importArc"), QStringLiteral("0 to 180°, found"));
    QCOMPARE(shown("importSourceToAxis"), QStringLiteral("parallel beam"));
    QCOMPARE(shown("importPixel"), QStringLiteral("not known (cells)"));
    QCOMPARE(shown("importCentre"),
             QStringLiteral("%1, as found").arg(QString::number(geometry().spec().central_column)));
    auto& images = w_->part<QComboBox>("importImages");
    choose(images, 1);
    QCOMPARE(geometry().views(), 1);
    QCOMPARE(geometry().rows(), scan.views);
    change([&] { w_->model().undoStack().undo(); });
    QCOMPARE(images.currentIndex(), 0);
    QCOMPARE(geometry().views(), scan.views);
  }

  /// Where nothing states the size of a cell, no length is said to be in mm; the form states it.
  void lengthsOfUnknownSizeAreInCells() {
    TiffScan().write(path("scan"));
    open(path("scan"));
    SliceBoard& board = window().board();
    const ViewState& view = window().viewState();
    board.measurements().addRuler({0, Axis::axial, 0, {{0, 0}, {3, 4}}});
    const Ruler ruler = board.measurements().rulers()[0];
    const auto readout = [&] { return board.tiles()[0]->readout({0, 0}); };
    window().panels().open(QStringLiteral("measure"));
    const auto unit = [this] {
      return w_->part<QTreeWidget>("regionTable").headerItem()->text(6).section('\n', 1);
    };
    QCOMPARE(w_->part<QTreeWidget>("regionList").headerItem()->text(1),
             QStringLiteral("Place in %1, or value").arg(view.lengthUnit()));
    QCOMPARE(view.lengthUnit(), QStringLiteral("cells"));
    const auto says_cells = [this] {
      return w_->controller().data()->description.ends_with("lengths in cells of unknown size");
    };
    QVERIFY(says_cells());
    const auto offers_hu = [this] {
      const QAbstractItemModel& units = *w_->part<QComboBox>("viewUnit").model();
      return units.flags(units.index(1, 0)).testFlag(Qt::ItemIsEnabled);
    };
    QVERIFY(!offers_hu());  // of what water?
    w_->model().edit(QStringLiteral("water"), [](Experiment& e) { e.source.mu_water = 0.1; });
    QVERIFY(offers_hu());
    w_->model().undoStack().undo();
    QVERIFY(!offers_hu());
    QCOMPARE(view.lengthText(12.5), QStringLiteral("12.5 cells"));
    QCOMPARE(board.measurements().text(ruler), QStringLiteral("5.00 cells"));
    QVERIFY(!board.tiles()[0]->view().slice().lengthsAreKnown());
    QCOMPARE(unit(), QStringLiteral("cells²"));
    WAIT_FOR(readout().contains(QStringLiteral("0.0 cells   μ")));
    ProjectionBoard& rays = window().data().projections();
    WAIT_FOR(rays.slice().slice().image() != nullptr);
    QSignalSpy read(&rays, &ProjectionBoard::readoutChanged);
    emit rays.slice().cursorMoved({0, 0});
    const QString below = read.last().at(0).toString();
    QVERIFY2(below.contains(QStringLiteral(" cells   μ")), qPrintable(below));
    window().applyLayout(WindowLayout::space);
    auto& arrangement = w_->part<QComboBox>("spaceArrangement");
    arrangement.setCurrentIndex(1);
    emit arrangement.activated(1);
    WAIT_FOR(!window().space().runs().views().empty());
    for (const SliceView* one : window().space().runs().views())
      QVERIFY(!one->slice().lengthsAreKnown());
    window().applyLayout(WindowLayout::data);
    QVERIFY2(
        readout().contains(QStringLiteral("1/cell")) && !readout().contains(QStringLiteral("HU")),
        qPrintable(readout()));
    const auto curve_unit = [this] {
      auto& quantity = w_->part<QComboBox>("quantity");
      quantity.setCurrentIndex(quantity.findText(QStringLiteral("Update norm")));
      return QString::fromStdString(window().convergence().chart().chart().titleY().unit);
    };
    QCOMPARE(curve_unit(), QStringLiteral("1/cell"));
    const auto has_suffix = [this](const QString& suffix) {
      return std::ranges::any_of(window().findChildren<QDoubleSpinBox*>(),
                                 [&](QDoubleSpinBox* box) { return box->suffix() == suffix; });
    };
    QVERIFY(has_suffix(QStringLiteral(" cells")) && has_suffix(QStringLiteral(" 1/cell")));
    const auto water = [this] { return w_->part<QDoubleSpinBox>("muWater").text(); };
    QCOMPARE(water(), QStringLiteral("not known"));
    change([&] { w_->part<QDoubleSpinBox>("importPixel").setValue(0.1); });
    QVERIFY(!says_cells());
    QCOMPARE(view.lengthText(12.5), QStringLiteral("12.50 mm"));  // of voxels of 0.1 mm
    QCOMPARE(board.measurements().text(ruler), QStringLiteral("5.000 mm"));
    QVERIFY(board.tiles()[0]->view().slice().lengthsAreKnown());
    QCOMPARE(unit(), QStringLiteral("mm²"));
    QCOMPARE(curve_unit(), QStringLiteral("1/mm"));
    QVERIFY(!has_suffix(QStringLiteral(" cells")) && !has_suffix(QStringLiteral(" 1/cell")));
    QCOMPARE(water(), QStringLiteral("0.02000 1/mm"));
  }

  /// A note that was closed stays closed while the source is imported anew, unless its text is new.
  void aClosedNoteStaysClosed() {
    const auto write = [this](const char* folder) {
      TiffScan().write(path(folder));
      QFile::remove(path(folder) + QStringLiteral("/flat_000.tif"));
    };
    write("scan");
    write("again");
    open(path("scan"));
    const QString note = QStringLiteral("there is no flat");
    QVERIFY2(w_->bannerText().contains(note), qPrintable(w_->bannerText()));
    w_->bannerButton(QStringLiteral("✕"))->click();
    QVERIFY(!w_->bannerText().contains(note));
    change([&] { w_->part<QDoubleSpinBox>("importPixel").setValue(0.1); });
    QVERIFY2(!w_->bannerText().contains(note), qPrintable(w_->bannerText()));
    QVERIFY(QFile::copy(path("scan/raw_030.tif"), path("scan/other.tif")));
    change([&] { w_->part<QDoubleSpinBox>("importPixel").setValue(0.2); });
    QVERIFY2(w_->bannerText().contains(QStringLiteral("1 file was left out")),
             qPrintable(w_->bannerText()));
    QVERIFY2(!w_->bannerText().contains(note), qPrintable(w_->bannerText()));
    const auto before = w_->controller().data();
    window().open(path("again"));  // of another source the same text is news
    WAIT_FOR(w_->isReady() && w_->controller().data() != before);
    QVERIFY2(w_->bannerText().contains(note), qPrintable(w_->bannerText()));
  }

  /// A folder that is no series stands for the only scan in it.
  void aFolderOfAScanFile() {
    if (!has_data("scans-in/proj_cone_tetra_raw_json")) QSKIP("without measured data");
    open(QString::fromStdString(data_path("scans-in/proj_cone_tetra_raw_json")));
    QVERIFY(w_->model().experiment().source.path.ends_with("/tetra.json"));
    QVERIFY2(w_->bannerText().contains(QStringLiteral("tetra.json is opened, the only scan")),
             qPrintable(w_->bannerText()));
    const QString distance = w_->part<QDoubleSpinBox>("importSourceToAxis").specialValueText();
    QVERIFY2(distance.contains(QStringLiteral(" mm, as stated")), qPrintable(distance));
    QVERIFY(!w_->part<QComboBox>("importImages").isEnabled());
  }

  void flatsAreInterpolated() {
    TiffScan().write(path("scan"));
    for (const char* name : {"flat_before.tif", "flat_after.tif"})
      QVERIFY(QFile::copy(path("scan/flat_000.tif"), path("scan/") + QLatin1String(name)));
    QVERIFY(QFile::remove(path("scan/flat_000.tif")));
    open(path("scan"));
    QVERIFY2(assumptions().contains(QStringLiteral("1 before, 1 after")),
             qPrintable(assumptions()));
    auto& average = w_->part<QComboBox>("importAverage");
    const auto notes = [&] {
      QString all;
      for (const std::string& note : w_->controller().data()->notes)
        all += QString::fromStdString(note) + QLatin1Char('\n');
      return all;
    };
    QVERIFY(!notes().contains(QStringLiteral("interpolated")));
    change([&] {
      average.setCurrentIndex(2);
      emit average.activated(2);
    });
    QVERIFY2(notes().contains(QStringLiteral("flats of 2 times were interpolated")),
             qPrintable(notes()));
    change([&] { w_->model().undoStack().undo(); });
    QCOMPARE(average.currentIndex(), 0);
  }

  /// The experiment repeats the import.
  void theExperimentHoldsTheSettings() {
    TiffScan().write(path("scan"));
    open(path("scan"));
    change([&] { w_->part<QDoubleSpinBox>("importPixel").setValue(0.25); });
    const Experiment& now = w_->model().experiment();
    write_experiment(path("e.json").toStdString(), now);
    const Experiment again = read_experiment(path("e.json").toStdString(), w_->program.catalog);
    QVERIFY(again.source == now.source);
    QCOMPARE(again.source.import_settings.pixel_mm, 0.25);
  }

  /// Images in one file are slices, unless the user says otherwise.
  void aFileOfImagesMayHoldProjections() {
    const VolumeGrid grid = VolumeGrid::centered(24, 20, 9, {1, 1, 1});
    const std::vector<float> values(grid.voxels(), 0.02F);
    VolumeToWrite images;
    images.grid = grid;
    images.mu = values;
    write_volume(path("images.tif").toStdString(), images);
    window().open(path("images.tif"));
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::volume &&
             w_->bannerButton(QStringLiteral("They are projections")) != nullptr);
    w_->bannerButton(QStringLiteral("They are projections"))->click();
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::scan);
    QCOMPARE(geometry().views(), 9);
    QVERIFY(w_->bannerButton(QStringLiteral("They are projections")) == nullptr);
    change([&] { w_->part<QCheckBox>("importLineIntegrals").setChecked(true); });
    QCOMPARE(w_->controller().data()->line_integrals.front(), 0.02F);
    write_volume(path("volume.mha").toStdString(), images);
    window().open(path("volume.mha"));
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::volume);
    QVERIFY(w_->bannerButton(QStringLiteral("They are projections")) == nullptr);
  }

  /// Of several data sets the largest is taken, and said; the form names another, and the angles.
  void aDataSetIsChosen() {
    QVERIFY(
        QFile::copy(QStringLiteral(GANTRY_SOURCE_DIR "/tests/fuzz/beside/hdf5_frames/several.h5"),
                    path("s.h5")));
    open(path("s.h5"));
    QCOMPARE(geometry().views(), 5);
    QCOMPARE(geometry().columns(), 9);
    QVERIFY2(w_->bannerText().contains(QStringLiteral("/scan/raw (5 x 6 x 9), the largest")),
             qPrintable(w_->bannerText()));
    auto& data = w_->part<QComboBox>("importData");
    auto& angles = w_->part<QComboBox>("importAnglesData");
    QVERIFY(data.isVisibleTo(&window()));
    WAIT_FOR(data.count() == 4 && angles.count() == 2);
    QCOMPARE(data.currentText(), QStringLiteral("/scan/raw (5 x 6 x 9)"));
    QCOMPARE(data.itemText(2), QStringLiteral("/scan/shorter (3 x 6 x 9)"));
    choose(angles, 1);
    EXPECT_NEAR(last_angle_deg(), 144, 1e-9);
    change([&] { w_->model().undoStack().undo(); });
    change([&] {
      data.lineEdit()->setText(QStringLiteral("scan/shorter"));
      emit data.lineEdit()->editingFinished();
    });
    QCOMPARE(geometry().views(), 3);
    change([&] { w_->model().undoStack().undo(); });
    QCOMPARE(data.currentText(), QStringLiteral("/scan/raw (5 x 6 x 9)"));
    QCOMPARE(geometry().views(), 5);
    TiffScan().write(path("scan"));
    open(path("scan"));
    WAIT_FOR(geometry().views() == TiffScan().views);
    QVERIFY(!data.isVisibleTo(&window()));  // of formats without paths
  }

  /// The axes of a data set may lie in any order; what its images are is left as found then.
  void theOrderOfAxesIsStated() {
    QVERIFY(
        QFile::copy(QStringLiteral(GANTRY_SOURCE_DIR "/tests/fuzz/beside/hdf5_frames/several.h5"),
                    path("s.h5")));
    open(path("s.h5"));
    auto& axes = w_->part<QComboBox>("importAxes");
    auto& images = w_->part<QComboBox>("importImages");
    const int turned = axes.findText(QStringLiteral("columns, rows, views"));
    choose(axes, turned);
    QCOMPARE(geometry().views(), 9);
    QCOMPARE(geometry().rows(), 6);
    QCOMPARE(geometry().columns(), 5);
    QVERIFY2(assumptions().contains(QStringLiteral("column, row, view (as was asked)")),
             qPrintable(assumptions()));
    choose(images, images.findText(QStringLiteral("projections")));
    QCOMPARE(axes.currentIndex(), 0);
    QCOMPARE(geometry().views(), 5);
    choose(axes, turned);
    QCOMPARE(images.currentIndex(), 0);
    QCOMPARE(geometry().views(), 9);
  }

  /// Translations that a DataExchange file lists without saying along which axes: the form says it,
  /// and leaves them out. The file is copied of one whose sample rises by a cell a view.
  void translationsAreTakenOrLeftOut() {
    QVERIFY(QFile::copy(
        QStringLiteral(GANTRY_SOURCE_DIR "/tests/fuzz/beside/hdf5_frames/translated.h5"),
        path("t.h5")));
    open(path("t.h5"));
    QVERIFY(geometry().spec().trajectory == Trajectory::circular);
    auto& motion = w_->part<QComboBox>("importMotion");
    choose(motion, 1);
    QVERIFY(geometry().spec().trajectory == Trajectory::poses);
    QVERIFY2(assumptions().contains(QStringLiteral("moves of the object: ")),
             qPrintable(assumptions()));
    choose(motion, 3);
    QVERIFY(geometry().spec().trajectory == Trajectory::circular);
    QVERIFY(w_->model().experiment().source.import_settings.only_turns);
    change([&] { w_->model().undoStack().undo(); });  // both choices, which are one change
    QCOMPARE(motion.currentIndex(), 0);
    QVERIFY(!w_->model().experiment().source.import_settings.only_turns);
  }

  void whatCannotBeImportedIsRefusedInOneLine() {
    TiffScan().write(path("scan"));
    QFile::remove(path("scan/flat_000.tif"));
    VolumeToWrite small;
    small.grid = VolumeGrid::centered(5, 5, 1, {1, 1, 1});
    const std::vector<float> values(25, 1.0F);
    small.mu = values;
    write_volume(path("scan/flat_000.tif").toStdString(), small);
    window().open(path("scan"));
    WAIT_FOR(!w_->controller().isPreparing() &&
             w_->bannerText().contains(QStringLiteral("flat_000.tif")));
    QVERIFY2(!w_->bannerText().contains(QLatin1Char('\n')), qPrintable(w_->bannerText()));
  }
};

GANTRY_TEST(TestImport)
#include "test_import.moc"
