// Coordinate descent: the objective never rises, b - A x stays what it is, and the minimum is that
// of other methods.
#include "core/matrix/matrix_format.hpp"
#include "core/operator/host_columns.hpp"
#include "core/solvers/divergence_cure.hpp"
#include "core/solvers/penalty.hpp"
#include "core/solvers/run.hpp"
#include "tests/core/solvers/coordinate/noisy_fan.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/threads.hpp"

#include <algorithm>
#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestIcd : public QObject, private NoisyFan {
  Q_OBJECT

  std::unique_ptr<Solver> icd(const Params& params) {
    return catalog_.solvers.make("icd", "cpu", params);
  }

 private slots:
  void objectiveNeverRises_data() {
    QTest::addColumn<QString>("prior");
    QTest::addColumn<QString>("start");
    QTest::addColumn<bool>("weighted");
    QTest::addColumn<int>("spacing");
    for (const auto* prior : catalog_.priors.on("cpu")) {
      if (!prior->traits.has_gradient) continue;
      for (const char* start : {"zero", "fbp"})
        for (const int spacing : {2, 5})
          QTest::addRow("%s from %s, %d", prior->key.c_str(), start, spacing)
              << QString::fromStdString(prior->key) << QString(start) << (spacing == 2) << spacing;
    }
  }
  void objectiveNeverRises() {
    QFETCH(QString, prior);
    QFETCH(QString, start);
    QFETCH(bool, weighted);
    QFETCH(int, spacing);
    const Problem p = problem(prior.toStdString(), weighted);
    const auto s = icd({{"start", start.toStdString()}, {"spacing", std::int64_t{spacing}}});
    s->init(p);
    QCOMPARE(s->steps_per_iteration(), spacing * spacing);
    double last = s->objective()->total();
    const double first = last;
    for (int step = 0; step < 4 * s->steps_per_iteration(); ++step) {
      const StepReport report = s->step();
      const double now = s->objective()->total();
      QVERIFY2(now <= last * (1 + 1e-6), qPrintable(QString::number(now / last - 1)));
      last = now;
      // The residual that is carried along, against a new one.
      if (step % s->steps_per_iteration() == 0)
        EXPECT_NEAR(report.new_residual_norm, residual_norm(s->solution()),
                    1e-5 * report.new_residual_norm);
      if (const Array* v = p.penalty.prior->edges())
        for (const float edge : v->to_host()) QVERIFY(edge > 0 && edge <= 1);
    }
    QVERIFY(last < first);
  }

  /// The edge field of the prior begins anew with the method.
  void aSecondStartIsLikeTheFirst() {
    const Problem p = problem("mumford_shah", false);
    const auto s = icd({});
    const auto result = [&] {
      s->init(p);
      for (int step = 0; step < 3 * s->steps_per_iteration(); ++step) s->step();
      return s->solution().to_host();
    };
    const std::vector<float> first = result();
    QVERIFY(std::ranges::any_of(p.penalty.prior->edges()->to_host(),
                                [](float edge) { return edge < 0.9F; }));
    QCOMPARE(result(), first);
  }

  /// Steps by an upper bound of the curvature may be up to twice as long; of the others nothing is
  /// known.
  void relaxationsThatAreAdmissible() {
    const auto range = [&](const char* rule) {
      const auto s = icd({{"step", std::string(rule)}, {"relaxation", 1.25}});
      s->init(problem("huber", false));
      return s->admissible();
    };
    QVERIFY(range("bound"));
    QCOMPARE(range("bound")->value, 1.25);
    QCOMPARE(range("bound")->bound, 2.0);
    QVERIFY(!range("newton") && !range("printed"));
  }

  /// The parts of the objective are those of the definition.
  void objectiveIsItsDefinition() {
    const Problem p = problem("huber", true);
    for (const char* key : {"icd", "wls_pcg"}) {
      const auto s = catalog_.solvers.make(key, "cpu", {});
      run(*s, p, {3, 0}, {});
      Array r(backend_, A_->range_size());
      A_->forward(s->solution(), r);
      backend_.residual(b_, r, nullptr);
      double sum = 0;
      for (std::size_t i = 0; i < r.size(); ++i)
        sum += 0.5 * w_.host()[i] * r.host()[i] * r.host()[i];
      EXPECT_NEAR(s->objective()->data, sum, 1e-5 * sum);
      // The weight of the prior is in the note that the method gives.
      const std::string note = s->notes().front();
      const double lambda = std::stod(note.substr(note.find("λ = ") + std::string("λ = ").size()));
      const double penalty = lambda * p.penalty.prior->value(s->solution());
      EXPECT_NEAR(s->objective()->penalty, penalty, 1e-3 * penalty);
    }
  }

  void computedColumnsSayThatStoredOnesAreFaster() {
    const auto says = [](const Solver& solver) {
      return std::ranges::any_of(solver.notes(), [](const std::string& note) {
        return note.find("stored in the format CSR") != std::string::npos;
      });
    };
    Problem p = problem({}, false);
    const auto computed = icd({});
    computed->init(p);
    QVERIFY(says(*computed));
    const StoredMatrix matrix(catalog_.projectors.make("separable_footprint", "cpu", backend_,
                                                       A_->shared_geometry(), grid_, {}),
                              catalog_.matrix_formats.make("csr", "cpu", {}));
    p.A = &matrix;
    const auto stored = icd({});
    stored->init(p);
    QVERIFY(!says(*stored));
  }

  /// Strictly convex problems have one minimum, which WLS-PCG finds in another way. Its estimates
  /// may be negative, so that the bound is left out.
  void minimumIsThatOfConjugateGradients() {
    for (const char* prior : {"qggmrf", "tikhonov"}) {
      const Problem p = problem(prior, true);
      const auto other = catalog_.solvers.make("wls_pcg", "cpu", {});
      run(*other, p, {400, 0}, {});
      const auto s = icd({{"nonnegative", false}, {"spacing", std::int64_t{3}}});
      run(*s, p, {600, 0}, {});
      const double minimum = other->objective()->total();
      EXPECT_NEAR(s->objective()->total(), minimum, 1e-4 * minimum);
    }
  }

  /// With single voxels as colours, the Newton step is one-by-one descent: it agrees with the bound
  /// and minimises along every voxel.
  void stepsOfSingleVoxelsAgree() {
    const Problem p = problem({}, true);
    const Params single = {{"spacing", std::int64_t{24}}, {"nonnegative", false}};
    Params newton = single;
    newton.set("step", std::string("newton"));
    const auto a = icd(single), b = icd(newton);
    run(*a, p, {2, 0}, {});
    run(*b, p, {2, 0}, {});
    double largest = 0;
    for (std::size_t j = 0; j < grid_.voxels(); ++j)
      largest = std::max(largest, std::abs(1.0 * a->solution().host()[j]));
    for (std::size_t j = 0; j < grid_.voxels(); ++j)
      EXPECT_NEAR(a->solution().host()[j], b->solution().host()[j], 1e-4 * largest);
  }

  /// Newton's step swings between images at the bound and images far above the data. From a good
  /// start that is divergence; from zero the note of the objective tells. A larger spacing helps.
  void newtonsStepThatOvershootsIsTold_data() {
    QTest::addColumn<QString>("start");
    QTest::addColumn<int>("spacing");
    QTest::addColumn<bool>("diverges");
    QTest::addColumn<bool>("isNoted");
    QTest::newRow("fbp, spacing 2") << "fbp" << 2 << true << false;
    QTest::newRow("zero, spacing 2") << "zero" << 2 << false << true;
    QTest::newRow("fbp, spacing 24") << "fbp" << 24 << false << false;
    QTest::newRow("zero, spacing 24") << "zero" << 24 << false << false;
  }
  void newtonsStepThatOvershootsIsTold() {
    QFETCH(QString, start);
    QFETCH(int, spacing);
    QFETCH(bool, diverges);
    QFETCH(bool, isNoted);
    const auto s = icd({{"step", std::string("newton")},
                        {"start", start.toStdString()},
                        {"spacing", std::int64_t{spacing}}});
    SolverRun loop(*s, problem("huber", true), {.iterations = 12});
    while (!loop.finished()) loop.advance();
    QCOMPARE(loop.reason() == StopReason::diverged, diverges);
    const std::string note = loop.objective_note(), cure = divergence_cure(*s);
    QCOMPARE(!note.empty(), isNoted);
    if (isNoted) QVERIFY2(note.ends_with(cure), note.c_str());
    QVERIFY(cure.find("solver.spacing above " + std::to_string(spacing)) != std::string::npos);
    QCOMPARE(divergence_cure(*icd({})), std::string("use a smaller relaxation"));
  }

  void voxelsThatNoRaySeesAreCounted() {
    const auto A =
        catalog_.projectors.make("separable_footprint", "cpu", backend_, share(fan_spec(2, 10, 3)),
                                 VolumeGrid::centered(40, 40, 1, {5, 5, 5}), {});
    Array seen(backend_, A->domain_size());
    A->adjoint(Array::filled(backend_, A->range_size(), 1), seen);
    const auto unseen = static_cast<int>(std::ranges::count(seen.host(), 0.0F));
    const Array b = Array::filled(backend_, A->range_size(), 1);
    const auto s = icd({});
    s->init({.A = A.get(), .b = &b});
    const QString note = QString::fromStdString(s->notes().back());
    QVERIFY2(note.endsWith("voxels are weighed by no ray: they keep the values of the start"),
             qPrintable(note));
    // The adjoint keeps some weights that are rounding errors.
    QVERIFY(unseen > 1000);
    QVERIFY(std::abs(note.section(' ', 0, 0).toInt() - unseen) <= unseen / 100);
    s->init(problem({}, false));
    for (const std::string& other : s->notes())
      QVERIFY(other.find("by no ray") == std::string::npos);
  }

  /// The printed step adds gamma times the gradient of the whole objective, without a curvature.
  void thePrintedStepTakesAPrior() {
    const Problem p = problem("huber", true);
    const auto s = icd({{"step", std::string("printed")},
                        {"rate", 1e-3},
                        {"nonnegative", false},
                        {"start", std::string("fbp")}});
    s->init(p);
    const Array before = s->solution().clone();
    const VoxelLattice colour = voxel_colours(grid_, 4).front();
    Array r(backend_, A_->range_size()), sums(backend_, grid_.voxels()),
        slope(backend_, grid_.voxels()), bend(backend_, grid_.voxels());
    A_->forward(before, r);
    backend_.residual(b_, r, nullptr);
    backend_.multiply(w_, r);
    make_columns(*A_)->sums(r, colour, sums);
    p.penalty.prior->gradient_at(before, colour, slope, bend);
    const double lambda = penalty_weight(*A_, b_, &w_, p.penalty), gamma = 1e-3 / 4;
    s->step();
    double pulled = 0;
    for (int iy = colour.first[1]; iy < grid_.ny; iy += 4)
      for (int ix = colour.first[0]; ix < grid_.nx; ix += 4) {
        const std::size_t j = grid_.index(ix, iy, 0);
        const double pull = lambda * slope.host()[j],
                     change = s->solution().host()[j] - before.host()[j];
        EXPECT_NEAR(change, gamma * (sums.host()[j] - pull), 1e-6 * std::abs(before.host()[j]));
        pulled = std::max(pulled, std::abs(gamma * pull));
      }
    QVERIFY(pulled > 1e-5);  // the prior is not negligible beside the tolerance
  }

  void printedRateFalls() {
    // gamma_t = 1 / (1/gamma_0 + d t): the update of iteration t, against x and A in voxels.
    const Problem p = problem({}, false);
    const auto s = icd({{"step", std::string("printed")},
                        {"rate", 1e-3},
                        {"decay", 500.0},
                        {"start", std::string("zero")},
                        {"nonnegative", false}});
    s->init(p);
    const auto columns = make_columns(*A_);
    Array sums(backend_, grid_.voxels()), r(backend_, A_->range_size());
    for (int iteration = 0; iteration < 3; ++iteration) {
      const double gamma = 1 / (1000 + 500.0 * iteration) / 4;  // voxels of 2 mm
      const Array before = s->solution().clone();
      A_->forward(before, r);
      backend_.residual(b_, r, nullptr);
      const VoxelLattice colour = voxel_colours(grid_, 4).front();
      columns->sums(r, colour, sums);
      s->step();
      for (int iy = colour.first[1]; iy < grid_.ny; iy += 4)
        for (int ix = colour.first[0]; ix < grid_.nx; ix += 4) {
          const std::size_t j = grid_.index(ix, iy, 0);
          EXPECT_NEAR(s->solution().host()[j] - before.host()[j], gamma * sums.host()[j],
                      1e-3 * std::abs(gamma * sums.host()[j]) + 1e-8);
        }
      for (int step = 1; step < s->steps_per_iteration(); ++step) s->step();
    }
  }

  void storedColumnsAreTheComputedOnes_data() {
    QTest::addColumn<int>("scan");
    QTest::addColumn<QString>("projector");
    const auto cases = scan_cases();
    for (const auto* entry : catalog_.projectors.on("cpu")) {
      const ProjectorTraits& traits = entry->traits_on("cpu");
      for (std::size_t i = 0; i < cases.size(); ++i)
        if (traits.is_exact_pair && traits.has_single_weights &&
            traits.scans.include(*cases[i].geometry))
          QTest::addRow("%s, %s", entry->key.c_str(), cases[i].name.c_str())
              << static_cast<int>(i) << QString::fromStdString(entry->key);
    }
  }
  /// Stored columns are sorted out of the rays, or of the voxels where that is faster.
  void storedColumnsAreTheComputedOnes() {
    QFETCH(int, scan);
    QFETCH(QString, projector);
    const ScanCase c = scan_cases()[static_cast<std::size_t>(scan)];
    const auto A =
        catalog_.projectors.make(projector.toStdString(), "cpu", backend_, c.geometry, c.grid, {});
    const auto computed = computed_columns(*A), stored = stored_columns(*A);
    const Array x = Array::from(backend_, random_values(A->domain_size(), 4)),
                y = Array::from(backend_, random_values(A->range_size(), 5));
    const VoxelLattice all;
    Array u(backend_, x.size()), v(backend_, x.size()), p = Array::filled(backend_, y.size(), 0),
                                                        q = p.clone();
    computed->sums(y, all, u);
    stored->sums(y, all, v);
    computed->add(x, 1, all, p);
    stored->add(x, 1, all, q);
    for (std::size_t j = 0; j < u.size(); ++j)
      EXPECT_NEAR(u.host()[j], v.host()[j], 1e-5 * std::abs(u.host()[j]) + 1e-6);
    for (std::size_t i = 0; i < p.size(); ++i)
      EXPECT_NEAR(p.host()[i], q.host()[i], 1e-5 * std::abs(p.host()[i]) + 1e-6);
  }

  void threadsDoNotMatter() {
    const Problem p = problem("qggmrf", true);
    expect_same_on_any_threads([&] {
      const auto s = icd({});
      run(*s, p, {2, 0}, {});
      const auto x = s->solution().host();
      return std::vector<double>(x.begin(), x.end());
    });
  }
};

GANTRY_TEST(TestIcd)
#include "test_icd.moc"
