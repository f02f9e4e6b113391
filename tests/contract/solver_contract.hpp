// What every solver of the catalogue promises on a backend, and the invariants of each method.
#pragma once

#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "core/solvers/run.hpp"
#include "tests/contract/contract_bench.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/estimate_alone.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/nth_check.hpp"
#include "tests/support/penalties.hpp"
#include "tests/support/scans.hpp"

#include <cmath>
#include <map>

namespace gantry::test {

inline bool all_finite(const Array& x) {
  return std::ranges::all_of(x.to_host(), [](float value) { return std::isfinite(value); });
}

class SolverContract : public QObject {
  Q_OBJECT

 public:
  explicit SolverContract(ContractBench bench) : bench_(std::move(bench)) {}

 private:
  ContractBench bench_;
  const Catalog& catalog_ = bench_.catalog;
  Backend& backend_ = *bench_.backend;
  const std::string& on_ = bench_.key;
  std::shared_ptr<const ScanGeometry> geometry_ = share(fan_spec(30, 48, 3));
  VolumeGrid grid_ = VolumeGrid::centered(32, 32, 1, {2, 2, 2});
  std::unique_ptr<Projector> A_;
  Array truth_, b_, noisy_;

  /// A projector, and what it measures of the truth.
  struct Scan {
    std::unique_ptr<Projector> A;
    Array b, noisy;
  };
  std::map<std::string, Scan> scans_;  // by projector
  Penalties penalties_{catalog_, on_};

  static double norm(const Array& x) { return length(x); }
  double residual(const Array& x, const Array& b) {
    Array r(backend_, A_->range_size());
    A_->forward(x, r);
    return std::sqrt(backend_.residual(b, r, nullptr));
  }
  // A method that takes priors is tried with each: "fista/huber" is the method and the prior.
  static std::string solver_of(const std::string& key) { return key.substr(0, key.find('/')); }
  static std::string prior_of(const std::string& key) {
    return key.find('/') == std::string::npos ? std::string() : key.substr(key.find('/') + 1);
  }
  const SolverTraits& traits(const std::string& key) {
    return catalog_.solvers.at(solver_of(key)).traits;
  }
  std::unique_ptr<Solver> solver(const std::string& key, const Params& params = {}) {
    return catalog_.solvers.make(solver_of(key), on_, params);
  }
  Problem problem(const std::string& key, const Projector& A, const Array& b,
                  const Array* x0 = nullptr) {
    Problem one{.A = &A, .b = &b, .x0 = x0};
    if (const std::string prior = prior_of(key); !prior.empty())
      one.penalty = penalties_.make(prior, A);
    return one;
  }
  Array after(const std::string& key, const Params& params, int iterations,
              const Problem& problem) {
    const auto s = solver(key, params);
    run(*s, problem, {iterations, 0}, {});
    return s->solution().clone();
  }
  Problem problem(const Array& b) { return {A_.get(), &b, nullptr}; }

  /// A projector by its key, on a fan. A cone of one row on one slice is all but a fan: what is for
  /// cones alone is tried with "siddon in a cone".
  std::unique_ptr<Projector> projector(const std::string& key, ScanSpec spec,
                                       const VolumeGrid& grid) {
    if (key == in_a_cone) spec.beam = Beam::cone;
    return catalog_.projectors.make(key == in_a_cone ? of_rays() : key, on_, backend_, share(spec),
                                    grid, {});
  }
  static constexpr const char* in_a_cone = "siddon in a cone";

  /// What stands for the exact pairs, and for those that go ray by ray. A backend that has neither
  /// lends the CPU's.
  std::string usual() const {
    return catalog_.projectors.has("distance_driven", on_) ? "distance_driven"
                                                           : "hosted_distance_driven";
  }
  std::string of_rays() const {
    return catalog_.projectors.has("siddon", on_) ? "siddon" : usual();
  }
  /// Whether the backend has the method, and what it needs.
  bool runs(const std::string& key) {
    if (!catalog_.solvers.has(key, on_)) return false;
    return !catalog_.solvers.at(key).traits.needs_single_weights ||
           projector(of_rays(), geometry_->spec(), grid_)->gives_single_weights();
  }
  const Scan& scan(const QString& key) {
    Scan& found = scans_[key.toStdString()];
    if (found.A == nullptr) {
      found.A = projector(key.toStdString(), geometry_->spec(), grid_);
      found.b = Array(backend_, found.A->range_size());
      found.A->forward(truth_, found.b);
      found.noisy = Array::from(backend_, random_values(found.A->range_size(), 31, -0.02F, 0.02F));
      backend_.axpby(1, found.b, 1, found.noisy);
    }
    return found;
  }

  std::vector<std::string> with_priors(const Registry<Solver>::Entry& entry) {
    std::vector<std::string> keys;
    for (const auto* prior : catalog_.priors.on(on_))
      if (entry.traits.takes(prior->traits)) keys.push_back(entry.key + "/" + prior->key);
    return keys.empty() ? std::vector{entry.key} : keys;
  }
  /// The solvers that are wanted, on the usual projector or on all that have single weights.
  void addRows(const auto& wanted) {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("with");
    for (const auto* entry : catalog_.solvers.on(on_)) {
      if (!wanted(*entry)) continue;
      if (!entry->traits.scans.include(*geometry_)) {
        QTest::addRow("%s on %s", entry->key.c_str(), in_a_cone)
            << QString::fromStdString(entry->key) << QString(in_a_cone);
        continue;
      }
      for (const auto* other : catalog_.projectors.on(on_)) {
        const auto A = projector(other->key, geometry_->spec(), grid_);
        if (!A->matched() || (entry->traits.needs_single_weights ? !A->gives_single_weights()
                                                                 : other->key != usual()))
          continue;
        for (const std::string& key : with_priors(*entry))
          QTest::addRow("%s on %s", key.c_str(), other->key.c_str())
              << QString::fromStdString(key) << QString::fromStdString(other->key);
      }
    }
  }
  static bool is_iterative(const Registry<Solver>::Entry& entry) { return !entry.traits.is_direct; }
  void solverRows() {
    addRows([](const auto&) { return true; });
  }
  void iterativeRows() { addRows(is_iterative); }

  /// Some iterations end with numbers everywhere, in the image and in the reports.
  void staysFinite(const std::string& key, const Projector& A, const Array& data) {
    const auto s = solver(key);
    s->init(problem(key, A, data));
    for (int step = 0; step < 3 * s->steps_per_iteration(); ++step) {
      const StepReport report = s->step();
      QVERIFY(std::isfinite(report.residual_norm) && std::isfinite(report.update_norm));
      if (report.exhausted) break;
    }
    QVERIFY(all_finite(s->solution()));
    if (const auto range = s->admissible())
      QVERIFY(std::isfinite(range->value) && std::isfinite(range->bound));
  }

 private slots:
  void initTestCase() {
    if (!bench_.absent.empty()) QSKIP(bench_.absent.c_str());
    A_ = catalog_.projectors.make(usual(), on_, backend_, geometry_, grid_, {});
    // Two discs with a hole, from the formula of their interior.
    std::vector<float> truth(grid_.voxels());
    for (int iy = 0; iy < grid_.ny; ++iy)
      for (int ix = 0; ix < grid_.nx; ++ix) {
        const Vec3 p = grid_.voxel_center_mm(ix, iy, 0);
        const bool body = std::hypot(p.x, p.y) < 24, hole = std::hypot(p.x - 8, p.y - 5) < 6,
                   dense = std::hypot(p.x + 7, p.y + 3) < 5;
        truth[grid_.index(ix, iy, 0)] = body ? (hole ? 0.0F : dense ? 0.04F : 0.02F) : 0.0F;
      }
    truth_ = Array::from(backend_, truth);
    b_ = scan(QString::fromStdString(usual())).b.clone();
    noisy_ = scan(QString::fromStdString(usual())).noisy.clone();
  }

  void anInterruptedStepCanBeRepeated_data() { iterativeRows(); }
  void anInterruptedStepCanBeRepeated() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    const Scan& calm_scan = scan(with);
    const auto harried_operator = projector(with.toStdString(), geometry_->spec(), grid_);
    NthCheck check;
    harried_operator->set_interrupt(&check);
    const auto calm = solver(key.toStdString()), harried = solver(key.toStdString());
    calm->init(problem(key.toStdString(), *calm_scan.A, calm_scan.noisy));
    // In the set-up too: then it is made again as a whole.
    const Problem harried_problem = problem(key.toStdString(), *harried_operator, calm_scan.noisy);
    check.set(1);
    QVERIFY_THROWS_EXCEPTION(Interrupted, harried->init(harried_problem));
    check.set(0);
    harried->init(harried_problem);
    QCOMPARE(harried->solution().to_host(), calm->solution().to_host());
    const int steps = 3 * calm->steps_per_iteration();
    int interruptions = 0;
    for (int i = 0; i < steps; ++i) {
      const StepReport expected = calm->step();
      bool done = false;
      // At each place of the step in turn where it can give way, until none is left.
      for (int place = 1; place < 400 && !done; ++place) {
        const std::vector<float> before = harried->solution().to_host();
        check.set(place);
        try {
          const StepReport report = harried->step();
          QCOMPARE(report.residual_norm, expected.residual_norm);
          QCOMPARE(report.update_norm, expected.update_norm);
          done = true;
        } catch (const Interrupted&) {
          ++interruptions;
          QCOMPARE(harried->solution().to_host(), before);
        }
      }
      QVERIFY(done);
      QCOMPARE(harried->solution().to_host(), calm->solution().to_host());
    }
    QVERIFY(interruptions >= steps);
  }

  void theExactSolutionIsAFixedPoint_data() { iterativeRows(); }
  void theExactSolutionIsAFixedPoint() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    const Scan& exact = scan(with);
    const auto s = solver(key.toStdString());
    // Without a penalty, which moves the solution away from that of the data alone.
    run(*s, {exact.A.get(), &exact.b, &truth_}, {2, 0}, {});
    QVERIFY(distance(s->solution(), truth_) <= 1e-5 * norm(truth_));
  }

  /// What the catalogue says of a method without making one is what the method says of itself.
  void traitsAreThoseOfTheMethod() {
    int with_traits = 0;
    for (const auto* entry : catalog_.solvers.on(on_)) {
      QVERIFY2(solver(entry->key)->traits() == entry->traits, entry->key.c_str());
      with_traits += entry->traits == SolverTraits{} ? 0 : 1;
    }
    QVERIFY(with_traits > 0);
  }

  /// A method with a relaxation has the parameter and can say what it applies; others do neither.
  void onlyMethodsWithARelaxationTellOfOne_data() { solverRows(); }
  void onlyMethodsWithARelaxationTellOfOne() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    const std::string method = key.toStdString();
    const auto& params = catalog_.solvers.at(solver_of(method)).params;
    QCOMPARE(std::ranges::find(params, "relaxation", &ParamSpec::key) != params.end(),
             traits(method).has_relaxation);
    const auto s = solver(method);
    s->init(problem(method, *scan(with).A, scan(with).noisy));
    if (const auto range = s->admissible()) {
      QVERIFY(traits(method).has_relaxation);
      QVERIFY(range->value > 0 && range->value < range->bound);
    }
  }

  void errorOfConsistentDataFalls_data() { solverRows(); }
  void errorOfConsistentDataFalls() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    // Without a penalty, which keeps a distance from the truth.
    const Problem exact{.A = scan(with).A.get(), .b = &scan(with).b};
    const Array few = after(key.toStdString(), {}, 3, exact),
                many = after(key.toStdString(), {}, 30, exact);
    QVERIFY(distance(few, truth_) < 0.8 * norm(truth_));
    if (!traits(key.toStdString()).is_direct)
      QVERIFY(distance(many, truth_) < 0.7 * distance(few, truth_));
  }

  void reportsAreThoseOfTheStep_data() { solverRows(); }
  void reportsAreThoseOfTheStep() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    const Scan& noisy = scan(with);
    const auto s = solver(key.toStdString());
    s->init(problem(key.toStdString(), *noisy.A, noisy.noisy));
    for (int step = 0; step < 6; ++step) {
      const Array before = s->solution().clone();
      Array r(backend_, noisy.A->range_size());
      noisy.A->forward(before, r);
      const double residual = std::sqrt(backend_.residual(noisy.noisy, r, nullptr));
      const StepReport report = s->step();
      const double update = distance(s->solution(), before);
      // Those that step through subsets report the part of each, also where all make one step.
      const bool through_subsets =
          traits(key.toStdString()).through_subsets &&
          make_subset_sweep(*noisy.A, Array::filled(backend_, noisy.A->range_size(), 1), {})
                  ->subsets_at_once() > 1;
      if (!through_subsets) EXPECT_NEAR(report.update_norm, update, 1e-3 * update);
      if (s->steps_per_iteration() == 1 && !through_subsets)
        EXPECT_NEAR(report.residual_norm, residual, 1e-4 * residual);
      if (report.exhausted) break;
    }
  }

  void unfittingInputsAreRefused_data() { solverRows(); }
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

  // ---- What the formulas alone leave undefined

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
    // 280 mm of grid under 48 mm of field.
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

  /// Nothing, less than nothing, and rays that all miss: whatever comes of it is a number.
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

  // ---- Methods

  void nonNegativityHolds() {
    Array wild = Array::from(backend_, random_values(A_->range_size(), 32, -1, 1));
    for (const char* key :
         {"sirt", "sart", "os_sart", "fista_sart", "art", "landweber", "cimmino", "cav", "drop"}) {
      if (!runs(key)) continue;
      const Scan& with = scan(QString::fromStdString(
          catalog_.solvers.at(key).traits.needs_single_weights ? of_rays() : usual()));
      const Problem on_noise{with.A.get(), &wild, nullptr};
      const Array free = after(key, {{"nonnegative", false}}, 5, on_noise);
      const Array bound = after(key, {{"nonnegative", true}}, 5, on_noise);
      QVERIFY(std::ranges::min(free.to_host()) < 0);
      QVERIFY(std::ranges::min(bound.to_host()) >= 0);
    }
  }

  // T27: with C, R from the sums, C A^T R A 1 = 1: one step from zero on data A(c 1) gives c 1.
  void sirtReproducesAConstantInOneStep() {
    const Array constant = Array::filled(backend_, grid_.voxels(), 0.03F);
    Array data(backend_, A_->range_size());
    A_->forward(constant, data);
    for (const char* key :
         {"sirt", "sart", "os_sart",
          "fista_sart"}) {  // T28 for SART: every view alone reproduces what it sees
      const Array x = after(key, {{"relaxation", 1.0}, {"nonnegative", false}}, 1, problem(data));
      QVERIFY(distance(x, constant) <= 1e-4 * norm(constant));
    }
  }

  void sirtResidualIsMonotone() {
    const auto s = solver("sirt", {{"relaxation", 1.0}, {"nonnegative", false}});
    s->init(problem(noisy_));
    double previous = 1e30;
    for (int i = 0; i < 40; ++i) {
      const double expected = residual(s->solution(), noisy_);
      const StepReport report = s->step();
      EXPECT_NEAR(report.residual_norm, expected,
                  1e-6 * expected);  // of the iterate that the step started from
      QVERIFY(report.residual_norm <= previous * (1 + 1e-7));
      previous = report.residual_norm;
    }
  }

  // T29
  void oneSubsetIsSirtAndAllAreSart() {
    const Params common = {{"relaxation", 0.9}, {"nonnegative", false}};
    Params one = common, all = common;
    one.set("subsets", std::int64_t{1});
    all.set("subsets", std::int64_t{geometry_->views()});
    QCOMPARE(after("os_sart", one, 4, problem(noisy_)).to_host(),
             after("sirt", common, 4, problem(noisy_)).to_host());
    QCOMPARE(after("os_sart", all, 2, problem(noisy_)).to_host(),
             after("sart", common, 2, problem(noisy_)).to_host());
  }

  void orderChangesTheResultAndSeedsRepeat() {
    const auto with = [&](const char* order, std::int64_t seed) {
      return after("sart", {{"order", std::string(order)}, {"seed", seed}}, 2, problem(noisy_))
          .to_host();
    };
    QVERIFY(with("natural", 1) != with("golden", 1));
    QVERIFY(with("random", 1) != with("random", 2));
    QCOMPARE(with("random", 7), with("random", 7));
    QCOMPARE(with("golden", 1), with("golden", 2));
  }

  void spreadOrdersBeatTheNaturalOne() {
    const auto A = projector(of_rays(), fan_spec(180, 48, 3), grid_);
    Array data(backend_, A->range_size());
    A->forward(truth_, data);
    for (const char* key : {"sart", "art"}) {
      if (!runs(key)) continue;
      const auto error = [&](const char* order) {
        return distance(after(key, {{"order", std::string(order)}, {"relaxation", 1.0}}, 1,
                              {A.get(), &data, nullptr}),
                        truth_);
      };
      for (const char* order : {"golden", "random", "multilevel"})
        QVERIFY2(error(order) < 0.5 * error("natural"), order);
    }
  }

  // T30
  void cglsResidualIsMonotoneAndErrorFalls() {
    const auto s = solver("cgls");
    s->init(problem(b_));
    double previous = 1e30, previous_error = 1e30;
    for (int i = 0; i < 25; ++i) {
      const double expected = residual(s->solution(), b_);
      const StepReport report = s->step();
      EXPECT_NEAR(report.residual_norm, expected, 1e-4 * norm(b_));
      QVERIFY(report.residual_norm <= previous * (1 + 1e-6));
      const double error = distance(s->solution(), truth_);
      QVERIFY(error <= previous_error * (1 + 1e-5));
      previous = report.residual_norm;
      previous_error = error;
    }
  }

  void cglsFindsTheLeastSquaresSolution() {
    const auto geometry = share(fan_spec(20, 16, 4));
    const VolumeGrid grid = VolumeGrid::centered(6, 5, 1, {5, 5, 5});
    const auto A = projector(of_rays(), geometry->spec(), grid);
    const std::vector<float> data = random_values(A->range_size(), 41);
    const std::vector<double> expected =
        least_squares(dense_matrix(*A), {data.begin(), data.end()});
    const Array b = Array::from(backend_, data);
    const auto s = solver("cgls");
    run(*s, {A.get(), &b, nullptr}, {static_cast<int>(2 * A->domain_size()), 0}, {});
    double scale = 0;
    for (const double value : expected) scale = std::max(scale, std::abs(value));
    const std::vector<float> found = s->solution().to_host();
    for (std::size_t j = 0; j < expected.size(); ++j)
      EXPECT_NEAR(found[j], expected[j], 1e-4 * scale);
  }

  void cglsStopsWhenNothingIsLeft() {
    const Array zero = Array::filled(backend_, A_->range_size(), 0);
    const auto s = solver("cgls");
    QCOMPARE(run(*s, problem(zero), {50, 0}, {}), StopReason::exhausted);
  }

  void cglsRefusesAnUnmatchedPair() {
    class Unmatched final : public LinearOperator {
     public:
      explicit Unmatched(Backend& backend) : LinearOperator(backend, 4, 4, 1) {}
      bool matched() const override { return false; }

     private:
      void do_forward(const Array&, Array&, ViewSubset) const override {}
      void do_adjoint(const Array&, Array&, ViewSubset) const override {}
    } const unmatched(backend_);
    const Array b = Array::filled(backend_, 4, 1);
    EXPECT_THROWS(UsageError, solver("cgls")->init({&unmatched, &b, nullptr}),
                  "use one that is an exact pair");
  }

  // To the bit, for methods whose next step depends on the estimate alone.
  void warmStartGoesOnWhereAColdRunIs_data() {
    addRows([this](const auto& entry) {
      if (entry.traits.is_direct || !runs(entry.key)) return false;
      const bool by_rays = entry.traits.needs_single_weights;
      const Scan& any = scan(QString::fromStdString(by_rays ? of_rays() : usual()));
      return goes_by_estimate_alone(*solver(entry.key), *any.A, any.noisy);
    });
  }
  void warmStartGoesOnWhereAColdRunIs() {
    QFETCH(QString, key);
    QFETCH(QString, with);
    const Array* noisy = &scan(with).noisy;
    const Projector& A = *scan(with).A;
    const std::string method = key.toStdString();
    const Array five = after(method, {}, 5, problem(method, A, *noisy));
    QCOMPARE(after(method, {}, 3, problem(method, A, *noisy, &five)).to_host(),
             after(method, {}, 8, problem(method, A, *noisy)).to_host());
  }

  void fbpRefusesACone() {
    ScanSpec spec = geometry_->spec();
    spec.beam = Beam::cone;
    const auto A = projector(usual(), spec, grid_);
    EXPECT_THROWS(UsageError, solver("fbp")->init({A.get(), &b_, nullptr}), "use fdk");
  }
};

}  // namespace gantry::test
