#pragma once

#include "core/base/params.hpp"
#include "core/corrections/correction.hpp"
#include "core/data/volume.hpp"
#include "core/geometry/default_scan.hpp"
#include "core/io/dicom/series/uneven_slices.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/io/imports/import_settings.hpp"
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
  /// Applies to a volume with all slices and without a geometry: each slice is simulated with a fan
  /// beam, the same for all slices, instead of one cone beam for the volume.
  bool slice_by_slice = false;
  /// Rebins a cone-beam scan, measured or simulated, to a stack of fan beams, one per slice: see
  /// geometry/fan_rebinning.
  bool rebin_to_fans = false;
  /// What the user says of a scan that is in none of Gantry's own formats.
  ImportSettings import_settings = {};
  bool values_are_hu = false;          ///< of a volume file without a unit
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

/// How exact data are computed from a phantom or volume.
struct SimulationSpec {
  int subrays = 4;  ///< rays averaged per cell, across it; for phantoms, in both directions
  std::string projector = "siddon";  ///< for volumes; integrals of phantoms are closed forms

  friend bool operator==(const SimulationSpec&, const SimulationSpec&) = default;
};

/// The voxels that metrics against a reference use.
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

/// The weights of a run's rays in its objective.
enum class RayWeights {
  none,
  statistical,  ///< by the reciprocal of their variance; see physics/statistical_weights
};

constexpr int most_coarse_levels = 5;  ///< of RunSettings::coarse_levels

/// What a run computes with: solver, projector, device and their parameters, and its stopping
/// rules.
struct RunSettings {
  std::string solver = "sirt";
  Params solver_params;
  /// The key of the prior, if the solver takes one. Empty: the prior that the solver usually takes,
  /// without any parameter set.
  std::string prior;
  Params prior_params;
  std::string projector = "distance_driven";
  Params projector_params;
  std::string format;  ///< the format in which the weights are stored; empty: computed on the fly
  Params format_params;
  std::string backend = "auto";
  RayWeights weights = RayWeights::none;
  /// How often the voxels are doubled for the start: the run begins from `coarse_iterations`
  /// iterations on voxels of twice the size, and these from as many on voxels of four times the
  /// size, and so on. See CoarseStart. 0: the run starts from zero.
  int coarse_levels = 0;
  int coarse_iterations = 10;
  // Stopping rules; 0: off. See StopRules.
  double relative_update = 0;     ///< stops below this ||dx|| / ||x||
  double relative_residual = 0;   ///< stops below this ||A x - b|| / ||b||
  double relative_objective = 0;  ///< stops below this |dPhi| / |Phi|, of methods that report Phi
  double discrepancy = 0;         ///< stops below this ||A x - b|| / ||noise||, where known

  friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

/// The settings of an earlier part of a run, which then continued with other settings from the
/// estimate that it had reached.
struct RunStage : RunSettings {
  int until_iteration = 0;  ///< last whole iteration made with them, counted from the run's start
  int steps = 0;            ///< steps of the next iteration that were made with them, too

  friend bool operator==(const RunStage&, const RunStage&) = default;
};

/// One reconstruction. Its own settings are those of its last stage.
struct RunSpec : RunSettings {
  std::string name;  ///< displayed name; empty: made from the solver
  int colour = -1;   ///< index in the palette; -1: next free one
  int iterations = 50;
  std::vector<RunStage> stages;  ///< the stages before the present settings, in order; usually none
  /// More iterations were requested after a stopping rule had ended the run. To compute the run
  /// again, each rule is ignored from the iteration on at which it first holds, and the run
  /// continues to the last iteration. Before that iteration the rule is active, as it was
  /// originally.
  bool goes_past_rules = false;

  /// Makes the run start anew with the present settings alone.
  void clear_history() {
    stages.clear();
    goes_past_rules = false;
  }

  friend bool operator==(const RunSpec&, const RunSpec&) = default;
};

/// Returns the stage of a run that makes an iteration (1: the first), as an index into `stages`;
/// their number for an iteration that is made with the present settings.
std::size_t stage_at(const RunSpec& run, int iteration);

/// Returns the run as it was in that stage: with the settings of the stage and the stages before
/// it.
RunSpec truncated_to_stage(const RunSpec& run, std::size_t stage);

/// Returns the run as it was when `iterations` iterations were done.
RunSpec as_of_iteration(const RunSpec& run, int iterations);

/// Everything that determines data, reference and runs, by value. The window edits, saves and opens
/// experiments; the command line runs the same files.
struct Experiment {
  std::string title;
  SourceSpec source;
  /// The corrections of a measured scan, in the order in which they are applied. Simulated data
  /// have none.
  std::vector<CorrectionSpec> corrections;
  std::optional<ScanSpec>
      geometry;  ///< of a measured scan: replaces the file's geometry; null: as in the file
  NoiseSpec noise;
  SimulationSpec simulation;
  std::optional<VolumeGrid> grid;  ///< null: fitted to the source
  MetricsSpec metrics;
  std::vector<RunSpec> runs;

  friend bool operator==(const Experiment&, const Experiment&) = default;
};

/// Returns whether two sources give the same data. The attenuation of water is no part of measured
/// data: it says only how their values are shown in HU.
bool same_source(const SourceSpec& a, const SourceSpec& b);

/// Whether the parts of two experiments that their data depend on are equal.
bool same_data(const Experiment& a, const Experiment& b);

/// Throws UsageError if the experiment has corrections, but no measured scan.
void require_measured_to_correct(const Experiment& experiment);

/// Returns who may read new files with contents of the source or of data made from it: only the
/// owner for DICOM, which may contain patient data; else those who may read the source's files.
FileAccess access_for(const SourceSpec& source);

/// Returns the experiment of the first start: FORBILD head, fan beam, 720 views x 512 cells, SART
/// and SIRT.
Experiment ready_experiment();

}  // namespace gantry
