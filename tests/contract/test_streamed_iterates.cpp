// Iterates on the CPU whose projector is streamed through two devices.
#include "tests/contract/iterate_contract.hpp"
#include "tests/support/limited_devices.hpp"
#include "tests/support/test_program.hpp"

namespace {

using namespace gantry;

/// Every projector has workers of its own, with room for little more than volume and data.
test::ContractBench bench() {
  test::ContractBench bench = test::core_bench();
  bench.key = "stream";
  const auto core = std::make_shared<Catalog>();
  add_core(*core);
  const auto workers = std::make_shared<std::vector<std::unique_ptr<test::LimitedDevices>>>();
  bench.catalog.projectors.add(
      {.key = "hosted_distance_driven", .label = "Distance-driven, streamed"}, bench.key,
      [core, workers](Backend& host, std::shared_ptr<const ScanGeometry> geometry,
                      const VolumeGrid& grid, const Params&) {
        workers->push_back(std::make_unique<test::LimitedDevices>());
        workers->back()->limit(2 * (grid.voxels() + geometry->rays()) * sizeof(float));
        return make_streamed_projector(host, geometry, grid, workers->back()->devices(),
                                       test::make_hosted(*core, "distance_driven"));
      });
  return bench;
}

}  // namespace

class TestStreamedIterates : public test::IterateContract {
  Q_OBJECT
 public:
  TestStreamedIterates() : IterateContract(bench(), "cpu") {}
};

GANTRY_TEST(TestStreamedIterates)
#include "test_streamed_iterates.moc"
