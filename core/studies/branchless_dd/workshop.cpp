#include "core/studies/branchless_dd/workshop.hpp"

#include "core/base/error.hpp"
#include "core/geometry/presets.hpp"

#include <algorithm>
#include <cmath>

namespace gantry::branchless_dd {

namespace {

constexpr double scale_without_gpu = 1.0 / 8;

int scaled_count(int count, double scale, int least) {
  return std::max(std::min(count, least), static_cast<int>(std::lround(count * scale)));
}

/// The fractional index of the same place on `to` cells instead of `from`.
double scaled_index(double index, int from, int to) { return (index + 0.5) * to / from - 0.5; }

VolumeGrid scaled(const VolumeGrid& grid, double scale) {
  VolumeGrid out = grid;
  out.nx = scaled_count(grid.nx, scale, 8);
  out.ny = scaled_count(grid.ny, scale, 8);
  out.nz = scaled_count(grid.nz, scale, 2);
  out.spacing_mm = {grid.spacing_mm.x * grid.nx / out.nx, grid.spacing_mm.y * grid.ny / out.ny,
                    grid.spacing_mm.z * grid.nz / out.nz};
  out.origin_mm = grid.lower_corner_mm() + 0.5 * out.spacing_mm;
  return out;
}

/// Equal steps over the same angle, about the same middle.
std::vector<double> scaled(const std::vector<double>& angles, int count) {
  const double step = (angles.back() - angles.front()) / static_cast<double>(angles.size() - 1) *
                      static_cast<double>(angles.size()) / count;
  const double middle = 0.5 * (angles.back() + angles.front());
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(middle + (i - 0.5 * (count - 1)) * step);
  return out;
}

}  // namespace

const Method& on_cpu() {
  static const Method method{"CPU-32", "distance_driven", "cpu"};
  return method;
}
const Method& ours() {
  static const Method method{"", "distance_driven", "cuda"};
  return method;
}
const Method& gpu_bl() {
  static const Method method{"GPU-BL", "dd_gpu_bl", "cuda"};
  return method;
}
const Method& gpu_bz() {
  static const Method method{"GPU-BZ", "dd_gpu_bz", "cuda"};
  return method;
}
const Method& gpu_db() {
  static const Method method{"GPU-DB", "dd_gpu_db", "cuda"};
  return method;
}
const Method& gpu_bs() {
  static const Method method{"GPU-BS", "dd_gpu_bs", "cuda"};
  return method;
}

Setting scaled(const Setting& setting, double scale) {
  ScanSpec spec = setting.geometry->spec();
  const int columns = scaled_count(spec.detector_columns, scale, 16),
            rows = scaled_count(spec.detector_rows, scale, 2),
            views = scaled_count(setting.geometry->views(), scale, 16);
  spec.central_column = scaled_index(spec.central_column, spec.detector_columns, columns);
  spec.central_row = scaled_index(spec.central_row, spec.detector_rows, rows);
  spec.column_pitch_mm *= 1.0 * spec.detector_columns / columns;
  spec.row_pitch_mm *= 1.0 * spec.detector_rows / rows;
  spec.detector_columns = columns;
  spec.detector_rows = rows;
  spec.view_angles_rad = scaled(spec.view_angles_rad, views);
  return {setting.name, std::make_shared<const ScanGeometry>(spec), scaled(setting.grid, scale)};
}

Workshop::Workshop(const StudyOptions& options) : options_(options) {
  if (options.catalog == nullptr || options.backends == nullptr)
    throw UsageError("the study needs the program's algorithms and devices", "branchless-dd");
  for (const auto& entry : options.backends->entries())
    gpu_ = gpu_ || (entry.key == "cuda" && entry.backend != nullptr && !entry.backend->lost());
  scale_ = options.scale > 0 ? options.scale : gpu_ ? 1 : scale_without_gpu;
}

bool Workshop::has(const Method& method) const {
  return (method.backend == "cpu" || gpu_) && catalog().projectors.has(method.key, method.backend);
}

std::vector<Method> Workshop::available(const std::vector<Method>& methods) const {
  std::vector<Method> found;
  std::ranges::copy_if(methods, std::back_inserter(found),
                       [this](const Method& method) { return has(method); });
  return found;
}

int Workshop::iterations(int wanted) const {
  return options_.iterations > 0 ? std::min(options_.iterations, wanted) : wanted;
}

bool Workshop::wants(const std::string& part) const {
  return options_.parts.empty() || std::ranges::find(options_.parts, part) != options_.parts.end();
}

std::unique_ptr<Projector> Workshop::make(const Method& method, const Setting& setting,
                                          const Params& params) const {
  give_way();
  auto projector = catalog().projectors.make(method.key, method.backend, backend(method),
                                             setting.geometry, setting.grid, params);
  projector->set_interrupt(options_.interrupt);
  return projector;
}

Setting Workshop::scanner(int views, int side, int slices) const {
  const ScanPreset& preset = scan_preset("ge_ct750");
  ScanSpec spec = preset.scan;
  spec.detector_rows = slices;
  spec.central_row = 0.5 * (slices - 1);
  spec.view_angles_rad = angles_from_degrees(0, 360.0 / views, views);
  const double pixel_mm = preset.grid.spacing_mm.x * preset.grid.nx / side;
  return scaled(
      {"GE CT750 HD", std::make_shared<const ScanGeometry>(spec),
       VolumeGrid::centered(side, side, slices, {pixel_mm, pixel_mm, preset.grid.spacing_mm.z})},
      scale_);
}

void Workshop::give_way() const {
  if (options_.interrupt != nullptr) options_.interrupt->check();
}

void Workshop::say(const std::string& what) const {
  give_way();
  if (options_.progress) options_.progress(done_, what);
}

}  // namespace gantry::branchless_dd
