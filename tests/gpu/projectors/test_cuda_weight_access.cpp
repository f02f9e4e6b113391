// The single rows and columns of the projectors on a CUDA device: the cases of tests/contract.
#include "tests/contract/weight_access_contract.hpp"
#include "tests/gpu/cuda_device.hpp"
#include "tests/support/test_program.hpp"

class TestCudaWeightAccess : public gantry::test::WeightAccessContract {
  Q_OBJECT
 public:
  TestCudaWeightAccess() : WeightAccessContract(gantry::test::cuda_bench()) {}
};

GANTRY_TEST(TestCudaWeightAccess)
#include "test_cuda_weight_access.moc"
