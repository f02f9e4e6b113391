// SCSR in space on a CUDA device: products against the single weights of the CPU's projectors,
// added up on the host in float64.
#include "core/base/error.hpp"
#include "core/matrix/matrix_format.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "tests/gpu/cuda_twin.hpp"
#include "tests/gpu/host_matrix.hpp"
#include "tests/gpu/matrix/scsr/cone_symmetry_scans.hpp"
#include "tests/gpu/odd_sizes.hpp"
#include "tests/support/test_program.hpp"

#include <limits>

using namespace gantry;
using namespace gantry::test;

namespace {

std::vector<ViewSubset> subsets_of(int views) {
  return {ViewSubset::all(views),
          {views - 1, 1, 1},
          {views / 2, 1, 1},
          {1, 1, 2},
          ViewSubset::interleaved(0, 2, views),
          ViewSubset::interleaved(2, 3, views)};
}

void compare(std::span<const float> found, std::span<const float> expected, double tolerance,
             const std::string& what) {
  for (const float value : found) QVERIFY2(std::isfinite(value), what.c_str());
  const double error = relative_rms(found, expected);
  QVERIFY2(error <= tolerance,
           qPrintable(QString::fromStdString(what) + ": " + QString::number(error)));
}

}  // namespace

class TestCudaScsrCone : public QObject {
  Q_OBJECT

  CudaTwins twins_;
  std::vector<ConeScan> cones_ = cone_symmetry_scans();

  std::unique_ptr<Projector> stored(const std::string& key, const ScanCase& c, const Params& params,
                                    const std::string& format = "scsr") {
    return std::make_unique<StoredMatrix>(
        twins_.on_device(key, c), twins_.bench.catalog.matrix_formats.make(format, "cuda", params));
  }
  const MatrixStorage& storage_of(const Projector& A) {
    return dynamic_cast<const StoredMatrix&>(A).storage();
  }

  void compare_products(const Projector& A, const HostMatrix& W, const std::string& name,
                        bool back_is_right) {
    const auto x = random_values(A.domain_size(), 1), y = random_values(A.range_size(), 2);
    for (const ViewSubset& subset : subsets_of(A.views())) {
      const auto rays = forward_of(A, x, subset), image = adjoint_of(A, y, subset);
      compare(rays, W.forward(x, subset), A.rounding(), name + ", forward");
      if (back_is_right) compare(image, W.adjoint(y, subset), A.rounding(), name + ", back");
      if (QTest::currentTestFailed()) return;
      if (!A.repeatable()) continue;
      QVERIFY2(forward_of(A, x, subset) == rays, (name + " differs from call to call").c_str());
      QVERIFY2(adjoint_of(A, y, subset) == image, (name + " differs from call to call").c_str());
    }
  }

 private slots:
  void initTestCase() {
    if (!twins_.bench.absent.empty()) QSKIP(twins_.bench.absent.c_str());
  }

  void multipliesAsTheCpusWeights_data() {
    std::vector<ScanCase> cases;
    for (const ConeScan& c : cones_) cases.push_back(c.scan);
    add_scan_rows(cases);
  }
  void multipliesAsTheCpusWeights() {
    QFETCH(int, scan);
    const ConeScan& cone = cones_[static_cast<std::size_t>(scan)];
    const ScanCase& c = cone.scan;
    int taken = 0;
    for (const std::string key : {"distance_driven", "joseph", "separable_footprint"}) {
      if (!twins_.takes(twins_.device(), key, c)) continue;
      ++taken;
      const HostMatrix W(*twins_.on_device(key, c));
      for (const char* transpose : {"gather", "atomics", "unsafe"})
        for (const char* weights : {"float32", "compact"}) {
          const auto A = stored(
              key, c, {{"transpose", std::string(transpose)}, {"weights", std::string(weights)}});
          compare_products(*A, W, key + ", " + transpose + ", " + weights,
                           transpose != std::string("unsafe"));
          if (QTest::currentTestFailed()) return;
        }
      // Each stored entry as often as it is used: CSR has them all, but for rounding.
      const auto A = stored(key, c, {}), csr = stored(key, c, {}, "csr");
      const auto all = static_cast<double>(storage_of(*csr).nonzeros);
      EXPECT_NEAR(static_cast<double>(storage_of(*A).nonzeros), all, 0.02 * all);
      QVERIFY(storage_of(*A).stored * static_cast<std::uint64_t>(cone.elements) >=
              storage_of(*A).nonzeros);
    }
    QVERIFY(taken > 0);
  }

  /// r = C (b - W x) and W^T r against CSR's.
  void residualsAreThoseOfCsr() {
    Backend& device = twins_.device();
    for (const ConeScan& cone : {cones_[0], cones_[1]}) {
      const auto csr = stored("distance_driven", cone.scan, {}, "csr"),
                 A = stored("distance_driven", cone.scan, {});
      const Array x = Array::from(device, random_values(A->domain_size(), 61)),
                  b = Array::from(device, random_values(A->range_size(), 62, 100, 200)),
                  weight = Array::from(device, random_values(A->range_size(), 63, 0.5F, 1));
      for (const ViewSubset& views : subsets_of(A->views())) {
        Array r = Array::filled(device, A->range_size(), 0), image(device, A->domain_size()),
              r_csr = r.clone(), image_csr(device, A->domain_size());
        const double square = A->residual_adjoint(x, b, &weight, r, image, views),
                     of_csr = csr->residual_adjoint(x, b, &weight, r_csr, image_csr, views);
        EXPECT_NEAR(square, of_csr, 4e-6 * of_csr);
        compare(r.to_host(), r_csr.to_host(), 4e-6, "r");
        compare(image.to_host(), image_csr.to_host(), 4e-6, "image");
      }
    }
  }

  /// Updates of single views, as SART makes them.
  void sweepsAsCsr() {
    Backend& device = twins_.device();
    for (const ConeScan& cone : {cones_[0], cones_[2]}) {
      const auto csr = stored("distance_driven", cone.scan, {}, "csr"),
                 A = stored("distance_driven", cone.scan, {});
      const Array b = Array::from(device, random_values(A->range_size(), 64, 1, 2)),
                  weight = Array::from(device, random_values(A->range_size(), 65, 0.01F, 0.02F));
      std::vector<ViewSubset> views;
      for (int v = 0; v < A->views(); ++v) views.push_back({v, 1, 1});
      const SubsetUpdate update{0.7F, 0, 1e-6F, 0};
      const auto swept = [&](const Projector& of) {
        Array image = Array::filled(device, of.domain_size(), 0.01F);
        make_subset_sweep(of, weight.clone(), update)->run(image, b, views);
        return image.to_host();
      };
      compare(swept(*A), swept(*csr), 1e-5, cone.scan.name);
    }
  }

  void takesAnyRangeOfValues() {
    const ScanCase& c = cones_.front().scan;
    const auto A = stored("distance_driven", c, {{"weights", std::string("compact")}});
    const HostMatrix W(*A);
    for (const float size : {1e-30F, 1e-6F, 1e6F, 1e28F}) {
      const auto x = random_values(A->domain_size(), 3, -size, size),
                 y = random_values(A->range_size(), 4, -size, size);
      compare(forward_of(*A, x, A->all()), W.forward(x, A->all()), 1e-3, "forward");
      compare(adjoint_of(*A, y, A->all()), W.adjoint(y, A->all()), 1e-3, "back");
    }
    const std::vector<float> nothing(A->domain_size(), 0);
    compare(forward_of(*A, nothing, A->all()), W.forward(nothing, A->all()), 0, "of nothing");
  }

  void readsNoOtherViews() {
    const ScanCase& c = cones_.front().scan;
    for (const char* weights : {"float32", "compact"}) {
      const auto A = stored("distance_driven", c, {{"weights", std::string(weights)}});
      const HostMatrix W(*A);
      const auto subset = ViewSubset::interleaved(1, 2, A->views());
      auto y = random_values(A->range_size(), 5);
      for (int v = 0; v < A->views(); v += 2)
        for (std::size_t i = 0; i < A->cells_per_view(); ++i)
          y[static_cast<std::size_t>(v) * A->cells_per_view() + i] =
              std::numeric_limits<float>::infinity();
      compare(adjoint_of(*A, y, subset), W.adjoint(y, subset), A->rounding(), weights);
    }
  }

  /// What is said before, what storage() says and what the device has less. And against CSR: a
  /// sixteenth of the entries, in less than as many bytes each.
  void takesWhatItSays() {
    ScanSpec spec = cones_.front().scan.geometry->spec();
    spec.view_angles_rad = angles_from_degrees(3.75, 7.5, 48);
    spec.detector_columns = 96;
    spec.detector_rows = 64;
    spec.central_column = 47.5;
    spec.central_row = 31.5;
    spec.column_pitch_mm = 0.73;
    spec.row_pitch_mm = 0.52;
    const ScanCase c{"larger", share(spec), VolumeGrid::centered(64, 64, 64, {0.6, 0.6, 0.28})};
    const auto& cuda = cuda_backend(twins_.device());
    const auto csr = stored("distance_driven", c, {}, "csr");
    const double of_csr = MatrixStorage::csr_bytes(static_cast<double>(storage_of(*csr).nonzeros),
                                                   static_cast<double>(csr->range_size()));
    const double estimated = estimate_nonzeros(*twins_.on_device("distance_driven", c)).nonzeros /
                             static_cast<double>(storage_of(*csr).nonzeros);
    EXPECT_NEAR(estimated, 1, 0.2);
    for (const char* weights : {"float32", "compact"})
      for (const char* transpose : {"gather", "atomics"}) {
        const std::size_t before = cuda.used_bytes();
        const auto A =
            stored("distance_driven", c,
                   {{"weights", std::string(weights)}, {"transpose", std::string(transpose)}});
        const auto announced = static_cast<double>(
            A->workspace_bytes() - dynamic_cast<const StoredMatrix&>(*A).build_bytes());
        const MatrixStorage& storage = storage_of(*A);
        const auto taken = static_cast<double>(cuda.used_bytes() - before),
                   said = static_cast<double>(storage.bytes());
        qInfo(
            "%s, %s: announced %.2f MB (nonzeros %.3f), said %.2f, taken %.2f; CSR over the stored "
            "views "
            "%.1f",
            weights, transpose, announced / 1e6, estimated, said / 1e6, taken / 1e6,
            of_csr / static_cast<double>(storage.bytes(PartOf::matrix)));
        EXPECT_NEAR(said / taken, 1, 0.05);
        EXPECT_NEAR(announced / taken, estimated, 0.1);
        QCOMPARE(storage.nonzeros, 16 * storage.stored);
        QVERIFY(static_cast<double>(storage.bytes(PartOf::matrix)) < of_csr / 12);
      }
  }

  void refusesWithTheCondition() {
    ScanSpec spec = cones_.front().scan.geometry->spec();
    const VolumeGrid grid = cones_.front().scan.grid;
    const auto make = [&](const ScanSpec& of, const VolumeGrid& on, const Params& params) {
      stored("distance_driven", {"", share(of), on}, params);
    };
    ScanSpec helix = spec;
    helix.trajectory = Trajectory::helical;
    helix.helical_feed_mm_per_turn = 3;
    EXPECT_THROWS(UsageError, make(helix, grid, {}), "the source climbs 3 mm a turn");
    VolumeGrid off = grid;
    off.origin_mm = off.origin_mm + Vec3{0.3, 0.2, 1};
    EXPECT_THROWS(UsageError, make(spec, off, {}), "not on the axis");
    EXPECT_THROWS(UsageError, make(spec, grid, {{"blocking", std::string("global")}}),
                  "single slices");
    EXPECT_THROWS(UsageError, make(spec, grid, {{"blocking", std::string("view")}}),
                  "single detector row");
    EXPECT_THROWS(UsageError, make(spec, grid, {{"residual", std::string("fused")}}),
                  "single slices");
    EXPECT_THROWS(UsageError, make(spec, grid, {{"transpose", std::string("colouring")}}),
                  "single slices");
  }
};

GANTRY_TEST(TestCudaScsrCone)
#include "test_cuda_scsr_cone.moc"
