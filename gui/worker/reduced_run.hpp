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
  int most_in_plane, most_in_space;  ///< voxels across, of a section and of a volume
  std::size_t most_slices;           ///< of a stack, whose rows measure a slice each
  bool takes_fewer_views;

  static const Reduction for_direct_method, for_iterations;
  /// Returns that which leaves so many voxels across, and all views and slices.
  static Reduction to(int voxels_across);
};
inline constexpr Reduction Reduction::for_direct_method{320, 128, 256, false};
inline constexpr Reduction Reduction::for_iterations{128, 48, 48, true};

/// Returns the finest reduction of a grid, by a power of two or none, that a direct method is
/// estimated to take at most the given seconds with. `made` is a grid for which it has taken
/// `seconds`; the time is taken to grow with the number of voxels. Returns nothing if that is no
/// finer than `made`.
std::optional<Reduction> finer_reduction(const VolumeGrid& grid, const VolumeGrid& made,
                                         double seconds, double most_seconds);

/// Returns data on larger voxels, with cells binned accordingly. Throws Interrupted.
std::shared_ptr<const ExperimentData> coarsened(std::shared_ptr<const ExperimentData> data,
                                                Reduction reduction, const Interrupt& interrupt);

/// Returns the data of an experiment that is tried, coarsened. `data` are those of the
/// experiment `made_from`. Where an experiment that is tried differs from that in its scan or
/// noise, the data are simulated anew on the larger voxels: from the phantom, or from the truth on
/// the grid; a measured scan keeps its line integrals and gets the scan that is tried. Throws
/// UsageError for another difference, Error for a scan that cannot be, and Interrupted.
std::shared_ptr<const ExperimentData> reduced_data(
    const Experiment& tried, const Experiment& made_from,
    const std::shared_ptr<const ExperimentData>& data, Reduction reduction, const Catalog& catalog,
    const BackendList& backends, const Interrupt& interrupt);

/// Returns what a run computes from reduced data on the CPU until the time is over: its first
/// iterations, ten at most and one at least. Throws what ReconstructionJob throws.
ReducedImage reconstruct_reduced(RunSpec run, const std::shared_ptr<const ExperimentData>& data,
                                 std::chrono::steady_clock::time_point until,
                                 const Catalog& catalog, const BackendList& backends,
                                 const Interrupt& interrupt);

/// Returns a reconstruction of reduced data by the first direct method that suits them. Throws
/// UsageError if none does, and Interrupted.
ReducedImage reconstruct_quickly(std::shared_ptr<const ExperimentData> data, const Catalog& catalog,
                                 const BackendList& backends, const Interrupt& interrupt,
                                 Reduction reduction = Reduction::for_direct_method);

}  // namespace gantry
