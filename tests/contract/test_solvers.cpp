// The solvers on the CPU.
#include "tests/contract/solver_contract.hpp"

class TestSolvers : public gantry::test::SolverContract {
  Q_OBJECT
 public:
  TestSolvers() : SolverContract(gantry::test::core_bench()) {}
};

QTEST_APPLESS_MAIN(TestSolvers)
#include "test_solvers.moc"
