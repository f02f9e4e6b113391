// The contract of reading an iterate during a step: at every check of the interrupt, on any
// projector or stored matrix of a backend, the iterate is that of the last completed step.
#pragma once

#include "core/base/error.hpp"
#include "core/matrix/matrix_format.hpp"
#include "core/operator/column_access.hpp"
#include "core/operator/row_access.hpp"
#include "core/solvers/solver.hpp"
#include "tests/contract/contract_bench.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"

#include <algorithm>

namespace gantry::test {

/// Compares the iterate, at every check of the interrupt, with the iterate before the step.
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
  void run_queued_tasks() const override {
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
  /// `solvers` is the backend of the methods, if other than that of the projectors.
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
  std::vector<std::vector<Operator>> operators_;  // by case
  IterateWatch watch_;

  std::unique_ptr<Projector> projector(const std::string& key, const ScanCase& c) const {
    return catalog_.projectors.make(key, bench_.key, backend_, c.geometry, c.grid, {});
  }

  /// Returns every projector, and every matrix format with the weights of one projector, that
  /// accepts the scan.
  std::vector<Operator> operators(const ScanCase& c) {
    std::vector<Operator> found;
    const auto add = [&](const std::string& name, const auto& make) {
      try {
        Operator one{name, make(), {}};
        // Negative data are included, so that updates below zero are cut off.
        one.b = Array::from(backend_, random_values(one.A->range_size(), 71, -1, 3));
        one.A->set_interrupt(&watch_);
        found.push_back(std::move(one));
      } catch (const UsageError&) {  // does not accept the scan
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
  /// Returns whether a method of these traits accepts the operator.
  static bool accepts(const SolverTraits& traits, const Projector& A) {
    return traits.scans.include(A.geometry()) && (!traits.needs_exact_pair || A.matched()) &&
           (!traits.needs_rows || gives_rows(A)) && (!traits.needs_columns || gives_columns(A)) &&
           (!traits.needs_row_norms || A.row_source() != nullptr);
  }
  static bool accepts_any(const SolverTraits& traits, const std::vector<Operator>& operators) {
    return std::ranges::any_of(operators,
                               [&](const Operator& on) { return accepts(traits, *on.A); });
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
    for (const ScanCase& c : cases_) operators_.push_back(operators(c));
    // A fault by which operators refuse the scans would otherwise only remove rows.
    const auto methods = catalog_.solvers.on(solvers_);
    const auto tested = std::ranges::count_if(methods, [&](const auto* entry) {
      return std::ranges::any_of(operators_, [&](const std::vector<Operator>& operators) {
        return accepts_any(entry->traits, operators);
      });
    });
    QVERIFY2(tested >= 8, qPrintable(QString::number(tested)));
  }

  void whoeverReadsFindsTheLastStep_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("scan");
    for (const auto* entry : catalog_.solvers.on(solvers_))
      for (std::size_t i = 0; i < cases_.size(); ++i)
        if (accepts_any(entry->traits, operators_[i]))
          QTest::addRow("%s, %s", entry->key.c_str(), cases_[i].name.c_str())
              << QString::fromStdString(entry->key) << static_cast<int>(i);
  }
  void whoeverReadsFindsTheLastStep() {
    QFETCH(QString, key);
    QFETCH(int, scan);
    for (const Operator& on : operators_[static_cast<std::size_t>(scan)]) {
      const auto solver = catalog_.solvers.make(key.toStdString(), solvers_, {});
      if (!accepts(solver->traits(), *on.A)) continue;
      watch_.look_away();
      solver->init({on.A.get(), &on.b, nullptr});
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
  }
};

}  // namespace gantry::test
