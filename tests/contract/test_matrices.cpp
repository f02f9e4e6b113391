// The matrix formats of the CPU.
#include "tests/contract/matrix_contract.hpp"

class TestMatrices : public gantry::test::MatrixContract {
  Q_OBJECT
 public:
  TestMatrices() : MatrixContract(gantry::test::core_bench()) {}
};

QTEST_APPLESS_MAIN(TestMatrices)
#include "test_matrices.moc"
