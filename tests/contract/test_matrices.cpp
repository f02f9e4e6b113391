// The matrix formats of the CPU.
#include "tests/contract/matrix_contract.hpp"
#include "tests/support/test_program.hpp"

class TestMatrices : public gantry::test::MatrixContract {
  Q_OBJECT
 public:
  TestMatrices() : MatrixContract(gantry::test::core_bench()) {}
};

GANTRY_TEST(TestMatrices)
#include "test_matrices.moc"
