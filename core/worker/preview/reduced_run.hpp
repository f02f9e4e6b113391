#pragma once

#include "core/backend/backend_list.hpp"
#include "core/job/experiment_data.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// An image of few voxels, made quickly.
struct ReducedImage {
  VolumeGrid grid;
  std::vector<float> mu;  ///< 1/mm, [iz][iy][ix]
  std::string made_by;    ///< "FBP", "8 it., 120 views"
};

/// How far data are reduced. A direct method keeps more voxels, and all views, because it takes
/// each only once; for iterations, the data have fewer of both, so that one iteration takes some
/// hundredths of a second.
struct Reduction {
  int most_in_plane, most_in_space;  ///< most voxels across, of a single slice and of a volume
  std::size_t most_slices;           ///< of a stack, whose rows measure a slice each
  bool takes_fewer_views;

  static const Reduction for_direct_method, for_iterations;
  /// Returns the reduction to so many voxels across that keeps all views and slices.
  static Reduction to(int voxels_across);
};
inline constexpr Reduction Reduction::for_direct_method{320, 128, 256, false};
inline constexpr Reduction Reduction::for_iterations{128, 48, 48, true};

/// Returns whether the grid has more voxels across than the reduction leaves.
bool is_reduced(const VolumeGrid& grid, Reduction reduction);

/// Returns the finest reduction of a grid, by a power of two or none, for which a direct method
/// is estimated to take at most `most_seconds`. The method took `seconds` for the grid `made`; its
/// time is assumed to be proportional to the number of voxels. Returns nothing if the reduced grid
/// would be no finer than `made`.
std::optional<Reduction> finer_reduction(const VolumeGrid& grid, const VolumeGrid& made,
                                         double seconds, double most_seconds);

/// Returns the data of every n-th view.
std::shared_ptr<const ExperimentData> with_every_nth_view(std::shared_ptr<const ExperimentData> all,
                                                          std::size_t n);

/// Returns data on larger voxels, with cells binned accordingly. Throws Interrupted.
std::shared_ptr<const ExperimentData> coarsened(std::shared_ptr<const ExperimentData> data,
                                                Reduction reduction, const Interrupt& interrupt);

/// Likewise. Throws UsageError for data that are too many to be coarsened in a short time.
std::shared_ptr<const ExperimentData> coarsened_quickly(std::shared_ptr<const ExperimentData> data,
                                                        Reduction reduction,
                                                        const Interrupt& interrupt);

/// Returns the data of the experiment `tried`, coarsened. `data` are those of the experiment
/// `made_from`, and `coarse` the same after coarsened(), or null where that is not at hand. Where
/// `tried` differs from `made_from` in its scan or noise, the data are simulated anew on the larger
/// voxels: from the phantom, or from the truth on the grid. The line integrals of a measured scan
/// are kept and get the geometry of `tried`. Throws UsageError for other differences, Error for an
/// impossible scan, and Interrupted.
std::shared_ptr<const ExperimentData> reduced_data(
    const Experiment& tried, const Experiment& made_from,
    const std::shared_ptr<const ExperimentData>& data, Reduction reduction, const Catalog& catalog,
    const BackendList& backends, const Interrupt& interrupt,
    const std::shared_ptr<const ExperimentData>& coarse = nullptr);

/// Returns the estimate of a run on reduced data, after as many iterations as the CPU computes
/// before `until`, at least one and at most ten. Throws what ReconstructionJob throws.
ReducedImage reconstruct_reduced(RunSpec run, const std::shared_ptr<const ExperimentData>& data,
                                 std::chrono::steady_clock::time_point until,
                                 const Catalog& catalog, const BackendList& backends,
                                 const Interrupt& interrupt);

/// Returns a reconstruction of reduced data by the first direct method that suits them. `backend`
/// is that of a run; a device is for small data alone, because the memory that a preview takes
/// there would be missing in a run that starts meanwhile. Throws UsageError if no method suits the
/// data, and Interrupted.
ReducedImage reconstruct_quickly(std::shared_ptr<const ExperimentData> data, const Catalog& catalog,
                                 const BackendList& backends, const Interrupt& interrupt,
                                 Reduction reduction = Reduction::for_direct_method,
                                 const std::string& backend = host_key);

}  // namespace gantry
