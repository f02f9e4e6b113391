// The matrix formats on a CUDA device: the cases of tests/contract.
#include "tests/contract/matrix_contract.hpp"
#include "tests/gpu/cuda_device.hpp"
#include "tests/support/test_program.hpp"

class TestCudaMatrices : public gantry::test::MatrixContract {
  Q_OBJECT
 public:
  TestCudaMatrices() : MatrixContract(gantry::test::cuda_bench()) {}
};

GANTRY_TEST(TestCudaMatrices)
#include "test_cuda_matrices.moc"
