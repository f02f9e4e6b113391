#include "gui/stage/view_state.hpp"

#include "gui/widgets/length_units.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gantry {

bool ViewState::knowsWater() const { return lengthsAreKnown_ || muWater_ != default_mu_water; }

QString ViewState::textOf(double mu) const {
  if (!knowsWater()) return tr("μ %1 %2").arg(mu, 0, 'f', 5).arg(muUnit());
  return tr("μ %1 %2 (%3 HU), water %4")
      .arg(mu, 0, 'f', 5)
      .arg(muUnit())
      .arg(hu_from_mu(mu, muWater_), 0, 'f', 0)
      .arg(muWater_);
}

void ViewState::setPlane(Axis axis, int slice) {
  if (axis == axis_ && slice == slice_) return;
  if (axis != axis_) {
    profile_.reset();  // the line lies in the old plane
    camera_.reset();
  }
  axis_ = axis;
  slice_ = slice;
  emit planeChanged();
}

void ViewState::setCamera(const std::optional<SliceCamera>& camera) {
  camera_ = camera;
  emit cameraChanged();
}

void ViewState::setWindowLevel(double window, double level) {
  automatic_ = false;
  window_ = window;
  level_ = level;
  emit windowChanged();
}

void ViewState::setAutomaticWindow(double window, double level) {
  if (window == window_ && level == level_) return;
  window_ = window;
  level_ = level;
  emit windowChanged();
}

void ViewState::followData() {
  automatic_ = true;
  emit windowChanged();
}

void ViewState::setDifferenceWindow(double window) {
  differenceWindow_ = window;
  emit windowChanged();
}

void ViewState::setHu(bool on) {
  hu_ = on;
  emit unitChanged();
}

void ViewState::setMuWater(double mu_water) {
  muWater_ = mu_water;
  emit unitChanged();
}

void ViewState::setLengthsAreKnown(bool known) {
  lengthsAreKnown_ = known;
  emit unitChanged();
}

QString ViewState::lengthUnit() const { return length_unit(lengthsAreKnown_); }
QString ViewState::muUnit() const { return mu_unit(lengthsAreKnown_); }

QString ViewState::greyText() const {
  const double low = level() - 0.5 * window(), high = level() + 0.5 * window();
  const auto number = [](double value) {
    const bool is_large = std::abs(value) >= 1000;  // with all digits before the point
    return is_large ? QString::number(value, 'f', 0) : QString::number(value, 'g', 3);
  };
  const QString grey = tr("; grey from %1 to %2 %3").arg(number(low), number(high), muUnit());
  if (!knowsWater()) return grey;
  return grey + tr(" (%1 to %2 HU, water %3 %4)")
                    .arg(hu_from_mu(low, muWater_), 0, 'f', 0)
                    .arg(hu_from_mu(high, muWater_), 0, 'f', 0)
                    .arg(muWater_)
                    .arg(muUnit());
}

QString ViewState::lengthText(double mm) const {
  return tr("%1 %2").arg(mm, 0, 'f', lengthDecimals_).arg(lengthUnit());
}

void ViewState::setVoxel(double side_mm) {
  if (!(side_mm > 0)) return;
  constexpr double side_of_one_decimal = 0.5;
  const double more = std::ceil(std::log10(side_of_one_decimal / side_mm));
  lengthDecimals_ = std::clamp(1 + static_cast<int>(more), 1, 6);
}

void ViewState::setProfile(const std::optional<LineSegment>& profile) {
  profile_ = profile;
  emit profileChanged();
}

void ViewState::setDrawMode(DrawMode mode) {
  if (mode == drawMode_) return;
  drawMode_ = mode;
  emit drawModeChanged();
}

void ViewState::setDrawShape(NewRegion shape) {
  if (shape == drawShape_) return;
  drawShape_ = shape;
  emit drawModeChanged();
}

void ViewState::setCursor(const std::optional<PointMm>& cursor) {
  cursor_ = cursor;
  emit cursorChanged();
}

void ViewState::setInterpolation(Interpolation interpolation) {
  interpolation_ = interpolation;
  emit interpolationChanged();
}

namespace {

constexpr WindowLevel usual{0.04, 0.02};  // in 1/mm: from air to twice water
constexpr double least_contrast = 1e-3;   // relative; an image with less counts as constant

}  // namespace

WindowLevel automatic_window(const std::vector<float>& values, double share) {
  std::vector<float> sample;
  const std::size_t step =
      // About 20000 values are enough for percentiles.
      std::max<std::size_t>(1, values.size() / 20000);
  for (std::size_t i = 0; i < values.size(); i += step)
    if (std::isfinite(values[i])) sample.push_back(values[i]);
  if (sample.empty()) return usual;
  const auto percentile = [&](double p) {
    const auto nth =
        sample.begin() + static_cast<std::ptrdiff_t>(p * static_cast<double>(sample.size() - 1));
    std::ranges::nth_element(sample, nth);
    return static_cast<double>(*nth);
  };
  double low = percentile(0.5 * (1 - share)), high = percentile(1 - 0.5 * (1 - share));
  const auto is_flat = [&] {
    return high - low <= least_contrast * std::max(std::abs(low), std::abs(high));
  };
  if (is_flat()) {  // percentiles agree: any structure is in few pixels
    low = high = sample.front();
    for (const float value : values)
      if (std::isfinite(value)) {
        low = std::min<double>(low, value);
        high = std::max<double>(high, value);
      }
  }
  const double middle = 0.5 * (low + high);
  if (!is_flat()) return {1.05 * (high - low), middle};
  // A window as narrow as rounding errors would show these as structure.
  if (middle == 0) return usual;
  return {std::abs(middle), middle};
}

WindowLevel automatic_window(const SliceImage& image) {
  constexpr int side = 3;                           // of a square that counts as an object, pixels
  constexpr double most_above = 3, most_below = 1;  // times the width of the middle values
  constexpr double margin = 0.025, most_squares = 1e6;
  const WindowLevel middle = automatic_window(image.values);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  float brightest = -infinity, darkest = infinity;
  // In a large picture an object is as many pixels larger.
  const int step = std::max(
      1, static_cast<int>(std::sqrt(static_cast<double>(image.values.size()) / most_squares)));
  for (int top = 0; top + side <= image.height; top += step)
    for (int left = 0; left + side <= image.width; left += step) {
      float least = infinity, greatest = -infinity;
      for (int iv = top; iv < top + side; ++iv)
        for (int iu = left; iu < left + side; ++iu) {
          const float value =
              image.values[static_cast<std::size_t>(iv) * static_cast<std::size_t>(image.width) +
                           static_cast<std::size_t>(iu)];
          least = std::min(least, value);
          greatest = std::max(greatest, value);
        }
      if (!std::isfinite(least) || !std::isfinite(greatest)) continue;
      brightest = std::max(brightest, least);
      darkest = std::min(darkest, greatest);
    }
  if (!std::isfinite(brightest)) return middle;
  const double half = 0.5 * middle.window;
  double low = middle.level - half, high = middle.level + half;
  const double beyond =
      margin * (std::max<double>(high, brightest) - std::min<double>(low, darkest));
  if (brightest > high) high = std::min(brightest + beyond, high + most_above * middle.window);
  if (darkest < low) low = std::max(darkest - beyond, low - most_below * middle.window);
  return {high - low, 0.5 * (low + high)};
}

}  // namespace gantry
