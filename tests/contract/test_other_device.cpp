// The solvers on a device whose memory the host cannot read: none reaches into an Array but through
// its backend.
#include "tests/contract/hosted_prior.hpp"
#include "tests/contract/solver_contract.hpp"
#include "tests/support/hosted_filtered_sum.hpp"
#include "tests/support/hosted_projector.hpp"
#include "tests/support/measured_backend.hpp"
#include "tests/support/test_program.hpp"

namespace {

gantry::test::ContractBench bench() {
  gantry::test::ContractBench bench = gantry::test::core_bench();
  bench.backend = std::make_shared<gantry::test::MeasuredBackend>(gantry::BackendKind::cuda);
  bench.key = "cuda";
  gantry::test::add_hosted(bench.catalog, "distance_driven", bench.key);
  gantry::test::add_hosted_priors(bench.catalog, bench.key);
  gantry::test::add_hosted_fbp(bench.catalog, bench.key);
  bench.catalog.solvers.also_on(bench.key, "parallel_art", "cpu");
  return bench;
}

}  // namespace

class TestOtherDevice : public gantry::test::SolverContract {
  Q_OBJECT
 public:
  TestOtherDevice() : SolverContract(bench()) {}
};

GANTRY_TEST(TestOtherDevice)
#include "test_other_device.moc"
