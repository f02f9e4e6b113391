// The single rows and columns of the projectors of the CPU.
#include "tests/contract/weight_access_contract.hpp"
#include "tests/support/test_program.hpp"

class TestWeightAccess : public gantry::test::WeightAccessContract {
  Q_OBJECT
 public:
  TestWeightAccess() : WeightAccessContract(gantry::test::core_bench()) {}
};

GANTRY_TEST(TestWeightAccess)
#include "test_weight_access.moc"
