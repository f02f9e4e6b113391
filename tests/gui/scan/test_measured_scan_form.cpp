// The step "Scan" of the window with a measured scan: what its form shows when the geometry changes
// from elsewhere, and its fields' buttons for sweeps.
#include "core/geometry/detector_move.hpp"
#include "core/io/scans/scan_file.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/data.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>

using namespace gantry;
using namespace gantry::test;

class TestMeasuredScanForm : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;
  std::unique_ptr<QTemporaryDir> folder_;

  static ScanSpec scan_of(Beam beam) {
    ScanSpec spec = cone_spec(30);
    spec.beam = beam;
    if (beam == Beam::parallel) spec.source_to_isocenter_mm = spec.source_to_detector_mm = 0;
    return spec;
  }
  void openScan(Beam beam) {
    const ScanGeometry geometry(scan_of(beam));
    const std::string path = folder_->filePath(QStringLiteral("s.scan.json")).toStdString();
    write_scan(path, geometry,
               std::vector<float>(static_cast<std::size_t>(geometry.views()) * geometry.rows() *
                                  geometry.columns()),
               "measured");
    w_->window->open(QString::fromStdString(path));
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::scan);
    w_->window->panels().open(QStringLiteral("scan"));
  }

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
  }
  void cleanup() { w_.reset(); }

  void aTiltFromElsewhereIsShown_data() {
    QTest::addColumn<int>("beam");
    QTest::addColumn<bool>("isOpen");
    const int cone = static_cast<int>(Beam::cone), parallel = static_cast<int>(Beam::parallel);
    QTest::newRow("cone, open form") << cone << true;
    QTest::newRow("cone, closed form") << cone << false;
    QTest::newRow("parallel, open form") << parallel << true;
    QTest::newRow("parallel, closed form") << parallel << false;
  }
  /// The rows of the form have their room, too: a layout may know hidden widgets by no height.
  void aTiltFromElsewhereIsShown() {
    QFETCH(const int, beam);
    QFETCH(const bool, isOpen);
    openScan(static_cast<Beam>(beam));
    QCoreApplication::processEvents();
    if (!isOpen) w_->window->panels().open(QStringLiteral("runs"));
    QCoreApplication::processEvents();
    w_->model().edit(QStringLiteral("tilt"), [&](Experiment& e) {
      e.grid = w_->controller().data()->grid;
      e.geometry = with_moved_detector(scan_of(static_cast<Beam>(beam)), {.roll_rad = 0.01});
    });
    QCoreApplication::processEvents();
    w_->window->panels().open(QStringLiteral("scan"));
    for (const char* name : {"trajectory", "poses", "editPoses"}) {
      const auto& row = w_->part<QWidget>(name);
      WAIT_FOR(row.isVisible() && row.height() >= row.fontMetrics().height());
    }
  }

  /// A scenario of CTSimU whose angles fall from 270 to −90 degrees.
  void aMeasuredTurnBackwardsIsShown() {
    NEED_DATA("scans-in/proj_cone_tetra_raw_json/tetra.json");
    w_->window->open(
        QString::fromStdString(data_path("scans-in/proj_cone_tetra_raw_json/tetra.json")));
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::scan);
    w_->window->panels().open(QStringLiteral("scan"));
    QStringList seen;
    for (const QLabel* label : w_->part<QWidget>("scan").findChildren<QLabel*>())
      if (label->text() == QStringLiteral("Turn") && label->isVisible())
        seen << qobject_cast<QDoubleSpinBox*>(label->buddy())->cleanText();
    QCOMPARE(seen, QStringList{QLocale().toString(-378.0, 'f', 2)});
  }

  /// One click from its field for what a sweep can vary, and no button for what it cannot.
  void fieldsAskForSweeps_data() {
    QTest::addColumn<int>("beam");
    QTest::addColumn<QStringList>("offered");
    const QString column = QStringLiteral("central_column"),
                  distance = QStringLiteral("source_to_isocenter_mm"),
                  tilt = QStringLiteral("detector_tilt_deg");
    QTest::newRow("cone") << static_cast<int>(Beam::cone) << QStringList{column, distance, tilt};
    QTest::newRow("fan") << static_cast<int>(Beam::fan) << QStringList{column, distance};
    QTest::newRow("parallel") << static_cast<int>(Beam::parallel) << QStringList{column, tilt};
  }
  void fieldsAskForSweeps() {
    QFETCH(const int, beam);
    QFETCH(const QStringList, offered);
    openScan(static_cast<Beam>(beam));
    const auto* listed = w_->window->sweep().findChild<QComboBox*>(QStringLiteral("sweepParam"));
    QStringList seen;
    for (QToolButton* button : w_->part<QWidget>("scan").findChildren<QToolButton*>()) {
      if (!button->objectName().startsWith(QStringLiteral("sweep_")) || !button->isVisible())
        continue;
      seen << button->objectName().section(u'_', 1);
      QVERIFY(!button->accessibleName().isEmpty());
    }
    seen.sort();
    QStringList expected = offered;
    expected.sort();
    QCOMPARE(seen, expected);
    for (const QString& key : offered) {
      w_->part<QToolButton>(("sweep_" + key.toStdString()).c_str()).click();
      QVERIFY(w_->window->sweep().isVisible());
      QCOMPARE(listed->currentData().toString(), QStringLiteral("scan:") + key);
    }
    // What is listed for the scan has a button, too.
    int of_scan = 0;
    for (int i = 0; i < listed->count(); ++i)
      of_scan += listed->itemData(i).toString().startsWith(QStringLiteral("scan:")) ? 1 : 0;
    QCOMPARE(of_scan, static_cast<int>(offered.size()));
  }
};

GANTRY_TEST(TestMeasuredScanForm)
#include "test_measured_scan_form.moc"
