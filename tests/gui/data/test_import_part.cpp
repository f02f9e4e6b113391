// The fields of the import that choose frames and parts of them, and add columns.
#include "tests/gui/data/tiff_scan.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTemporaryDir>

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestImportPart : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;
  std::unique_ptr<QTemporaryDir> folder_;

  QString path(const char* name) const { return folder_->filePath(QLatin1String(name)); }
  const ScanGeometry& geometry() { return *w_->controller().data()->geometry; }
  QString assumptions() { return w_->part<QLabel>("importAssumptions").text(); }
  void open(const QString& what) {
    w_->window->open(what);
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::scan);
  }
  /// Until what was typed has been imported.
  template <class Change>
  void change(const Change& act) {
    const auto before = w_->controller().data();
    act();
    WAIT_FOR(w_->isReady() && w_->controller().data() != before);
  }
  void type(const char* field, const QString& text) {
    auto& line = w_->part<QLineEdit>(field);
    change([&] {
      line.setText(text);
      emit line.editingFinished();
    });
  }

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
  }
  void cleanup() { w_.reset(); }

  /// Some columns and rows, joined in groups, of every second projection.
  void aPartIsImported() {
    const TiffScan scan;
    scan.write(path("scan"));
    open(path("scan"));
    change([&] { w_->part<QDoubleSpinBox>("importArc").setValue(180); });
    change([&] { w_->part<QSpinBox>("importBin").setValue(2); });
    QCOMPARE(geometry().columns(), scan.columns / 2);
    QCOMPARE(geometry().rows(), scan.rows / 2);
    QVERIFY2(std::abs(geometry().spec().central_column - (scan.centre - 0.5) / 2) < 0.05,
             qPrintable(assumptions()));
    change([&] { w_->part<QSpinBox>("importEvery").setValue(2); });
    QCOMPARE(geometry().views(), (scan.views + 1) / 2);
    auto& columns = w_->part<QLineEdit>("importColumns");
    change([&] {
      columns.setText(QStringLiteral("4:"));
      emit columns.editingFinished();
    });
    QCOMPARE(geometry().columns(), (scan.columns - 4) / 2);
    change([&] { w_->model().undoStack().undo(); });
    QCOMPARE(columns.text(), QString());
    QCOMPARE(geometry().columns(), scan.columns / 2);
    type("importColumns", QStringLiteral(":57"));  // ends in the object
    const int measured = geometry().columns();
    const double axis = geometry().spec().central_column;
    change([&] { w_->part<QSpinBox>("importPad").setValue(5); });
    QCOMPARE(geometry().columns(), measured + 10);
    QCOMPARE(geometry().spec().central_column, axis + 5);
    const auto outermost = [&] {
      return w_->controller().data()->line_integrals[static_cast<std::size_t>(measured) + 9];
    };
    const float faded = outermost();
    auto& with = w_->part<QComboBox>("importPadWith");
    change([&] {
      with.setCurrentIndex(2);
      emit with.activated(2);
    });
    QVERIFY(faded != 0.0F && outermost() == 0.0F);
    change([&] { w_->model().undoStack().undo(); });
    QCOMPARE(with.currentIndex(), 0);
    QCOMPARE(outermost(), faded);
  }

  /// The beam that is typed takes the place of the flats, and what excludes it is taken back.
  void theLevelOfAirIsTyped() {
    const TiffScan scan;
    scan.write(path("scan"));
    open(path("scan"));
    change([&] { w_->part<QDoubleSpinBox>("importArc").setValue(180); });
    const float before = w_->controller().data()->line_integrals[0];
    auto& level = w_->part<QDoubleSpinBox>("importWhiteLevel");
    change([&] { level.setValue(1e6); });
    QVERIFY(w_->controller().data()->line_integrals[0] > before + 1);
    const ImportSettings& now = w_->model().experiment().source.import_settings;
    QCOMPARE(now.normalise.white_level, 1e6);
    change([&] { w_->part<QCheckBox>("importLineIntegrals").setChecked(true); });
    QCOMPARE(now.normalise.white_level, 0.0);
    QCOMPARE(level.value(), 0.0);
    change([&] { level.setValue(1e6); });
    QVERIFY(!now.normalise.are_line_integrals);
  }

  /// Rows become columns of images that lie turned.
  void imagesAreTurned() {
    const TiffScan scan;
    scan.write(path("scan"));
    open(path("scan"));
    change([&] { w_->part<QDoubleSpinBox>("importArc").setValue(180); });
    const auto choose = [&](const char* field, int index) {
      auto& combo = w_->part<QComboBox>(field);
      change([&] {
        combo.setCurrentIndex(index);
        emit combo.activated(index);
      });
    };
    choose("importTurn", 2);
    QCOMPARE(geometry().columns(), scan.rows);
    QCOMPARE(geometry().rows(), scan.columns);
    choose("importMirror", 2);
    QVERIFY(w_->model().experiment().source.import_settings.turn == FrameTurn({90, false, true}));
    change([&] { w_->model().undoStack().undo(); });
    change([&] { w_->model().undoStack().undo(); });
    QCOMPARE(geometry().columns(), scan.columns);
    QCOMPARE(w_->part<QComboBox>("importTurn").currentIndex(), 0);
  }

  /// A flat that is called as the projections are.
  void framesAreMarked() {
    const TiffScan scan;
    scan.write(path("scan"));
    QVERIFY(QFile::copy(
        path("scan/flat_000.tif"),
        path("scan/") + QStringLiteral("raw_%1.tif").arg(scan.views, 3, 10, QLatin1Char('0'))));
    open(path("scan"));
    QCOMPARE(geometry().views(), scan.views + 1);
    type("importFlatFrames", QString::number(scan.views));
    QCOMPARE(geometry().views(), scan.views);
    QCOMPARE(w_->model().experiment().source.import_settings.flat_frames.size(), 1U);
    change([&] { w_->model().undoStack().undo(); });
    QCOMPARE(w_->part<QLineEdit>("importFlatFrames").text(), QString());
  }
};

GANTRY_TEST(TestImportPart)
#include "test_import_part.moc"
