#include "core/job/experiment.hpp"

namespace gantry {

namespace {

bool same_mask(const MetricsSpec& a, const MetricsSpec& b) {
  return a.mask == b.mask && (a.mask != MaskKind::roi || a.places.roi == b.places.roi);
}

}  // namespace

bool same_data(const Experiment& a, const Experiment& b) {
  return a.source == b.source && a.geometry == b.geometry && a.noise == b.noise &&
         a.simulation == b.simulation && a.grid == b.grid && same_mask(a.metrics, b.metrics);
}

Experiment ready_experiment() {
  Experiment experiment;
  experiment.title = "FORBILD head";
  experiment.source.kind = SourceKind::phantom;
  experiment.source.phantom = "forbild_head";
  experiment.geometry = default_scan(128, 0);
  experiment.grid = VolumeGrid::centered(512, 512, 1, {0.5, 0.5, 0.5});
  experiment.noise.photons_per_ray = 1e6;
  RunSpec sart, sirt;
  sart.solver = "sart";
  sart.colour = 0;
  sart.solver_params = {{"relaxation", 0.05}};  // so small that it does not fit the noise meanwhile
  sirt.solver = "sirt";
  sirt.colour = 1;
  sart.iterations = sirt.iterations = 20;
  experiment.runs = {sart, sirt};
  return experiment;
}

}  // namespace gantry
