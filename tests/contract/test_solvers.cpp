// The solvers on the CPU.
#include "tests/contract/solver_contract.hpp"
#include "tests/support/test_program.hpp"

class TestSolvers : public gantry::test::SolverContract {
  Q_OBJECT
 public:
  TestSolvers() : SolverContract(gantry::test::core_bench()) {}
};

GANTRY_TEST(TestSolvers)
#include "test_solvers.moc"
