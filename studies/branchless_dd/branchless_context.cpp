#include "studies/branchless_dd/branchless_context.hpp"

#include "core/base/cpu_threads.hpp"
#include "core/geometry/presets.hpp"

#include <algorithm>

namespace gantry::branchless_dd {

namespace {

constexpr double scale_without_gpu = 1.0 / 8;
constexpr int threads_in_print = 32;  // of CPU-32

}  // namespace

const Method& on_cpu() {
  static const Method method{"CPU-32", "distance_driven", "cpu"};
  return method;
}
const Method& ours() {
  static const Method method{"", "distance_driven", "cuda"};
  return method;
}
const Method& cpu_branchless() {
  static const Method method{"", "distance_driven_branchless", "cpu"};
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

BranchlessContext::BranchlessContext(const StudyOptions& options)
    : StudyContext(options, "branchless-dd", scale_without_gpu) {}

bool BranchlessContext::has(const Method& method) const {
  return (method.on_host() || has_gpu()) && catalog().projectors.has(method.key, method.backend);
}

std::vector<Method> BranchlessContext::available(const std::vector<Method>& methods) const {
  std::vector<Method> found;
  std::ranges::copy_if(methods, std::back_inserter(found),
                       [this](const Method& method) { return has(method); });
  return found;
}

StudyCell BranchlessContext::of(const Method& method, const StudyCell& value) const {
  return value.number || !value.words.empty() || has(method) ? value : StudyCell(needs_cuda);
}

std::unique_ptr<Projector> BranchlessContext::make(const Method& method, const Setting& setting,
                                                   const Params& params) const {
  check_interrupt();
  auto projector = catalog().projectors.make(method.key, method.backend, backend(method),
                                             setting.geometry, setting.grid, params);
  projector->set_interrupt(interrupt());
  return projector;
}

Setting BranchlessContext::scanner(int views, int side, int slices) const {
  const ScanPreset& preset = scan_preset("ge_ct750");
  ScanSpec spec = preset.scan;
  spec.detector_rows = slices;
  spec.central_row = 0.5 * (slices - 1);
  spec.view_angles_rad = angles_from_degrees(0, 360.0 / views, views);
  const double pixel_mm = preset.grid.spacing_mm.x * preset.grid.nx / side;
  return scaled(
      {"GE CT750 HD", std::make_shared<const ScanGeometry>(spec),
       VolumeGrid::centered(side, side, slices, {pixel_mm, pixel_mm, preset.grid.spacing_mm.z})},
      scale());
}

void BranchlessContext::add_line(const std::string& part, const std::string& what,
                                 const std::string& unit, const StudyCell& printed,
                                 const StudyCell& here, const std::string& unlike) {
  if (!printed.number) return;
  std::string named = what, reason = scale() != 1 ? another_size(scale()) : unlike;
  if (const int threads = cpu_threads();
      what.starts_with(on_cpu().printed) && threads != threads_in_print) {
    named.insert(on_cpu().printed.size(),
                 ", here " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"));
    if (reason.empty()) reason = "print: " + std::to_string(threads_in_print) + " threads";
  }
  against_print.compare({part, named, unit}, printed, here, reason,
                        unit == "s" ? Better::smaller : Better::larger);
}

}  // namespace gantry::branchless_dd
