// The axis of rotation of measured data, found by a button.
#include "core/geometry/default_scan.hpp"
#include "core/geometry/detector_move.hpp"
#include "core/io/scans/scan_file.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/scan/geometry_panel.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/catalog_phantoms.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

class TestAxisFinder : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  /// Writes a scan whose file states the middle column for an axis elsewhere.
  QString scan(double axis, double arc_deg) const {
    const auto head = phantom("forbild_head");
    const Vec3 half = head->half_extent_mm();
    ScanSpec spec = default_scan(std::max(half.x, half.y), 0, 128);
    spec.view_angles_rad = angles_from_degrees(0, arc_deg / 90, 90);
    spec.central_column = axis;
    const ScanGeometry real(spec);
    std::vector<float> p(real.rays());
    project_exactly(*head, real, 1, p);
    spec.central_column = 63.5;
    const QString path = folder_.filePath(QStringLiteral("s.scan.json"));
    write_scan(path.toStdString(), ScanGeometry(spec), p, "head");
    return path;
  }

 private slots:
  void aClickFindsTheAxis() {
    WindowFixture w;
    auto& button = w.part<QPushButton>("findAxis");
    QVERIFY(!button.isEnabled());  // nothing is open
    w.window->open(scan(61.2, 360));
    WAIT_FOR(w.isReady());
    const auto column = [&] {
      const auto& changed = w.model().experiment().geometry;
      return changed ? changed->central_column : 63.5;
    };
    button.click();
    WAIT_FOR(std::abs(column() - 61.2) < 0.1);
    WAIT_FOR(w.isReady() && button.isEnabled());
    // The answer says the column, how far off the stated one was, and what tells it.
    const QString said = w.part<QLabel>("foundAxis").text();
    QVERIFY2(said.startsWith(
                 QStringLiteral(
                     "The axis is at column %1, %2 columns left of 63.5, where it was set. By")
                     .arg(column())
                     .arg(std::abs(std::round(100 * (column() - 63.5)) / 100))),
             qPrintable(said));
    QVERIFY2(said.contains(QStringLiteral("By \"Rays from both sides\": ")), qPrintable(said));
    w.window->panels().open(QStringLiteral("scan"));
    QVERIFY(w.part<QLabel>("foundAxis").isVisible());
    button.click();
    WAIT_FOR(w.part<QLabel>("foundAxis")
                 .text()
                 .contains(QStringLiteral(", where it was set already. By")));
    WAIT_FOR(button.isEnabled());
    w.model().undoStack().undo();
    QCOMPARE(column(), 63.5);
  }

  /// The detector of such a scan was shifted in each view, and its file states poses.
  void aShiftedDetectorHidesNoAxis() {
    const auto head = phantom("forbild_head");
    const Vec3 half = head->half_extent_mm();
    ScanSpec spec = default_scan(std::max(half.x, half.y), 0, 128);
    spec.beam = Beam::parallel;
    spec.column_pitch_mm *= spec.source_to_isocenter_mm / spec.source_to_detector_mm;
    spec.view_angles_rad = angles_from_degrees(0, 360.0 / 90, 90);
    std::vector<CellShift> shifts;
    for (std::size_t v = 0; v < spec.view_angles_rad.size(); ++v)
      shifts.push_back({2.0 * std::sin(static_cast<double>(v * v)), 0});
    const auto poses = [&](double axis) {
      spec.central_column = axis;
      return ScanGeometry(with_shifted_detector(spec, shifts));
    };
    std::vector<float> p(poses(61.2).rays());
    project_exactly(*head, poses(61.2), 1, p);
    const QString path = folder_.filePath(QStringLiteral("shifted.scan.json"));
    write_scan(path.toStdString(), poses(63.5), p, "head");
    WindowFixture w;
    w.window->open(path);
    WAIT_FOR(w.isReady());
    QVERIFY(w.part<QPushButton>("findAxis").isEnabled());
    w.part<QPushButton>("findAxis").click();
    WAIT_FOR(w.part<QPushButton>("findAxis").isEnabled());
    const QString said = w.part<QLabel>("foundAxis").text();
    QVERIFY2(w.model().experiment().geometry.has_value(), qPrintable(said));
    EXPECT_NEAR(w.model().experiment().geometry->central_column, 61.2, 0.1);
  }

  /// Methods for other beams say what they need.
  void theMethodIsChosen() {
    WindowFixture w;
    w.window->open(scan(61.2, 360));
    WAIT_FOR(w.isReady());
    auto& method = w.part<QComboBox>("axisMethod");
    // Names for people, with a tool tip each.
    for (int i = 0; i < method.count(); ++i)
      QVERIFY(method.itemText(i).front().isUpper() && method.itemText(i) != method.itemData(i) &&
              !method.itemData(i, Qt::ToolTipRole).toString().isEmpty());
    method.setCurrentIndex(method.findData(QStringLiteral("opposite")));
    w.part<QPushButton>("findAxis").click();
    WAIT_FOR(w.part<QLabel>("foundAxis")
                 .text()
                 .contains(QStringLiteral("by \"Opposite views\", which needs a parallel beam")));
    WAIT_FOR(w.part<QPushButton>("findAxis").isEnabled());
    method.setCurrentIndex(method.findData(QStringLiteral("sharpness")));
    w.part<QPushButton>("findAxis").click();
    WAIT_FOR(w.part<QLabel>("foundAxis").text().contains(QStringLiteral("the sharpest of")));
  }

  /// A sixth of a turn is too little.
  void whereNothingTellsTheAxisThatIsSaid() {
    WindowFixture w;
    w.window->open(scan(61.2, 60));
    WAIT_FOR(w.isReady());
    w.part<QPushButton>("findAxis").click();
    auto& said = w.part<QLabel>("foundAxis");
    WAIT_FOR(said.text().contains(QStringLiteral("do not tell the axis")));
    QVERIFY(!w.model().experiment().geometry.has_value());
    QVERIFY(w.part<QPushButton>("findAxis").isEnabled());
    w.openSmall();  // about which nothing was said
    QVERIFY(said.text().isEmpty());
  }
};

GANTRY_TEST(TestAxisFinder)
#include "test_axis_finder.moc"
