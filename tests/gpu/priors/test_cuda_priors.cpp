// The priors on a CUDA device and the methods that use them, against the CPU's.
#include "core/backend/cpu_backend.hpp"
#include "core/solvers/run.hpp"
#include "tests/gpu/cuda_device.hpp"
#include "tests/gpu/host_model.hpp"
#include "tests/support/pair_sums.hpp"
#include "tests/support/penalties.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

namespace {

/// Beside the small ones: more than a tile and no multiple of one, deeper than the blocks along z,
/// wider than high.
std::vector<VolumeGrid> grids() {
  std::vector<VolumeGrid> all = pair_grids();
  for (const VolumeGrid& grid :
       {VolumeGrid::centered(131, 67, 1, {1, 1.7, 1}), VolumeGrid::centered(45, 35, 37, {2, 2, 1}),
        VolumeGrid::centered(300, 260, 70, {1, 1, 1}), VolumeGrid::centered(1030, 1, 3, {1, 1, 1}),
        VolumeGrid::centered(1, 40000, 1, {1, 1, 1})})
    all.push_back(grid);
  return all;
}

}  // namespace

class TestCudaPriors : public QObject {
  Q_OBJECT
  ContractBench bench_ = cuda_bench();
  CpuBackend cpu_;
  Backend& cuda() { return *bench_.backend; }

  static VolumeGrid grid(int which) { return grids()[static_cast<std::size_t>(which)]; }

  /// The image after some iterations of a solver, "fista" or "fista/huber" with that prior.
  std::vector<float> solve(const std::string& method, const std::string& on, Backend& backend,
                           const ScanCase& scan, bool weighted) {
    const std::string solver = method.substr(0, method.find('/'));
    const auto A = bench_.catalog.projectors.make("distance_driven", on, backend, scan.geometry,
                                                  scan.grid, {});
    Array b(backend, A->range_size());
    A->forward(Array::from(backend, random_values(A->domain_size(), 5, 0.01F, 0.03F)), b);
    backend.axpby(1, Array::from(backend, random_values(b.size(), 6, -0.02F, 0.02F)), 1, b);
    const Array w = Array::from(backend, random_values(b.size(), 7, 0.2F, 1));
    Penalties penalties(bench_.catalog, on);
    Problem problem{.A = A.get(), .b = &b, .weights = weighted ? &w : nullptr};
    if (solver != method) problem.penalty = penalties.make(method.substr(solver.size() + 1), *A);
    const auto made = bench_.catalog.solvers.make(solver, on, {});
    run(*made, problem, {12, 0}, {});
    return made->solution().to_host();
  }

  /// Every prior of the catalogue on every grid; what it offers, its traits say.
  void priorRows(bool proximal) {
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("key");
    const auto all = grids();
    for (const auto* entry : bench_.catalog.priors.on("cuda"))
      for (std::size_t i = 0; i < all.size() && (!proximal || entry->traits.has_proximal); ++i)
        QTest::addRow("%s, %d x %d x %d", entry->key.c_str(), all[i].nx, all[i].ny, all[i].nz)
            << static_cast<int>(i) << QString::fromStdString(entry->key);
  }

 private slots:
  void initTestCase() {
    if (!bench_.absent.empty()) QSKIP(bench_.absent.c_str());
  }

  void valuesAndGradientsAreThoseOfTheCpu_data() { priorRows(false); }
  void valuesAndGradientsAreThoseOfTheCpu() {
    QFETCH(int, which);
    QFETCH(QString, key);
    const VolumeGrid on = grid(which);
    const auto& entry = bench_.catalog.priors.at(key.toStdString());
    const auto here = entry.make("cpu", cpu_, on, {}), there = entry.make("cuda", cuda(), on, {});
    const auto x = random_values(on.voxels(), 1, 0.019F, 0.021F),
               d = random_values(on.voxels(), 2, -1, 1);
    const Array x_here = Array::from(cpu_, x), x_there = Array::from(cuda(), x),
                d_here = Array::from(cpu_, d), d_there = Array::from(cuda(), d);
    const double value = here->value(x_here);
    EXPECT_NEAR(there->value(x_there), value, 2e-6 * value);
    QCOMPARE(there->value(x_there), there->value(x_there));
    if (!entry.traits.has_gradient) return;
    Array g(cpu_, x.size()), h(cpu_, x.size());
    Array gc = Array::filled(cuda(), x.size(), std::nanf("")),
          hc = Array::filled(cuda(), x.size(), std::nanf(""));
    here->gradient(x_here, g, h);
    there->gradient(x_there, gc, hc);
    QVERIFY(relative_rms(gc.to_host(), g.host()) <= 4e-6);
    QVERIFY(relative_rms(hc.to_host(), h.host()) <= 4e-6);
    const PriorLine expected = here->along(x_here, d_here, 3e-4),
                    found = there->along(x_there, d_there, 3e-4);
    EXPECT_NEAR(found.curvature, expected.curvature, 4e-6 * expected.curvature);
    // A slope is a sum of both signs: its rounding goes by |t| <= 0.002 times the curvatures.
    EXPECT_NEAR(found.slope, expected.slope,
                4e-6 * 0.002 * std::sqrt(expected.curvature * static_cast<double>(x.size())));
  }

  void proximalMapsAreThoseOfTheCpuToTheBit_data() { priorRows(true); }
  void proximalMapsAreThoseOfTheCpuToTheBit() {
    QFETCH(int, which);
    QFETCH(QString, key);
    const auto& entry = bench_.catalog.priors.at(key.toStdString());
    const VolumeGrid on = grid(which);
    const auto here = entry.make("cpu", cpu_, on, {}), there = entry.make("cuda", cuda(), on, {});
    QCOMPARE(there->dual_size(), here->dual_size());
    const auto v = random_values(on.voxels(), 3, -0.5F, 1),
               p = random_values(here->dual_size(), 4, -0.5F, 0.5F);
    const Array v_here = Array::from(cpu_, v), v_there = Array::from(cuda(), v);
    for (const float low : {0.0F, -1e30F}) {
      Array p_here = Array::from(cpu_, p), p_there = Array::from(cuda(), p), x(cpu_, v.size()),
            y = Array::filled(cuda(), v.size(), std::nanf(""));
      here->proximal({v_here, 0.2, low, 12, [] {}}, p_here, x);
      there->proximal({v_there, 0.2, low, 12, [] {}}, p_there, y);
      QCOMPARE(y.to_host(), x.to_host());
      QCOMPARE(p_there.to_host(), p_here.to_host());
    }
  }

  void methodsArriveWhereTheCpuDoes_data() {
    QTest::addColumn<QString>("solver");
    QTest::addColumn<bool>("cone");
    QTest::addColumn<bool>("weighted");
    for (const bool cone : {false, true}) {
      for (const char* prior : {"qggmrf", "huber", "tikhonov"})
        for (const bool weighted : {false, true})
          QTest::addRow("wls_pcg, %s, weighted %d, cone %d", prior, weighted, cone)
              << QStringLiteral("wls_pcg/%1").arg(prior) << cone << weighted;
      for (const char* prior : {"tv", "huber"})
        QTest::addRow("fista, %s, cone %d", prior, cone)
            << QStringLiteral("fista/%1").arg(prior) << cone << false;
      QTest::addRow("fista_sart, %d", cone) << "fista_sart" << cone << false;
    }
  }
  void methodsArriveWhereTheCpuDoes() {
    QFETCH(QString, solver);
    QFETCH(bool, cone);
    QFETCH(bool, weighted);
    ScanSpec spec = fan_spec(60, 90, 2);
    VolumeGrid on = VolumeGrid::centered(61, 53, 1, {1.7, 1.7, 1.7});
    if (cone) {
      spec.beam = Beam::cone;
      spec.detector_rows = 24;
      spec.central_row = 11.5;
      spec.row_pitch_mm = 3;
      on = VolumeGrid::centered(41, 37, 19, {2.5, 2.5, 2});
    }
    const ScanCase scan{"", share(spec), on};
    const auto expected = solve(solver.toStdString(), "cpu", cpu_, scan, weighted),
               found = solve(solver.toStdString(), "cuda", cuda(), scan, weighted);
    const double off = relative_rms(found, expected);
    QVERIFY2(off <= 1e-4, qPrintable(QString::number(off)));
    QCOMPARE(solve(solver.toStdString(), "cuda", cuda(), scan, weighted), found);
  }
};

GANTRY_TEST(TestCudaPriors)
#include "test_cuda_priors.moc"
