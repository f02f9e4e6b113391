// The step of the 3D distance-driven projector that goes through the views by portions: against
// its formula by products of a few views, interrupted between portions, and what it takes of memory
// against what was said before.
#include "core/solvers/sirt.hpp"
#include "gpu/projectors/distance_driven_3d.hpp"
#include "tests/contract/contract_bench.hpp"
#include "tests/gpu/cuda_device.hpp"
#include "tests/job/nth_check.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

ScanCase cone(int views, int columns, int rows, DetectorShape shape, double raised,
              const VolumeGrid& grid) {
  ScanSpec spec = fan_spec(views, columns, 110.0 / columns);
  spec.beam = Beam::cone;
  spec.detector = shape;
  spec.detector_rows = rows;
  spec.row_pitch_mm = 100.0 / rows;
  spec.central_row = 0.5 * (rows - 1) + raised;
  return {"cone", share(spec), grid};
}

VolumeGrid cube(int nx, int ny, int nz) {
  return VolumeGrid::centered(nx, ny, nz, {50.0 / nx, 50.0 / ny, 45.0 / nz});
}

/// What remains of a step where none of its sums passes the other's code: views go a few at a time,
/// and sums are made on the host.
struct ByProducts {
  std::vector<double> gradient;
  double residual_square = 0;

  ByProducts(const Projector& A, const Array& x, const Array& b, const std::vector<float>* weight)
      : gradient(A.domain_size(), 0.0) {
    Array y(A.backend(), A.range_size()), part(A.backend(), A.domain_size());
    A.forward(x, y);
    std::vector<float> r = y.to_host();
    const std::vector<float> data = b.to_host();
    for (std::size_t i = 0; i < r.size(); ++i) {
      r[i] = data[i] - r[i];
      residual_square += static_cast<double>(r[i]) * r[i];
      if (weight != nullptr) r[i] *= (*weight)[i];
    }
    A.backend().upload(r.data(), y.data(), r.size());
    for (int first = 0; first < A.views(); first += 32) {
      A.adjoint(y, part, {first, 1, std::min(32, A.views() - first)});
      const std::vector<float> sum = part.to_host();
      for (std::size_t j = 0; j < sum.size(); ++j) gradient[j] += sum[j];
    }
  }
};

}  // namespace

class TestCudaGradientStep : public QObject {
  Q_OBJECT
  CudaDeviceOrWhy device_;
  std::vector<ScanCase> cases_;

  std::unique_ptr<Projector> projector(const ScanCase& c) const {
    return make_cuda_dd_3d(*device_.backend, c.geometry, c.grid);
  }

  static bool by_portions(const Projector& A) {
    const GradientRoom room = A.gradient_room();
    return !room.rays && !room.image;
  }

 private slots:
  void initTestCase() {
    if (device_.backend == nullptr) QSKIP(device_.absent.c_str());
    const auto flat = DetectorShape::flat, arc = DetectorShape::arc;
    // With as many views as make several portions, and with few. An odd height has a slice, and an
    // odd detector a row, that is its own mirror image.
    cases_ = {cone(390, 384, 256, flat, 0, cube(64, 60, 65)),
              cone(390, 385, 255, arc, 0, cube(60, 64, 131)),
              cone(390, 384, 256, flat, 0.3, cube(37, 40, 33)),
              cone(1500, 384, 64, arc, 0, cube(64, 64, 24)),
              cone(7, 50, 41, flat, 0, cube(20, 33, 15)),
              cone(40, 50, 300, arc, 0, cube(20, 33, 9)),  // rows far smaller than voxels
              cone(40, 50, 5, arc, 1, cube(20, 33, 64))};  // and far larger
  }

  void isItsFormula_data() {
    QTest::addColumn<int>("scan");
    QTest::addColumn<bool>("weighted");
    for (int i = 0; i < static_cast<int>(cases_.size()); ++i)
      for (const bool weighted : {true, false})
        QTest::addRow("%d, %s", i, weighted ? "weighted" : "plain") << i << weighted;
  }
  void isItsFormula() {
    QFETCH(int, scan);
    QFETCH(bool, weighted);
    const auto A = projector(cases_[static_cast<std::size_t>(scan)]);
    QVERIFY(by_portions(*A));
    Backend& device = A->backend();
    const std::vector<float> start = random_values(A->domain_size(), 91),
                             weight = random_values(A->range_size(), 92, 0.5F, 2),
                             column = random_values(A->domain_size(), 93, -1e-3F,
                                                    1e-3F);  // some go below `low`
    Array x = Array::from(device, start), none;
    const Array b = Array::from(device, random_values(A->range_size(), 94, 0, 200)),
                row_weight = Array::from(device, weight),
                column_weight = Array::from(device, column);
    const ByProducts expected(*A, x, b, weighted ? &weight : nullptr);
    const float low = -0.1F;
    const UpdateNorms norms = A->gradient_update(
        x, b, {weighted ? &row_weight : nullptr, column_weight, 0.7F, low}, none, none);
    EXPECT_NEAR(norms.residual_square / expected.residual_square, 1, 1e-6);
    const std::vector<float> found = x.to_host();
    double change = 0, off = 0, length = 0;
    int clamped = 0, moved = 0;
    for (std::size_t j = 0; j < found.size(); ++j) {
      const double to = start[j] + 0.7 * column[j] * expected.gradient[j];
      const double should = std::max(to, static_cast<double>(low));
      (to < low ? clamped : moved)++;
      off += (found[j] - should) * (found[j] - should);
      length += (should - start[j]) * (should - start[j]);
      const double went = static_cast<double>(found[j]) - start[j];
      change += went * went;
    }
    QVERIFY(length > 0 && clamped > 0 && moved > 0);
    EXPECT_NEAR(std::sqrt(off / length), 0, 1e-5);
    EXPECT_NEAR(norms.update_square / change, 1, 1e-12);
  }

  void interruptedItLeavesTheImage() {
    const auto A = projector(cases_.front());
    Backend& device = A->backend();
    const std::vector<float> start = random_values(A->domain_size(), 95);
    const Array b = Array::from(device, random_values(A->range_size(), 96, 0, 200)),
                column_weight = Array::filled(device, A->domain_size(), 1e-3F);
    Array x = Array::from(device, start), none;
    NthCheck check;
    A->set_interrupt(&check);
    int interruptions = 0;
    for (bool done = false; !done;) {
      check.set(interruptions + 1);
      try {
        A->gradient_update(x, b, {nullptr, column_weight, 1, 0}, none, none);
        done = true;
      } catch (const Interrupted&) {
        ++interruptions;
        QCOMPARE(x.to_host(), start);
      }
    }
    QVERIFY2(interruptions >= 3, qPrintable(QString::number(interruptions)));  // between portions
    QVERIFY(x.to_host() != start);
  }

  /// Volume x 3 + data x 2, and what was said beside: a small part of the views, and tables.
  void sirtTakesThreeVolumesAndTwiceTheData_data() {
    QTest::addColumn<int>("scan");
    QTest::addRow("volume and data alike") << 0;
    QTest::addRow("more data") << 1;
    QTest::addRow("more volume") << 2;
  }
  void sirtTakesThreeVolumesAndTwiceTheData() {
    QFETCH(int, scan);
    const auto flat = DetectorShape::flat;
    const ScanCase c = std::vector{
        cone(512, 320, 256, flat, 0, cube(320, 320, 400)),
        cone(1024, 320, 256, flat, 0, cube(128, 128, 128)),
        cone(256, 320, 256, flat, 0, cube(512, 512, 400))}[static_cast<std::size_t>(scan)];
    const CudaBackend& cuda = *device_.backend;
    cuda.synchronize();
    const std::size_t before = cuda.used_bytes(), volume = c.grid.voxels() * sizeof(float),
                      rays = c.geometry->rays() * sizeof(float);
    const auto A = projector(c);
    const auto sirt = make_sirt(resolve_params({}, sirt_params(), "sirt"));
    const SolverMemory memory = sirt->memory(*A);
    const std::size_t promised = static_cast<std::size_t>(memory.images) * volume +
                                 static_cast<std::size_t>(memory.ray_sets + 1) * rays +
                                 std::max(memory.workspace_bytes, A->workspace_bytes());
    const Array b = Array::filled(*device_.backend, A->range_size(), 1);
    cuda.restart_peak();
    sirt->init({A.get(), &b, nullptr, nullptr});
    for (int i = 0; i < 2; ++i) sirt->step();
    cuda.synchronize();
    const std::size_t taken = cuda.peak_bytes() - before;
    const QByteArray text = QStringLiteral("%1 taken of %2 promised, volume %3, data %4")
                                .arg(taken)
                                .arg(promised)
                                .arg(volume)
                                .arg(rays)
                                .toLatin1();
    QVERIFY2(taken <= promised + (std::size_t{1} << 20U), text);  // pieces are rounded up
    // Lines of voxels and of rows have 8 zeros around; a portion is half of the views in rounds
    // of 32, or 64 MiB; and 3 % of the data are what tables and sums may take.
    const double view = static_cast<double>(rays) / c.geometry->views() * (c.geometry->rows() + 8) /
                        c.geometry->rows(),
                 half = (c.geometry->views() / 2.0 + 32) * view;
    const double most = 3.0 * static_cast<double>(volume) * (1 + 3.0 / c.grid.nz) +
                        2.03 * static_cast<double>(rays) + std::max(half, 68e6);
    QVERIFY2(static_cast<double>(promised) <= most, text);
  }
};

QTEST_APPLESS_MAIN(TestCudaGradientStep)
#include "test_cuda_gradient_step.moc"
