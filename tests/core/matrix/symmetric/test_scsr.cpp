// Symmetric CSR: products and rows against the projector's single weights, added up in float64.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "core/geometry/symmetry.hpp"
#include "core/matrix/half.hpp"
#include "core/matrix/rows/csr.hpp"
#include "core/matrix/symmetric/scsr.hpp"
#include "core/matrix/symmetric/scsr_bands.hpp"
#include "core/matrix/symmetric/symmetric_copies.hpp"
#include "core/projectors/area/area_integral.hpp"
#include "core/projectors/distance_driven/distance_driven.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/published_scan.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/threads.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace gantry;
using namespace gantry::test;

namespace {

struct Scan {
  std::shared_ptr<const ScanGeometry> geometry;
  VolumeGrid grid;
};

/// `kind` begins with the beam; what follows changes the scan. `start` in steps between views.
Scan scan_of(const QString& kind, int views, double start, int columns = 13, int side = 9) {
  const bool cone = kind.startsWith("cone"), parallel = kind.startsWith("parallel");
  ScanSpec spec;
  spec.beam = cone ? Beam::cone : parallel ? Beam::parallel : Beam::fan;
  spec.detector = kind.contains("arc") ? DetectorShape::arc : DetectorShape::flat;
  spec.source_to_isocenter_mm = 30;
  spec.source_to_detector_mm = 45;
  spec.detector_columns = columns;
  spec.detector_rows = cone ? 6 : 1;
  spec.column_pitch_mm = parallel ? 1.37 : 1.93;
  spec.row_pitch_mm = 2.1;
  spec.central_column = 0.5 * (columns - 1) - (kind.contains("offset") ? 0.25 : 0);
  spec.central_row = 0.5 * (spec.detector_rows - 1);
  const double step = (kind.contains("180") ? 180.0 : 360.0) / views;
  spec.view_angles_rad = angles_from_degrees(start * step, step, views);
  const int slices = cone ? 5 : 1;
  const VolumeGrid grid = kind.contains("oblong")
                              ? VolumeGrid::centered(side, side - 2, slices, {1.7, 1.7, 1.1})
                              : VolumeGrid::centered(side, side, slices, {1.7, 1.7, 1.1});
  return {share(spec), grid};
}

class Bench {
 public:
  explicit Bench(const Scan& scan) : scan_(scan) {
    const auto A = projector();
    for (int v = 0; v < A->views(); ++v) views_.push_back(view_csr(*A, v));
  }

  std::unique_ptr<Projector> projector() {
    const bool cone = scan_.geometry->beam() == Beam::cone;
    return cone ? make_distance_driven(backend_, scan_.geometry, scan_.grid, {})
                : make_area_integral(backend_, scan_.geometry, scan_.grid,
                                     resolve_params({}, area_integral_params(), ""));
  }
  StoredMatrix matrix(const Params& params = {}) {
    return {projector(), make_scsr(resolve_params(params, scsr_params(), "scsr"))};
  }
  StoredMatrix csr() { return {projector(), make_csr({})}; }
  const std::vector<ViewCsr>& views() const { return views_; }
  CpuBackend& backend() { return backend_; }
  std::size_t cells() const { return scan_.geometry->cells(); }

  std::vector<double> forward(const std::vector<float>& x) const {
    std::vector<double> y;
    for (const ViewCsr& view : views_)
      for (std::size_t cell = 0; cell < cells(); ++cell) {
        double sum = 0;
        for (std::uint32_t k = view.row_start[cell]; k < view.row_start[cell + 1]; ++k)
          sum += static_cast<double>(view.weight[k]) * x[view.column[k]];
        y.push_back(sum);
      }
    return y;
  }
  std::vector<double> adjoint(const std::vector<float>& y, ViewSubset subset) const {
    std::vector<double> x(scan_.grid.voxels());
    for (int i = 0; i < subset.count; ++i) {
      const auto v = static_cast<std::size_t>(subset.view(i));
      for (std::size_t cell = 0; cell < cells(); ++cell)
        for (std::uint32_t k = views_[v].row_start[cell]; k < views_[v].row_start[cell + 1]; ++k)
          x[views_[v].column[k]] +=
              static_cast<double>(views_[v].weight[k]) * y[v * cells() + cell];
    }
    return x;
  }

 private:
  CpuBackend backend_;
  Scan scan_;
  std::vector<ViewCsr> views_;
};

double root_mean_square(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum / static_cast<double>(values.size()));
}

/// What is not a subset's view of y is left as it was, here NaN; what is, comes out right. So does
/// the image, whatever was in it. With weights off by a share of themselves, so are sums of
/// positive numbers.
void expect_products(Bench& bench, const StoredMatrix& A, ViewSubset subset, double share = 0) {
  const float nothing = std::numeric_limits<float>::quiet_NaN();
  const auto x = random_values(A.domain_size(), 4), y = random_values(A.range_size(), 5);
  Array rays(A.backend(), A.range_size()), image(A.backend(), A.domain_size());
  A.backend().fill(rays, nothing);
  A.backend().fill(image, nothing);
  A.forward(Array::from(A.backend(), x), rays, subset);
  A.adjoint(Array::from(A.backend(), y), image, subset);
  const auto exact_rays = bench.forward(x), exact_image = bench.adjoint(y, subset);
  std::set<int> views;
  for (int i = 0; i < subset.count; ++i) views.insert(subset.view(i));
  const double ray = root_mean_square(exact_rays), voxel = root_mean_square(exact_image);
  for (std::size_t i = 0; i < exact_rays.size(); ++i)
    if (views.contains(static_cast<int>(i / bench.cells())))
      EXPECT_NEAR(rays.host()[i], exact_rays[i], share * exact_rays[i] + 1e-6 * ray);
    else
      QVERIFY(std::isnan(rays.host()[i]));
  for (std::size_t j = 0; j < exact_image.size(); ++j)
    EXPECT_NEAR(image.host()[j], exact_image[j], share * exact_image[j] + 1e-6 * voxel);
}

void add_scans() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<int>("views");
  QTest::addColumn<double>("start");
  QTest::addColumn<int>("elements");
  const auto row = [](const char* kind, int views, double start, int elements) {
    QTest::addRow("%s, %d views from %g", kind, views, start)
        << QString(kind) << views << start << elements;
  };
  for (const double start : {0.0, 0.5}) {
    for (const int views : {8, 12, 16, 20}) row("fan arc", views, start, 8);
    row("fan flat", 12, start, 8);
    row("parallel", 12, start, 8);
    row("parallel 180", 12, start, 8);
    row("parallel 180", 10, start, 8);
    row("fan flat, oblong", 12, start, 4);
    row("fan arc, offset", 16, start, 4);
    row("fan arc, oblong and offset", 12, start, 2);
  }
  row("fan arc", 16, 0.3, 4);
  row("cone flat", 8, 0.5, 16);
  row("cone arc", 16, 0.5, 16);
  row("cone flat, offset", 8, 0.5, 8);
}

}  // namespace

class TestScsr : public QObject {
  Q_OBJECT

 private slots:
  // Both starts, views that are their own mirror, 2, 4, 8 and 16 elements.
  void productsAreThoseOfAllWeights_data() { add_scans(); }
  void productsAreThoseOfAllWeights() {
    QFETCH(QString, kind);
    QFETCH(int, views);
    QFETCH(double, start);
    QFETCH(int, elements);
    const Scan scan = scan_of(kind, views, start);
    QCOMPARE(static_cast<int>(ScanSymmetry(*scan.geometry, scan.grid).elements().size()), elements);
    Bench bench(scan);
    const StoredMatrix exact = bench.matrix(), compact = bench.matrix({{"weights", "compact"}});
    for (const ViewSubset subset :
         {ViewSubset::all(views), ViewSubset{3, 1, 1}, ViewSubset{1, 3, (views + 1) / 3},
          ViewSubset{0, 2, views / 2}, ViewSubset{views / 2, 1, 2}}) {
      expect_products(bench, exact, subset);
      expect_products(bench, compact, subset, 0x1p-11);
    }
  }

  /// Each view is made once: also those that several elements give.
  void everyViewIsMadeOnce_data() { add_scans(); }
  void everyViewIsMadeOnce() {
    QFETCH(QString, kind);
    QFETCH(int, views);
    QFETCH(double, start);
    const Scan scan = scan_of(kind, views, start);
    const ScanSymmetry symmetry(*scan.geometry, scan.grid);
    const int kept = SymmetricCopies::rows_to_keep(symmetry, *scan.geometry);
    const SymmetricCopies copies(symmetry, *scan.geometry, scan.grid, kept);
    const SymmetricCopies::Plan plan = copies.plan(ViewSubset::all(views));
    QCOMPARE(plan.stored.size(), symmetry.stored_views().size());
    std::multiset<int> made;
    std::size_t images = 0;
    for (const auto& targets : plan.targets)
      for (const auto& target : targets) made.insert(target.view);
    // Where half of the rows is kept, from either end.
    const std::size_t ends = kept < scan.geometry->rows() ? 2 : 1;
    for (int v = 0; v < views; ++v) QCOMPARE(made.count(v), ends);
    for (std::size_t i = 0; i < copies.stored_views(); ++i) images += copies.images_of(i);
    QCOMPARE(images, static_cast<std::size_t>(views));
  }

  /// A ray in 16 of a circular cone beam, none of which is its own image here.
  void ofAConeASixteenthIsStored() {
    const Scan scan = scan_of("cone flat", 8, 0.5, 14);
    Bench bench(scan);
    const StoredMatrix A = bench.matrix();
    A.build();
    QVERIFY(A.storage().stored > 0);
    QCOMPARE(A.storage().nonzeros, 16 * A.storage().stored);
    const StoredMatrix csr = bench.csr();
    csr.build();
    QCOMPARE(A.storage().nonzeros, csr.storage().nonzeros);
  }

  /// decode(encode(W)) = W, over more voxels than a band has.
  void rowsComeBackAsTheyWere() {
    CpuBackend backend;
    const auto geometry = share(published_scan(192, 0.0436, 16, 64, 0.5));
    const VolumeGrid grid = VolumeGrid::centered(192, 192, 1, {1, 1, 1});
    const auto A =
        make_area_integral(backend, geometry, grid, resolve_params({}, area_integral_params(), ""));
    const std::vector<int> stored = ScanSymmetry(*geometry, grid).stored_views();
    const auto exact = make_scsr_bands(*A, stored, ScsrWeights::float32),
               compact = make_scsr_bands(*A, stored, ScsrWeights::compact);
    for (std::size_t i = 0; i < stored.size(); ++i) {
      const ViewCsr rows = view_csr(*A, stored[i]), back = exact->decode(i),
                    halves = compact->decode(i);
      QVERIFY(back.row_start == rows.row_start && back.column == rows.column);
      QVERIFY(back.weight == rows.weight);
      QVERIFY(halves.row_start == rows.row_start && halves.column == rows.column);
      const double largest = *std::ranges::max_element(rows.weight);
      bool rounded = false;
      for (std::size_t k = 0; k < rows.nonzeros(); ++k) {
        const double error = std::abs(static_cast<double>(halves.weight[k]) - rows.weight[k]);
        rounded = rounded || error > 0;
        QVERIFY(halves.weight[k] > 0);
        QVERIFY(error <= std::max(0x1p-11 * rows.weight[k], 0x1p-23 * largest));
      }
      QVERIFY(rounded);
    }
  }

  /// By the definition of IEEE half precision, all numbers up to 1.
  void halvesAreTheNearest() {
    const auto value = [](int half) {
      const int exponent = half >> 10, digits = half & 1023;
      return exponent == 0 ? std::ldexp(digits, -24) : std::ldexp(1024 + digits, exponent - 25);
    };
    for (int half = 1; half < 0x3C00; ++half) {
      const auto h = static_cast<std::uint16_t>(half);
      QCOMPARE(static_cast<double>(from_half(h)), value(half));
      QCOMPARE(to_half(static_cast<float>(value(half))), h);
      const double middle = 0.5 * (value(half) + value(half + 1));
      QCOMPARE(static_cast<int>(to_half(static_cast<float>(middle))), half + half % 2);
      QCOMPARE(static_cast<int>(to_half(std::nextafter(static_cast<float>(middle), 0.0F))), half);
      QCOMPARE(static_cast<int>(to_half(std::nextafter(static_cast<float>(middle), 1.0F))),
               half + 1);
    }
    QCOMPARE(to_half(1), std::uint16_t{0x3C00});
    QCOMPARE(to_half(1e-20F), std::uint16_t{1});
  }

  /// What is said of the storage: against CSR of the same scan, and counted.
  void storageIsAnEighth() {
    Bench bench({share(published_scan(128, 0.0436, 96, 128, 0.5)),
                 VolumeGrid::centered(128, 128, 1, {1, 1, 1})});
    const StoredMatrix csr = bench.csr(), exact = bench.matrix(),
                       compact = bench.matrix({{"weights", "compact"}});
    QCOMPARE(exact.storage().nonzeros, csr.storage().nonzeros);
    QCOMPARE(8 * exact.storage().stored, csr.storage().nonzeros);
    QCOMPARE(exact.storage().padding, std::uint64_t{0});
    const auto bytes = [](const StoredMatrix& A, const std::string& part) {
      for (const MatrixPart& p : A.storage().parts)
        if (p.name == part) return p.bytes;
      return std::size_t{0};
    };
    QCOMPARE(bytes(exact, "weights") + bytes(exact, "columns"), 6 * exact.storage().stored);
    QCOMPARE(bytes(compact, "weights") + bytes(compact, "columns"), 4 * exact.storage().stored);
    // Known before within some per cent; rows of this size carry more starts.
    for (const StoredMatrix* A : {&exact, &compact}) {
      const StoredMatrix fresh = bench.matrix({{"weights", A == &exact ? "float32" : "compact"}});
      EXPECT_NEAR(
          static_cast<double>(fresh.workspace_bytes()) / static_cast<double>(A->workspace_bytes()),
          1, 0.1);
    }
  }

  void scansWithoutSymmetryAreRefused_data() {
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("reason");
    QTest::newRow("short") << "short"
                           << "the views do not divide a whole turn into equal steps";
    QTest::newRow("helix") << "helix"
                           << "the source climbs 3 mm a turn: views do not map onto views";
    QTest::newRow("off") << "off"
                         << "the grid's centre lies at x = 0.3, y = 0.2 mm, not on the axis";
    QTest::newRow("poses") << "poses"
                           << "the views are free poses, not positions on a circle";
  }
  void scansWithoutSymmetryAreRefused() {
    QFETCH(QString, change);
    QFETCH(QString, reason);
    Scan scan = scan_of(change == "off" ? "fan arc" : "cone flat", 12, 0.5);
    ScanSpec spec = scan.geometry->spec();
    if (change == "short") {
      spec.view_angles_rad = angles_from_degrees(0, 10, 21);
      spec.central_row += 0.5;  // or the mirror along the axis would hold
    }
    if (change == "helix") {
      spec.trajectory = Trajectory::helical;
      spec.helical_feed_mm_per_turn = 3;
    }
    if (change == "off") scan.grid.origin_mm = scan.grid.origin_mm + Vec3{0.3, 0.2, 0};
    if (change == "poses") spec = as_poses(spec);
    scan.geometry = share(spec);
    CpuBackend backend;
    EXPECT_THROWS(UsageError,
                  StoredMatrix(make_siddon(backend, scan.geometry, scan.grid, {}),
                               make_scsr(resolve_params({}, scsr_params(), "scsr"))),
                  reason.toStdString());
  }

  /// The products have the same bits on any number of threads, for scans of several bands of
  /// voxels.
  void productsDoNotDependOnThreads() {
    const Scan fan = {share(published_scan(48, 0.3, 16, 48, 0.5)),
                      VolumeGrid::centered(48, 48, 1, {1, 1, 1})},
               cone = scan_of("cone arc", 16, 0.5, 24, 17);
    for (const char* weights : {"float32", "compact"})
      for (const Scan& scan : {fan, cone})
        expect_same_products_on_any_threads(Bench(scan).matrix({{"weights", weights}}));
  }

  void anInterruptedBuildHoldsNothing() {
    Bench bench(scan_of("fan arc", 16, 0.5));
    StoredMatrix A = bench.matrix();
    Interrupt interrupt;
    A.set_interrupt(&interrupt);
    interrupt.raise();
    QVERIFY_EXCEPTION_THROWN(A.build(), Interrupted);
    QVERIFY(!A.built());
    interrupt.lower();
    expect_products(bench, A, A.all());
  }
};

GANTRY_TEST(TestScsr)
#include "test_scsr.moc"
