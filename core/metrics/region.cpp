#include "core/metrics/region.hpp"

#include "core/base/error.hpp"
#include "core/base/params.hpp"

#include <charconv>
#include <string_view>

namespace gantry {

namespace {

// Relative tolerance by which a voxel centre on the rim belongs to the region in spite of rounding.
constexpr double rim = 1e-9;

// Before the box around an ellipse, in texts.
constexpr std::string_view ellipse_word = "ellipse:";

/// Returns whether a region is an ellipse: a "circle" whose radii differ.
bool is_ellipse(const Region& region) {
  return region.shape == Region::Shape::circle && region.half_width_mm != region.half_height_mm;
}

void require_finite(double value, const std::string& where) {
  if (!std::isfinite(value))
    throw UsageError("holds a number that is not finite", where, "give numbers in mm");
}

/// Returns the number rounded to a thousandth of a millimetre.
std::string number(double value) { return format_param(std::round(1e3 * value) / 1e3); }

std::string joined(const std::vector<double>& numbers) {
  std::string text;
  for (const double value : numbers) text += (text.empty() ? "" : ",") + number(value);
  return text;
}

/// Returns the numbers between commas, or nothing if the text holds anything else.
std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    double value = 0;
    const auto [rest, error] = std::from_chars(at, end, value);
    if (error != std::errc{}) return {};
    numbers.push_back(value);
    if (rest == end) return numbers;
    if (*rest != ',') return {};
    at = rest + 1;
  }
}

}  // namespace

bool Region::contains(const Vec3& p) const {
  if (p.z < z_low_mm || p.z > z_high_mm) return false;
  const double dx = std::abs(p.x - x_mm), dy = std::abs(p.y - y_mm);
  if (is_ellipse(*this)) return std::hypot(dx / half_width_mm, dy / half_height_mm) <= 1 + rim;
  if (shape == Shape::circle) return std::hypot(dx, dy) <= half_width_mm * (1 + rim);
  return dx <= half_width_mm * (1 + rim) && dy <= half_height_mm * (1 + rim);
}

void Region::validate(const std::string& where) const {
  for (const double value : {x_mm, y_mm, half_width_mm, half_height_mm})
    require_finite(value, where);
  for (const double z : {z_low_mm, z_high_mm})
    if (std::isnan(z)) require_finite(z, where);
  if (!(half_width_mm > 0 && half_height_mm > 0))
    throw UsageError(shape == Shape::circle
                         ? "a radius of " + format_param(std::min(half_width_mm, half_height_mm)) +
                               " mm holds nothing"
                         : "a box of " + format_param(2 * half_width_mm) + " x " +
                               format_param(2 * half_height_mm) + " mm holds nothing",
                     where, "use a positive size in mm");
  if (z_low_mm > z_high_mm)
    throw UsageError(
        "z goes from " + format_param(z_low_mm) + " to " + format_param(z_high_mm) + " mm", where,
        "give the lower end first");
}

void EdgeSegment::validate(const std::string& where) const {
  for (const double value : {x0_mm, y0_mm, x1_mm, y1_mm, z_mm.value_or(0)})
    require_finite(value, where);
  if (!(length_mm() > 0))
    throw UsageError("begins where it ends", where,
                     "draw it from one side of the edge to the other");
}

Region parse_region(const std::string& text, const std::string& where) {
  const bool ellipse = text.starts_with(ellipse_word);
  const std::vector<double> n = numbers_in(ellipse ? text.substr(ellipse_word.size()) : text);
  if (n.size() < 3 || n.size() > 6 || (ellipse && n.size() % 2 == 1))
    throw UsageError("\"" + text + "\" is no region", where,
                     "write X,Y,R (a circle), X0,Y0,X1,Y1 (a box) or ellipse:X0,Y0,X1,Y1 (in that "
                     "box) in mm, then ,Z0,Z1 where it does not go through all slices");
  const bool circle = n.size() % 2 == 1;
  Region region = circle ? Region::circle(n[0], n[1], n[2]) : Region::box(n[0], n[1], n[2], n[3]);
  if (ellipse) region.shape = Region::Shape::circle;
  if (n.size() >= 5) {
    region.z_low_mm = n[n.size() - 2];
    region.z_high_mm = n[n.size() - 1];
  }
  region.validate(where);
  return region;
}

EdgeSegment parse_edge(const std::string& text, const std::string& where) {
  const std::vector<double> n = numbers_in(text);
  if (n.size() < 4 || n.size() > 5)
    throw UsageError("\"" + text + "\" is no segment", where,
                     "write X0,Y0,X1,Y1 in mm, then ,Z where it is not in the middle slice");
  EdgeSegment segment{n[0], n[1], n[2], n[3]};
  if (n.size() == 5) segment.z_mm = n[4];
  segment.validate(where);
  return segment;
}

std::string format_region(const Region& r) {
  std::vector<double> numbers = {r.x_mm, r.y_mm, r.half_width_mm};
  if (r.shape == Region::Shape::box || is_ellipse(r))
    numbers = {r.x_mm - r.half_width_mm, r.y_mm - r.half_height_mm, r.x_mm + r.half_width_mm,
               r.y_mm + r.half_height_mm};
  if (r.limited_in_z())
    for (const double z : {r.z_low_mm, r.z_high_mm}) numbers.push_back(std::clamp(z, -1e9, 1e9));
  return (is_ellipse(r) ? std::string(ellipse_word) : std::string()) + joined(numbers);
}

std::string format_edge(const EdgeSegment& e) {
  std::vector<double> numbers = {e.x0_mm, e.y0_mm, e.x1_mm, e.y1_mm};
  if (e.z_mm) numbers.push_back(*e.z_mm);
  return joined(numbers);
}

int edge_slice(const VolumeGrid& grid, const EdgeSegment& edge) {
  if (!edge.z_mm) return grid.nz / 2;
  const double slice = std::round((*edge.z_mm - grid.origin_mm.z) / grid.spacing_mm.z);
  return static_cast<int>(std::clamp(slice, 0.0, grid.nz - 1.0));
}

std::string describe(const Region& region) {
  std::string text = is_ellipse(region) ? "ellipse of " + number(2 * region.half_width_mm) + " x " +
                                              number(2 * region.half_height_mm) + " mm"
                     : region.shape == Region::Shape::circle
                         ? "circle of radius " + number(region.half_width_mm) + " mm"
                         : "box of " + number(2 * region.half_width_mm) + " x " +
                               number(2 * region.half_height_mm) + " mm";
  text += " about (" + number(region.x_mm) + ", " + number(region.y_mm) + ") mm";
  if (region.limited_in_z())
    text += ", z " + number(region.z_low_mm) + " to " + number(region.z_high_mm) + " mm";
  return text;
}

IndexRange index_range(double low_mm, double high_mm, double origin_mm, double spacing_mm,
                       int count) {
  // The range is wider by half a thousandth of a voxel on either side; Region::contains() decides
  // exactly.
  const double first = std::ceil((low_mm - origin_mm) / spacing_mm - 5e-4),
               last = std::floor((high_mm - origin_mm) / spacing_mm + 5e-4);
  return {static_cast<int>(std::clamp(first, 0.0, static_cast<double>(count))),
          static_cast<int>(std::clamp(last, -1.0, count - 1.0))};
}

BoxOfVoxels box_of(const VolumeGrid& g, const Region& r) {
  return {index_range(r.x_mm - r.half_width_mm, r.x_mm + r.half_width_mm, g.origin_mm.x,
                      g.spacing_mm.x, g.nx),
          index_range(r.y_mm - r.half_height_mm, r.y_mm + r.half_height_mm, g.origin_mm.y,
                      g.spacing_mm.y, g.ny),
          index_range(r.z_low_mm, r.z_high_mm, g.origin_mm.z, g.spacing_mm.z, g.nz)};
}

bool holds_voxel(const VolumeGrid& grid, const Region& region) {
  const BoxOfVoxels box = box_of(grid, region);
  for (int iz = box.z.first; iz <= box.z.last; ++iz)
    for (int iy = box.y.first; iy <= box.y.last; ++iy)
      for (int ix = box.x.first; ix <= box.x.last; ++ix)
        if (region.contains(grid.voxel_center_mm(ix, iy, iz))) return true;
  return false;
}

std::vector<std::uint8_t> region_mask(const VolumeGrid& grid, const Region& region) {
  std::vector<std::uint8_t> mask(grid.voxels());
  const BoxOfVoxels box = box_of(grid, region);
#pragma omp parallel for schedule(static) collapse(2)
  for (int iz = box.z.first; iz <= box.z.last; ++iz)
    for (int iy = box.y.first; iy <= box.y.last; ++iy)
      for (int ix = box.x.first; ix <= box.x.last; ++ix)
        if (region.contains(grid.voxel_center_mm(ix, iy, iz))) mask[grid.index(ix, iy, iz)] = 1;
  return mask;
}

}  // namespace gantry
