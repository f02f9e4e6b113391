#pragma once

#include "app/composition.hpp"
#include "core/job/experiment.hpp"

#include <CLI/CLI.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gantry::cli {

/// The options that describe a reconstruction, as text until the catalogue has checked them.
struct RunOptions {
  std::string solver = "sirt", prior, format, backend = "auto", grid, weights = "none";
  std::string projector;  ///< empty: the usual one for the scan, see projector_for
  double voxel_mm = 0;
  int iterations = 50;
  int coarse_levels = 0, coarse_iterations = RunSettings{}.coarse_iterations;
  std::optional<double> prior_sharpness;  ///< given: the prior's weight is found automatically
  double stop_at_update = 0, stop_at_residual = 0, stop_at_objective = 0,
         stop_at_noise = 0;           ///< see StopRules
  std::vector<std::string> settings;  ///< "solver.relaxation=0.5"

  void add_to(CLI::App& app);
  /// Adds only --projector.
  void add_projector_to(CLI::App& app);
  /// Adds only --grid and --voxel.
  void add_grid_to(CLI::App& app);
  /// Returns the run; its projector is to be replaced by projector_for once the scan is known.
  RunSpec run_spec(const Catalog& catalog) const;
  /// Returns the projector that is named; if none is, the usual one for this scan, which is printed
  /// where it is not the default.
  std::string projector_for(const Catalog& catalog, const ScanGeometry& scan) const;
  /// Returns the grid of --grid and --voxel; their defaults are those of `fallback`.
  VolumeGrid volume_grid(const VolumeGrid& fallback) const;
};

/// Returns the settings "owner.key=value" of one owner ("solver", "phantom"), checked against its
/// parameters. Throws UsageError.
Params parse_settings(const std::vector<std::string>& settings, const std::string& owner,
                      const std::vector<ParamSpec>& specs);
bool has_owner(const std::vector<std::string>& settings, const std::string& owner);
/// Throws UsageError for a setting of an owner that is not in `owners`.
void require_owners(const std::vector<std::string>& settings,
                    const std::vector<std::string>& owners);

}  // namespace gantry::cli
