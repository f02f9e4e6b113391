// The step of the 2D distance-driven projector that goes group by group of slices, band by band of
// lines and region by region of pixels: against the CPU's, and what it takes of memory against what
// was said before.
#include "core/backend/cpu_backend.hpp"
#include "core/projectors/distance_driven/distance_driven.hpp"
#include "core/solvers/run.hpp"
#include "core/solvers/sirt_family/sirt.hpp"
#include "gpu/projectors/distance_driven/fan/distance_driven_2d.hpp"
#include "tests/gpu/cuda_device.hpp"
#include "tests/gpu/stacks.hpp"
#include "tests/gpu/symmetric_scans.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/products.hpp"
#include "tests/support/scan_rows.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr std::size_t mib = std::size_t{1} << 20U;

/// As wide as the field, 70 mm.
VolumeGrid field(int nx, int ny) {
  return VolumeGrid::centered(nx, ny, 1, {70.0 / nx, 70.0 / ny, 1});
}
/// All eight symmetries, or none.
ScanCase slice(int views, int columns, int nx, int ny, bool symmetric) {
  ScanSpec spec = turning(views, symmetric ? 0.5 : 0.3, columns, 130.0 / columns);
  if (!symmetric) spec.central_column += 0.3;
  return {std::to_string(nx) + " x " + std::to_string(ny) + (symmetric ? ", symmetric" : ""),
          share(spec), field(nx, ny)};
}
ScanCase stack(int slices, int views, int columns, int nx, int ny) {
  ScanCase c = stack_of(slices, Beam::fan, views, columns, nx, ny);
  ScanSpec spec = c.geometry->spec();
  spec.column_pitch_mm = 130.0 / columns;
  return {c.name + " of " + std::to_string(nx) + " x " + std::to_string(ny), share(spec),
          VolumeGrid::centered(nx, ny, slices, {70.0 / nx, 70.0 / ny, spec.row_pitch_mm})};
}

}  // namespace

class TestCudaGradientStep2d : public QObject {
  Q_OBJECT
  CudaDeviceOrWhy device_;
  CpuBackend cpu_;
  std::vector<ScanCase> cases_, large_;

  std::unique_ptr<Projector> on_device(const ScanCase& c) const {
    return make_cuda_dd_2d(*device_.backend, c.geometry, c.grid);
  }

  /// Norms, and the image, after a step from one and the same start.
  struct Stepped {
    UpdateNorms norms;
    std::vector<float> image;
  };
  enum class Weights { none, of_rays, own_form };
  static constexpr float threshold = 0.01F, low = 0.001F;  // mm, 1 / mm

  static Stepped step(Backend& backend, const Projector& A, Weights weights) {
    // Steps about as long as the image is large.
    const auto unit = static_cast<float>(1 / (A.views() * A.grid().spacing_mm.x));
    const std::vector<float> column =
        random_values(A.domain_size(), 93, 0.001F * unit, 0.01F * unit);
    const float relaxation = weights == Weights::own_form ? 40 : 0.7F;
    Array x = Array::from(backend, random_values(A.domain_size(), 91, 0, 0.02F));
    const Array b = Array::from(backend, random_values(A.range_size(), 94, 0, 1)),
                c = Array::from(backend, column);
    const auto step = make_gradient_step(A);
    if (weights == Weights::of_rays)
      step->scale_rows(Array::from(backend, random_values(A.range_size(), 92, 0.5F, 2)));
    if (weights == Weights::own_form)
      step->scale_rows_by_inverse_sums(Array::filled(backend, A.domain_size(), 1), threshold);
    // Twice: the second time it is recorded, and a third time launched.
    UpdateNorms norms;
    for (int i = 0; i < 3; ++i) norms = step->apply(x, b, c, {relaxation, low});
    return {norms, x.to_host()};
  }

 private slots:
  void initTestCase() {
    if (device_.backend == nullptr) QSKIP(device_.absent.c_str());
    cases_ = {slice(24, 90, 64, 64, true),       slice(23, 90, 60, 33, false),
              slice(40, 300, 1200, 1200, true),  // pixels region by region, lines band by band:
              slice(24, 300, 1163, 1163, true),  // with a middle, and
              slice(16, 200, 2600, 2600, true),  // in more of them
              slice(24, 300, 1700, 1500, false), stack(2, 30, 60, 40, 30),
              stack(9, 30, 60, 30, 40),          stack(37, 30, 60, 40, 30),
              stack(33, 700, 90, 60, 61),        stack(70, 400, 60, 31, 32),
              stack(33, 400, 90, 300, 290),      stack(7, 24, 200, 650, 700),
              stack(40, 900, 400, 20, 20)};  // far more data than volume
    large_ = {slice(720, 512, 512, 512, true),    slice(720, 512, 512, 512, false),
              slice(720, 1024, 2048, 2048, true), slice(720, 1024, 2048, 2048, false),
              stack(32, 720, 512, 512, 512),      stack(37, 720, 512, 256, 300),
              stack(150, 360, 256, 256, 256),     stack(5, 360, 512, 512, 512)};
  }

  void isThatOfTheCpu_data() {
    QTest::addColumn<int>("scan");
    QTest::addColumn<int>("weights");
    for (std::size_t i = 0; i < cases_.size(); ++i)
      for (const Weights weights : {Weights::none, Weights::of_rays, Weights::own_form})
        QTest::addRow("%d: %s, weights %d", static_cast<int>(i), cases_[i].name.c_str(),
                      static_cast<int>(weights))
            << static_cast<int>(i) << static_cast<int>(weights);
  }
  void isThatOfTheCpu() {
    QFETCH(int, scan);
    QFETCH(int, weights);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    const auto there = on_device(c), here = make_distance_driven(cpu_, c.geometry, c.grid, {});
    const Stepped found = step(*device_.backend, *there, static_cast<Weights>(weights)),
                  expected = step(cpu_, *here, static_cast<Weights>(weights));
    EXPECT_NEAR(found.norms.residual_square / expected.norms.residual_square, 1, 1e-4);
    EXPECT_NEAR(found.norms.update_square / expected.norms.update_square, 1, 1e-4);
    const double off = relative_rms(found.image, expected.image);
    QVERIFY2(off <= 5e-5, qPrintable(QString::number(off)));
    QVERIFY(std::ranges::count(expected.image, low) > 0);
    QVERIFY(std::ranges::any_of(expected.image, [](float x) { return x > low; }));
  }

  /// The row weights R of a stack of slices are stored once, for one slice.
  void rowWeightsAreThoseOfASlice() {
    const auto A = on_device(cases_[8]);
    QCOMPARE(memory_of(*A).gradient_step.row_scaling_bytes, A->range_size() / 37 * sizeof(float));
  }

  /// Volume x 3 + data x 2, 12 MiB for the tables of a slice, and a volume more, at least 4 MiB,
  /// for products to work in, and at most 16. And as was said, neither more nor less.
  void takesThreeVolumesAndTwiceTheData_data() {
    QTest::addColumn<int>("scan");
    for (std::size_t i = 0; i < large_.size(); ++i)
      QTest::addRow("%d: %s", static_cast<int>(i), large_[i].name.c_str()) << static_cast<int>(i);
  }
  void takesThreeVolumesAndTwiceTheData() {
    QFETCH(int, scan);
    const ScanCase& c = large_[static_cast<std::size_t>(scan)];
    const CudaBackend& cuda = *device_.backend;
    cuda.synchronize();
    const std::size_t before = cuda.used_bytes(), volume = c.grid.voxels() * sizeof(float),
                      rays = c.geometry->rays() * sizeof(float);
    const auto A = on_device(c);
    const auto method = make_sirt(resolve_params({}, sirt_params(), "sirt"));
    const SolverMemory memory = method->memory(memory_of(*A));
    const std::size_t promised = static_cast<std::size_t>(memory.images) * volume +
                                 static_cast<std::size_t>(memory.ray_vectors + 1) * rays +
                                 memory.workspace_bytes.value_or(A->workspace_bytes());
    const Array b = Array::filled(*device_.backend, A->range_size(), 1);
    cuda.restart_peak();
    method->init({A.get(), &b, nullptr, nullptr});
    for (int i = 0; i < 3; ++i) method->step();
    cuda.synchronize();
    const std::size_t taken = cuda.peak_bytes() - before, bound = 3 * volume + 2 * rays,
                      beside = 12 * mib + std::clamp(volume, 4 * mib, 16 * mib), pieces = mib;
    const QByteArray text =
        QStringLiteral(
            "%1 taken of %2 promised; volume %3, data %4, volume x 3 + data x 2 %5, and %6")
            .arg(taken)
            .arg(promised)
            .arg(volume)
            .arg(rays)
            .arg(bound)
            .arg(static_cast<qint64>(taken) - static_cast<qint64>(bound))
            .toLatin1();
    qInfo("%s", text.constData());
    QVERIFY2(taken <= promised + pieces, text);  // pieces are rounded up
    QVERIFY2(promised <= taken + pieces, text);
    QVERIFY2(taken <= bound + beside, text);
  }
};

GANTRY_TEST(TestCudaGradientStep2d)
#include "test_cuda_gradient_step_2d.moc"
