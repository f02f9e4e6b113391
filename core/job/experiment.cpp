#include "core/job/experiment.hpp"

#include "core/base/error.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/volume_file.hpp"

#include <algorithm>

namespace gantry {

bool same_source(const SourceSpec& a, const SourceSpec& b) {
  SourceSpec other = b;
  if (a.kind == SourceKind::scan) other.mu_water = a.mu_water;
  return a == other;
}

bool same_data(const Experiment& a, const Experiment& b) {
  return same_source(a.source, b.source) && applied(a.corrections) == applied(b.corrections) &&
         a.geometry == b.geometry && a.noise == b.noise && a.simulation == b.simulation &&
         a.grid == b.grid;
}

std::size_t stage_at(const RunSpec& run, int iteration) {
  const auto made_later = [&](const RunStage& stage) { return stage.until_iteration < iteration; };
  return static_cast<std::size_t>(std::ranges::find_if_not(run.stages, made_later) -
                                  run.stages.begin());
}

RunSpec truncated_to_stage(const RunSpec& run, std::size_t stage) {
  RunSpec then = run;
  if (stage >= run.stages.size()) return then;
  static_cast<RunSettings&>(then) = run.stages[stage];
  then.stages.resize(stage);
  return then;
}

RunSpec as_of_iteration(const RunSpec& run, int iterations) {
  return truncated_to_stage(run, stage_at(run, std::max(1, iterations)));
}

void require_measured_to_correct(const Experiment& experiment) {
  if (experiment.corrections.empty() || experiment.source.kind == SourceKind::scan) return;
  throw UsageError("corrections are for measured scans, and these data are simulated",
                   "corrections", "remove them, or use a scan as the source");
}

FileAccess access_for(const SourceSpec& source) {
  if (source.kind == SourceKind::phantom) return FileAccess::usual;
  if (source.kind == SourceKind::volume) return access_for_volume(source.path);
  if (is_importable(source.path)) return access_for_import(source.path);
  return stricter(access_of(source.path), access_of(data_path_in_scan(source.path)));
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
  sart.solver_params = {{"relaxation", 0.05}};  // small enough not to fit the noise
  sirt.solver = "sirt";
  sirt.colour = 1;
  sart.iterations = sirt.iterations = 20;
  experiment.runs = {sart, sirt};
  return experiment;
}

}  // namespace gantry
