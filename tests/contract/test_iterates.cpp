// Iterates on the CPU. Beside the program's own there are a matrix that takes whole sweeps of
// updates and a projector that is given several at once, which only devices do otherwise.
#include "tests/contract/iterate_contract.hpp"
#include "tests/contract/sweeping_format.hpp"
#include "tests/support/hosted_projector.hpp"
#include "tests/support/test_program.hpp"

namespace {

using namespace gantry;

/// Its sweeps take several subsets at once, and have no way of their own to update by them.
class SeveralAtOnce final : public test::HostedProjector, public MakesSubsetSweeps {
 public:
  using HostedProjector::HostedProjector;
  std::unique_ptr<SubsetSweep> make_subset_sweep(Array row_weight,
                                                 const SubsetUpdate& update) const override {
    return std::make_unique<Sweep>(*this, std::move(row_weight), update);
  }

 private:
  class Sweep final : public SubsetSweep {
   public:
    using SubsetSweep::SubsetSweep;
    int subsets_at_once(int) const override { return 3; }
  };
};

test::ContractBench bench() {
  test::ContractBench bench = test::core_bench();
  test::add_swept(bench.catalog);
  const auto core = std::make_shared<Catalog>();
  add_core(*core);
  bench.catalog.projectors.add(
      {.key = "several_at_once", .label = "Several at once"}, "cpu",
      [core](Backend& backend, std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid,
             const Params&) -> std::unique_ptr<Projector> {
        return std::make_unique<SeveralAtOnce>(*core, "siddon", backend, std::move(geometry), grid);
      });
  return bench;
}

}  // namespace

class TestIterates : public test::IterateContract {
  Q_OBJECT
 public:
  TestIterates() : IterateContract(bench()) {}
};

GANTRY_TEST(TestIterates)
#include "test_iterates.moc"
