#pragma once

// A scan small enough to compute the solutions of solvers by dense linear algebra.
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"

namespace gantry::test {

struct SmallScan {
  CpuBackend backend_;
  std::unique_ptr<Projector> A_ = make_siddon(backend_, share(fan_spec(20, 16, 4)),
                                              VolumeGrid::centered(6, 5, 1, {5, 5, 5}), {});
  std::vector<float> data_ = random_values(A_->range_size(), 41);
  Array b_ = Array::from(backend_, data_);

  /// Returns the x that minimises ||A x - b||^2 + damping ||x||^2.
  std::vector<double> solution(double damping = 0) const {
    return least_squares(dense_matrix(*A_), {data_.begin(), data_.end()}, damping);
  }
};

inline double largest_magnitude(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

inline void expect_values(const Array& found, const std::vector<double>& expected,
                          double tolerance) {
  QCOMPARE(found.size(), expected.size());
  for (std::size_t j = 0; j < expected.size(); ++j)
    EXPECT_NEAR(found.host()[j], expected[j], tolerance);
}

}  // namespace gantry::test
