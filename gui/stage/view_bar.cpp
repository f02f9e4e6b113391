#include "gui/stage/view_bar.hpp"

#include "gui/views/key_list.hpp"
#include "gui/widgets/grey_scale_bar.hpp"
#include "gui/widgets/switch_button.hpp"
#include "gui/widgets/wrapping_layout.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace gantry {

namespace {

constexpr int edge_px = 4;

/// A window that is usual in diagnosis, HU.
struct Preset {
  const char* name;
  double window, level;
};
constexpr std::array presets = {
    Preset{QT_TRANSLATE_NOOP("gantry::ViewBar", "Soft tissue"), 400, 40},
    Preset{QT_TRANSLATE_NOOP("gantry::ViewBar", "Brain"), 80, 40},
    Preset{QT_TRANSLATE_NOOP("gantry::ViewBar", "Bone"), 2000, 500},
    Preset{QT_TRANSLATE_NOOP("gantry::ViewBar", "Lung"), 1500, -600}};

QHBoxLayout* tightRow(QWidget* widget) {
  auto* row = new QHBoxLayout(widget);
  row->setContentsMargins(0, 0, 0, 0);
  return row;
}

}  // namespace

ViewBar::ViewBar(ViewState& state, QWidget* parent) : QWidget(parent), state_(state) {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(edge_px, 0, edge_px, 0);  // flush with the pictures
  plane_box_ = makePlane();
  rows->addWidget(plane_box_);
  auto* scale = new QWidget(this);
  auto* row = new WrappingLayout(scale);
  rows->addWidget(scale);
  row->addWidget(makeWindow());
  row->addStretch();
  row->addWidget(makeSwitches());
  connect(&state_, &ViewState::planeChanged, this, &ViewBar::showState);
  connect(&state_, &ViewState::windowChanged, this, &ViewBar::showState);
  connect(&state_, &ViewState::unitChanged, this, &ViewBar::showState);
  connect(&state_, &ViewState::interpolationChanged, this, &ViewBar::showState);
  connect(&state_, &ViewState::drawModeChanged, this, [this] {
    const QSignalBlocker quiet(profile_);
    profile_->setChecked(state_.profileMode());
  });
  showState();
}

QWidget* ViewBar::makePlane() {
  auto* box = new QWidget(this);
  auto* row = tightRow(box);
  plane_ = new QComboBox(box);
  plane_->addItems({tr("Axial"), tr("Coronal"), tr("Sagittal")});
  plane_->setToolTip(tr("Plane of the views"));
  slice_ = new QSlider(Qt::Horizontal, box);
  slice_->setMinimumWidth(80);
  slice_->setAccessibleName(tr("Slice"));
  sliceNumber_ = new WholeBox(box);
  sliceNumber_->setToolTip(tr("Slice, from 0 (wheel over a view, or the arrow keys)"));
  position_ = new QLabel(box);
  position_->setObjectName(QStringLiteral("slicePosition"));
  position_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  row->addWidget(plane_);
  row->addWidget(slice_, 1);
  row->addWidget(sliceNumber_);
  row->addWidget(position_);
  row->addSpacing(edge_px);  // a text has no frame of its own
  connect(plane_, &QComboBox::activated, this, [this](int index) {
    const auto axis = static_cast<Axis>(index);
    state_.setPlane(axis, slice_count(grid_, axis) / 2);
  });
  connect(slice_, &QSlider::valueChanged, this, [this](int value) { state_.setSlice(value); });
  connect(sliceNumber_, &QSpinBox::valueChanged, this,
          [this](int value) { state_.setSlice(value); });
  return box;
}

QWidget* ViewBar::makeWindow() {
  auto* box = new QWidget(this);
  auto* row = tightRow(box);
  preset_ = new QComboBox(box);
  preset_->addItem(tr("Auto"));
  preset_->addItem(tr("By hand"));
  for (const Preset& preset : presets) preset_->addItem(tr(preset.name));
  preset_->setItemData(
      0, tr("From the 1st to the 99th percentile of the reference, or of the first estimate"),
      Qt::ToolTipRole);
  preset_->setToolTip(tr("Window and level"));
  window_ = new NumberBox(box);
  level_ = new NumberBox(box);
  for (NumberBox* number : {window_, level_}) {
    number->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    number->setRange(-1e15, 1e15);
    // The default width fits the longest possible number; the views need the space.
    number->setMostDigits(6);
    number->setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("-1000000")) + 36);
  }
  window_->setObjectName(QStringLiteral("windowWidth"));
  window_->setToolTip(tr("Width of the grey scale (drag sideways on a view)"));
  level_->setObjectName(QStringLiteral("windowLevel"));
  level_->setToolTip(tr("Middle of the grey scale (drag upwards on a view)"));
  unit_ = new QComboBox(box);
  unit_->setObjectName(QStringLiteral("viewUnit"));
  unit_->addItems({tr("1/mm"), tr("HU")});
  row->addWidget(preset_);
  row->addWidget(new QLabel(tr("Window"), box));
  row->addWidget(window_);
  row->addWidget(new QLabel(tr("Level"), box));
  row->addWidget(level_);
  row->addWidget(unit_);
  scale_ = new GreyScaleBar(box);
  scale_->setObjectName(QStringLiteral("greyScale"));
  row->addWidget(scale_, 1);
  connect(scale_, &GreyScaleBar::limitsChanged, this, [this](double low, double high) {
    state_.setWindowLevel(high - low, 0.5 * (low + high));
  });
  connect(preset_, &QComboBox::activated, this, &ViewBar::applyPreset);
  connect(window_, &QDoubleSpinBox::valueChanged, this, &ViewBar::editWindow);
  connect(level_, &QDoubleSpinBox::valueChanged, this, &ViewBar::editWindow);
  connect(unit_, &QComboBox::activated, this, [this](int index) { state_.setHu(index == 1); });
  return box;
}

QWidget* ViewBar::makeSwitches() {
  auto* box = new QWidget(this);
  auto* row = tightRow(box);
  smooth_ = new QCheckBox(tr("Smooth"), box);
  smooth_->setObjectName(QStringLiteral("smooth"));
  smooth_->setToolTip(tr("Interpolates between pixels on screen; values do not change"));
  profile_ = new SwitchButton(tr("Profile line"), box);
  profile_->setObjectName(QStringLiteral("profileSwitch"));
  profile_->setToolTip(tr("Drag a line on any view to see the values along it") +
                       key_hint("view.profile"));
  row->addWidget(smooth_);
  row->addWidget(profile_);
  connect(smooth_, &QCheckBox::toggled, this, [this](bool on) {
    state_.setInterpolation(on ? Interpolation::linear : Interpolation::nearest);
  });
  connect(profile_, &QToolButton::toggled, this, [this](bool on) { state_.setProfileMode(on); });
  return box;
}

double ViewBar::toShown(double mu, bool is_level) const {
  return is_level ? state_.shownValue(mu) : state_.shownDifference(mu);
}

double ViewBar::fromShown(double shown, bool is_level) const {
  if (!state_.inHu()) return shown;
  return is_level ? mu_from_hu(shown, state_.muWater()) : shown * state_.muWater() / 1000;
}

void ViewBar::applyPreset(int index) {
  if (index == 0) return state_.followData();
  if (index == 1) return state_.setWindowLevel(state_.window(), state_.level());
  const Preset& preset = presets[static_cast<std::size_t>(index - 2)];
  state_.setWindowLevel(preset.window * state_.muWater() / 1000,
                        mu_from_hu(preset.level, state_.muWater()));
}

void ViewBar::editWindow() {
  state_.setWindowLevel(fromShown(window_->value(), false), fromShown(level_->value(), true));
}

void ViewBar::setGrid(const VolumeGrid& grid) {
  grid_ = grid;
  showState();
}

void ViewBar::offerPlane(bool offered) {
  offersPlane_ = offered;
  showState();
}

void ViewBar::offerProfile(bool offered) { profile_->setVisible(offered); }

void ViewBar::showState() {
  const QSignalBlocker q1(plane_), q2(slice_), q3(sliceNumber_), q4(window_), q5(level_), q6(unit_),
      q7(preset_), q8(smooth_);
  smooth_->setChecked(state_.interpolation() == Interpolation::linear);
  const int last = slice_count(grid_, state_.axis()) - 1;
  plane_box_->setVisible(offersPlane_ && grid_.nz > 1);
  plane_->setCurrentIndex(static_cast<int>(state_.axis()));
  slice_->setRange(0, last);
  sliceNumber_->setRange(0, last);
  slice_->setValue(state_.slice());
  sliceNumber_->setValue(state_.slice());
  // A label of varying width would move the slider under the mouse.
  position_->setMinimumWidth(fontMetrics().horizontalAdvance(state_.lengthText(-1000)));
  position_->setText(state_.lengthText(slice_position_mm(grid_, state_.axis(), state_.slice())));
  const int decimals = state_.inHu() ? 0 : 5;
  window_->setDecimals(decimals);
  level_->setDecimals(decimals);
  // At least the smallest number above 0 that the field can show: a window of 0 has no grey scale.
  window_->setMinimum(std::pow(10.0, -decimals));
  window_->setValue(toShown(state_.window(), false));
  level_->setValue(toShown(state_.level(), true));
  unit_->setCurrentIndex(state_.inHu() ? 1 : 0);
  unit_->setItemText(0, state_.muUnit());
  qobject_cast<QStandardItemModel*>(unit_->model())->item(1)->setEnabled(state_.knowsWater());
  unit_->setToolTip(
      state_.knowsWater()
          ? tr("Unit of window and level; HU are of water at %1 %2")
                .arg(state_.muWater())
                .arg(state_.muUnit())
          : tr("Unit of window and level; for HU, mark a region of water in the panel "
               "Measure"));
  int shown = state_.windowIsAutomatic() ? 0 : 1;
  for (std::size_t i = 0; i < presets.size() && shown == 1; ++i)
    if (std::abs(1000 * state_.window() / state_.muWater() - presets[i].window) < 0.5 &&
        std::abs(hu_from_mu(state_.level(), state_.muWater()) - presets[i].level) < 0.5)
      shown = static_cast<int>(i) + 2;
  preset_->setCurrentIndex(shown);
  showScale();
}

void ViewBar::showScale() {
  const double low = state_.level() - 0.5 * state_.window(),
               high = state_.level() + 0.5 * state_.window();
  // Enough digits to resolve a hundredth of the window.
  const double step = 0.01 * toShown(state_.window(), false);
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step))), 0, 7);
  const auto text = [&](double mu) {
    const double unit = std::pow(10.0, -decimals);
    return QString::number(std::round(toShown(mu, true) / unit) * unit + 0.0, 'f', decimals);
  };
  scale_->setLimits(low, high, text(low), text(high));
}

}  // namespace gantry
