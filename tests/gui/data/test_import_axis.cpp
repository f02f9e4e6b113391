// The axis of rotation of an imported scan, chosen in Scan or by a sweep: the form of the import
// shows it, and keeps it when something else of the import changes.
#include "gui/data/file_actions.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/scan/geometry_panel.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "tests/gui/data/tiff_scan.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

class TestImportAxis : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;
  std::unique_ptr<QTemporaryDir> folder_;

  QString path(const char* name) const { return folder_->filePath(QLatin1String(name)); }
  const Experiment& experiment() { return w_->model().experiment(); }
  double axis() { return w_->controller().data()->geometry->spec().central_column; }
  QDoubleSpinBox& field() { return w_->part<QDoubleSpinBox>("importCentre"); }
  bool isAsFound() { return field().value() == field().minimum(); }
  void openScan() {
    TiffScan().write(path("scan"));
    w_->window->open(path("scan"));
    WAIT_FOR(w_->isReady() && experiment().source.kind == SourceKind::scan);
  }
  template <class Change>
  void change(const Change& act) {
    const auto before = w_->controller().data();
    act();
    WAIT_FOR(w_->isReady() && w_->controller().data() != before);
  }
  void choose(const char* box, int index) {
    change([&] {
      w_->part<QComboBox>(box).setCurrentIndex(index);
      emit w_->part<QComboBox>(box).activated(index);
    });
  }
  void moveSlider(double column) {
    w_->window->findChild<GeometryPanel*>()->setCentralColumn(column);
  }
  /// Sweeps the axis about a column and takes that one over.
  void takeOverFromStrip(double column) {
    w_->window->runs().selectRun(w_->run(0));
    w_->window->applyLayout(WindowLayout::sweep);
    SweepBoard& board = w_->window->sweep();
    board.chooseParam(QStringLiteral("scan:central_column"));
    w_->part<QDoubleSpinBox>("sweepFrom").setValue(column);
    w_->part<QDoubleSpinBox>("sweepTo").setValue(column + 1);
    w_->part<QSpinBox>("sweepCount").setValue(2);
    w_->part<QPushButton>("startSweep").click();
    WAIT_FOR(board.points().size() == 2 && !board.isBusy());
    w_->part<QWidget>("sweepPictures").setFocus();
    QTest::keyClick(&w_->part<QWidget>("sweepPictures"), Qt::Key_Left);  // chooses the first one
    change([&] { w_->part<QPushButton>("useBest").click(); });
  }

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
  }
  void cleanup() { w_.reset(); }

  void anotherImportKeepsTheChosenAxis_data() {
    QTest::addColumn<bool>("isBySlider");
    QTest::newRow("slider of Scan") << true;
    QTest::newRow("strip of slices") << false;
  }
  void anotherImportKeepsTheChosenAxis() {
    QFETCH(const bool, isBySlider);
    openScan();
    QVERIFY(isAsFound());
    constexpr double chosen = 47.3;
    isBySlider ? moveSlider(chosen) : takeOverFromStrip(chosen);
    QCOMPARE(experiment().geometry->central_column, chosen);
    QCOMPARE(field().value(), chosen);
    const Experiment before = experiment();
    choose("importAverage", 1);
    QCOMPARE(axis(), chosen);
    QCOMPARE(field().value(), chosen);
    QVERIFY(experiment().source.import_settings.centre == chosen);
    QVERIFY2(!w_->bannerText().contains(QStringLiteral("Undo brings it back")),
             qPrintable(w_->bannerText()));  // nothing else was lost
    w_->model().undoStack().undo();
    QVERIFY(experiment() == before);
    QCOMPARE(field().value(), chosen);
    w_->model().undoStack().undo();
    QVERIFY(!experiment().geometry && isAsFound());
  }

  /// The field counts the columns of the whole images, the slider those of the part with its
  /// padding.
  void thePartHasOtherColumns() {
    openScan();
    change([&] { w_->part<QSpinBox>("importBin").setValue(2); });
    change([&] {
      auto& columns = w_->part<QLineEdit>("importColumns");
      columns.setText(QStringLiteral("4:"));
      emit columns.editingFinished();
    });
    change([&] { w_->part<QSpinBox>("importPad").setValue(5); });
    const double found = axis();
    moveSlider(found + 1);
    EXPECT_NEAR(field().value(), 4 + 2 * (found + 1 - 5 + 0.5) - 0.5, 1e-4);
    choose("importAverage", 1);
    EXPECT_NEAR(axis(), found + 1, 1e-9);
    change([&] { w_->part<QSpinBox>("importBin").setValue(1); });
    EXPECT_NEAR(axis(), 4 + 2 * (found + 1 - 5 + 0.5) - 0.5 - 4 + 5, 1e-9);
  }

  void theFieldPutsItBack() {
    openScan();
    const double found = axis();
    moveSlider(47.3);
    change([&] { w_->controller().prepareData(); });
    QCOMPARE(axis(), 47.3);
    change([&] { field().setValue(field().minimum()); });
    QCOMPARE(axis(), found);
    QVERIFY(!experiment().geometry && isAsFound());
  }

  /// Mirrored images have other columns: the axis is found anew. What else was set in Scan is said
  /// to be lost.
  void whatIsNotKeptIsSaid() {
    openScan();
    moveSlider(47.3);
    choose("importMirror", 1);
    QVERIFY(!experiment().source.import_settings.centre);
    QVERIFY2(w_->bannerText().contains(QStringLiteral("Undo brings it back")),
             qPrintable(w_->bannerText()));
    change([&] { w_->model().undoStack().undo(); });
    w_->model().undoStack().undo();
    QVERIFY(!experiment().geometry && isAsFound());
  }

  /// They would have no effect beside the geometry.
  void anglesThatAreDroppedCount() {
    openScan();
    moveSlider(47.3);
    QFile file(path("angles.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (int view = 0; view < TiffScan().views; ++view)
      file.write(QByteArray::number(2.5 * view) + '\n');
    file.close();
    change([&] { w_->window->open(path("angles.txt")); });
    QCOMPARE(axis(), 47.3);
    const ScanGeometry& scan = *w_->controller().data()->geometry;
    EXPECT_NEAR(degrees(scan.angle_rad(scan.views() - 1)), 150, 1e-5);
  }
};

GANTRY_TEST(TestImportAxis)
#include "test_import_axis.moc"
