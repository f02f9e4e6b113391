// What every projector promises, of every projector of the CPU streamed through two devices with as
// little memory as will do.
#include "tests/contract/projector_contract.hpp"
#include "tests/support/limited_devices.hpp"
#include "tests/support/test_program.hpp"

namespace {

gantry::test::ContractBench bench() {
  gantry::test::ContractBench bench = gantry::test::core_bench();
  const auto core = std::make_shared<gantry::Catalog>();
  add_core(*core);
  bench.key = "stream";
  const auto workers = std::make_shared<gantry::test::LimitedDevices>();
  for (const auto& entry : core->projectors.entries())
    bench.catalog.projectors.add_on(
        bench.key, entry.key,
        [core, workers, key = entry.key](gantry::Backend& host,
                                         std::shared_ptr<const gantry::ScanGeometry> geometry,
                                         const gantry::VolumeGrid& grid, const gantry::Params&) {
          return gantry::test::make_with_least_memory(*workers, host, geometry, grid,
                                                      gantry::test::make_hosted(*core, key));
        },
        {}, gantry::streamed_traits(entry.traits));
  return bench;
}

}  // namespace

class TestStreamedProjectors : public gantry::test::ProjectorContract {
  Q_OBJECT
 public:
  TestStreamedProjectors() : ProjectorContract(bench()) {}
};

GANTRY_TEST(TestStreamedProjectors)
#include "test_streamed_projectors.moc"
