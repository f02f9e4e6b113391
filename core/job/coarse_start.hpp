#pragma once

#include "core/backend/backend_list.hpp"
#include "core/job/experiment_data.hpp"
#include "core/job/run_progress.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gantry {

class ReconstructionJob;

/// Returns the data for voxels of twice the size, with cells binned accordingly, without a
/// reference.
std::shared_ptr<const ExperimentData> coarse_data(const ExperimentData& data);

/// The start image of a run from the same method on voxels of twice the size, with the data binned
/// to cells of twice the size; that run may itself start from a coarser one
/// (RunSettings::coarse_levels). Low spatial frequencies, which local updates correct slowly,
/// converge there at a fraction of the cost; svmbir starts in the same way (its parameter
/// max_resolutions).
class CoarseStart {
 public:
  /// `run`: the first stage of the run, with coarse_levels >= 1; `backend_key`: where the run
  /// computes. Throws what the constructor of ReconstructionJob throws. References must outlive the
  /// object.
  CoarseStart(const RunSpec& run, const ExperimentData& data, const std::string& backend_key,
              const Catalog& catalog, const BackendList& backends, const Interrupt* interrupt);
  ~CoarseStart();

  /// Whether the grid is large enough for a coarser one: 32 voxels along x and y.
  static bool is_possible(const VolumeGrid& grid) { return grid.nx >= 32 && grid.ny >= 32; }

  /// Returns how far the run on the larger voxels is.
  RunProgress progress() const;
  /// Continues that run. Throws what ReconstructionJob::resume_from throws.
  void resume_from(const RunProgress& progress);
  /// Returns the iterations made on the larger voxels; while these start from still larger ones,
  /// the iterations made there. Grids that are done do not count.
  int iterations() const;

  /// Returns the image on the grid of the run. Throws Error, and Interrupted, after which the
  /// function can be called again.
  std::vector<float> image();

  double seconds() const { return seconds_; }
  /// Returns the products made, each counted by the fraction of the run's voxels that it has.
  double applications() const;
  /// Returns one line for the user: "starts from 10 iterations with 128 x 128 voxels".
  std::string note() const;

 private:
  VolumeGrid fine_;
  std::unique_ptr<ReconstructionJob> job_;
  double seconds_ = 0;
};

}  // namespace gantry
