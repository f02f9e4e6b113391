#pragma once

#include "core/base/parallel_errors.hpp"
#include "core/geometry/voxel_lattice.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace gantry {

/// Calls body(line, scratch) in parallel for each of `count` lines of an image; `scratch` holds
/// `length` floats that belong to the calling thread, zero at its first line.
template <class Body>
void for_image_lines(std::size_t count, std::size_t length, const Body& body) {
  const auto lines = static_cast<std::ptrdiff_t>(count);
  ParallelErrors errors;
#pragma omp parallel
  {
    std::vector<float> scratch;
    errors.run([&] { scratch.resize(length); });
#pragma omp for schedule(static)
    for (std::ptrdiff_t line = 0; line < lines; ++line)
      errors.run([&] { body(static_cast<std::size_t>(line), scratch.data()); });
  }
  errors.rethrow();
}

/// Calls body(iy, iz, scratch) in parallel for the lines along x of a lattice on a grid of `size`
/// voxels along x, y and z; for `scratch` see for_image_lines().
template <class Body>
void for_lattice_lines(const VoxelLattice& voxels, std::array<int, 3> size, std::size_t length,
                       const Body& body) {
  const auto lines_y = static_cast<std::size_t>(voxels.count(1, size[1])),
             lines = lines_y * static_cast<std::size_t>(voxels.count(2, size[2]));
  for_image_lines(lines, length, [&](std::size_t line, float* scratch) {
    body(voxels.first[1] + static_cast<int>(line % lines_y) * voxels.stride[1],
         voxels.first[2] + static_cast<int>(line / lines_y) * voxels.stride[2], scratch);
  });
}

/// Calls body(ix, iy, iz) in parallel for the voxels of a lattice on a grid of `size` voxels along
/// x, y and z.
template <class Body>
void for_lattice(const VoxelLattice& voxels, std::array<int, 3> size, const Body& body) {
  for_lattice_lines(voxels, size, 0, [&](int iy, int iz, float*) {
    for (int ix = voxels.first[0]; ix < size[0]; ix += voxels.stride[0]) body(ix, iy, iz);
  });
}

/// Returns the sum of body(line, scratch) over all lines, added in their order: the same on any
/// number of threads.
template <class Sum, class Body>
Sum sum_image_lines(std::size_t count, std::size_t length, const Body& body) {
  std::vector<Sum> sums(count);
  for_image_lines(count, length,
                  [&](std::size_t line, float* scratch) { sums[line] = body(line, scratch); });
  Sum total{};
  for (const Sum& sum : sums) total += sum;
  return total;
}

}  // namespace gantry
