// The 2D distance-driven pair on a CUDA device against single weights in float64, and against the
// CPU's, on scans that a kernel could trip over.
#include "core/backend/cpu_backend.hpp"
#include "core/operator/subset_sweep.hpp"
#include "core/projectors/distance_driven/distance_driven.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/projectors/distance_driven/fan/distance_driven_2d.hpp"
#include "tests/support/scan_rows.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

#include <array>
#include <cmath>
#include <limits>

using namespace gantry;
using namespace gantry::test;

namespace {

using Values = std::vector<double>;

Values widened(const std::vector<float>& values) { return {values.begin(), values.end()}; }

double dot(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
double length(const Values& a) { return std::sqrt(dot(a, a)); }

/// ||a - b|| over ||b||, infinite where a is not finite.
double off_by(const Values& a, const Values& b) {
  Values difference(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] = a[i] - b[i];
  const double distance = length(difference), reference = length(b);
  if (!std::isfinite(distance)) return std::numeric_limits<double>::infinity();
  return reference > 0 ? distance / reference : distance;
}

/// visit(ray, weights) for every ray of a subset.
template <class Visit>
void for_each_row(const Projector& A, ViewSubset subset, const Visit& visit) {
  RowWeights weights;
  for (int n = 0; n < subset.count; ++n) {
    const int v = subset.view(n);
    const auto view = A.row_source()->view_rows(v);
    std::size_t ray = static_cast<std::size_t>(v) * A.cells_per_view();
    for (int row = 0; row < A.geometry().rows(); ++row)
      for (int column = 0; column < A.geometry().columns(); ++column, ++ray) {
        view->weights(column, row, weights);
        visit(ray, weights);
      }
  }
}

/// What a product is to leave of an array full of `untouched`.
Values forward_by_rows(const Projector& A, const Values& x, ViewSubset subset, double untouched) {
  Values y(A.range_size(), untouched);
  for_each_row(A, subset, [&](std::size_t ray, const RowWeights& row) {
    y[ray] = 0;
    for (std::size_t k = 0; k < row.size(); ++k) y[ray] += row.weight[k] * x[row.voxel[k]];
  });
  return y;
}
Values adjoint_by_rows(const Projector& A, const Values& y, ViewSubset subset) {
  Values x(A.domain_size(), 0);
  for_each_row(A, subset, [&](std::size_t ray, const RowWeights& row) {
    for (std::size_t k = 0; k < row.size(); ++k) x[row.voxel[k]] += row.weight[k] * y[ray];
  });
  return x;
}

ScanSpec turning(int views, double first_step, ScanSpec spec) {
  const double step = 360.0 / views;
  spec.view_angles_rad = angles_from_degrees(first_step * step, step, views);
  return spec;
}

ScanSpec parallel(ScanSpec spec) {
  spec.beam = Beam::parallel;
  return spec;
}
ScanSpec arc(ScanSpec spec) {
  spec.detector = DetectorShape::arc;
  return spec;
}

/// All eight symmetries hold: with odd and even images, about the width of a warp.
void add_symmetric(std::vector<ScanCase>& cases) {
  for (const int n : {1, 31, 32, 33, 62, 65}) {
    const VolumeGrid grid = VolumeGrid::centered(n, n, 1, {70.0 / n, 70.0 / n, 1});
    const std::string size = ", " + std::to_string(n);
    cases.push_back({"symmetric flat" + size, share(turning(24, 0.5, fan_spec(24, 37, 4))), grid});
    cases.push_back(
        {"symmetric arc" + size, share(turning(16, 2.5, arc(fan_spec(16, 62, 3)))), grid});
    cases.push_back({"symmetric parallel" + size,
                     share(turning(8, 0.5, parallel(fan_spec(8, 63, 1.3)))), grid});
  }
  ScanSpec clockwise = parallel(fan_spec(24, 37, 2.5));
  clockwise.view_angles_rad = angles_from_degrees(187.5, -15, 24);
  cases.push_back(
      {"symmetric, clockwise", share(clockwise), VolumeGrid::centered(34, 34, 1, {2, 2, 1})});
  ScanSpec half = parallel(fan_spec(24, 37, 2.5));
  half.view_angles_rad = angles_from_degrees(3.75, 7.5, 24);
  cases.push_back(
      {"symmetric over half a turn", share(half), VolumeGrid::centered(34, 34, 1, {2, 2, 1})});
  cases.push_back({"symmetric, one column", share(turning(16, 0.5, fan_spec(16, 1, 5))),
                   VolumeGrid::centered(9, 9, 1, {2, 2, 1})});
}

/// Slices that share their weights: whole quads and not, 32 and more and fewer.
void add_stacks(std::vector<ScanCase>& cases) {
  for (const int nz : {2, 3, 4, 5, 8, 9, 13, 21, 32, 37, 60}) {
    ScanSpec spec = fan_spec(41, 40, 3);
    if (nz == 3 || nz == 37) spec = arc(spec);
    if (nz == 4 || nz == 60) spec = parallel(spec);
    spec.detector_rows = nz;
    spec.central_row = 0.5 * (nz - 1);
    spec.row_pitch_mm = 2;
    spec.central_column = 17.3;
    cases.push_back({"stack of " + std::to_string(nz), share(spec),
                     VolumeGrid::centered(35, 20, nz, {2, 3, 2})});
  }
  // Views enough for 32 slices at once: fewer, and two passes and a rest, and lines that are longer
  // than is summed at once.
  for (const auto& [nz, nx, ny] : {std::array{26, 45, 67}, {69, 40, 33}, {33, 11, 523}}) {
    ScanSpec many = fan_spec(nz == 26 ? 400 : 200, 70, 1.7);
    many.detector_rows = nz;
    many.central_row = 0.5 * (nz - 1);
    many.row_pitch_mm = 2;
    cases.push_back({"stack of " + std::to_string(nz) + " seen by many views", share(many),
                     VolumeGrid::centered(nx, ny, nz, {90.0 / nx, 100.0 / ny, 2})});
  }
}

std::vector<ScanCase> planar_cases() {
  std::vector<ScanCase> cases;
  for (ScanCase& c : scan_cases())
    if (is_planar(*c.geometry, c.grid) || is_stack(*c.geometry, c.grid))
      cases.push_back(std::move(c));
  add_symmetric(cases);
  add_stacks(cases);
  const VolumeGrid grid = VolumeGrid::centered(40, 40, 1, {2, 2, 1});
  cases.push_back({"more views than a warp has lanes", share(fan_spec(70, 20, 9)), grid});
  cases.push_back({"arc of few cells", share(arc(fan_spec(11, 9, 28))), grid});
  return cases;
}

}  // namespace

class TestCudaDistanceDriven2d : public QObject {
  Q_OBJECT

  std::unique_ptr<CudaBackend> backend_;
  CpuBackend cpu_;
  std::vector<ScanCase> cases_ = planar_cases();

  const ScanCase& scan() {
    QFETCH(int, scan);
    return cases_[static_cast<std::size_t>(scan)];
  }
  std::unique_ptr<Projector> projector() {
    return make_cuda_dd_2d(*backend_, scan().geometry, scan().grid);
  }
  /// Everything that a residual_adjoint and an update by a subset leave.
  static Values corrected(Backend& backend, const Projector& A, ViewSubset subset, bool weighted) {
    const auto array = [&](std::size_t size, unsigned seed, float scale) {
      std::vector<float> values = random_values(size, seed);
      for (float& value : values) value *= scale;
      return Array::from(backend, values);
    };
    Array x = array(A.domain_size(), 11, 1);
    const Array b = array(A.range_size(), 12, 60), weight = array(A.range_size(), 13, 1);
    Array r = Array::filled(backend, A.range_size(), -7),
          out = Array::filled(backend, A.domain_size(), 0);
    const double norm = A.residual_adjoint(x, b, weighted ? &weight : nullptr, r, out, subset);
    const auto sweep =
        make_subset_sweep(A, weight.clone(), {0.7F, weighted ? 0.0F : -1e30F, 1e-3F});
    const UpdateNorms norms = sweep->run(x, b, {&subset, 1});
    Values all = {std::sqrt(norm), std::sqrt(norms.residual_square),
                  std::sqrt(norms.update_square)};
    for (const Array* part : {&r, &out, &x})
      for (const float value : part->to_host()) all.push_back(static_cast<double>(value));
    return all;
  }
  Array filled(std::size_t size, float value) { return Array::filled(*backend_, size, value); }
 private slots:
  void initTestCase() {
    try {
      backend_ = std::make_unique<CudaBackend>();
    } catch (const Error& error) {
      QSKIP(error.what());
    }
  }

  void productsAreThoseOfTheSingleWeights_data() { add_scan_rows(cases_); }
  void productsAreThoseOfTheSingleWeights() {
    const auto A = projector();
    const auto x = random_values(A->domain_size(), 1), y = random_values(A->range_size(), 2);
    const Array image = Array::from(*backend_, x), rays = Array::from(*backend_, y);
    const int subsets = std::min(3, A->views());
    std::vector<ViewSubset> wanted = {A->all()};
    for (int s = 0; s < subsets; ++s)
      wanted.push_back(ViewSubset::interleaved(s, subsets, A->views()));
    for (const ViewSubset subset : wanted) {
      Array Ax = filled(A->range_size(), -7), Aty = filled(A->domain_size(), std::nanf(""));
      A->forward(image, Ax, subset);
      A->adjoint(rays, Aty, subset);
      const double forward =
          off_by(widened(Ax.to_host()), forward_by_rows(*A, widened(x), subset, -7));
      const double adjoint =
          off_by(widened(Aty.to_host()), adjoint_by_rows(*A, widened(y), subset));
      QVERIFY2(forward < 1e-5, qPrintable(QStringLiteral("A x is off by %1").arg(forward)));
      QVERIFY2(adjoint < 1e-5, qPrintable(QStringLiteral("A^T y is off by %1").arg(adjoint)));
    }
  }

  void productsAreThoseOfTheCpu_data() { add_scan_rows(cases_); }
  void productsAreThoseOfTheCpu() {
    const auto A = projector(), B = make_distance_driven(cpu_, scan().geometry, scan().grid, {});
    const auto x = random_values(A->domain_size(), 3), y = random_values(A->range_size(), 4);
    Array Ax = filled(A->range_size(), 0), Aty = filled(A->domain_size(), 0),
          Bx(cpu_, A->range_size()), Bty(cpu_, A->domain_size());
    A->forward(Array::from(*backend_, x), Ax);
    A->adjoint(Array::from(*backend_, y), Aty);
    B->forward(Array::from(cpu_, x), Bx);
    B->adjoint(Array::from(cpu_, y), Bty);
    QVERIFY(off_by(widened(Ax.to_host()), widened(Bx.to_host())) < 2e-5);
    QVERIFY(off_by(widened(Aty.to_host()), widened(Bty.to_host())) < 2e-5);
  }

  void adjointIsTheTranspose_data() { add_scan_rows(cases_); }
  void adjointIsTheTranspose() {
    const auto A = projector();
    const auto x = random_values(A->domain_size(), 5), y = random_values(A->range_size(), 6);
    Array Ax = filled(A->range_size(), 0), Aty = filled(A->domain_size(), 0);
    A->forward(Array::from(*backend_, x), Ax);
    A->adjoint(Array::from(*backend_, y), Aty);
    const Values forward = widened(Ax.to_host());
    const double defect = dot(forward, widened(y)) - dot(widened(x), widened(Aty.to_host()));
    QVERIFY(std::abs(defect) <= 1e-6 * length(forward) * length(widened(y)));
  }

  /// r, A^T r, norms and images of corrections, from products alone on the CPU.
  void correctionsAreThoseOfTheCpu_data() { add_scan_rows(cases_); }
  void correctionsAreThoseOfTheCpu() {
    const auto A = projector(), B = make_distance_driven(cpu_, scan().geometry, scan().grid, {});
    std::vector<ViewSubset> wanted = {A->all()};
    if (A->views() > 1) wanted.push_back(ViewSubset::interleaved(1, 2, A->views()));
    for (const ViewSubset subset : wanted)
      for (const bool weighted : {false, true}) {
        const Values a = corrected(*backend_, *A, subset, weighted),
                     b = corrected(cpu_, *B, subset, weighted);
        QVERIFY2(off_by(a, b) < 3e-5, qPrintable(QString::number(off_by(a, b))));
      }
  }

  void productsAreTheSameEveryTime_data() { add_scan_rows(cases_); }
  void productsAreTheSameEveryTime() {
    const auto A = projector(), B = projector();
    const Array x = Array::from(*backend_, random_values(A->domain_size(), 7)),
                y = Array::from(*backend_, random_values(A->range_size(), 8));
    Array Ax = filled(A->range_size(), 0), Bx = Ax.clone(), Aty = filled(A->domain_size(), 0),
          Bty = Aty.clone();
    A->forward(x, Ax);
    A->adjoint(y, Aty);
    B->adjoint(y, Bty);
    B->forward(x, Bx);
    QCOMPARE(Ax.to_host(), Bx.to_host());
    QCOMPARE(Aty.to_host(), Bty.to_host());
  }
};

GANTRY_TEST(TestCudaDistanceDriven2d)
#include "test_cuda_distance_driven_2d.moc"
