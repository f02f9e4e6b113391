// The solvers on a CUDA device: the cases of tests/contract.
#include "tests/contract/solver_contract.hpp"
#include "tests/gpu/cuda_device.hpp"
#include "tests/support/test_program.hpp"

class TestCudaSolvers : public gantry::test::SolverContract {
  Q_OBJECT
 public:
  TestCudaSolvers() : SolverContract(gantry::test::cuda_bench()) {}
};

GANTRY_TEST(TestCudaSolvers)
#include "test_cuda_solvers.moc"
