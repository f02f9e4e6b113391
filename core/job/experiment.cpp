#include "core/job/experiment.hpp"

namespace gantry {

bool same_data(const Experiment& a, const Experiment& b) {
  return a.source == b.source && a.geometry == b.geometry && a.noise == b.noise &&
         a.simulation == b.simulation && a.grid == b.grid && a.metrics.circle == b.metrics.circle;
}

Experiment ready_experiment() {
  Experiment experiment;
  experiment.title = "FORBILD head";
  experiment.source.kind = SourceKind::phantom;
  experiment.source.phantom = "forbild_head";
  experiment.geometry = default_scan(128, 0);
  experiment.grid = VolumeGrid::centered(512, 512, 1, {0.5, 0.5, 0.5});
  experiment.noise.photons_per_ray = 1e5;
  RunSpec sart, sirt;
  sart.solver = "sart";
  sart.colour = 0;
  sirt.solver = "sirt";
  sirt.colour = 1;
  experiment.runs = {sart, sirt};
  return experiment;
}

}  // namespace gantry
