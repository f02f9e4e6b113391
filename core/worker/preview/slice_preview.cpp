#include "core/worker/preview/slice_preview.hpp"

#include "core/base/error.hpp"
#include "core/geometry/coarsening.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace gantry {

namespace {

/// Pixels times views that a backprojection on two cores takes about half a second for; of a cone
/// beam, more than a second.
constexpr double most_updates = 1.2e9;
/// As many views of a cone beam show a slice without many streaks.
constexpr std::size_t enough_views = 300;
/// Line integrals that are filtered, or corrected, in some tenths of a second.
constexpr std::size_t most_rays_of_slice = std::size_t{24} << 20;
constexpr std::size_t most_rays_to_correct = std::size_t{16} << 20;

/// Returns the row of a stack's detector at the height of a slice, if it has one.
int row_of_slice(const ScanSpec& scan, const VolumeGrid& grid, int slice) {
  const double row = scan.central_row + grid.voxel_center_mm(0, 0, slice).z / scan.row_pitch_mm;
  return std::clamp(static_cast<int>(std::lround(row)), 0, scan.detector_rows - 1);
}

/// Returns the greatest distance of a voxel from the axis, mm.
double radius_mm(const VolumeGrid& grid) {
  const Vec3 low = grid.voxel_center_mm(0, 0, 0),
             high = grid.voxel_center_mm(grid.nx - 1, grid.ny - 1, 0);
  return std::hypot(std::max(std::abs(low.x), std::abs(high.x)),
                    std::max(std::abs(low.y), std::abs(high.y)));
}

bool has_same_corrections(const Experiment& a, const Experiment& b) {
  return applied(a.corrections) == applied(b.corrections);
}

/// Returns the rows of the scan with the corrections that are tried.
std::vector<float> corrected_values(const Experiment& tried, const PresentData& present,
                                    RowRange rows, CorrectedRows& corrected,
                                    const Interrupt& interrupt) {
  if (has_same_corrections(tried, present.made_from))
    return rows_of(present.data->geometry->spec(), present.data->line_integrals, rows)
        .line_integrals;
  const bool is_large = present.data->line_integrals.size() > most_rays_to_correct;
  return corrected
      .of(tried, first_changed_correction(tried, present.made_from), rows,
          is_large ? WholeScan::stays_as_kept : WholeScan::may_be_made, interrupt)
      .line_integrals;
}

/// Returns the slice of a grid as a grid of its own, of pixels whose backprojection does not take
/// too long.
VolumeGrid grid_of_slice(VolumeGrid grid, int slice) {
  grid.origin_mm.z = grid.voxel_center_mm(0, 0, slice).z;
  grid.nz = 1;
  return grid;
}

double updates_of(const VolumeGrid& grid, std::size_t views) {
  return static_cast<double>(grid.voxels()) * static_cast<double>(views);
}

}  // namespace

bool is_stack(const ScanSpec& scan, const VolumeGrid& grid) {
  return scan.beam != Beam::cone && scan.trajectory == Trajectory::circular &&
         grid.nz == scan.detector_rows &&
         std::abs(grid.spacing_mm.z / scan.row_pitch_mm - 1) < 1e-6;
}

std::optional<RowRange> rows_of_slice(const ScanSpec& scan, const VolumeGrid& grid, int slice) {
  if (slice < 0 || slice >= grid.nz) return std::nullopt;
  if (is_stack(scan, grid)) return RowRange{row_of_slice(scan, grid, slice), 1};
  const double source_mm = scan.source_to_isocenter_mm, radius = radius_mm(grid);
  if (scan.beam != Beam::cone || scan.trajectory != Trajectory::circular || radius >= source_mm)
    return std::nullopt;
  // The slice is seen highest or lowest where it is nearest to the source, or farthest from it.
  const double z_rows = grid.voxel_center_mm(0, 0, slice).z * scan.source_to_detector_mm /
                        scan.row_pitch_mm,
               near = scan.central_row + z_rows / (source_mm - radius),
               far = scan.central_row + z_rows / (source_mm + radius);
  // One row more than interpolation takes, on either side.
  const double first = std::max(0.0, std::floor(std::min(near, far)) - 1),
               last = std::min(scan.detector_rows - 1.0, std::ceil(std::max(near, far)) + 1);
  if (first > last) return std::nullopt;
  return RowRange{static_cast<int>(first), static_cast<int>(last - first) + 1};
}

std::shared_ptr<const ReducedImage> reconstruct_slice(const Experiment& tried,
                                                      const PresentData& present, int slice,
                                                      SliceHaste haste, CorrectedRows& corrected,
                                                      const Catalog& catalog,
                                                      const BackendList& backends,
                                                      const Interrupt& interrupt) {
  const ExperimentData& data = *present.data;
  const bool keeps_scan = tried.source.rebin_to_fans || !tried.geometry;
  const ScanSpec& scan = keeps_scan ? data.geometry->spec() : *tried.geometry;
  const VolumeGrid grid = tried.grid.value_or(data.grid);
  const bool has_same_slices = grid.nz == data.grid.nz &&
                               grid.origin_mm.z == data.grid.origin_mm.z &&
                               grid.spacing_mm.z == data.grid.spacing_mm.z;
  if (data.reference != nullptr || !has_same_slices ||
      !is_reduced(grid, Reduction::for_direct_method) ||
      !same_source(tried.source, present.made_from.source) ||
      ScanGeometry(scan).rays() != data.line_integrals.size())
    return nullptr;
  const auto rows = rows_of_slice(scan, grid, slice);
  const std::size_t views = scan.view_angles_rad.size();
  if (!rows || cell_index(scan, 0, rows->count) * views > most_rays_of_slice ||
      (data.rebinned_from != nullptr && !has_same_corrections(tried, present.made_from)))
    return nullptr;
  auto one = std::make_shared<ExperimentData>();
  one->line_integrals = corrected_values(tried, present, *rows, corrected, interrupt);
  one->geometry = std::make_shared<const ScanGeometry>(spec_of_rows(scan, *rows));
  one->grid = grid_of_slice(grid, slice);
  one->mu_water = data.mu_water;
  one->counting = data.counting;
  // The cells of a stack are binned with the pixels; the rows of a cone beam must stay.
  int across = std::max(grid.nx, grid.ny);
  if (scan.beam == Beam::cone)
    while (updates_of(one->grid, views) > most_updates)
      one->grid = with_double_voxels(one->grid, false);
  else
    while (static_cast<double>(across) * across * static_cast<double>(views) > most_updates)
      across = (across + 1) / 2;
  const bool has_haste = haste == SliceHaste::follows_slider && scan.beam == Beam::cone &&
                         2 * updates_of(one->grid, views) > most_updates;
  const std::size_t n = has_haste ? std::max<std::size_t>(1, views / enough_views) : 1;
  return std::make_shared<const ReducedImage>(
      reconstruct_quickly(with_every_nth_view(std::move(one), n), catalog, backends, interrupt,
                          Reduction::to(across), "auto"));
}

PresentData with_corrections_of(const Experiment& tried, PresentData present,
                                CorrectedRows& corrected, const Interrupt& interrupt) {
  if (has_same_corrections(tried, present.made_from)) return present;
  const ExperimentData& data = *present.data;
  if (data.rebinned_from != nullptr || !data.geometry->rotates() ||
      data.line_integrals.size() > most_rays_to_correct ||
      !same_source(tried.source, present.made_from.source))
    throw UsageError("this change cannot be followed", {}, "let go and apply it");
  Experiment other = present.made_from;
  other.corrections = tried.corrections;
  auto made = std::make_shared<ExperimentData>(data);
  made->line_integrals = corrected
                             .of(other, first_changed_correction(tried, present.made_from),
                                 {0, data.geometry->rows()}, WholeScan::may_be_made, interrupt)
                             .line_integrals;
  return {std::move(other), std::move(made)};
}

}  // namespace gantry
