// Weighted least squares with the q-GGMRF prior: Phi never rises, and ends where others end.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "core/physics/units.hpp"
#include "core/priors/qggmrf.hpp"
#include "core/solvers/run.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/interrupted_steps.hpp"
#include "tests/support/penalties.hpp"
#include "tests/support/python.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <cmath>
#include <numeric>

#ifdef _OPENMP
#include <omp.h>
#endif

using namespace gantry;
using namespace gantry::test;

namespace {

/// As the note tells it.
double beta_of(const Solver& s) {
  for (const std::string& note : s.notes())
    if (const auto place = note.find("λ = "); place != std::string::npos)
      return std::stod(note.substr(place + std::string("λ = ").size()));
  return 0;
}

std::vector<float> contents(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  const QByteArray bytes = file.readAll();
  const auto* values = reinterpret_cast<const double*>(bytes.constData());
  return {values, values + bytes.size() / static_cast<qsizetype>(sizeof(double))};
}

void write(const QString& path, const std::vector<float>& values) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<qint64>(values.size() * sizeof(float)));
}

}  // namespace

class TestWlsPcg : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;
  Penalties penalties_{catalog_, "cpu"};

  Problem with_qggmrf(const Projector& A, const Array& b, const Array* weights = nullptr,
                      const Params& prior = {}) {
    return {.A = &A, .b = &b, .weights = weights, .penalty = penalties_.make("qggmrf", A, prior)};
  }
  std::unique_ptr<Projector> projector(const char* key, const ScanSpec& spec,
                                       const VolumeGrid& grid) {
    return catalog_.projectors.make(key, "cpu", backend_, share(spec), grid, {});
  }
  std::unique_ptr<Projector> small() {
    return projector("siddon", fan_spec(14, 16, 4), VolumeGrid::centered(8, 7, 1, {5, 5, 5}));
  }
  std::unique_ptr<Solver> solver(const Params& params = {}) {
    return catalog_.solvers.make("wls_pcg", "cpu", params);
  }
  static Params absolute(double beta, double q) {
    return {{"weight", beta}, {"scale", std::string("absolute")}, {"q", q}};
  }
  static std::vector<float> blocks(const VolumeGrid& grid) {
    std::vector<float> x(grid.voxels(), 0.0F);
    for (int z = 0; z < grid.nz; ++z)
      for (int y = grid.ny / 4; y < 3 * grid.ny / 4; ++y)
        for (int i = grid.nx / 4; i < 3 * grid.nx / 4; ++i)
          x[grid.index(i, y, z)] = i < grid.nx / 2 ? 0.02F : 0.03F;
    return x;
  }
  Array noisy_data(const Projector& A, float noise) {
    Array b(backend_, A.range_size());
    A.forward(Array::from(backend_, blocks(A.grid())), b);
    backend_.axpby(1, Array::from(backend_, random_values(b.size(), 11, -noise, noise)), 1, b);
    return b;
  }
  Array random_weights(const Projector& A) {
    return Array::from(backend_, random_values(A.range_size(), 12, 0, 1.5F));
  }
  double functional(const Projector& A, const Array& b, const Array* weights, const Array& x,
                    double beta, double q) {
    Array r(backend_, A.range_size());
    A.forward(x, r);
    backend_.residual(b, r, nullptr);
    Array weighted = r.clone();
    if (weights != nullptr) backend_.multiply(*weights, weighted);
    return 0.5 * backend_.dot(r, weighted) +
           beta * make_qggmrf(backend_, A.grid(), {q, default_mu_water / 100})->value(x);
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  void functionalNeverRises_data() {
    QTest::addColumn<bool>("cone");
    QTest::addColumn<bool>("weighted");
    QTest::addColumn<double>("strength");
    QTest::addColumn<QString>("start");
    for (const double strength : {0.0, 0.05, 1.0, 100.0})
      for (const char* start : {"fbp", "zero"}) {
        QTest::addRow("fan, strength %g from %s", strength, start)
            << false << false << strength << start;
        QTest::addRow("weighted cone, strength %g from %s", strength, start)
            << true << true << strength << start;
      }
  }
  void functionalNeverRises() {
    QFETCH(bool, cone);
    QFETCH(bool, weighted);
    QFETCH(double, strength);
    QFETCH(QString, start);
    ScanSpec spec = fan_spec(18, 24, 4);
    VolumeGrid grid = VolumeGrid::centered(20, 20, 1, {2.5, 2.5, 2.5});
    if (cone) {
      spec.beam = Beam::cone;
      spec.detector_rows = 8;
      spec.central_row = 3.5;
      spec.row_pitch_mm = 4;
      grid = VolumeGrid::centered(14, 14, 7, {3, 3, 4});
    }
    const auto A = projector("distance_driven", spec, grid);
    const Array b = noisy_data(*A, 0.05F), w = random_weights(*A);
    const Array* weights = weighted ? &w : nullptr;
    const auto s = solver({{"start", start.toStdString()}});
    s->init(with_qggmrf(*A, b, weights, {{"weight", strength}}));
    const double beta = beta_of(*s);
    QCOMPARE(beta > 0, strength > 0);
    const auto phi = [&] { return functional(*A, b, weights, s->solution(), beta, 1.2); };
    const double first = phi();
    double previous = first;
    for (int i = 0; i < 60; ++i) {
      s->step();
      const double now = phi();
      QVERIFY2(now <= previous * (1 + 1e-6),
               qPrintable(QStringLiteral("%1: %2 > %3").arg(i).arg(now).arg(previous)));
      previous = now;
    }
    QVERIFY(previous < 0.9 * first);
  }

  // The prior's own fixed point: no way leads down from where it ends.
  void scipyArrivesAtTheSameImage_data() {
    QTest::addColumn<bool>("cone");
    QTest::addColumn<double>("beta");
    QTest::addColumn<double>("q");
    for (const double q : {1.0, 1.2, 2.0})
      for (const double beta : {30.0, 3000.0})
        QTest::addRow("fan, beta %g, q %g", beta, q) << false << beta << q;
    QTest::newRow("cone of anisotropic voxels") << true << 300.0 << 1.2;
  }
  void scipyArrivesAtTheSameImage() {
    QFETCH(bool, cone);
    QFETCH(double, beta);
    QFETCH(double, q);
    const QString python = python_with(QStringLiteral("scipy"));
    if (python.isEmpty()) QSKIP("no Python with scipy");
    ScanSpec spec = fan_spec(14, 16, 4);
    VolumeGrid grid = VolumeGrid::centered(8, 7, 1, {5, 6, 5});
    if (cone) {
      spec = fan_spec(9, 10, 5);
      spec.beam = Beam::cone;
      spec.detector_rows = 5;
      spec.central_row = 2;
      spec.row_pitch_mm = 5;
      grid = VolumeGrid::centered(5, 6, 4, {5, 6, 4});
    }
    const auto A = projector("siddon", spec, grid);
    const Array b = noisy_data(*A, 0.1F), w = random_weights(*A);
    std::vector<float> matrix;
    for (const auto& row : dense_matrix(*A)) matrix.insert(matrix.end(), row.begin(), row.end());
    QTemporaryDir folder;
    write(folder.filePath(QStringLiteral("A")), matrix);
    write(folder.filePath(QStringLiteral("b")), b.to_host());
    write(folder.filePath(QStringLiteral("w")), w.to_host());
    QStringList arguments = {QStringLiteral(GANTRY_SOURCE_DIR "/tests/oracles/wls_oracle.py"),
                             folder.path(), QString::number(A->range_size())};
    for (const int n : {grid.nx, grid.ny, grid.nz}) arguments << QString::number(n);
    const Vec3 d = grid.spacing_mm;
    for (const double value : {d.x, d.y, d.z, beta, q, default_mu_water / 100})
      arguments << QString::number(value, 'g', 17);
    QProcess process;
    process.start(python, arguments);
    QVERIFY(process.waitForFinished(300000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
    const std::vector<float> expected = contents(folder.filePath(QStringLiteral("x")));
    QCOMPARE(expected.size(), grid.voxels());

    const auto s = solver();
    run(*s, with_qggmrf(*A, b, &w, absolute(beta, q)), {2000, 0}, {});
    const double best = functional(*A, b, &w, Array::from(backend_, expected), beta, q);
    EXPECT_NEAR(functional(*A, b, &w, s->solution(), beta, q), best, 1e-6 * best);
    for (std::size_t j = 0; j < expected.size(); ++j)
      EXPECT_NEAR(s->solution().host()[j], expected[j], 2e-5);  // of 0.03
  }

  void withoutPriorItEndsWhereCglsDoes() {
    const auto A =
        projector("siddon", fan_spec(20, 16, 4), VolumeGrid::centered(6, 5, 1, {5, 5, 5}));
    const Array b = Array::from(backend_, random_values(A->range_size(), 41)),
                w = random_weights(*A);
    for (const Array* weights : {static_cast<const Array*>(nullptr), &w}) {
      const auto s = solver(), cgls = catalog_.solvers.make("cgls", "cpu", {});
      run(*s, {A.get(), &b, nullptr, weights}, {200, 0}, {});
      run(*cgls, {A.get(), &b, nullptr, weights}, {200, 0}, {});
      for (std::size_t j = 0; j < A->domain_size(); ++j)
        EXPECT_NEAR(s->solution().host()[j], cgls->solution().host()[j], 1e-4);  // of 0.02
    }
  }

  // On a parabola conjugate directions end after as many steps as there are unknowns: the step
  // lengths and directions are those of the method of Hestenes and Stiefel on D^(1/2) A^T A
  // D^(1/2).
  void onAParabolaItEndsInAsManyStepsAsUnknowns() {
    const MatrixOperator A(backend_,
                           {{1, 0.2, 0, 0}, {0.1, 2, 0.4, 0}, {0, 0.3, 1.5, 1}, {0.5, 0, 0, 3}}, 4);
    class OnGrid final : public LinearOperator {
     public:
      explicit OnGrid(const LinearOperator& A)
          : LinearOperator(A.backend(), A.domain_size(), A.cells_per_view(), A.views()), A_(A) {}

     private:
      void do_forward(const Array& x, Array& y, ViewSubset s) const override {
        A_.forward(x, y, s);
      }
      void do_adjoint(const Array& y, Array& x, ViewSubset s) const override {
        A_.adjoint(y, x, s);
      }
      const LinearOperator& A_;
    } const on_grid(A);
    const Array truth = Array::from(backend_, std::vector<float>{0.3F, 0.1F, 0.7F, 0.2F});
    Array b(backend_, 4);
    A.forward(truth, b);
    const auto s = solver();
    s->init({&on_grid, &b});
    QVERIFY(s->notes().front().find("started from zero") != std::string::npos);
    for (int i = 0; i < 4; ++i) s->step();
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(s->solution().host()[j], truth.host()[j], 1e-5);
    QVERIFY(s->step().exhausted || s->step().exhausted);
  }

  // What it carries along must be true of the image after many steps.
  void theResidualItKeepsIsThatOfTheImage() {
    const auto A = small();
    const Array b = noisy_data(*A, 0.1F), w = random_weights(*A);
    const Array x0 = Array::from(backend_, random_values(A->domain_size(), 43));
    const double scale = std::sqrt(backend_.dot(b, b));
    Problem from_x0 = with_qggmrf(*A, b);
    from_x0.x0 = &x0;
    for (const Problem& problem : {with_qggmrf(*A, b), from_x0, with_qggmrf(*A, b, &w)}) {
      const auto s = solver();
      s->init(problem);
      for (int k = 0; k < 60; ++k) {
        const StepReport report = s->step();
        Array r(backend_, A->range_size());
        A->forward(s->solution(), r);
        EXPECT_NEAR(report.new_residual_norm, std::sqrt(backend_.residual(b, r, nullptr)),
                    2e-6 * scale);
        if (report.exhausted) break;
      }
    }
  }

  void aStepCostsTwoProducts() {
    const auto A = small();
    const Array b = noisy_data(*A, 0.1F);
    const auto products = [&](const StopRules& rules) {
      const auto s = solver();
      SolverRun loop(*s, with_qggmrf(*A, b), rules);
      while (!loop.finished()) loop.advance();
      [&] { QCOMPARE(loop.iterations(), 6); }();
      return loop.applications();
    };
    // The prior's scale, A 1 and its transpose, A x0; then A^T r and A p an iteration.
    EXPECT_NEAR(products({.iterations = 6}), 4 + 2 * 6, 1e-9);
    EXPECT_NEAR(products({.iterations = 6, .relative_residual = 1e-9}), 4 + 2 * 6, 1e-9);
  }

  // beta = strength |W^(1/2) a_j|^2, with the mean over columns of the matrix itself.
  void relativeStrengthFollowsTheScan() {
    const auto A = small();
    const Array b = noisy_data(*A, 0.1F), w = random_weights(*A);
    for (const Array* weights : {static_cast<const Array*>(nullptr), &w}) {
      double square = 0;
      const DenseMatrix a = dense_matrix(*A);
      for (std::size_t i = 0; i < a.size(); ++i)
        for (const double value : a[i])
          square += value * value * (weights != nullptr ? w.host()[i] : 1);
      const double expected = 0.3 * square / static_cast<double>(A->domain_size());
      const auto s = solver();
      s->init(with_qggmrf(*A, b, weights, {{"weight", 0.3}}));
      EXPECT_NEAR(beta_of(*s), expected, 0.15 * expected);
    }
  }

  // The filtered backprojection of the catalogue, times what fits the data best.
  void startsFromTheFilteredBackprojection() {
    ScanSpec cone = fan_spec(20, 24, 4);
    cone.beam = Beam::cone;
    cone.detector_rows = 8;
    cone.central_row = 3.5;
    cone.row_pitch_mm = 4;
    for (const auto& [key, spec, grid] :
         {std::tuple{"fbp", fan_spec(20, 24, 4), VolumeGrid::centered(20, 20, 1, {2.5, 2.5, 2.5})},
          {"fdk", cone, VolumeGrid::centered(14, 14, 7, {3, 3, 4})}}) {
      const auto A = projector("siddon", spec, grid);
      const Array b = noisy_data(*A, 0.01F);
      const auto filtered = catalog_.solvers.make(key, "cpu", {{"window", std::string("hann")}});
      run(*filtered, {A.get(), &b}, {1, 0}, {});
      Array rays(backend_, A->range_size()), expected = filtered->solution().clone();
      A->forward(expected, rays);
      const double fit = backend_.dot(rays, b) / backend_.dot(rays, rays);
      EXPECT_NEAR(fit, 1, 0.1);
      backend_.axpby(0, expected, static_cast<float>(fit), expected);
      const auto s = solver();
      s->init({A.get(), &b});
      for (std::size_t j = 0; j < expected.size(); ++j)
        EXPECT_NEAR(s->solution().host()[j], expected.host()[j], 1e-7);
      for (const std::string& note : s->notes()) QVERIFY(note.find("zero") == std::string::npos);

      const Array given = Array::filled(backend_, A->domain_size(), 0.5F);
      s->init({A.get(), &b, &given});
      QCOMPARE(s->solution().to_host(), given.to_host());
      const auto cold = solver({{"start", std::string("zero")}});
      cold->init({A.get(), &b});
      QCOMPARE(backend_.dot(cold->solution(), cold->solution()), 0.0);
    }
  }

  void whereThereIsNoneItStartsFromZeroAndSaysSo() {
    ScanSpec helix = fan_spec(20, 24, 4);
    helix.beam = Beam::cone;
    helix.trajectory = Trajectory::helical;
    helix.helical_feed_mm_per_turn = 10;
    const auto A = projector("siddon", helix, VolumeGrid::centered(14, 14, 7, {3, 3, 4}));
    const Array b = noisy_data(*A, 0.01F);
    const auto s = solver();
    s->init({A.get(), &b});
    QCOMPARE(backend_.dot(s->solution(), s->solution()), 0.0);
    QVERIFY(s->notes().back().find("started from zero") != std::string::npos);
    run(*s, with_qggmrf(*A, b), {20, 0}, {});
    QVERIFY(backend_.dot(s->solution(), s->solution()) > 0);
  }

  // A step of 500 HU in noise: with q = 1.2 as calm as with q = 2, and sharper.
  void edgesAreSpared() {
    const VolumeGrid grid = VolumeGrid::centered(48, 48, 1, {1.5, 1.5, 1.5});
    const auto A = projector("distance_driven", fan_spec(90, 72, 2), grid);
    const std::vector<float> truth = blocks(grid);
    const Array b = noisy_data(*A, 0.03F);
    struct Quality {
      double noise = 0, blur = 0;
    };
    const auto quality = [&](double strength, double q) {
      const auto s = solver();
      run(*s, with_qggmrf(*A, b, nullptr, {{"weight", strength}, {"q", q}}), {100, 0}, {});
      const auto x = s->solution().host();
      Quality found;
      int flat = 0, edge = 0;
      for (int iy = 16; iy < 32; ++iy)
        for (int ix = 14; ix < 34; ++ix) {
          const std::size_t j = grid.index(ix, iy, 0);
          const double error = static_cast<double>(x[j]) - truth[j];
          const bool at_edge = ix == 23 || ix == 24;
          (at_edge ? found.blur : found.noise) += error * error;
          ++(at_edge ? edge : flat);
        }
      return Quality{std::sqrt(found.noise / flat), std::sqrt(found.blur / edge)};
    };
    const Quality sparing = quality(20, 1.2), plain = quality(4, 2), none = quality(0, 2);
    QVERIFY(sparing.noise < 0.1 * none.noise);
    QVERIFY(sparing.noise < plain.noise && sparing.blur < 0.6 * plain.blur);
  }

  void interruptedStepsAreRepeatable() {
    const auto A = small();
    const Array b = noisy_data(*A, 0.1F);
    const auto calm = solver(), harried = solver();
    calm->init(with_qggmrf(*A, b));
    harried->init(with_qggmrf(*A, b));
    // Two products, the gradient, and at least two checks of the line search.
    expect_repeatable_steps(*A, *calm, *harried, 4, 4);
  }

  void threadsDoNotMatter() {
#ifdef _OPENMP
    const auto A = projector("distance_driven", fan_spec(18, 24, 4),
                             VolumeGrid::centered(20, 20, 1, {2.5, 2.5, 2.5}));
    const Array b = noisy_data(*A, 0.05F), w = random_weights(*A);
    const auto result = [&] {
      const auto s = solver();
      run(*s, with_qggmrf(*A, b, &w), {10, 0}, {});
      return s->solution().to_host();
    };
    const int usual = omp_get_max_threads();
    omp_set_num_threads(1);
    const std::vector<float> one = result();
    omp_set_num_threads(4);
    QCOMPARE(result(), one);
    omp_set_num_threads(usual);
#endif
  }

  void dataThatAreNoNumbersShow() {
    const auto A = small();
    const Array b = Array::filled(backend_, A->range_size(), std::nanf(""));
    const auto s = solver();
    QCOMPARE(run(*s, with_qggmrf(*A, b), {9, 0}, {}), StopReason::diverged);
  }
};

GANTRY_TEST(TestWlsPcg)
#include "test_wls_pcg.moc"
