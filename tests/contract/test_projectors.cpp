// The projectors of the CPU.
#include "tests/contract/projector_contract.hpp"

namespace {

gantry::test::ContractBench bench() {
  gantry::test::ContractBench bench;
  add_core(bench.catalog);
  return bench;
}

}  // namespace

class TestProjectors : public gantry::test::ProjectorContract {
  Q_OBJECT
 public:
  TestProjectors() : ProjectorContract(bench()) {}
};

QTEST_APPLESS_MAIN(TestProjectors)
#include "test_projectors.moc"
