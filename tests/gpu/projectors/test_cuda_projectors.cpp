// The projectors on a CUDA device: the cases of tests/contract.
#include "tests/contract/projector_contract.hpp"
#include "tests/gpu/cuda_device.hpp"
#include "tests/support/test_program.hpp"

class TestCudaProjectors : public gantry::test::ProjectorContract {
  Q_OBJECT
 public:
  TestCudaProjectors() : ProjectorContract(gantry::test::cuda_bench()) {}
};

GANTRY_TEST(TestCudaProjectors)
#include "test_cuda_projectors.moc"
