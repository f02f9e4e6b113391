#pragma once

#include "core/operator/projector.hpp"
#include "core/solvers/solver.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/interrupt_at_check.hpp"

#include <vector>

namespace gantry::test {

/// Makes steps of two equal solvers, and interrupts each step of `harried` at every check in turn.
/// An interrupted step must leave the iterate as it was, and the repeated step must give the
/// iterate of `calm`, to the bit. Each step must have been interrupted more than `fewest` times.
inline void expect_repeatable_steps(Projector& A, Solver& calm, Solver& harried, int steps,
                                    int fewest) {
  for (int step = 0; step < steps; ++step) {
    int interruptions = 0;
    for (int nth = 1; nth < 1000; ++nth) {
      const std::vector<float> before = harried.solution().to_host();
      InterruptAtCheck interrupt;
      interrupt.set(nth);
      A.set_interrupt(&interrupt);
      try {
        harried.step();
        break;
      } catch (const Interrupted&) {
        ++interruptions;
        QCOMPARE(harried.solution().to_host(), before);
      }
    }
    A.set_interrupt(nullptr);
    QVERIFY(interruptions > fewest);
    calm.step();
    QCOMPARE(harried.solution().to_host(), calm.solution().to_host());
  }
}

}  // namespace gantry::test
