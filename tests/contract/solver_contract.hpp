// The contract of every solver of the catalogue on a backend, and the invariants of each method.
#pragma once

#include "tests/contract/estimate_only.hpp"
#include "tests/contract/solver_bench.hpp"
#include "tests/contract/subset_reports.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/interrupt_at_check.hpp"
#include "tests/support/product_projector.hpp"

#include <QRegularExpression>

#include <cmath>

namespace gantry::test {

class SolverContract : public SolverBench {
  Q_OBJECT

 public:
  explicit SolverContract(ContractBench bench) : SolverBench(std::move(bench)) {}

 private slots:
  void initTestCase() {
    if (!bench_.absent.empty()) QSKIP(bench_.absent.c_str());
    for (const auto* entry : catalog_.solvers.on(on_))
      QVERIFY2(!with_priors(*entry).empty(), entry->key.c_str());
    make_scans();
  }

  void anInterruptedStepCanBeRepeated_data() { iterativeRows(); }
  void anInterruptedStepCanBeRepeated() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    const Scan& calm_scan = scan(with);
    const auto harried_operator = projector(with.toStdString(), geometry_->spec(), grid_);
    InterruptAtCheck check;
    harried_operator->set_interrupt(&check);
    const auto calm = solver(key.toStdString()), harried = solver(key.toStdString());
    calm->init(problem(key.toStdString(), *calm_scan.A, calm_scan.noisy));
    // SGD on a device lets the order of threads decide, and is not repeatable. A ray that grazes
    // one pixel divides the noise of its value by a weight near zero; how much of that step other
    // rays take back depends on the order. So two uninterrupted runs differ by a fifth at times
    // where the data hold noise, and such methods are compared on exact data. They tell after
    // init() only.
    const Array& data = calm->repeatable() ? calm_scan.noisy : calm_scan.b;
    if (!calm->repeatable()) calm->init(problem(key.toStdString(), *calm_scan.A, data));
    // The set-up is interrupted, too; it is then repeated from the beginning.
    const Problem harried_problem = problem(key.toStdString(), *harried_operator, data);
    check.set(1);
    QVERIFY_THROWS_EXCEPTION(Interrupted, harried->init(harried_problem));
    check.set(0);
    harried->init(harried_problem);
    expect_same(harried->solution(), calm->solution(), calm->repeatable());
    const int steps = 3 * calm->steps_per_iteration();
    int interruptions = 0;
    for (int i = 0; i < steps; ++i) {
      const StepReport expected = calm->step();
      bool done = false;
      // Interrupts the step at each of its checks in turn.
      for (int place = 1; place < 400 && !done; ++place) {
        const std::vector<float> before = harried->solution().to_host();
        check.set(place);
        try {
          const StepReport report = harried->step();
          expect_same(report.residual_norm, expected.residual_norm, calm->repeatable());
          expect_same(report.update_norm, expected.update_norm, calm->repeatable());
          done = true;
        } catch (const Interrupted&) {
          ++interruptions;
          QCOMPARE(harried->solution().to_host(), before);
        }
      }
      QVERIFY(done);
      expect_same(harried->solution(), calm->solution(), calm->repeatable());
    }
    QVERIFY(interruptions >= steps);
  }

  void theExactSolutionIsAFixedPoint_data() { addRows(is_iterative, Priors::none); }
  void theExactSolutionIsAFixedPoint() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    const Scan& exact = scan(with);
    const auto s = solver(key.toStdString());
    // Without a penalty, which would move the solution away from that of the data.
    run(*s, {exact.A.get(), &exact.b, &truth_}, {2, 0}, {});
    QVERIFY(distance(s->solution(), truth_) <= 1e-5 * norm(truth_));
  }

  /// The traits in the catalogue are those of the method.
  void traitsAreThoseOfTheMethod() {
    int with_traits = 0;
    for (const auto* entry : catalog_.solvers.on(on_)) {
      QVERIFY2(solver(entry->key)->traits() == entry->traits, entry->key.c_str());
      QVERIFY2(entry->traits.family != SolverFamily::none, entry->key.c_str());
      with_traits += entry->traits == SolverTraits{} ? 0 : 1;
    }
    QVERIFY(with_traits > 0);
  }

  /// Only methods with a relaxation have the parameter, and report the relaxation that they apply.
  void onlyMethodsWithARelaxationTellOfOne_data() { solverRows(); }
  void onlyMethodsWithARelaxationTellOfOne() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    const std::string method = key.toStdString();
    QCOMPARE(has_param(catalog_.solvers.at(solver_of(method)), "relaxation"),
             traits(method).has_relaxation);
    const auto s = solver(method);
    s->init(problem(method, *scan(with).A, scan(with).noisy));
    if (const auto range = s->admissible()) {
      QVERIFY(traits(method).has_relaxation);
      QVERIFY(range->value > 0 && range->value < range->bound);
    }
  }

  void errorOfConsistentDataFalls_data() { solverRows(Priors::none); }
  void errorOfConsistentDataFalls() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    // Without a penalty, which would keep a distance from the truth.
    const Problem exact{.A = scan(with).A.get(), .b = &scan(with).b};
    // A start from the filtered backprojection would leave little for the iterations to improve.
    // Coordinate descent depends on it: from zero, the voxels of its first colours take the sums of
    // whole rays.
    const bool may_start = has_param(catalog_.solvers.at(solver_of(key.toStdString())), "start"),
               by_voxels = traits(key.toStdString()).needs_columns;
    const Params from_zero =
        may_start && !by_voxels ? Params{{"start", std::string("zero")}} : Params{};
    const Array few = after(key.toStdString(), from_zero, 3, exact),
                many = after(key.toStdString(), from_zero, 30, exact);
    QVERIFY(distance(few, truth_) < 0.8 * norm(truth_));
    if (!traits(key.toStdString()).is_direct)
      QVERIFY(distance(many, truth_) < (by_voxels ? 0.9 : 0.7) * distance(few, truth_));
  }

  void reportsAreThoseOfTheStep_data() { solverRows(); }
  void reportsAreThoseOfTheStep() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    const std::string method = key.toStdString();
    const Scan& noisy = scan(with);
    const auto s = solver(method);
    s->init(problem(method, *noisy.A, noisy.noisy));
    if (traits(method).through_subsets) {
      const ProductProjector by_products(*noisy.A);
      const auto single = solver(method);
      single->init(problem(method, by_products, noisy.noisy));
      if (s->steps_per_iteration() < single->steps_per_iteration())
        return expect_sums_over_subsets(*s, *single);
    }
    for (int step = 0; step < 6; ++step) {
      const Array before = s->solution().clone();
      Array r(backend_, noisy.A->range_size());
      noisy.A->forward(before, r);
      const double residual = std::sqrt(backend_.residual(noisy.noisy, r, nullptr));
      const StepReport report = s->step();
      const double update = distance(s->solution(), before);
      EXPECT_NEAR(report.update_norm, update, 1e-3 * update);
      if (s->steps_per_iteration() == 1)
        EXPECT_NEAR(report.residual_norm, residual, 1e-4 * residual);
      if (report.exhausted) break;
    }
  }

  void unfittingInputsAreRefused_data() { solverRows(Priors::none); }
  void unfittingInputsAreRefused() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    const LinearOperator* A = scan(with).A.get();
    const Array wrong = Array::filled(backend_, 5, 0);
    const auto s = solver(key.toStdString());
    EXPECT_THROWS(ShapeError, s->step(), "before init");
    EXPECT_THROWS(ShapeError, s->init({A, &wrong, nullptr}), "data have 5 values");
    EXPECT_THROWS(ShapeError, s->init({A, &b_, &wrong}), "start image");
  }

  // ---- Cases that the formulas leave undefined

  void zeroDataGiveZero_data() { solverRows(); }
  void zeroDataGiveZero() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    const Array zero = Array::filled(backend_, scan(with).A->range_size(), 0);
    staysFinite(key.toStdString(), *scan(with).A, zero);
    const Array x =
        after(key.toStdString(), {}, 3, problem(key.toStdString(), *scan(with).A, zero));
    QCOMPARE(norm(x), 0.0);
  }

  void voxelsThatNoRayHitsStayFinite_data() { solverRows(); }
  void voxelsThatNoRayHitsStayFinite() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    // The grid is 280 mm wide, the detector 48 mm at the axis.
    const auto A = projector(with.toStdString(), fan_spec(5, 24, 3),
                             VolumeGrid::centered(28, 28, 1, {10, 10, 10}));
    Array ones = Array::filled(backend_, A->range_size(), 1), hits(backend_, A->domain_size());
    A->adjoint(ones, hits);
    QVERIFY(std::ranges::count(hits.to_host(), 0.0F) > 100);
    staysFinite(key.toStdString(), *A,
                Array::from(backend_, random_values(A->range_size(), 33, -0.1F, 3)));
  }

  void raysThatMissAreLeftOut_data() { solverRows(); }
  void raysThatMissAreLeftOut() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    const VolumeGrid small = VolumeGrid::centered(6, 5, 1, {4, 4, 4});
    const auto A = projector(with.toStdString(), fan_spec(12, 60, 3), small);
    Array ones = Array::filled(backend_, A->domain_size(), 1), chords(backend_, A->range_size());
    A->forward(ones, chords);
    QVERIFY(std::ranges::count(chords.to_host(), 0.0F) > 100);
    staysFinite(key.toStdString(), *A,
                Array::from(backend_, random_values(A->range_size(), 34, -0.1F, 3)));
  }

  /// Data that are zero or negative, and rays that all miss the grid, give finite numbers.
  void degenerateDataGiveNumbers_data() { solverRows(); }
  void degenerateDataGiveNumbers() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    ScanSpec away = geometry_->spec();
    away.central_column = -30;
    const auto blind = projector(with.toStdString(), away, grid_);
    for (const Projector* A : {static_cast<const Projector*>(scan(with).A.get()),
                               static_cast<const Projector*>(blind.get())})
      for (const float value : {0.0F, -1.0F, 1.0F}) {
        const Array data = Array::filled(backend_, A->range_size(), value);
        staysFinite(key.toStdString(), *A, data);
        const auto s = solver(key.toStdString());
        SolverRun loop(*s, problem(key.toStdString(), *A, data),
                       {.iterations = 4, .relative_residual = 1e-9});
        while (!loop.finished())
          if (const auto report = loop.advance())
            QVERIFY(std::isfinite(report->residual_norm) && std::isfinite(report->update_norm));
        QVERIFY(loop.reason() != StopReason::diverged);
        QVERIFY(all_finite(s->solution()));
      }
  }

  // ---- What traits and parameters promise

  void nonNegativityHolds_data() {
    addRows([](const auto& entry) { return has_param(entry, "nonnegative"); });
  }
  void nonNegativityHolds() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    const Scan& one = scan(with);
    const Array wild = Array::from(backend_, random_values(one.A->range_size(), 32, -1, 1));
    const Problem on_noise = problem(key.toStdString(), *one.A, wild);
    const Array free = after(key.toStdString(), {{"nonnegative", false}}, 5, on_noise);
    const Array bound = after(key.toStdString(), {{"nonnegative", true}}, 5, on_noise);
    QVERIFY(std::ranges::min(free.to_host()) < 0);
    QVERIFY(std::ranges::min(bound.to_host()) >= 0);
  }

  void orderChangesTheResultAndSeedsRepeat_data() {
    addRows(
        [](const auto& entry) { return has_param(entry, "order") && has_param(entry, "seed"); });
  }
  void orderChangesTheResultAndSeedsRepeat() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    const Problem noisy = problem(key.toStdString(), *scan(with).A, scan(with).noisy);
    bool repeats = true;
    const auto image = [&](const char* order, std::int64_t seed) {
      const auto s = solver(key.toStdString(), {{"order", std::string(order)}, {"seed", seed}});
      run(*s, noisy, {2, 0}, {});
      repeats = s->repeatable();
      return s->solution().clone();
    };
    QVERIFY(image("natural", 1).to_host() != image("golden", 1).to_host());
    QVERIFY(image("random", 1).to_host() != image("random", 2).to_host());
    expect_same(image("random", 7), image("random", 7), repeats);
    expect_same(image("golden", 1), image("golden", 2), repeats);
  }

  void pairsThatAreNotExactAreRefused_data() {
    addRows([](const auto& entry) { return entry.traits.needs_exact_pair; }, Priors::none);
  }
  void pairsThatAreNotExactAreRefused() {
    QFETCH(QString, key);
    class Unmatched final : public LinearOperator {
     public:
      explicit Unmatched(Backend& backend) : LinearOperator(backend, 4, 4, 1) {}
      bool matched() const override { return false; }

     private:
      void do_forward(const Array&, Array&, ViewSubset) const override {}
      void do_adjoint(const Array&, Array&, ViewSubset) const override {}
    } const unmatched(backend_);
    const Array b = Array::filled(backend_, 4, 1);
    EXPECT_THROWS(UsageError, solver(key.toStdString())->init({&unmatched, &b, nullptr}),
                  "choose a projector that is an exact pair");
  }

  void otherScansAreRefused_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("kind");
    for (const auto* entry : catalog_.solvers.on(on_))
      for (std::size_t i = 0; i < kinds_.size(); ++i)
        if (!entry->traits.scans.include(*kinds_[i].geometry) &&
            projector_for(kinds_[i]) != nullptr)
          QTest::addRow("%s, %s", entry->key.c_str(), kinds_[i].name.c_str())
              << QString::fromStdString(entry->key) << static_cast<int>(i);
  }
  void otherScansAreRefused() {
    QFETCH(QString, key);
    QFETCH(int, kind);
    const auto A = projector_for(kinds_[static_cast<std::size_t>(kind)]);
    const Array b = Array::filled(backend_, A->range_size(), 1);
    std::string message;
    try {
      solver(key.toStdString())->init({A.get(), &b, nullptr});
    } catch (const UsageError& error) {
      message = error.what();
    }
    QVERIFY2(names_a_solver_for(message, A->geometry()), message.c_str());
  }

  // Equal to the bit, for methods whose next step depends on the estimate only.
  void warmStartGoesOnWhereAColdRunIs_data() {
    addRows(
        [this](const auto& entry) {
          if (entry.traits.is_direct) return false;
          const std::string key = reads_weights(entry.traits) ? of_rays() : usual();
          if (!gives_weights(entry.traits, catalog_.projectors.at(key).traits_on(on_)))
            return false;
          const Scan& any = scan(QString::fromStdString(key));
          return depends_on_estimate_only(*solver(entry.key), *any.A, any.noisy);
        },
        Priors::without_edges);
  }
  void warmStartGoesOnWhereAColdRunIs() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    const Array* noisy = &scan(with).noisy;
    const Projector& A = *scan(with).A;
    const std::string method = key.toStdString();
    const Array five = after(method, {}, 5, problem(method, A, *noisy));
    const auto whole = solver(method);
    run(*whole, problem(method, A, *noisy), {8, 0}, {});
    expect_same(after(method, {}, 3, problem(method, A, *noisy, &five)), whole->solution(),
                whole->repeatable());
  }
};

}  // namespace gantry::test
