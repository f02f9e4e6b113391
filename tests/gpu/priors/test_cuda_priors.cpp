// The priors on a CUDA device and the methods that use them, against the CPU's.
#include "core/backend/cpu_backend.hpp"
#include "core/priors/total_variation.hpp"
#include "core/solvers/run.hpp"
#include "gpu/priors/qggmrf.hpp"
#include "gpu/priors/total_variation.hpp"
#include "tests/gpu/cuda_device.hpp"
#include "tests/gpu/host_model.hpp"
#include "tests/support/pair_sums.hpp"
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

  void gridRows() {
    QTest::addColumn<int>("which");
    const auto all = grids();
    for (std::size_t i = 0; i < all.size(); ++i)
      QTest::addRow("%d x %d x %d", all[i].nx, all[i].ny, all[i].nz) << static_cast<int>(i);
  }
  static VolumeGrid grid(int which) { return grids()[static_cast<std::size_t>(which)]; }

  /// The image after some iterations.
  std::vector<float> solve(const std::string& solver, const std::string& on, Backend& backend,
                           const ScanCase& scan, bool weighted) {
    const auto A = bench_.catalog.projectors.make("distance_driven", on, backend, scan.geometry,
                                                  scan.grid, {});
    Array b(backend, A->range_size());
    A->forward(Array::from(backend, random_values(A->domain_size(), 5, 0.01F, 0.03F)), b);
    backend.axpby(1, Array::from(backend, random_values(b.size(), 6, -0.02F, 0.02F)), 1, b);
    const Array w = Array::from(backend, random_values(b.size(), 7, 0.2F, 1));
    const auto method = bench_.catalog.solvers.make(solver, on, {});
    run(*method, {A.get(), &b, nullptr, weighted ? &w : nullptr}, {12, 0}, {});
    return method->solution().to_host();
  }

 private slots:
  void initTestCase() {
    if (!bench_.absent.empty()) QSKIP(bench_.absent.c_str());
  }

  void qggmrfIsThatOfTheCpu_data() { gridRows(); }
  void qggmrfIsThatOfTheCpu() {
    QFETCH(int, which);
    const VolumeGrid on = grid(which);
    const auto x = random_values(on.voxels(), 1, 0.019F, 0.021F),
               d = random_values(on.voxels(), 2, -1, 1);
    const auto here = make_qggmrf(cpu_, on, {}), there = make_cuda_qggmrf(cuda(), on, {});
    const Array x_here = Array::from(cpu_, x), x_there = Array::from(cuda(), x),
                d_here = Array::from(cpu_, d), d_there = Array::from(cuda(), d);
    Array g(cpu_, x.size()), h(cpu_, x.size());
    Array gc = Array::filled(cuda(), x.size(), std::nanf("")),
          hc = Array::filled(cuda(), x.size(), std::nanf(""));
    here->gradient(x_here, g, h);
    there->gradient(x_there, gc, hc);
    QVERIFY(relative_rms(gc.to_host(), g.host()) <= 2e-6);
    QVERIFY(relative_rms(hc.to_host(), h.host()) <= 2e-6);
    const double value = here->value(x_here);
    EXPECT_NEAR(there->value(x_there), value, 2e-6 * value);
    const PriorLine expected = here->along(x_here, d_here, 3e-4),
                    found = there->along(x_there, d_there, 3e-4);
    EXPECT_NEAR(found.curvature, expected.curvature, 2e-6 * expected.curvature);
    EXPECT_NEAR(found.slope, expected.slope,
                2e-6 * 0.002 * std::sqrt(expected.curvature * static_cast<double>(x.size())));
    const PriorLine again = there->along(x_there, d_there, 3e-4);
    QCOMPARE(again.slope, found.slope);
    QCOMPARE(again.curvature, found.curvature);
  }

  void totalVariationIsThatOfTheCpuToTheBit_data() { gridRows(); }
  void totalVariationIsThatOfTheCpuToTheBit() {
    QFETCH(int, which);
    const VolumeGrid on = grid(which);
    const auto here = make_total_variation(cpu_, on), there = make_cuda_total_variation(cuda(), on);
    QCOMPARE(there->dual_size(), here->dual_size());
    const auto v = random_values(on.voxels(), 3, -0.5F, 1),
               p = random_values(here->dual_size(), 4, -0.5F, 0.5F);
    const Array v_here = Array::from(cpu_, v), v_there = Array::from(cuda(), v);
    EXPECT_NEAR(there->value(v_there), here->value(v_here), 1e-12 * here->value(v_here));
    QCOMPARE(there->value(v_there), there->value(v_there));
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
      QTest::addRow("wls_pcg, %d", cone) << "wls_pcg" << cone << false;
      QTest::addRow("wls_pcg with weights, %d", cone) << "wls_pcg" << cone << true;
      QTest::addRow("fista_tv, %d", cone) << "fista_tv" << cone << false;
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
