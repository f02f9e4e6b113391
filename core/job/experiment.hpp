#pragma once

#include "core/base/params.hpp"
#include "core/data/volume.hpp"
#include "core/geometry/default_scan.hpp"
#include "core/io/dicom/series/uneven_slices.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/metrics/region.hpp"
#include "core/physics/units.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// Where the data of an experiment come from.
enum class SourceKind { phantom, volume, scan };

struct SourceSpec {
  SourceKind kind = SourceKind::phantom;
  std::string phantom = "forbild_head";  ///< key in the catalogue
  Params phantom_params;
  std::string path;        ///< scan file, volume file or DICOM folder
  std::string series_uid;  ///< which DICOM series of the folder; empty: the only one
  UnevenSlices uneven = UnevenSlices::refuse;  ///< of a DICOM series
  int slice = -1;                              ///< of a volume: this one as a 2D truth; -1: all
  /// Of all slices, where no geometry is given: each seen by a fan beam of its own, all alike, and
  /// not together by a cone.
  bool slice_by_slice = false;
  /// A cone-beam scan, measured or simulated, becomes a stack of fans, one for each slice: see
  /// geometry/fan_rebinning.
  bool rebin_to_fans = false;
  bool values_are_hu = false;          ///< of a volume file that does not say
  double mu_water = default_mu_water;  ///< 1/mm

  friend bool operator==(const SourceSpec&, const SourceSpec&) = default;
};

/// Transmission noise of simulated data. No noise when photons_per_ray is 0.
struct NoiseSpec {
  double photons_per_ray = 0;
  double electronic_sigma = 0;  ///< counts
  std::uint64_t seed = 1;

  friend bool operator==(const NoiseSpec&, const NoiseSpec&) = default;
};

/// How exact data are made from a phantom or volume.
struct SimulationSpec {
  int subrays = 4;  ///< rays averaged across a cell; on phantoms in both directions
  std::string projector =
      "siddon";  ///< used on volumes; on phantoms the integrals are closed forms

  friend bool operator==(const SimulationSpec&, const SimulationSpec&) = default;
};

/// Which voxels the metrics against a reference count.
enum class MaskKind {
  all,
  circle,  ///< inside the circle that every view sees
  roi,     ///< the region of interest
};

/// What is measured after each iteration.
struct MetricsSpec {
  MaskKind mask = MaskKind::circle;
  bool exact_residual =
      false;  ///< ||b - A x|| of the finished iterate also for subset methods: one more product
  MeasurementRegions regions = {};  ///< of contrast-to-noise ratio and edge width; none: not taken

  friend bool operator==(const MetricsSpec&, const MetricsSpec&) = default;
};

/// How a run weights its rays.
enum class RayWeights {
  none,
  statistical,  ///< by the reciprocal of their variance; see physics/statistical_weights
};

/// What a run computes with: solver, projector, device and their parameters, and when it stops
/// early.
struct RunSettings {
  std::string solver = "sirt";
  Params solver_params;
  std::string prior;  ///< of a solver that takes one; empty: the one that the solver usually takes
  Params prior_params;
  std::string projector = "distance_driven";
  Params projector_params;
  std::string format;  ///< the weights are stored in this one; empty: computed on the fly
  Params format_params;
  std::string backend = "auto";
  RayWeights weights = RayWeights::none;
  // Stop early; 0: never. See StopRules.
  double relative_update = 0;    ///< below this ||dx|| / ||x||
  double relative_residual = 0;  ///< below this ||A x - b|| / ||b||
  double discrepancy = 0;        ///< below this ||A x - b|| / ||noise||, where the noise is known

  friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

/// Settings that were in force in the first part of a run, which then went on with others from its
/// estimate.
struct RunStage : RunSettings {
  int until_iteration = 0;  ///< the last whole one made with them, counted from the run's start
  int steps = 0;            ///< of the next iteration that were made with them as well

  friend bool operator==(const RunStage&, const RunStage&) = default;
};

/// One reconstruction. Its settings are those that it ends with.
struct RunSpec : RunSettings {
  std::string name;  ///< shown; empty: made from the solver
  int colour = -1;   ///< index in the palette; -1: next free one
  int iterations = 50;
  std::vector<RunStage> stages;  ///< before the present settings, in order; usually none
  /// The rule that ended it was lifted when more iterations were asked for: whoever computes the
  /// run again lifts each rule at the iteration where it holds, and goes on to the last iteration.
  /// Before that iteration the rule is in force, as it was then.
  bool goes_past_rules = false;

  /// To begin anew with the present settings alone.
  void forget_history() {
    stages.clear();
    goes_past_rules = false;
  }

  friend bool operator==(const RunSpec&, const RunSpec&) = default;
};

/// The stage of a run that makes an iteration (1: the first): an index into `stages`, their number
/// where it is made with the present settings.
std::size_t stage_at(const RunSpec& run, int iteration);

/// The run as it was in that stage: the settings of then, and the stages before.
RunSpec as_of_stage(const RunSpec& run, std::size_t stage);

/// The same for what a run has computed when so many iterations are done.
RunSpec as_of_iteration(const RunSpec& run, int iterations);

/// Everything that makes data, reference and runs, by value: what the window edits, saves and
/// opens, and what the command line runs unchanged.
struct Experiment {
  std::string title;
  SourceSpec source;
  std::optional<ScanSpec>
      geometry;  ///< of a scan source: replaces the file's, null: as in the file
  NoiseSpec noise;
  SimulationSpec simulation;
  std::optional<VolumeGrid> grid;  ///< null: fitted to the source
  MetricsSpec metrics;
  std::vector<RunSpec> runs;

  friend bool operator==(const Experiment&, const Experiment&) = default;
};

/// The part of an experiment that its data depend on; equal parts give equal data.
bool same_data(const Experiment& a, const Experiment& b);

/// Who may read new files with what the source or data made from it hold: the owner alone where it
/// is DICOM, and so of patients; else who may read its files, a header and its data.
FileAccess access_for(const SourceSpec& source);

/// The experiment that greets a newcomer: FORBILD head, fan beam, 720 views x 512 cells, SART and
/// SIRT.
Experiment ready_experiment();

}  // namespace gantry
