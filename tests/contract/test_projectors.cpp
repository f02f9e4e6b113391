// The projectors of the CPU.
#include "tests/contract/projector_contract.hpp"
#include "tests/support/test_program.hpp"

class TestProjectors : public gantry::test::ProjectorContract {
  Q_OBJECT
 public:
  TestProjectors() : ProjectorContract(gantry::test::core_bench()) {}
};

GANTRY_TEST(TestProjectors)
#include "test_projectors.moc"
