// The matrix formats of the CPU.
#include "tests/contract/matrix_contract.hpp"

namespace {

gantry::test::ContractBench bench() {
  gantry::test::ContractBench bench;
  add_core(bench.catalog);
  return bench;
}

}  // namespace

class TestMatrices : public gantry::test::MatrixContract {
  Q_OBJECT
 public:
  TestMatrices() : MatrixContract(bench()) {}
};

QTEST_APPLESS_MAIN(TestMatrices)
#include "test_matrices.moc"
