// The symmetries of a scan. With F: x -> -x and R: the rotation by 90 degrees counter-clockwise
// about z, the element g = (k, s) is R^k F^s. g maps a source at gantry angle t to (-1)^s t + 90 k
// degrees, and column c to columns - 1 - c if s = 1. For V views at equal steps D over 360 degrees,
// t_v = t_0 + v D, the view indices map as
//   v -> (-1)^s v + k V / 4 - 2 s t_0 / D   (mod V),
// where all steps must be whole numbers. For a parallel beam over 180 degrees, the circle has 2 V
// slots for views: slot j + V is opposite to slot j, and its view is that of slot j with the
// columns reversed.
// These maps are eq. 2 of Yu et al. (cuART), corrected: index i is mirrored to n - 1 - i.
#include "core/geometry/symmetry.hpp"

#include "core/base/error.hpp"
#include "core/base/text_stream.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

// Tolerances of equality. 1e-7 radians move a ray by less than a ten-thousandth of a pixel.
constexpr double angle_tolerance_rad = 1e-7, cell_tolerance = 1e-6;

int modulo(long long a, int n) { return static_cast<int>(((a % n) + n) % n); }

std::string rounded(double value) {
  TextStream text;
  text.precision(4);
  text << (std::abs(value) < 5e-7 ? 0.0 : value);
  return text.str();
}

bool is_identity(const SymmetryElement& g) { return g == SymmetryElement{}; }
bool is_whole(double value, double tolerance) {
  return std::abs(value - std::round(value)) <= tolerance;
}

}  // namespace

SymmetryElement compose(const SymmetryElement& second, const SymmetryElement& first) {
  const int turned = second.mirror ? -first.quarter_turns : first.quarter_turns;
  return {modulo(second.quarter_turns + turned, 4), second.mirror != first.mirror,
          second.mirror_z != first.mirror_z};
}

SymmetryElement inverse(const SymmetryElement& g) {
  return {g.mirror ? g.quarter_turns : modulo(-g.quarter_turns, 4), g.mirror, g.mirror_z};
}

std::string describe(const SymmetryElement& g) {
  static const std::array<const char*, 8> names = {"identity",
                                                   "rotation by 90°",
                                                   "rotation by 180°",
                                                   "rotation by 270°",
                                                   "mirror left-right (x to −x)",
                                                   "mirror about y = −x",
                                                   "mirror up-down (y to −y)",
                                                   "mirror about y = x"};
  const std::string name = names[static_cast<std::size_t>(4 * g.mirror + g.quarter_turns)];
  if (!g.mirror_z) return name;
  return g.mirror || g.quarter_turns != 0 ? name + " and along the axis"
                                          : "mirror along the axis (z to −z)";
}

ScanSymmetry::ScanSymmetry(const ScanGeometry& geometry, const VolumeGrid& grid)
    : views_(geometry.views()),
      columns_(geometry.columns()),
      rows_(geometry.rows()),
      nx_(grid.nx),
      ny_(grid.ny),
      nz_(grid.nz),
      spatial_(grid.nz > 1 || geometry.rows() > 1),
      circle_(assign_slots(geometry, 2 * pi)) {
  if (circle_.period == 0 && geometry.beam() == Beam::parallel)
    circle_ = assign_slots(geometry, pi);
  for (int i = 0; i < 8; ++i) steps_[static_cast<std::size_t>(i)] = steps_of(i % 4, i >= 4);
  for (int i = 0; i < candidates(); ++i) {
    const SymmetryElement g{i % 4, i / 4 % 2 == 1, i >= 8};
    const std::string reason = is_identity(g) ? "" : failure(g, geometry, grid);
    if (reason.empty())
      elements_.push_back(g);
    else
      failures_.push_back({g, reason});
  }
  find_orbits();
}

/// Assigns to each view, in any order, its slot on a circle of equal steps. Returns an empty Circle
/// if a view lies between two slots or two views have the same slot.
ScanSymmetry::Circle ScanSymmetry::assign_slots(const ScanGeometry& geometry,
                                                double turn_rad) const {
  Circle circle{views_ * static_cast<int>(std::lround(2 * pi / turn_rad)),
                geometry.angle_rad(0),
                turn_rad / views_,
                {},
                std::vector<int>(static_cast<std::size_t>(views_), -1)};
  for (int v = 0; v < views_; ++v) {
    const double steps = (geometry.angle_rad(v) - circle.first_rad) / circle.step_rad;
    const double whole = std::round(steps);
    if (std::abs(steps - whole) * circle.step_rad > angle_tolerance_rad) return {};
    const int place = modulo(static_cast<long long>(whole), circle.period);
    int& owner = circle.view_of_slot[static_cast<std::size_t>(place % views_)];
    if (owner >= 0) return {};
    owner = v;
    circle.slot_of_view.push_back(place);
  }
  return circle;
}

/// Returns the number of slots by which an element shifts the views, k V / 4 - 2 s t_0 / D (mod
/// period), or nothing if this is not a whole number.
std::optional<int> ScanSymmetry::steps_of(int quarter_turns, bool mirror) const {
  if (circle_.period == 0) return std::nullopt;
  const double angle = quarter_turns * pi / 2 - (mirror ? 2 * circle_.first_rad : 0.0);
  const double steps = angle / circle_.step_rad;
  if (!is_whole(steps, 2 * angle_tolerance_rad / circle_.step_rad)) return std::nullopt;
  return modulo(std::llround(steps), circle_.period);
}

bool ScanSymmetry::holds(const SymmetryElement& g) const {
  return std::ranges::find(elements_, g) != elements_.end();
}

VoxelIndex ScanSymmetry::voxel(const SymmetryElement& g, VoxelIndex at) const {
  const int x = g.mirror ? nx_ - 1 - at.x : at.x, y = at.y, z = g.mirror_z ? nz_ - 1 - at.z : at.z;
  switch (g.quarter_turns) {
    case 1:
      return {ny_ - 1 - y, x, z};
    case 2:
      return {nx_ - 1 - x, ny_ - 1 - y, z};
    case 3:
      return {y, nx_ - 1 - x, z};
    default:
      return {x, y, z};
  }
}

RayIndex ScanSymmetry::ray(const SymmetryElement& g, RayIndex at) const {
  if (is_identity(g)) return at;
  const int row = g.mirror_z ? rows_ - 1 - at.row : at.row;
  if (!g.mirror && g.quarter_turns == 0) return {at.view, at.column, row};
  const auto steps = steps_[static_cast<std::size_t>(4 * g.mirror + g.quarter_turns)];
  if (!steps)
    throw ShapeError("the scan does not have this symmetry", describe(g), "look at elements()");
  const int from = circle_.slot_of_view[static_cast<std::size_t>(at.view)];
  const int place = modulo((g.mirror ? -from : from) + *steps, circle_.period);
  const int view = circle_.view_of_slot[static_cast<std::size_t>(place % views_)];
  // The ray is measured from the opposite side; this occurs only in a parallel beam over 180
  // degrees.
  const bool opposite = place != circle_.slot_of_view[static_cast<std::size_t>(view)];
  return {view, g.mirror != opposite ? columns_ - 1 - at.column : at.column, row};
}

// ---- The reason why an element does not hold; empty if it holds

std::string ScanSymmetry::failure(const SymmetryElement& g, const ScanGeometry& geometry,
                                  const VolumeGrid& grid) const {
  const ScanSpec& spec = geometry.spec();
  if (!geometry.rotates()) return "the views are free poses, not positions on a circle";
  if (spec.trajectory == Trajectory::helical)
    return "the source climbs " + rounded(spec.helical_feed_mm_per_turn) +
           " mm a turn: views do not map onto views";
  std::string reason = grid_failure(g, grid);
  if (reason.empty()) reason = view_failure(g);
  if (reason.empty()) reason = detector_failure(g, spec);
  return reason;
}

std::string ScanSymmetry::grid_failure(const SymmetryElement& g, const VolumeGrid& grid) const {
  const Vec3 spacing = grid.spacing_mm, centre = grid.center_mm();
  const bool quarter = g.quarter_turns % 2 == 1;
  if (quarter && grid.nx != grid.ny)
    return "the image has " + std::to_string(grid.nx) + " x " + std::to_string(grid.ny) +
           " pixels: a rotation by 90° does not map it onto itself";
  if (quarter && std::abs(spacing.x - spacing.y) * grid.nx > cell_tolerance * spacing.x)
    return "pixels of " + rounded(spacing.x) + " x " + rounded(spacing.y) +
           " mm are not square: a rotation by 90° does not map them onto pixels";
  Vec3 image = centre;
  if (g.mirror) image.x = -image.x;
  for (int i = 0; i < g.quarter_turns; ++i) image = {-image.y, image.x, image.z};
  if (std::abs(image.x - centre.x) > cell_tolerance * spacing.x ||
      std::abs(image.y - centre.y) > cell_tolerance * spacing.y)
    return "the grid's centre lies at x = " + rounded(centre.x) + ", y = " + rounded(centre.y) +
           " mm, not on the axis";
  if (g.mirror_z && std::abs(centre.z) > cell_tolerance * spacing.z)
    return "the grid's centre lies " + rounded(centre.z) + " mm along the axis from the source";
  return {};
}

std::string ScanSymmetry::view_failure(const SymmetryElement& g) const {
  if (!g.mirror && g.quarter_turns == 0) return {};
  if (circle_.period == 0) return "the views do not divide a whole turn into equal steps";
  if (steps_[static_cast<std::size_t>(4 * g.mirror + g.quarter_turns)]) return {};
  const double start = circle_.first_rad / circle_.step_rad;
  if (g.mirror && !is_whole(2 * start, 2 * angle_tolerance_rad / circle_.step_rad))
    return "the first view stands " + rounded(start - std::floor(start)) +
           " steps beside the axis: mirrors need 0 or 0.5";
  return "a rotation by " + std::to_string(90 * g.quarter_turns) + "° takes " +
         rounded(0.25 * g.quarter_turns * circle_.period) + " steps between views, no whole number";
}

std::string ScanSymmetry::detector_failure(const SymmetryElement& g, const ScanSpec& spec) const {
  const double columns_off = 0.5 * (columns_ - 1) - spec.central_column,
               rows_off = 0.5 * (rows_ - 1) - spec.central_row;
  const bool in_plane = g.mirror || g.quarter_turns != 0, half_turn = circle_.period == 2 * views_;
  if (std::abs(columns_off) > cell_tolerance && (g.mirror || (in_plane && half_turn)))
    return "the detector is offset by " + rounded(columns_off) + " cells: " +
           (g.mirror ? "mirrors do not map rays onto rays"
                     : "rays taken from the other side do not fall onto rays");
  if (std::abs(rows_off) > cell_tolerance && g.mirror_z)
    return "the detector is offset by " + rounded(rows_off) +
           " cells along the axis: its mirror image does not fall onto rows";
  return {};
}

// ---- Orbits

void ScanSymmetry::find_orbits() {
  // If several elements map a stored view to a view, one that maps lines along x onto lines along x
  // is preferred. Projectors that step through layers of x or y choose the same direction for all
  // diagonal rays, so that a rotation by 90 degrees does not map their weights onto each other.
  std::vector<SymmetryElement> in_order = elements_;
  std::stable_partition(in_order.begin(), in_order.end(),
                        [](const SymmetryElement& g) { return g.quarter_turns % 2 == 0; });
  images_.assign(static_cast<std::size_t>(views_), {-1, {}});
  for (int v = 0; v < views_; ++v) {
    if (images_[static_cast<std::size_t>(v)].stored_view >= 0) continue;
    stored_views_.push_back(v);
    for (const SymmetryElement& g : in_order) {
      Image& image = images_[static_cast<std::size_t>(view(g, v))];
      if (image.stored_view < 0) image = {v, g};
    }
  }
}

std::size_t ScanSymmetry::stored_rays() const {
  const auto columns = static_cast<std::size_t>(columns_), rows = static_cast<std::size_t>(rows_);
  std::size_t rays = 0;
  for (const int v : stored_views_) {
    // An element that maps a view onto itself reverses its columns, its rows, both or neither.
    bool across = false, along = false, both = false;
    for (const SymmetryElement& g : elements_) {
      const RayIndex image = ray(g, {v, 0, 0});
      if (image.view != v) continue;
      const bool c = image.column != 0, r = image.row != 0;
      across = across || (c && !r);
      along = along || (r && !c);
      both = both || (c && r);
    }
    if (across && along)
      rays += (columns + 1) / 2 * ((rows + 1) / 2);
    else if (across)
      rays += (columns + 1) / 2 * rows;
    else if (along)
      rays += columns * ((rows + 1) / 2);
    else
      rays += both ? (columns * rows + 1) / 2 : columns * rows;
  }
  return rays;
}

std::string describe(const ScanSymmetry& symmetry) {
  const std::string views = std::to_string(symmetry.images().size());
  if (symmetry.elements().size() == 1)
    return "only the identity holds; all " + views + " views need storing";
  return std::to_string(symmetry.elements().size()) + " of " +
         std::to_string(symmetry.candidates()) + " elements hold; " +
         std::to_string(symmetry.stored_views().size()) + " of " + views + " views need storing";
}

}  // namespace gantry
