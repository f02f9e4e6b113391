#include "studies/cumbir/cumbir_context.hpp"

#include "core/physics/statistical_weights.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gantry::cumbir {

namespace {

constexpr double scale_without_gpu = 1.0 / 8;

/// Returns the cube that voxels are, mm, so that the grid holds the phantom.
double voxel_mm(const printed::Scan& line, Vec3 half) {
  return 2.02 * std::max({half.x / line.nx, half.y / line.ny, half.z / line.nz});
}

BenchCase setting_of(const printed::Scan& line, double voxel) {
  const double side = std::max(line.nx, line.ny) * voxel, source = 4 * side, detector = 8 * side,
               radius = 0.5 * std::hypot(line.nx, line.ny) * voxel,
               width = 2 * detector * radius / std::sqrt(source * source - radius * radius),
               height = line.nz * voxel * detector / (source - radius);
  ScanSpec spec;
  spec.beam = Beam::cone;
  spec.source_to_isocenter_mm = source;
  spec.source_to_detector_mm = detector;
  spec.detector_columns = line.columns;
  spec.detector_rows = line.rows;
  spec.column_pitch_mm = width / line.columns;
  spec.row_pitch_mm = height / line.rows;
  spec.central_column = 0.5 * (line.columns - 1);
  spec.central_row = 0.5 * (line.rows - 1);
  for (int v = 0; v < line.views; ++v)
    spec.view_angles_rad.push_back(2 * std::numbers::pi * v / line.views);
  return {line.name, std::make_shared<const ScanGeometry>(std::move(spec)),
          VolumeGrid::centered(line.nx, line.ny, line.nz, {voxel, voxel, voxel})};
}

}  // namespace

CumbirContext::CumbirContext(const StudyOptions& options)
    : StudyContext(options, "cumbir", scale_without_gpu),
      summary(StudyTable::comparing("summary", "Claims of print, and what holds here",
                                    {{"claim", ""}, {"where", ""}}, "")) {}

BenchCase CumbirContext::setting(const printed::Scan& line) const {
  const auto phantom = catalog().phantoms.make(line.phantom, "cpu", {});
  return scaled(setting_of(line, voxel_mm(line, phantom->half_extent_mm())), scale());
}

Scanned CumbirContext::scan(const printed::Scan& line) const {
  constexpr int subrays = 1, subsamples = 2;
  say(std::string("scanning the ") + line.name);
  const auto phantom = catalog().phantoms.make(line.phantom, "cpu", {});
  Scanned out{line, setting(line), {}, {}};
  out.exact.resize(out.setting.geometry->rays());
  out.truth.resize(out.setting.grid.voxels());
  project_exactly(*phantom, *out.setting.geometry, subrays, out.exact, interrupt());
  voxelise(*phantom, out.setting.grid, subsamples, out.truth, interrupt());
  return out;
}

const Scanned& CumbirContext::shepp_logan() {
  if (!shepp_logan_) shepp_logan_ = scan(printed::table_2.front());
  return *shepp_logan_;
}

NoisyData CumbirContext::noisy(const Scanned& scanned, int seed) const {
  NoisyData out{std::vector<float>(scanned.exact.size()), std::vector<float>(scanned.exact.size())};
  add_transmission_noise(scanned.exact, {photons, 0, static_cast<std::uint64_t>(seed)},
                         out.line_integrals, interrupt());
  statistical_weights(out.line_integrals, photons, 0, out.weights);
  return out;
}

std::unique_ptr<Projector> CumbirContext::make(const std::string& projector,
                                               const BenchCase& setting) const {
  auto made =
      catalog().projectors.make(projector, device(), backend(), setting.geometry, setting.grid, {});
  made->set_interrupt(interrupt());
  return made;
}

}  // namespace gantry::cumbir
