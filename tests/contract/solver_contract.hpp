// The contract of every solver of the catalogue on a backend, and the invariants of each method.
#pragma once

#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "core/solvers/run.hpp"
#include "tests/contract/contract_bench.hpp"
#include "tests/contract/subset_reports.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/estimate_only.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/interrupt_at_check.hpp"
#include "tests/support/penalties.hpp"
#include "tests/support/product_projector.hpp"
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

  /// A projector with its data of the truth, exact and noisy.
  struct Scan {
    std::unique_ptr<Projector> A;
    Array b, noisy;
  };
  std::map<std::string, Scan> scans_;  // by projector
  Penalties penalties_{catalog_, on_};

  const std::vector<ScanCase> kinds_ = kinds_of_scan();

  /// Returns one scan of each beam on each trajectory.
  static std::vector<ScanCase> kinds_of_scan() {
    std::vector<ScanCase> kinds;
    for (const auto& cases : {scan_cases(), pose_cases()})
      for (const ScanCase& c : cases)
        if (std::ranges::none_of(kinds, [&](const ScanCase& other) {
              return other.geometry->beam() == c.geometry->beam() &&
                     other.geometry->spec().trajectory == c.geometry->spec().trajectory;
            }))
          kinds.push_back(c);
    return kinds;
  }
  /// Makes the first projector of the backend that accepts the scan; null if there is none.
  std::unique_ptr<Projector> projector_for(const ScanCase& c) {
    for (const auto* entry : catalog_.projectors.on(on_))
      if (entry->traits_on(on_).scans.include(*c.geometry))
        return entry->make(on_, backend_, c.geometry, c.grid, {});
    return nullptr;
  }

  static double norm(const Array& x) { return length(x); }
  // A method that takes priors is tested with each of them: the key "fista/huber" is the method and
  // the prior.
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

  /// Makes a projector by its key, on a fan. Methods for cones only are tested with "siddon in a
  /// cone": a cone of one row and one slice, which is nearly a fan.
  std::unique_ptr<Projector> projector(const std::string& key, ScanSpec spec,
                                       const VolumeGrid& grid) {
    if (key == in_a_cone) spec.beam = Beam::cone;
    return catalog_.projectors.make(key == in_a_cone ? of_rays() : key, on_, backend_, share(spec),
                                    grid, {});
  }
  static constexpr const char* in_a_cone = "siddon in a cone";

  /// Returns the exact pair that most tests use, and the projector for methods that need single
  /// rays. A backend without such projectors uses those of the CPU.
  std::string usual() const {
    return catalog_.projectors.has("distance_driven", on_) ? "distance_driven"
                                                           : "hosted_distance_driven";
  }
  std::string of_rays() const {
    return catalog_.projectors.has("siddon", on_) ? "siddon" : usual();
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
    return entry.traits.prior == PriorUse::none ? std::vector{entry.key} : keys;
  }
  enum class Priors { each, none };  // rows of a method that takes priors
  /// Adds rows for the wanted solvers, with the usual projector; with all projectors that give
  /// single weights for methods that need them.
  void addRows(const auto& wanted, Priors priors = Priors::each) {
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
        if (!A->matched() ||
            (entry->traits.needs_single_weights ? !A->has_single_weights() : other->key != usual()))
          continue;
        for (const std::string& key :
             priors == Priors::each ? with_priors(*entry) : std::vector{entry->key})
          QTest::addRow("%s on %s", key.c_str(), other->key.c_str())
              << QString::fromStdString(key) << QString::fromStdString(other->key);
      }
    }
  }
  static bool is_iterative(const Registry<Solver>::Entry& entry) { return !entry.traits.is_direct; }
  static bool has_param(const Registry<Solver>::Entry& entry, const std::string& key) {
    return std::ranges::find(entry.params, key, &ParamSpec::key) != entry.params.end();
  }
  void solverRows(Priors priors = Priors::each) {
    addRows([](const auto&) { return true; }, priors);
  }
  void iterativeRows() { addRows(is_iterative); }

  /// Checks that image and reports are finite after some iterations.
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
    for (const auto* entry : catalog_.solvers.on(on_))
      QVERIFY2(!with_priors(*entry).empty(), entry->key.c_str());
    A_ = catalog_.projectors.make(usual(), on_, backend_, geometry_, grid_, {});
    // A disc with a hole and a denser disc.
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
    InterruptAtCheck check;
    harried_operator->set_interrupt(&check);
    const auto calm = solver(key.toStdString()), harried = solver(key.toStdString());
    calm->init(problem(key.toStdString(), *calm_scan.A, calm_scan.noisy));
    // The set-up is interrupted, too; it is then repeated from the beginning.
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
      // Interrupts the step at each of its checks in turn.
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
    const Array few = after(key.toStdString(), {}, 3, exact),
                many = after(key.toStdString(), {}, 30, exact);
    QVERIFY(distance(few, truth_) < 0.8 * norm(truth_));
    // The ratio is largest for a start from the filtered backprojection, which is close already.
    if (!traits(key.toStdString()).is_direct)
      QVERIFY(distance(many, truth_) < 0.75 * distance(few, truth_));
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
    const auto image = [&](const char* order, std::int64_t seed) {
      return after(key.toStdString(), {{"order", std::string(order)}, {"seed", seed}}, 2, noisy)
          .to_host();
    };
    QVERIFY(image("natural", 1) != image("golden", 1));
    QVERIFY(image("random", 1) != image("random", 2));
    QCOMPARE(image("random", 7), image("random", 7));
    QCOMPARE(image("golden", 1), image("golden", 2));
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
    EXPECT_THROWS(UsageError, solver(key.toStdString())->init({A.get(), &b, nullptr}), "use ");
  }

  // Equal to the bit, for methods whose next step depends on the estimate only.
  void warmStartGoesOnWhereAColdRunIs_data() {
    addRows([this](const auto& entry) {
      if (entry.traits.is_direct) return false;
      const bool by_rays = entry.traits.needs_single_weights;
      const Scan& any = scan(QString::fromStdString(by_rays ? of_rays() : usual()));
      if (by_rays && !any.A->has_single_weights()) return false;
      return depends_on_estimate_only(*solver(entry.key), *any.A, any.noisy);
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
};

}  // namespace gantry::test
