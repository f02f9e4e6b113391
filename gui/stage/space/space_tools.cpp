#include "gui/stage/space/space_tools.hpp"

#include "gui/widgets/number_box.hpp"
#include "gui/widgets/switch_button.hpp"
#include "gui/widgets/wrapping_layout.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gantry {

namespace {

constexpr double usual_angle_deg = 30;  // turn and tilt of the oblique plane at first

}  // namespace

SpaceTools::SpaceTools(QWidget* parent) : QWidget(parent) {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(8, 4, 8, 4);
  rows->setSpacing(4);
  auto* bar = new QWidget(this);
  auto* row = new WrappingLayout(bar);
  row->addWidget(makePlanes());
  row->addStretch();
  row->addWidget(makeVolume());
  rows->addWidget(bar);
  rows->addWidget(makeClip());
  showState();
}

QWidget* SpaceTools::makePlanes() {
  auto* box = new QWidget(this);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  shown_ = new QComboBox(box);
  shown_->setObjectName(QStringLiteral("spaceArrangement"));
  shown_->addItems({tr("Selected run, all planes"), tr("All runs, axial"), tr("All runs, coronal"),
                    tr("All runs, sagittal"), tr("All runs, oblique")});
  shown_->setAccessibleName(tr("What is shown in space"));
  oblique_ = new QCheckBox(tr("Oblique plane"), box);
  oblique_->setObjectName(QStringLiteral("obliquePlane"));
  oblique_->setToolTip(
      tr("One more plane through the cross-hair, which can be turned; its line in the other planes "
         "is dashed"));
  turn_ = makeAngle(tr("Turn"), tr("Turns the oblique plane about z (Ctrl+drag sideways on it)"),
                    "obliqueTurn");
  tilt_ = makeAngle(
      tr("Tilt"), tr("Tilts the oblique plane about its own horizontal (Ctrl+drag upwards on it)"),
      "obliqueTilt");
  row->addWidget(shown_);
  row->addWidget(oblique_);
  row->addWidget(turn_);
  row->addWidget(tilt_);
  connect(shown_, &QComboBox::activated, this, [this] {
    showState();
    emit arranged();
  });
  connect(oblique_, &QCheckBox::toggled, this, [this] {
    showState();
    emit arranged();
  });
  setAngles(usual_angle_deg, usual_angle_deg);
  return box;
}

QDoubleSpinBox* SpaceTools::makeAngle(const QString& name, const QString& tip, const char* key) {
  auto* angle = new NumberBox(this);
  angle->setObjectName(QLatin1String(key));
  angle->setAccessibleName(name);
  angle->setToolTip(tip);
  angle->setPrefix(name + QLatin1Char(' '));
  angle->setSuffix(QStringLiteral("°"));
  angle->setRange(-180, 180);
  angle->setSingleStep(5);
  angle->setDecimals(1);
  angle->setWrapping(true);
  connect(angle, &QDoubleSpinBox::valueChanged, this, &SpaceTools::turned);
  return angle;
}

QWidget* SpaceTools::makeVolume() {
  auto* box = new QWidget(this);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  mode_ = new QComboBox(box);
  mode_->setObjectName(QStringLiteral("volumeMode"));
  mode_->addItems({tr("Volume"), tr("Maximum"), tr("Surface at the level")});
  mode_->setAccessibleName(tr("How the volume is drawn"));
  mode_->setToolTip(
      tr("Translucent with light, the greatest value along each ray, or the surface "
         "where the values cross the level"));
  preset_ = new QComboBox(box);
  preset_->setObjectName(QStringLiteral("volumePreset"));
  preset_->setAccessibleName(tr("What the volume shows"));
  for (const TransferPreset& preset : transfer_presets()) {
    preset_->addItem(QString::fromStdString(preset.label), QString::fromStdString(preset.key));
    preset_->setItemData(preset_->count() - 1, QString::fromStdString(preset.help),
                         Qt::ToolTipRole);
  }
  clip_ = new SwitchButton(tr("Clip box"), box);
  clip_->setObjectName(QStringLiteral("clipBox"));
  clip_->setToolTip(tr("Shows a box that cuts the volume: drag the handles of its faces"));
  for (QWidget* part :
       {static_cast<QWidget*>(mode_), static_cast<QWidget*>(preset_), static_cast<QWidget*>(clip_)})
    row->addWidget(part);
  for (QComboBox* choice : {mode_, preset_})
    connect(choice, &QComboBox::activated, this, [this] {
      showState();
      emit volumeChanged();
    });
  connect(clip_, &QToolButton::toggled, this, [this](bool shown) {
    showState();
    emit clipShown(shown);
  });
  return box;
}

QWidget* SpaceTools::makeClip() {
  clipRow_ = new QWidget(this);
  auto* row = new QHBoxLayout(clipRow_);
  row->setContentsMargins(0, 0, 0, 0);
  static const std::array names = {"x", "y", "z"};
  row->addStretch(1);
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const bool high : {false, true}) {
      auto* face = new NumberBox(clipRow_);
      const QString name = QLatin1String(names[axis]);
      face->setObjectName(QStringLiteral("clip%1%2").arg(axis).arg(high ? 1 : 0));
      face->setAccessibleName((high ? tr("Clip box, %1 to") : tr("Clip box, %1 from")).arg(name));
      face->setToolTip(tr("A face of the clip box (drag its handle in the volume)"));
      face->setDecimals(1);
      face->setKeyboardTracking(false);
      row->addWidget(new QLabel(high ? tr("to") : tr("%1 from").arg(name), clipRow_));
      row->addWidget(face);
      connect(face, &QDoubleSpinBox::valueChanged, this, &SpaceTools::editClip);
      faces_[2 * axis + (high ? 1 : 0)] = face;
    }
  clipUnit_ = new QLabel(tr("mm"), clipRow_);
  row->addWidget(clipUnit_);
  reset_ = new QToolButton(clipRow_);
  reset_->setObjectName(QStringLiteral("clipReset"));
  reset_->setText(tr("Whole volume"));
  reset_->setToolTip(tr("Puts the faces of the clip box back to those of the volume"));
  row->addWidget(reset_);
  connect(reset_, &QToolButton::clicked, this, &SpaceTools::clipReset);
  return clipRow_;
}

void SpaceTools::setLengthUnit(const QString& unit) { clipUnit_->setText(unit); }

/// Shows and enables the controls that do something now; the others say what they need.
void SpaceTools::showState() {
  const bool of_one_run = arrangement() == SpaceArrangement::planes;
  const bool has_oblique = arrangement() == SpaceArrangement::oblique || showsOblique();
  oblique_->setVisible(of_one_run);
  turn_->setVisible(has_oblique);
  tilt_->setVisible(has_oblique);
  preset_->setEnabled(mode() == VolumeMode::shaded);
  preset_->setToolTip(preset_->isEnabled()
                          ? tr("Which values are opaque: those of the window, or tissues in HU")
                          : tr("Window and level give the colours; choose Volume to change them"));
  for (QWidget* part :
       {static_cast<QWidget*>(mode_), static_cast<QWidget*>(preset_), static_cast<QWidget*>(clip_)})
    part->setVisible(of_one_run);
  clipRow_->setVisible(of_one_run && clip_->isChecked());
}

SpaceArrangement SpaceTools::arrangement() const {
  return static_cast<SpaceArrangement>(shown_->currentIndex());
}

void SpaceTools::offerRuns(const QString& why_not) {
  auto* items = qobject_cast<QStandardItemModel*>(shown_->model());
  for (int i = 1; i < shown_->count(); ++i) items->item(i)->setEnabled(why_not.isEmpty());
  if (!why_not.isEmpty()) shown_->setCurrentIndex(0);
  shown_->setToolTip(why_not.isEmpty()
                         ? tr("All planes of the selected run, or one plane of all runs side by "
                              "side")
                         : why_not);
  showState();
}

void SpaceTools::reset() {
  const QSignalBlocker q1(oblique_), q2(clip_);
  shown_->setCurrentIndex(0);
  mode_->setCurrentIndex(0);
  oblique_->setChecked(false);
  clip_->setChecked(false);
  setAngles(usual_angle_deg, usual_angle_deg);
  showState();
}

bool SpaceTools::showsOblique() const {
  return arrangement() == SpaceArrangement::planes && oblique_->isChecked();
}
double SpaceTools::turn() const { return turn_->value(); }
double SpaceTools::tilt() const { return tilt_->value(); }

void SpaceTools::setAngles(double turn_deg, double tilt_deg) {
  const QSignalBlocker q1(turn_), q2(tilt_);
  turn_->setValue(turn_deg);
  tilt_->setValue(tilt_deg);
}

VolumeMode SpaceTools::mode() const { return static_cast<VolumeMode>(mode_->currentIndex()); }
QString SpaceTools::preset() const { return preset_->currentData().toString(); }
void SpaceTools::setPreset(const QString& key) { preset_->setCurrentIndex(preset_->findData(key)); }
bool SpaceTools::showsClip() const { return clip_->isChecked(); }

void SpaceTools::setGrid(const VolumeGrid& grid) {
  const ClipBox whole = ClipBox::around(grid);
  const std::array<double, 3> voxel = {grid.spacing_mm.x, grid.spacing_mm.y, grid.spacing_mm.z};
  for (std::size_t i = 0; i < 6; ++i) {
    const QSignalBlocker quiet(faces_[i]);
    // Faces at the ends are exactly those of the volume, also where these have more decimals.
    faces_[i]->setDecimals(voxel[i / 2] < 0.1 ? 4 : 2);
    faces_[i]->setRange(whole.low[i / 2], whole.high[i / 2]);
    faces_[i]->setSingleStep(voxel[i / 2]);
  }
  setClip(whole);
}

void SpaceTools::setClip(const ClipBox& clip) {
  for (std::size_t i = 0; i < 6; ++i) {
    const QSignalBlocker quiet(faces_[i]);
    faces_[i]->setValue(i % 2 != 0 ? clip.high[i / 2] : clip.low[i / 2]);
  }
}

void SpaceTools::editClip() {
  ClipBox clip;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double from = faces_[2 * axis]->value(), to = faces_[2 * axis + 1]->value();
    clip.low[axis] = std::min(from, to);
    clip.high[axis] = std::max(from, to);
  }
  emit clipEdited(clip);
}

}  // namespace gantry
