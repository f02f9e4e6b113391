// The form of the geometry: presets, trajectories, symmetry, free poses.
#include "core/geometry/default_scan.hpp"
#include "core/geometry/detector_move.hpp"
#include "core/geometry/fan_rebinning.hpp"
#include "core/geometry/presets.hpp"
#include "gui/scan/geometry_panel.hpp"
#include "gui/scan/pose_dialog.hpp"
#include "gui/scan/pose_table.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestGeometryPanel : public QObject {
  Q_OBJECT

  static void choose(QComboBox* box, int index) {
    box->setCurrentIndex(index);
    emit box->activated(index);
  }
  template <class Widget>
  static Widget* child(GeometryPanel& panel, const char* name) {
    return panel.findChild<Widget*>(QString::fromLatin1(name));
  }
  template <class Widget>
  static Widget* child(QDialog& dialog, const char* name) {
    return dialog.findChild<Widget*>(QString::fromLatin1(name));
  }
  static bool isOffered(GeometryPanel& panel, Trajectory trajectory) {
    const auto* model = child<QComboBox>(panel, "trajectory")->model();
    return (model->index(static_cast<int>(trajectory), 0).flags() & Qt::ItemIsEnabled) != 0;
  }
  static PoseDialog* edit_poses(GeometryPanel& panel) {
    child<QPushButton>(panel, "editPoses")->click();
    return panel.findChild<PoseDialog*>();
  }
  static QString symmetry(GeometryPanel& panel) { return child<QLabel>(panel, "symmetry")->text(); }

 private slots:
  void presetsSetGeometryAndGrid() {
    ExperimentModel model;
    model.reset(ready_experiment(), {});
    GeometryPanel panel(model);
    auto* box = child<QComboBox>(panel, "preset");
    QCOMPARE(box->count(), static_cast<int>(scan_presets().size()) + 1);
    QCOMPARE(box->currentText(), QString::fromStdString(scan_preset("head_fan").label));
    for (int i = 1; i < box->count(); ++i) {
      choose(box, i);
      const ScanPreset& preset = scan_presets()[static_cast<std::size_t>(i) - 1];
      QVERIFY(model.experiment().geometry == preset.scan);
      QVERIFY(model.experiment().grid == preset.grid);
      QCOMPARE(box->currentIndex(), i);
    }
    model.edit(QStringLiteral("x"), [](Experiment& e) { e.geometry->central_column += 0.5; });
    QCOMPARE(box->currentText(), QStringLiteral("Own"));
    model.undoStack().undo();
    QCOMPARE(box->currentIndex(), box->count() - 1);
  }

  /// The grid becomes the square around the circle; neither pixels nor slices change.
  void theGridIsFittedToTheCircle() {
    ExperimentModel model;
    Experiment experiment = ready_experiment();
    experiment.grid = VolumeGrid::centered(100, 60, 3, {1, 2, 5});
    experiment.grid->origin_mm.x += 30;
    model.reset(experiment, {});
    GeometryPanel panel(model);
    const ScanSpec& scan = *experiment.geometry;
    // The circle that touches the rays to the outer edges of the detector.
    const double half = 0.5 * scan.detector_columns * scan.column_pitch_mm,
                 radius = scan.source_to_isocenter_mm *
                          std::sin(std::atan2(half, scan.source_to_detector_mm));
    auto* button = child<QPushButton>(panel, "fitCircle");
    QVERIFY2(button->toolTip().contains(QString::number(radius, 'f', 2)),
             qPrintable(button->toolTip()));
    button->click();
    const VolumeGrid& grid = *model.experiment().grid;
    QCOMPARE(grid.nx, 100);
    QCOMPARE(grid.ny, 100);
    QCOMPARE(grid.nz, 3);
    EXPECT_NEAR(grid.lower_corner_mm().x, -radius, 1e-6);
    EXPECT_NEAR(grid.upper_corner_mm().y, radius, 1e-6);
    EXPECT_NEAR(grid.spacing_mm.z, 5, 1e-12);
    model.undoStack().undo();
    QVERIFY(model.experiment().grid == experiment.grid);
  }

  /// A detector that lies beside the axis sees no circle about it.
  void withoutACircleThereIsNothingToFit() {
    ExperimentModel model;
    Experiment experiment = ready_experiment();
    experiment.geometry->central_column = -50;
    model.reset(experiment, {});
    GeometryPanel panel(model);
    auto* button = child<QPushButton>(panel, "fitCircle");
    QVERIFY(!button->isEnabled());
    QVERIFY(button->toolTip().contains(QStringLiteral("no circle")));
  }

  void symmetryIsSaid() {
    ExperimentModel model;
    model.reset(ready_experiment(), {});
    GeometryPanel panel(model);
    QCOMPARE(symmetry(panel),
             QStringLiteral("Symmetry: 8 of 8 elements hold; 90 of 720 views need storing"));
    model.edit(QStringLiteral("x"), [](Experiment& e) { e.geometry->central_column += 1.25; });
    QCOMPARE(symmetry(panel),
             QStringLiteral("Symmetry: 4 of 8 elements hold; 180 of 720 views need storing"));
    const QString help = child<QLabel>(panel, "symmetry")->toolTip();
    QVERIFY2(help.contains(QStringLiteral("the detector is offset by -1.25 cells: mirrors do not")),
             qPrintable(help));
    QVERIFY(help.contains(QStringLiteral("mirror left-right")));
  }

  void aConeMayClimb() {
    ExperimentModel model;
    Experiment experiment = ready_experiment();
    experiment.geometry = scan_preset("cumbir_cone").scan;
    model.reset(experiment, {});
    GeometryPanel panel(model);
    QSignalSpy problems(&panel, &GeometryPanel::problem);
    auto* box = child<QComboBox>(panel, "trajectory");
    QVERIFY(box->isVisibleTo(&panel));
    choose(box, 1);
    const ScanSpec& spec = *model.experiment().geometry;
    QVERIFY(spec.trajectory == Trajectory::helical);
    EXPECT_NEAR(spec.helical_feed_mm_per_turn, 256 * ScanGeometry(spec).row_pitch_at_isocenter_mm(),
                1e-9);
    QVERIFY(symmetry(panel).startsWith(QStringLiteral("Symmetry: only the identity holds")));
    // Another beam cannot: it goes back to the circle.
    choose(child<QComboBox>(panel, "beam"), static_cast<int>(Beam::fan));
    QVERIFY(model.experiment().geometry->trajectory == Trajectory::circular);
    QCOMPARE(model.experiment().geometry->helical_feed_mm_per_turn, 0.0);
    QVERIFY(!box->isVisibleTo(&panel));
    for (const QList<QVariant>& problem : problems) QVERIFY(problem[0].toString().isEmpty());
  }

  void aHelixIsRebinned() {
    const ScanPreset& helix = scan_preset("helical");
    ExperimentModel model;
    Experiment experiment = ready_experiment();
    experiment.geometry = helix.scan;
    experiment.grid = helix.grid;
    model.reset(experiment, {});
    GeometryPanel panel(model);
    QSignalSpy problems(&panel, &GeometryPanel::problem);
    auto* box = child<QCheckBox>(panel, "rebin");
    QVERIFY(box->isVisibleTo(&panel) && box->isEnabled() && !box->isChecked());
    QVERIFY(symmetry(panel).startsWith(QStringLiteral("Symmetry: only the identity holds")));
    box->click();
    QVERIFY(model.experiment().source.rebin_to_fans);
    QVERIFY(model.experiment().geometry == helix.scan);  // as it is scanned
    QVERIFY(*model.experiment().grid == rebinnable_slices(ScanGeometry(helix.scan), helix.grid));
    QVERIFY(model.experiment().grid->nz < helix.grid.nz);
    QVERIFY2(symmetry(panel).contains(QStringLiteral("of 246 views need storing")),
             qPrintable(symmetry(panel)));  // of a fan
    model.undoStack().undo();
    QVERIFY(!box->isChecked() && *model.experiment().grid == helix.grid);
    model.undoStack().redo();
    QVERIFY(box->isChecked());
    choose(child<QComboBox>(panel, "beam"), static_cast<int>(Beam::fan));
    QVERIFY(!model.experiment().source.rebin_to_fans && !box->isVisibleTo(&panel));
    for (const QList<QVariant>& problem : problems) QVERIFY(problem[0].toString().isEmpty());
  }

  void rebinningSaysWhyNot() {
    ExperimentModel model;
    Experiment experiment = ready_experiment();
    model.reset(experiment, {});
    GeometryPanel panel(model);
    auto* box = child<QCheckBox>(panel, "rebin");
    QVERIFY(!box->isVisibleTo(&panel));  // a fan
    experiment.geometry = scan_preset("helical").scan;
    experiment.geometry->helical_feed_mm_per_turn *= 1.1;
    model.reset(experiment, {});
    QVERIFY(box->isVisibleTo(&panel) && !box->isEnabled());
    QVERIFY2(box->toolTip().contains(QStringLiteral("the pitch is too great")),
             qPrintable(box->toolTip()));
  }

  void freePosesHaveNoOtherFields() {
    ExperimentModel model;
    Experiment experiment = ready_experiment();
    experiment.geometry = pose_cases().front().geometry->spec();
    model.reset(experiment, {});
    GeometryPanel panel(model);
    const auto* poses = child<QLabel>(panel, "poses");
    QVERIFY(poses->isVisibleTo(&panel));
    QVERIFY2(poses->text().startsWith(QStringLiteral("9 views of 20 x 12 cells")),
             qPrintable(poses->text()));
    QVERIFY(!isOffered(panel, Trajectory::circular) && !isOffered(panel, Trajectory::helical));
    QVERIFY(!child<QComboBox>(panel, "beam")->isEnabled());
    QVERIFY(symmetry(panel).startsWith(
        QStringLiteral("Symmetry: only the identity holds; all 9 views")));
    choose(child<QComboBox>(panel, "preset"), 1);
    QVERIFY(!poses->isVisibleTo(&panel));
    QVERIFY(child<QComboBox>(panel, "beam")->isEnabled());
  }

  /// A circle becomes free poses and a circle again; between the two, the detector is moved.
  void posesAreEdited() {
    ExperimentModel model;
    Experiment experiment = ready_experiment();
    experiment.geometry = default_scan(100, 40, 16);
    const ScanSpec circle = *experiment.geometry;
    model.reset(experiment, {});
    GeometryPanel panel(model);
    QVERIFY(!child<QPushButton>(panel, "editPoses")->isVisibleTo(&panel));
    choose(child<QComboBox>(panel, "trajectory"), static_cast<int>(Trajectory::poses));
    QVERIFY(*model.experiment().geometry == with_free_poses(circle));
    QVERIFY(isOffered(panel, Trajectory::circular));

    auto* dialog = edit_poses(panel);
    child<QDoubleSpinBox>(*dialog, "yaw")->setValue(2);
    child<QPushButton>(*dialog, "moveDetector")->click();
    QVERIFY(*model.experiment().geometry == with_free_poses(circle));  // not applied
    auto* table = child<QTableView>(*dialog, "poseTable")->model();
    QCOMPARE(table->rowCount(), static_cast<int>(circle.view_angles_rad.size()));
    QVERIFY(table->setData(table->index(3, 2), QStringLiteral("1.25")));
    QVERIFY(!table->setData(table->index(3, 2), QStringLiteral("high")));
    dialog->accept();
    ScanSpec expected = with_moved_detector(circle, {.yaw_rad = radians(2)});
    expected.poses[3].source_mm.z = 1.25;
    QVERIFY(*model.experiment().geometry == ScanGeometry(expected).spec());
    QVERIFY(!isOffered(panel, Trajectory::circular));
    model.undoStack().undo();
    choose(child<QComboBox>(panel, "trajectory"), static_cast<int>(Trajectory::circular));
    QVERIFY(model.experiment().geometry->trajectory == Trajectory::circular);
    EXPECT_NEAR(model.experiment().geometry->central_column, circle.central_column, 1e-9);
  }

  /// Return moves the detector from a field, ends the edit of a cell, and closes nothing.
  void returnLeavesTheDialogOpen() {
    ExperimentModel model;
    Experiment experiment = ready_experiment();
    ScanSpec circle = default_scan(100, 40, 16);
    circle.view_angles_rad = angles_from_degrees(0, 10, 36);
    experiment.geometry = with_free_poses(circle);
    model.reset(experiment, {});
    GeometryPanel panel(model);
    auto* dialog = edit_poses(panel);
    dialog->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(dialog));
    auto* view = child<QTableView>(*dialog, "poseTable");
    const auto cell = [&](int row, int column) {
      return view->model()->index(row, column).data(Qt::EditRole).toDouble();
    };
    auto* lateral = child<QDoubleSpinBox>(*dialog, "lateral");
    lateral->setFocus();
    lateral->selectAll();
    QTest::keyClicks(lateral, lateral->locale().toString(3.0));
    view->setFocus();
    view->setCurrentIndex(view->model()->index(2, 0));
    view->edit(view->currentIndex());
    auto* editor = view->findChild<QLineEdit*>();
    QVERIFY(editor != nullptr);
    editor->setFocus();
    editor->setText(QStringLiteral("7.5"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(cell(2, 0), 7.5);
    QVERIFY(dialog->isVisible() && lateral->value() == 3);  // nothing has moved

    lateral->setFocus();
    QTest::keyClick(lateral, Qt::Key_Return);
    QVERIFY(dialog->isVisible() && lateral->value() == 0);
    // The columns of the first view, at 0 degrees, run along +x.
    EXPECT_NEAR(cell(0, 3), 3, 1e-9);
    QVERIFY(model.experiment() == experiment);
  }

  /// A quarter of a turn has a cosine of 6e-17 in floating point.
  void roundedZerosAreShownAsZero() {
    ScanSpec circle = default_scan(100, 40, 16);
    circle.view_angles_rad = angles_from_degrees(0, 90, 4);
    const std::vector<View> poses = with_free_poses(circle).poses;
    PoseTable table(poses);
    int zeros = 0;
    for (int row = 0; row < table.rowCount(); ++row)
      for (int column = 0; column < table.columnCount(); ++column) {
        const QString text = table.index(row, column).data().toString();
        QVERIFY2(text == QStringLiteral("0") || std::abs(text.toDouble()) > 1e-3, qPrintable(text));
        zeros += text == QStringLiteral("0") ? 1 : 0;
      }
    QCOMPARE(zeros, 4 * 8);  // source, detector, u and v each lie along one of the axes
    QVERIFY(table.setData(table.index(1, 2), QStringLiteral("1e-5"), Qt::EditRole));
    QCOMPARE(table.index(1, 2).data().toString(), QStringLiteral("1e-05"));
  }

  /// The turn of a scan whose angles fall is negative, and may be edited to either sign.
  void aTurnBackwardsIsShownAndEdited() {
    ExperimentModel model;
    Experiment experiment = ready_experiment();
    experiment.geometry = scan_preset("cumbir_cone").scan;
    experiment.geometry->view_angles_rad = angles_from_degrees(270, -3, 120);
    model.reset(experiment, {});
    GeometryPanel panel(model);
    QSignalSpy problems(&panel, &GeometryPanel::problem);
    QDoubleSpinBox* turn = nullptr;
    for (const QLabel* label : panel.findChildren<QLabel*>())
      if (label->text() == QStringLiteral("Turn"))
        turn = qobject_cast<QDoubleSpinBox*>(label->buddy());
    QVERIFY(turn != nullptr);
    QCOMPARE(turn->value(), -360.0);
    turn->setValue(-180);
    const auto angles = [&] { return model.experiment().geometry->view_angles_rad; };
    EXPECT_NEAR(degrees(angles().front()), 270, 1e-9);
    EXPECT_NEAR(degrees(angles().back()), 270 - 180 * 119 / 120.0, 1e-9);
    const Experiment before = model.experiment();
    turn->setValue(0);
    QVERIFY2(problems.last()[0].toString().contains(QStringLiteral("do not turn")),
             qPrintable(problems.last()[0].toString()));
    QVERIFY(model.experiment() == before);
    QCOMPARE(turn->value(), -180.0);
    turn->setValue(90);
    EXPECT_NEAR(degrees(angles().back()), 270 + 90 * 119 / 120.0, 1e-9);
    QVERIFY(problems.last()[0].toString().isEmpty());
    turn->setValue(5000);
    QVERIFY2(problems.last()[0].toString().contains(QStringLiteral("more than ten times")),
             qPrintable(problems.last()[0].toString()));
    QCOMPARE(turn->value(), 90.0);
  }

  /// Messages name the fields, and go where undo has taken away what they are about.
  void problemsNameFieldsAndGoWithUndo() {
    ExperimentModel model;
    Experiment experiment = ready_experiment();
    experiment.geometry = scan_preset("cumbir_cone").scan;
    model.reset(experiment, {});
    GeometryPanel panel(model);
    QSignalSpy problems(&panel, &GeometryPanel::problem);
    const auto last = [&] { return problems.last()[0].toString(); };
    const auto field = [&](const char* name) {
      for (const QLabel* label : panel.findChildren<QLabel*>())
        if (label->text() == QLatin1String(name))
          return qobject_cast<QDoubleSpinBox*>(label->buddy());
      return static_cast<QDoubleSpinBox*>(nullptr);
    };
    model.edit(QStringLiteral("title"), [](Experiment& e) { e.title = "other"; });
    field("Source to axis")->setValue(1e5);
    QVERIFY2(
        last().contains(QStringLiteral("Source to axis")) && !last().contains(QLatin1Char('_')),
        qPrintable(last()));
    model.undoStack().undo();
    QVERIFY(last().isEmpty());

    const double before = field("Central column")->value();
    field("Central column")->setValue(5000);
    QVERIFY2(last().contains(QStringLiteral("beside the detector")), qPrintable(last()));
    QCOMPARE(field("Central column")->value(), before);
    QCOMPARE(model.experiment().geometry->central_column, before);
  }

  void impossiblePosesAreRefused() {
    ExperimentModel model;
    Experiment experiment = ready_experiment();
    experiment.geometry = with_free_poses(default_scan(100, 40, 16));
    model.reset(experiment, {});
    GeometryPanel panel(model);
    auto* dialog = edit_poses(panel);
    auto* table = child<QTableView>(*dialog, "poseTable")->model();
    for (int column = 6; column < 9; ++column)
      QVERIFY(table->setData(table->index(0, column), QStringLiteral("0")));
    dialog->accept();
    QVERIFY(dialog->isVisible());
    QVERIFY2(child<QLabel>(*dialog, "poseProblem")
                 ->text()
                 .contains(QStringLiteral("view 0: the column step is no step")),
             qPrintable(child<QLabel>(*dialog, "poseProblem")->text()));
    QVERIFY(model.experiment() == experiment);
  }
};

GANTRY_TEST(TestGeometryPanel)
#include "test_geometry_panel.moc"
