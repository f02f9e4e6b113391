// The solvers on the CPU.
#include "tests/contract/solver_contract.hpp"

namespace {

gantry::test::ContractBench bench() {
  gantry::test::ContractBench bench;
  add_core(bench.catalog);
  return bench;
}

}  // namespace

class TestSolvers : public gantry::test::SolverContract {
  Q_OBJECT
 public:
  TestSolvers() : SolverContract(bench()) {}
};

QTEST_APPLESS_MAIN(TestSolvers)
#include "test_solvers.moc"
