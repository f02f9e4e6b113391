#pragma once

#include "core/solvers/solver.hpp"
#include "tests/contract/contract_bench.hpp"
#include "tests/support/expect.hpp"

#include <QtTest>

#include <cmath>

namespace gantry::test {

/// Checks the reports of an iteration whose steps process several subsets against an iteration of
/// the same method on the same problem whose steps process one. Both solvers are initialised.
inline void expect_sums_over_subsets(Solver& several, Solver& single) {
  double expected = 0, square = 0;
  for (int step = 0; step < single.steps_per_iteration(); ++step)
    expected += std::pow(single.step().residual_norm, 2);
  for (int step = 0; step < several.steps_per_iteration(); ++step) {
    const StepReport report = several.step();
    square += report.residual_norm * report.residual_norm;
    QVERIFY(std::isfinite(report.update_norm) && report.update_norm > 0);
  }
  EXPECT_NEAR(square, expected, 2e-4 * expected);
  QVERIFY(distance(several.solution(), single.solution()) <= 1e-3 * length(single.solution()));
}

}  // namespace gantry::test
