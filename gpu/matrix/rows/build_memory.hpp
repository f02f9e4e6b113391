#pragma once

#include "core/matrix/nonzero_estimate.hpp"

#include <cstddef>
#include <initializer_list>

namespace gantry {

/// The device memory that is taken while a matrix is built from DeviceRows (device_rows.hpp),
/// bytes.
struct BuildMemory {
  /// Of one of `slices` slices with the same weights; `weights` are those of the estimate.
  BuildMemory(const NonzeroEstimate& estimate, const Projector& weights, int slices = 1);

  double nonzeros;       ///< of the matrix that is built, a number
  double rows, columns;  ///< the CSR matrices of A and of its transpose
  double tables;         ///< what DeviceRows hold as long as they live
  double preparing;      ///< the most that their constructor takes

  double both() const { return rows + columns; }
  /// Returns by how much the largest of some stages of a build, and the constructor of DeviceRows,
  /// exceed what is stated anyway.
  std::size_t beyond(double stated, std::initializer_list<double> stages) const;
};

}  // namespace gantry
