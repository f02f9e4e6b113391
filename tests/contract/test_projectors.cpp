// The projectors of the CPU.
#include "tests/contract/projector_contract.hpp"

class TestProjectors : public gantry::test::ProjectorContract {
  Q_OBJECT
 public:
  TestProjectors() : ProjectorContract(gantry::test::core_bench()) {}
};

QTEST_APPLESS_MAIN(TestProjectors)
#include "test_projectors.moc"
