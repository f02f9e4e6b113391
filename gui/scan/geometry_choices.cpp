// The part of GeometryPanel that shows beam, trajectory and rebinning.
#include "core/base/error.hpp"
#include "core/geometry/circle_of_poses.hpp"
#include "core/geometry/detector_move.hpp"
#include "core/geometry/fan_rebinning.hpp"
#include "gui/scan/geometry_panel.hpp"
#include "gui/scan/pose_dialog.hpp"
#include "gui/widgets/knob.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>

namespace gantry {

void GeometryPanel::rebin(bool on) {
  try {
    const VolumeGrid slices = on ? rebinnable_slices(ScanGeometry(spec()), grid()) : grid();
    emit problem({});
    model_.edit(on ? tr("Rebin to fans") : tr("Turn rebinning off"), [&](Experiment& e) {
      if (e.grid) e.grid = slices;
      e.source.rebin_to_fans = on;
    });
  } catch (const Error& error) {
    emit problem(QString::fromUtf8(error.what()));
    showModel();
  }
}

void GeometryPanel::showChoices(const ScanSpec& spec) {
  const QSignalBlocker q1(beam_), q2(detector_), q3(trajectory_);
  const bool poses = spec.trajectory == Trajectory::poses;
  beam_->setCurrentIndex(static_cast<int>(spec.beam));
  beam_->setEnabled(!poses);
  detector_->setCurrentIndex(static_cast<int>(spec.detector));
  detector_->setVisible(spec.beam != Beam::parallel);
  detector_->setEnabled(!poses);
  trajectory_->setCurrentIndex(static_cast<int>(spec.trajectory));
  form_->setRowVisible(trajectory_, spec.beam != Beam::fan);
  showTrajectories(spec);
  form_->setRowVisible(editPoses_, poses);
  form_->setRowVisible(poses_, poses);
  poses_->setText(tr("%1 views of %2 x %3 cells\nwith free poses")
                      .arg(spec.poses.size())
                      .arg(spec.detector_columns)
                      .arg(spec.detector_rows));
  showTilt(spec);
  showRebinning(spec);
}

QToolButton* GeometryPanel::sweepButton(const QString& name, const char* id) {
  QToolButton* button = makeSweepButton(name, this);
  const QString parameter = QLatin1String(id);
  button->setObjectName(QStringLiteral("sweep_") + parameter.section(u':', 1));
  connect(button, &QToolButton::clicked, this, [this, parameter] { emit sweepWanted(parameter); });
  return button;
}

/// The tilt of the detector in its plane has no field, since a scan with a tilt has free poses:
/// only a sweep finds it.
void GeometryPanel::addTilt(QFormLayout* form) {
  sweepTilt_->setText(tr("Find by a sweep"));
  sweepTilt_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  const QString help =
      tr("The selected run is repeated with several tilts of the detector in its plane. The scan "
         "has free poses once a tilt is taken over");
  for (QWidget* widget : {static_cast<QWidget*>(tiltName_), static_cast<QWidget*>(sweepTilt_)})
    widget->setToolTip(help);
  tiltName_->setBuddy(sweepTilt_);
  form->addRow(tiltName_, sweepTilt_);
}

/// Offers the sweep for the scans of which sweep_params() lists the tilt.
void GeometryPanel::showTilt(const ScanSpec& spec) {
  form_->setRowVisible(sweepTilt_, measured() && can_be_tilted(spec));
}

/// Offers the trajectories that the scan can have.
void GeometryPanel::showTrajectories(const ScanSpec& spec) {
  const auto* items = qobject_cast<const QStandardItemModel*>(trajectory_->model());
  if (items == nullptr) return;
  const bool poses = spec.trajectory == Trajectory::poses;
  const auto offer = [items](Trajectory trajectory, bool possible, const QString& why) {
    QStandardItem* item = items->item(static_cast<int>(trajectory));
    item->setEnabled(possible);
    item->setToolTip(possible ? QString() : why);
  };
  offer(Trajectory::circular, !poses || circle_of_poses(spec).has_value(),
        tr("These poses are no circle about the axis"));
  offer(Trajectory::helical, !poses && spec.beam == Beam::cone,
        tr("A helix is a circle in a cone beam, with a feed"));
  offer(Trajectory::poses, poses || spec.detector == DetectorShape::flat,
        tr("Free poses have flat detectors"));
}

void GeometryPanel::editPoses() {
  const auto apply = [this](const ScanSpec& scan) {
    editSpec(tr("Edit the poses"), [&](ScanSpec& s) { s = scan; });
  };
  (new PoseDialog(spec(), apply, this))->open();
}

void GeometryPanel::showRebinning(const ScanSpec& spec) {
  const QSignalBlocker quiet(rebin_);
  const bool on = model_.experiment().source.rebin_to_fans;
  form_->setRowVisible(rebin_,
                       on || (spec.beam == Beam::cone && spec.trajectory != Trajectory::poses));
  rebin_->setChecked(on);
  QString help =
      tr("Rebins the cone beam to a fan beam for each slice, from the views of the nearest "
         "rotation (CB-SSRB, Noo et al. 1999). All slices share their weights, so that a stored "
         "matrix "
         "holds those of one slice. The smaller the pitch, the more accurate.");
  bool possible = true;
  try {
    rebinning_range_mm(ScanGeometry(spec));
  } catch (const Error& error) {
    possible = false;
    help = QString::fromUtf8(error.what());
  }
  rebin_->setEnabled(on || possible);
  rebin_->setToolTip(help);
}

}  // namespace gantry
