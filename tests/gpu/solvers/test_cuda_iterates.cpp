// Iterates on a CUDA device: the cases of tests/contract.
#include "tests/contract/iterate_contract.hpp"
#include "tests/gpu/cuda_device.hpp"
#include "tests/support/test_program.hpp"

class TestCudaIterates : public gantry::test::IterateContract {
  Q_OBJECT
 public:
  TestCudaIterates() : IterateContract(gantry::test::cuda_bench()) {}
};

GANTRY_TEST(TestCudaIterates)
#include "test_cuda_iterates.moc"
