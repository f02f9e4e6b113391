// What every solver of the catalogue promises, and the invariants of each method.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/catalog.hpp"
#include "core/solvers/run.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

/// An operator that gives way at its n-th call, as an impatient user would make it.
class Impatient final : public LinearOperator {
 public:
  explicit Impatient(const LinearOperator& inner)
      : LinearOperator(inner.backend(), inner.domain_size(), inner.cells_per_view(), inner.views()),
        inner_(inner) {}
  void interrupt_after(int calls) { remaining_ = calls; }
  const VolumeGrid* image_grid() const override { return inner_.image_grid(); }

 private:
  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    inner_.forward(x, y, subset);
    give_way_in_time();
  }
  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    inner_.adjoint(y, x, subset);
    give_way_in_time();
  }
  void give_way_in_time() const {
    if (remaining_ >= 0 && remaining_-- == 0) throw Interrupted{};
  }
  const LinearOperator& inner_;
  mutable int remaining_ = -1;
};

}  // namespace

class TestSolvers : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;
  std::shared_ptr<const ScanGeometry> geometry_ = share(fan_spec(30, 48, 3));
  VolumeGrid grid_ = VolumeGrid::centered(32, 32, 1, {2, 2, 2});
  std::unique_ptr<Projector> A_;
  Array truth_, b_, noisy_;

  double norm(const Array& x) { return std::sqrt(backend_.dot(x, x)); }
  double distance(const Array& a, const Array& b) {
    Array difference = a.clone();
    backend_.axpby(-1, b, 1, difference);
    return norm(difference);
  }
  double residual(const Array& x, const Array& b) {
    Array r(backend_, A_->range_size());
    A_->forward(x, r);
    return std::sqrt(backend_.residual(b, r, nullptr));
  }
  std::unique_ptr<Solver> solver(const std::string& key, const Params& params = {}) {
    return catalog_.solvers.make(key, "cpu", params);
  }
  Array after(const std::string& key, const Params& params, int iterations,
              const Problem& problem) {
    const auto s = solver(key, params);
    run(*s, problem, {iterations, 0}, {});
    return s->solution().clone();
  }
  Problem problem(const Array& b) { return {A_.get(), &b, nullptr}; }

  /// Methods of a single step, which work on a projector's geometry and not through its products.
  static bool is_direct(const std::string& key) { return key == "fbp" || key == "fdk"; }

  void solverRows() {
    QTest::addColumn<QString>("key");
    for (const auto& entry : catalog_.solvers.entries())
      QTest::addRow("%s", entry.key.c_str()) << QString::fromStdString(entry.key);
  }
  void iterativeRows() {
    QTest::addColumn<QString>("key");
    for (const auto& entry : catalog_.solvers.entries())
      if (!is_direct(entry.key))
        QTest::addRow("%s", entry.key.c_str()) << QString::fromStdString(entry.key);
  }

 private slots:
  void initTestCase() {
    add_core(catalog_);
    A_ = catalog_.projectors.make("distance_driven", "cpu", backend_, geometry_, grid_, {});
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
    b_ = Array(backend_, A_->range_size());
    A_->forward(truth_, b_);
    noisy_ = Array::from(backend_, random_values(A_->range_size(), 31, -0.02F, 0.02F));
    backend_.axpby(1, b_, 1, noisy_);
  }

  void anInterruptedStepCanBeRepeated_data() { iterativeRows(); }
  void anInterruptedStepCanBeRepeated() {
    QFETCH(QString, key);
    const auto calm = solver(key.toStdString()), harried = solver(key.toStdString());
    Impatient calm_operator(*A_), harried_operator(*A_);
    calm->init({&calm_operator, &noisy_, nullptr});
    harried->init({&harried_operator, &noisy_, nullptr});
    const int steps = 3 * calm->steps_per_iteration();
    int interruptions = 0;
    for (int i = 0; i < steps; ++i) {
      const StepReport expected = calm->step();
      bool done = false;
      for (int calls = 0; calls < 10 && !done;
           ++calls) {  // after each product of the step in turn, until none is left
        const std::vector<float> before = harried->solution().to_host();
        harried_operator.interrupt_after(calls);
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
    // A penalty moves the solution away from that of the data alone.
    const Params params = key == "fista_tv" ? Params{{"weight", 0.0}} : Params{};
    const auto s = solver(key.toStdString(), params);
    run(*s, {A_.get(), &b_, &truth_}, {2, 0}, {});
    QVERIFY(distance(s->solution(), truth_) <= 1e-5 * norm(truth_));
  }

  void errorOfConsistentDataFalls_data() { solverRows(); }
  void errorOfConsistentDataFalls() {
    QFETCH(QString, key);
    // A cone of one row on one slice is all but a fan, and has its own method.
    ScanSpec cone = geometry_->spec();
    cone.beam = Beam::cone;
    const auto B = catalog_.projectors.make("siddon", "cpu", backend_, share(cone), grid_, {});
    const Problem suitable = key == "fdk" ? Problem{B.get(), &b_, nullptr} : problem(b_);
    const Array few = after(key.toStdString(), {}, 3, suitable),
                many = after(key.toStdString(), {}, 30, suitable);
    QVERIFY(distance(few, truth_) < 0.8 * norm(truth_));
    if (!is_direct(key.toStdString()))
      QVERIFY(distance(many, truth_) < 0.7 * distance(few, truth_));
  }

  void unfittingInputsAreRefused_data() { solverRows(); }
  void unfittingInputsAreRefused() {
    QFETCH(QString, key);
    const Array wrong = Array::filled(backend_, 5, 0);
    const auto s = solver(key.toStdString());
    EXPECT_THROWS(ShapeError, s->step(), "before init");
    EXPECT_THROWS(ShapeError, s->init({A_.get(), &wrong, nullptr}), "data have 5 values");
    EXPECT_THROWS(ShapeError, s->init({A_.get(), &b_, &wrong}), "start image");
  }

  /// Nothing, less than nothing, and rays that all miss: whatever comes of it is a number.
  void degenerateDataGiveNumbers_data() { iterativeRows(); }
  void degenerateDataGiveNumbers() {
    QFETCH(QString, key);
    ScanSpec away = geometry_->spec();
    away.central_column = 500;
    const auto blind =
        catalog_.projectors.make("distance_driven", "cpu", backend_, share(away), grid_, {});
    for (const Projector* A : {A_.get(), blind.get()})
      for (const float value : {0.0F, -1.0F, 1.0F}) {
        const Array data = Array::filled(backend_, A->range_size(), value);
        const auto s = solver(key.toStdString());
        SolverRun loop(*s, {A, &data, nullptr}, {.iterations = 4, .relative_residual = 1e-9});
        while (!loop.finished())
          if (const auto report = loop.advance())
            QVERIFY(std::isfinite(report->residual_norm) && std::isfinite(report->update_norm));
        QVERIFY(loop.reason() != StopReason::diverged);
        QVERIFY(
            std::ranges::all_of(s->solution().to_host(), [](float x) { return std::isfinite(x); }));
      }
  }

  void nonNegativityHolds() {
    Array wild = Array::from(backend_, random_values(A_->range_size(), 32, -1, 1));
    for (const char* key : {"sirt", "sart", "os_sart"}) {
      const Array free = after(key, {{"nonnegative", false}}, 5, problem(wild));
      const Array bound = after(key, {{"nonnegative", true}}, 5, problem(wild));
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
         {"sirt", "sart", "os_sart"}) {  // T28 for SART: every view alone reproduces what it sees
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

  void goldenOrderBeatsNaturalOrder() {
    const auto A = catalog_.projectors.make("distance_driven", "cpu", backend_,
                                            share(fan_spec(180, 48, 3)), grid_, {});
    Array data(backend_, A->range_size());
    A->forward(truth_, data);
    const auto error = [&](const char* order) {
      return distance(after("sart", {{"order", std::string(order)}, {"relaxation", 1.0}}, 1,
                            {A.get(), &data, nullptr}),
                      truth_);
    };
    QVERIFY(error("golden") < 0.5 * error("natural"));
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
    const auto A = catalog_.projectors.make("siddon", "cpu", backend_, geometry, grid, {});
    const std::vector<float> data = random_values(A->range_size(), 41);
    const std::vector<double> expected =
        least_squares(dense_matrix(*A), {data.begin(), data.end()});
    const Array b = Array::from(backend_, data);
    const auto s = solver("cgls");
    run(*s, {A.get(), &b, nullptr}, {static_cast<int>(2 * A->domain_size()), 0}, {});
    double scale = 0;
    for (const double value : expected) scale = std::max(scale, std::abs(value));
    for (std::size_t j = 0; j < expected.size(); ++j)
      EXPECT_NEAR(s->solution().host()[j], expected[j], 1e-4 * scale);
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

  void warmStartGoesOnWhereAColdRunIs() {
    const Array five = after("sirt", {}, 5, problem(noisy_));
    const auto s = solver("sirt");
    run(*s, {A_.get(), &noisy_, &five}, {3, 0}, {});
    QCOMPARE(s->solution().to_host(), after("sirt", {}, 8, problem(noisy_)).to_host());
  }

  void fbpRefusesACone() {
    ScanSpec spec = geometry_->spec();
    spec.beam = Beam::cone;
    const auto A =
        catalog_.projectors.make("distance_driven", "cpu", backend_, share(spec), grid_, {});
    EXPECT_THROWS(UsageError, solver("fbp")->init({A.get(), &b_, nullptr}), "use fdk");
  }
};

QTEST_APPLESS_MAIN(TestSolvers)
#include "test_solvers.moc"
