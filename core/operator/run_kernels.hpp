#pragma once

#include <cstddef>
#include <cstdint>

namespace gantry {

// Inner loops of coordinate descent with stored columns: sums over, and changes of, the rays that
// weigh a voxel. The loops (run_kernels.inl) are compiled once per instruction set; run_kernels()
// returns those that suit the processor.

/// The most rays of a run: neighbouring cells of a detector row, read and changed together.
constexpr std::size_t run_length = 4;

/// A run is written as its first ray shifted by two bits, and in these its length less one.
constexpr std::uint32_t run_length_bits = 2;
static_assert(run_length == 1U << run_length_bits);
constexpr std::size_t length_of_run(std::uint32_t run) { return (run & (run_length - 1)) + 1; }

/// The runs of a voxel, which ascend by ray, and their weights one after another; run_length floats
/// may be read from the weights of each run.
struct ColumnRuns {
  const std::uint32_t *run = nullptr, *end = nullptr;
  const float* weight = nullptr;
  /// In a stack of slices runs are those of the first slice. The ray of another is
  /// first_row_ray[ray] + ray_offset. Null: the ray itself.
  const std::size_t* first_row_ray = nullptr;
  std::size_t ray_offset = 0;

  std::size_t ray_of(std::uint32_t of_run) const {
    const std::size_t ray = of_run >> run_length_bits;
    return first_row_ray != nullptr ? first_row_ray[ray] + ray_offset : ray;
  }
};

/// Vectors over the rays of the scan. `change` is followed by run_length floats of no ray.
struct RayVectors {
  const float *residual, *change;
  const float* weights;  ///< null: 1
  std::size_t rays;
};

/// Rays are marked in blocks of so many.
constexpr std::size_t rays_of_block = 16;

struct RunKernels {
  /// Returns sum_i a_i w_i (residual_i + change_i), in float64.
  double (*slope)(const ColumnRuns& runs, const RayVectors& rays);
  /// change_i -= a_i step, until the end of the runs or before a run of which not all blocks of
  /// rays are marked. Returns the runs that are left.
  ColumnRuns (*subtract)(ColumnRuns runs, float step, float* change,
                         const unsigned char* is_marked);
};

/// Returns the loops for the instruction set of the processor.
const RunKernels& run_kernels();

}  // namespace gantry
