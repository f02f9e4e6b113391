// What may be read of an iterate while its next step is under way: at every place where a solver
// gives way, on any projector or stored matrix of a backend, the iterate is that of the last
// finished step.
#pragma once

#include "core/base/error.hpp"
#include "core/matrix/matrix_format.hpp"
#include "core/solvers/solver.hpp"
#include "tests/contract/contract_bench.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"

#include <algorithm>
#include <set>

namespace gantry::test {

/// Copies an iterate wherever its step gives way, and holds it against the one that the step
/// started from.
class IterateWatch final : public Interrupt {
 public:
  void watch(const Solver& solver) {
    solver_ = &solver;
    looks_ = changed_ = 0;
    before_ = solver.solution().to_host();
  }
  void look_away() { solver_ = nullptr; }
  int looks() const { return looks_; }
  int changed() const { return changed_; }

 private:
  void attend() const override {
    if (solver_ == nullptr) return;
    ++looks_;
    if (solver_->solution().to_host() != before_) ++changed_;
  }

  const Solver* solver_ = nullptr;
  std::vector<float> before_;
  mutable int looks_ = 0, changed_ = 0;
};

class IterateContract : public QObject {
  Q_OBJECT

 public:
  /// `solvers`: the backend whose methods are tried, where it is not that of the projectors.
  explicit IterateContract(ContractBench bench, std::string solvers = {})
      : bench_(std::move(bench)), solvers_(solvers.empty() ? bench_.key : std::move(solvers)) {}

 private:
  struct Operator {
    std::string name;
    std::unique_ptr<Projector> A;
    Array b;
  };

  ContractBench bench_;
  std::string solvers_;
  const Catalog& catalog_ = bench_.catalog;
  Backend& backend_ = *bench_.backend;
  std::vector<ScanCase> cases_;
  std::vector<std::vector<Operator>> operators_;  // by case; made when first asked for
  IterateWatch watch_;
  std::set<QString> tried_;

  std::unique_ptr<Projector> projector(const std::string& key, const ScanCase& c) const {
    return catalog_.projectors.make(key, bench_.key, backend_, c.geometry, c.grid, {});
  }

  /// Every projector, and every format of the weights of one, that takes the scan.
  std::vector<Operator>& operators(std::size_t index) {
    std::vector<Operator>& found = operators_[index];
    if (!found.empty()) return found;
    const ScanCase& c = cases_[index];
    const auto add = [&](const std::string& name, const auto& make) {
      try {
        Operator one{name, make(), {}};
        // Below zero too: where an update goes there, it is cut off.
        one.b = Array::from(backend_, random_values(one.A->range_size(), 71, -1, 3));
        one.A->set_interrupt(&watch_);
        found.push_back(std::move(one));
      } catch (const UsageError&) {  // not for this scan
      }
    };
    for (const auto* entry : catalog_.projectors.on(bench_.key))
      add(entry->key, [&] { return projector(entry->key, c); });
    const std::string weights =
        catalog_.projectors.has("siddon", bench_.key) ? "siddon" : "hosted_distance_driven";
    for (const auto* entry : catalog_.matrix_formats.on(bench_.key))
      add(weights + " as " + entry->key, [&] {
        return std::make_unique<StoredMatrix>(
            projector(weights, c), catalog_.matrix_formats.make(entry->key, bench_.key, {}));
      });
    return found;
  }

 private slots:
  void initTestCase() {
    if (!bench_.absent.empty()) QSKIP(bench_.absent.c_str());
    ScanSpec stack = fan_spec(8, 24, 3);
    stack.view_angles_rad = angles_from_degrees(22.5, 45, 8);
    const ScanSpec fan = stack;
    stack.detector_rows = 3;
    stack.central_row = 1;
    stack.row_pitch_mm = 2;
    ScanSpec cone = stack;
    cone.beam = Beam::cone;
    cone.row_pitch_mm = 4;
    cases_ = {{"fan", share(fan), VolumeGrid::centered(16, 16, 1, {2, 2, 2})},
              {"stack of slices", share(stack), VolumeGrid::centered(16, 16, 3, {2, 2, 2})},
              {"cone", share(cone), VolumeGrid::centered(16, 16, 4, {2, 2, 2})}};
    operators_.resize(cases_.size());
  }

  void whoeverReadsFindsTheLastStep_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("scan");
    for (const auto* entry : catalog_.solvers.on(solvers_))
      for (int i = 0; i < static_cast<int>(cases_.size()); ++i)
        QTest::addRow("%s, %s", entry->key.c_str(),
                      cases_[static_cast<std::size_t>(i)].name.c_str())
            << QString::fromStdString(entry->key) << i;
  }
  void whoeverReadsFindsTheLastStep() {
    QFETCH(QString, key);
    QFETCH(int, scan);
    int tried = 0;
    for (const Operator& on : operators(static_cast<std::size_t>(scan))) {
      const auto solver = catalog_.solvers.make(key.toStdString(), solvers_, {});
      watch_.look_away();
      try {
        solver->init({on.A.get(), &on.b, nullptr});
      } catch (const UsageError&) {
        continue;  // not this method on this operator
      }
      ++tried;
      int looks = 0;
      for (int step = 0; step < 2 * solver->steps_per_iteration() + 1; ++step) {
        watch_.watch(*solver);
        const bool exhausted = solver->step().exhausted;
        QVERIFY2(watch_.changed() == 0, on.name.c_str());
        looks += watch_.looks();
        if (exhausted) break;
      }
      QVERIFY2(looks > 0, on.name.c_str());
    }
    if (tried == 0) QSKIP("the method takes none of these operators on this scan");
    tried_.insert(key);
  }
  /// Most methods take any operator.
  void cleanupTestCase() { QVERIFY(!bench_.absent.empty() || tried_.size() >= 8); }
};

}  // namespace gantry::test
