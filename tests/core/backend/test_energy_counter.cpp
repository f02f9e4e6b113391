// Energy of a call from a counter that moves on in coarse steps: the counter's numbers are the
// work's own, so that what a call takes is known.
#include "core/backend/backend_list.hpp"
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <chrono>
#include <cmath>
#include <thread>

using namespace gantry;

namespace {

/// Shows whole steps of what was taken.
class Steps final : public EnergyCounter {
 public:
  explicit Steps(const double& taken, double step) : taken_(taken), step_(step) {}
  double millijoules() const override { return 1e6 + step_ * std::floor(taken_ / step_); }

 private:
  const double& taken_;
  double step_;
};

}  // namespace

class TestEnergyCounter : public QObject {
  Q_OBJECT

 private slots:
  void findsWhatACallTakes() {
    double taken = 0;
    int calls = 0;
    const Steps counter(taken, 40);
    const CallEnergy found = energy_per_call(counter, [&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      taken += 3;
      ++calls;
    });
    QVERIFY(calls > 100);
    // Off by what is taken between two looks at the counter.
    EXPECT_NEAR(found.millijoules, 3.0, 0.15);
    QVERIFY(found.watts > 0);
  }

  /// A counter that stands still is no endless wait.
  void aCounterThatStandsStillIsNoEnergy() {
    const double nothing = 0;
    const CallEnergy found = energy_per_call(
        Steps(nothing, 1), [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });
    QCOMPARE(found.millijoules, 0.0);
    QCOMPARE(found.watts, 0.0);
  }

  void aBackendWithoutACounterSaysSo() {
    BackendList backends;
    backends.add("cpu", std::make_unique<CpuBackend>());
    std::string because;
    QVERIFY(backends.energy("cpu", because) == nullptr);
    QVERIFY(!because.empty() && because.find('\n') == std::string::npos);
    bool asked = false;
    backends.add_energy("cpu", [&]() -> std::unique_ptr<const EnergyCounter> {
      asked = true;
      throw UsageError("NVML is missing");
    });
    QVERIFY(!asked);  // what nobody asks for is not looked for
    QVERIFY(backends.energy("auto", because) == nullptr);
    QCOMPARE(because, std::string("NVML is missing"));
    const double taken = 0;
    backends.add_energy("cpu", [&] { return std::make_unique<Steps>(taken, 1); });
    QVERIFY(backends.energy("cpu", because) != nullptr);
    EXPECT_THROWS(UsageError, backends.energy("magic", because), "magic");
  }
};

GANTRY_TEST(TestEnergyCounter)
#include "test_energy_counter.moc"
