#include "gpu/projectors/distance_driven/fan/dd_fan_plan.hpp"

#include "gpu/base/launch.hpp"
#include "gpu/projectors/distance_driven/fan/dd_fan_tables.hpp"

#include <cmath>

namespace gantry {

namespace {

using device::DdFanScan;
using device::LayerSums;
using device::Span;

constexpr int most_shares = dd_fan::most_view_parts,
              fewest_views_of_share = dd_fan::fewest_views_of_part, chunk = dd_fan::band_layers;
constexpr std::size_t beside_bytes = std::size_t{12} << 20U,
                      most_of_volume_bytes = std::size_t{16} << 20U,
                      fewest_work_bytes = std::size_t{9} << 20U;

Span whole(int count) { return {.first = 0, .count = count, .split = count, .gap = 0}; }
Span part(int first, int count) {
  return {.first = first, .count = count, .split = count, .gap = 0};
}

/// Divides `count` into parts of at most `most` each, of one size except for the last one; returns
/// the size, a multiple of `chunk`.
int even_parts(int count, int most) {
  const int parts = static_cast<int>(blocks(count, std::max(most / chunk * chunk, chunk)));
  return std::min(static_cast<int>(blocks(blocks(count, parts), chunk)) * chunk, count);
}

}  // namespace

unsigned DdFanRegion::tiles() const {
  return blocks(x.count, device::fold_tile) * blocks(y.count, device::fold_tile) *
         (with_exchanged_axes ? 2 : 1);
}

std::size_t DdFanTransposePass::largest_region() const {
  std::size_t largest = 0;
  for (const DdFanRegion& region : regions) largest = std::max(largest, region.size());
  return largest;
}

unsigned DdFanTransposePass::tiles() const {
  unsigned sum = 0;
  for (const DdFanRegion& region : regions) sum += region.tiles();
  return sum;
}

DdFanPlan::DdFanPlan(const ScanGeometry& geometry, const VolumeGrid& grid, int multiprocessors)
    : nx_(grid.nx),
      ny_(grid.ny),
      nz_(grid.nz),
      views_(geometry.views()),
      columns_(geometry.columns()),
      multiprocessors_(multiprocessors),
      rays_(geometry.rays()),
      table_bytes_(DdFanTables::bytes(geometry)),
      symmetry_bytes_(0),
      stored_views_(static_cast<int>(symmetric_fan_views(geometry, grid).size())),
      shape_(fan_shape(geometry, grid)) {
  symmetry_bytes_ = DdFanSymmetry::bytes(stored_views_);
  choose_group();
  work_floats_ = (find_work_floats() + 127) / 128 * 128;  // its half is a multiple of 64 then
}

std::size_t DdFanPlan::bytes() const {
  return table_bytes_ + symmetry_bytes_ + (view_sums_floats_ + work_floats_) * sizeof(float) +
         norm_parts() * sizeof(double);
}

/// The row weights of a stack are those of one slice's rays.
StepWorkspace DdFanPlan::step_workspace() const {
  return {.images = 0,
          .ray_vectors = 0,
          .bytes = bytes(),
          .row_scaling_bytes = rays_ / static_cast<std::size_t>(nz_) * sizeof(float)};
}

DdFanBundle DdFanPlan::quads_of(int slices) {
  const int quads = static_cast<int>(blocks(slices, 4));
  return {quads == 1 ? 1 : (quads + 1) / 2 * 2, 4, true};
}

/// Chooses the slices of a group: 32, as the forward product takes at once, or fewer (8 at least)
/// if the prefix sums of their views leave too little for the work memory.
void DdFanPlan::choose_group() {
  const std::size_t volume = pixels() * static_cast<std::size_t>(nz_) * sizeof(float),
                    data = rays_ * sizeof(float), weights = data / static_cast<std::size_t>(nz_),
                    beside = beside_bytes + std::min(volume, most_of_volume_bytes),
                    budget = volume + std::min(data - weights, volume) + beside;
  const auto left = [&] {
    const std::size_t fixed = table_bytes_ + symmetry_bytes_ + view_sums_floats_ * sizeof(float);
    return budget - std::min(budget, fixed);
  };
  const auto take = [&](const DdFanBundle& bundle, int views) {
    const std::size_t floats = floats_of_views(bundle, views);
    view_sums_floats_ = (floats + 63) / 64 * 64;  // the work memory begins on a cache line
  };
  if (slices() == 1) {
    take(single(), views_);
    if (has_symmetry()) take(symmetric_bundle(), stored_views_);
  } else {
    for (group_slices_ = device::wide_slices;; group_slices_ /= 2) {
      take(quads_of(std::min(group_slices_, slices())), views_);
      if (left() >= fewest_work_bytes || group_slices_ == dd_fan::fewest_group_slices) break;
    }
  }
  work_bytes_ = std::max(left(), fewest_work_bytes);
}

bool DdFanPlan::wide(int slices, int views) const {
  const std::int64_t warps = std::int64_t{views} * blocks(columns_, device::per_warp);
  return slices >= dd_fan::worth_a_wide_pass &&
         warps >= std::int64_t{dd_fan::enough_wide_warps} * multiprocessors_;
}

// ---- Sizes of prefix sums

std::size_t DdFanPlan::floats_of_lines(const DdFanBundle& bundle, int lines) const {
  const DdFanScan& scan = shape_;
  const auto of = [&](const LayerSums& plane) {
    return static_cast<std::size_t>(plane.stride) *
           static_cast<std::size_t>(std::min(lines, plane.end));
  };
  return bundle.floats() * (of(scan.along_y) + (bundle.both_kinds ? of(scan.along_x) : 0));
}

std::size_t DdFanPlan::floats_of_views(const DdFanBundle& bundle, int views) const {
  return bundle.floats() * static_cast<std::size_t>(views) *
         static_cast<std::size_t>(shape_.row_stride);
}

int DdFanPlan::band_lines(const DdFanBundle& bundle) const {
  const DdFanScan& scan = shape_;
  const int lines = std::max(scan.along_y.end, bundle.both_kinds ? scan.along_x.end : 0);
  if (floats_of_lines(bundle, lines) * sizeof(float) <= work_bytes_) return lines;
  const std::size_t each = floats_of_lines(bundle, 1) * sizeof(float);
  return even_parts(lines, static_cast<int>(std::min<std::size_t>(
                               work_bytes_ / each, static_cast<std::size_t>(lines))));
}

// ---- Transpose

/// Regions of a scan without symmetries: bands of `rows` pixel rows, for both kinds of layers.
std::vector<DdFanRegion> DdFanPlan::bands(int rows) const {
  std::vector<DdFanRegion> regions;
  for (int first = 0; first < ny_; first += rows)
    regions.push_back({whole(nx_), part(first, std::min(rows, ny_ - first)), false});
  return regions;
}

/// Regions of a scan with eight symmetries. Pixels that an element takes to each other are added up
/// and must be in one region, so that pixels are classed by their distance from the middle along
/// each axis; each pair of classes (x, y) and (y, x) is a region. Classes begin at a multiple of a
/// warp's 31 pixels.
///
///   spans of 2 classes along an axis:  |  1  |    0    |  1  |     0: one span, 1: a span with a
///   gap
std::vector<DdFanRegion> DdFanPlan::rings(int classes) const {
  const int n = nx_, half = n / 2, groups = static_cast<int>(blocks(half, device::per_warp));
  classes = std::clamp(classes, 1, std::max(groups, 1));
  std::vector<Span> spans;
  int inner = 0;
  for (int c = 1; c <= classes; ++c) {
    const int outer = c == classes ? half : groups * c / classes * device::per_warp;
    if (inner == 0)
      spans.push_back(part(half - outer, 2 * outer + n % 2));
    else
      spans.push_back({.first = half - outer,
                       .count = 2 * (outer - inner),
                       .split = outer - inner,
                       .gap = 2 * inner + n % 2});
    inner = outer;
  }
  std::vector<DdFanRegion> regions;
  for (std::size_t a = 0; a < spans.size(); ++a)
    for (std::size_t b = a; b < spans.size(); ++b) regions.push_back({spans[b], spans[a], a != b});
  return regions;
}

/// Chooses the passes of the transpose for a group, whose values are a multiple of `quads`:
///   all values in one pass, the views in one or more parts, if their partial images fit;
///   else two passes at a time, each with half of the work memory: several values each or, if not
///   even one fits, one after the other region by region.
DdFanTransposePass DdFanPlan::transpose_pass(const DdFanBundle& group, int quads, int views) const {
  const auto units_in = [&](std::size_t bytes, std::size_t pixels) {
    const std::size_t unit = static_cast<std::size_t>(quads) *
                             static_cast<std::size_t>(group.width) * pixels *
                             (group.both_kinds ? 2 : 1) * sizeof(float);
    return static_cast<int>(std::min<std::size_t>(bytes / unit, 1 << 20U));
  };
  const DdFanScan& scan = shape_;
  const auto warps = [](const LayerSums& plane) {
    return static_cast<double>(plane.count) * blocks(plane.width, device::per_warp);
  };
  // Each kind of layers has a launch of its own.
  const double of_unit = std::max(warps(scan.along_y), warps(scan.along_x)),
               enough = static_cast<double>(dd_fan::enough_warps) * multiprocessors_,
               of_place = static_cast<double>(dd_fan::enough_warps_of_pass) * multiprocessors_;
  const int units = group.values / quads;
  if (const int most_units = units_in(work_bytes_, pixels());
      most_units >= units && (units == 1 || 2 * of_place > units * of_unit)) {
    const int shares = std::clamp(views / fewest_views_of_share, 1, most_shares);
    return {group.values,
            std::clamp(static_cast<int>(std::lround(enough / (units * of_unit))), 1,
                       std::min(shares, most_units / units)),
            1, bands(ny_)};
  }
  const std::size_t place = work_bytes_ / 2;
  DdFanTransposePass pass{quads, 1, 2, bands(ny_)};
  if (const int most_units = units_in(place, pixels()); most_units > 0) {
    const int wanted = static_cast<int>(std::ceil(of_place / of_unit));
    pass.values = quads * std::min({wanted, most_units, units});
  } else if (group.both_kinds) {
    pass.regions = bands(even_parts(ny_, units_in(place, static_cast<std::size_t>(nx_))));
  } else {
    for (int classes = 2;
         units_in(place, pass.largest_region()) == 0 && classes <= dd_fan::most_ring_classes;
         ++classes)
      pass.regions = rings(classes);
  }
  return pass;
}

/// Returns the most floats that partial images take, for any number of views up to `views`.
std::size_t DdFanPlan::most_parts(const DdFanBundle& group, int quads, int views) const {
  std::size_t most = 0;
  for (int some = std::min(views, most_shares * fewest_views_of_share); some > 0;
       some -= fewest_views_of_share) {
    const DdFanTransposePass pass = transpose_pass(group, quads, some);
    const std::size_t place = static_cast<std::size_t>(pass.values * group.width * pass.shares) *
                              pass.largest_region() * (group.both_kinds ? 2 : 1);
    most = std::max(most, place * static_cast<std::size_t>(pass.places));
  }
  return most;
}

std::size_t DdFanPlan::find_work_floats() const {
  std::size_t most = 0;
  const int views = views_;
  const auto needs = [&](const DdFanBundle& bundle, int quads, int some_views) {
    most = std::max(
        {most, floats_of_lines(bundle, band_lines(bundle)), most_parts(bundle, quads, some_views)});
  };
  if (slices() == 1) {
    needs(single(), 1, views);
    if (has_symmetry()) needs(symmetric_bundle(), 2, stored_views_);
    return most;
  }
  for (const int some : {std::min(group_slices_, slices()), (slices() - 1) % group_slices_ + 1}) {
    const DdFanBundle bundle = quads_of(some);
    needs(bundle, bundle.values == 1 ? 1 : 2, views);
    if (wide(some, views))
      most = std::max(most, floats_of_lines(wide_pass(), band_lines(wide_pass())));
  }
  return std::max(most, floats_of_lines(single(), band_lines(single())));  // row weights
}

int DdFanPlan::values_of_all_groups() const {
  int sum = 0;
  for_each_group({0, 1, 1}, [&](const Group& group) { sum += group.bundle.values; });
  return sum;
}

int DdFanPlan::parts_of_views(ViewSubset subset) const {
  return parts_of_line(symmetric(subset) ? symmetric_bundle().values * stored_views_
                                         : values_of_first_group() * subset.count);
}

std::size_t DdFanPlan::residual_parts(ViewSubset subset) const {
  const int lines = symmetric(subset) ? symmetric_bundle().values * stored_views_
                                      : values_of_all_groups() * subset.count;
  return static_cast<std::size_t>(lines) * static_cast<std::size_t>(parts_of_views(subset));
}

/// The maximum is that of all views, or of the most views whose lines are still divided.
std::size_t DdFanPlan::most_residual_parts() const {
  const int views = views_,
            shared = std::clamp((enough_lines() - 1) / values_of_first_group(), 1, views);
  return std::max({residual_parts(ViewSubset::all(views)), residual_parts({0, 1, views}),
                   residual_parts({0, 1, shared}),
                   static_cast<std::size_t>(values_of_all_groups()) *
                       static_cast<std::size_t>(shared * device::most_line_parts)});
}

std::size_t DdFanPlan::update_blocks(ViewSubset subset) const {
  std::size_t sum = 0;
  for_each_group(subset, [&](const Group& group) {
    sum += static_cast<std::size_t>(group.slices) *
           transpose_pass(group.bundle, group.quads, group.views).tiles();
  });
  return sum;
}

std::size_t DdFanPlan::most_update_blocks() const {
  const std::size_t of_all = update_blocks(ViewSubset::all(views_));
  return slices() == 1 ? std::max<std::size_t>(of_all, transpose_pass(single(), 1, 1).tiles())
                       : of_all;
}

}  // namespace gantry
