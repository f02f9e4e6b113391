// What the window shows of a system matrix: its pattern, lengths of rows, footprints, copies and
// columns, against closed forms and against all rows at once.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/catalog/format_sizes.hpp"
#include "core/matrix/inspect/row_lengths.hpp"
#include "core/matrix/inspect/symmetric_row.hpp"
#include "core/matrix/inspect/view_sparsity.hpp"
#include "core/matrix/inspect/voxel_column.hpp"
#include "core/matrix/stacked_matrix.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <map>
#include <numeric>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Parallel rays along the axes, one through the middle of each pixel column and row, and two at
/// either side that miss.
ScanSpec axis_spec(int pixels, double pixel_mm) {
  ScanSpec spec = fan_spec(4, pixels + 4, pixel_mm);
  spec.beam = Beam::parallel;
  spec.view_angles_rad = angles_from_degrees(0, 90, 4);
  return spec;
}

/// Refuses every scan.
class Impossible final : public MatrixFormat {
 public:
  void require(const Projector&) const override {
    throw UsageError("no scan will do", "format", "use another");
  }
  std::size_t estimate_bytes(const NonzeroEstimate&, const Projector&) const override { return 1; }
  std::unique_ptr<const Matrix> build(const Projector&) const override { return nullptr; }
};

std::map<std::size_t, double> as_map(const RowWeights& row) {
  std::map<std::size_t, double> result;
  for (std::size_t k = 0; k < row.size(); ++k) result[row.voxel[k]] += row.weight[k];
  return result;
}

}  // namespace

class TestMatrixRows : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;

  std::unique_ptr<Projector> make(const std::string& key, const ScanSpec& spec,
                                  const VolumeGrid& grid) {
    return catalog_.projectors.make(key, "cpu", backend_, share(spec), grid, {});
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  /// Ray u of the first view goes up pixel column u - 2: pixels u - 2, u - 2 + n, ...
  void aViewAlongTheAxisIsStripes() {
    constexpr int n = 6;
    const auto A = make("siddon", axis_spec(n, 2), VolumeGrid::centered(n, n, 1, {2, 2, 2}));
    const ViewSparsity s = view_sparsity(*A, 0, 0, 0, n * n, n + 4);
    QCOMPARE(s.width, n * n);
    QCOMPARE(s.height, n + 4);
    for (int u = 0; u < n + 4; ++u) {
      const bool hits = u >= 2 && u < n + 2;
      QCOMPARE(s.row_nonzeros[static_cast<std::size_t>(u)], hits ? 6U : 0U);
      for (int p = 0; p < n * n; ++p) QCOMPARE(s.at(p, u), hits && p % n == u - 2 ? 1U : 0U);
    }
  }

  /// Few dots: sums of the elements beneath them, none lost. More dots than elements: as many as
  /// these.
  void dotsSumWhatLiesBeneath() {
    const VolumeGrid grid = VolumeGrid::centered(20, 18, 1, {3, 3, 3});
    const auto A = make("distance_driven", fan_spec(12, 31, 3), grid);
    const DenseMatrix dense = dense_matrix(*A);
    constexpr int view = 5, width = 7, height = 4;
    const ViewSparsity s = view_sparsity(*A, view, 0, 0, width, height);
    std::vector<std::uint32_t> expected(width * height);
    for (std::size_t u = 0; u < 31; ++u)
      for (std::size_t p = 0; p < 360; ++p)
        if (dense[view * 31 + u][p] > 0) ++expected[u * height / 31 * width + p * width / 360];
    QVERIFY(s.count == expected);
    QVERIFY(std::accumulate(expected.begin(), expected.end(), 0U) > 500);
    const ViewSparsity fine = view_sparsity(*A, view, 0, 0, 100000, 100000);
    QCOMPARE(fine.width, 360);
    QCOMPARE(fine.height, 31);
  }

  /// Only one slice of a volume is drawn, but the counts are those of whole rows.
  void aSliceOfAVolume() {
    ScanSpec spec = fan_spec(6, 20, 6);
    spec.beam = Beam::cone;
    spec.detector_rows = 8;
    spec.central_row = 3.5;
    spec.row_pitch_mm = 6;
    const auto A = make("siddon", spec, VolumeGrid::centered(12, 12, 9, {4, 4, 3}));
    std::uint32_t drawn = 0, counted = 0;
    for (int z = 0; z < 9; ++z) {
      const ViewSparsity s = view_sparsity(*A, 2, 6, z, 144, 20);
      drawn = std::accumulate(s.count.begin(), s.count.end(), drawn);
      counted = std::accumulate(s.row_nonzeros.begin(), s.row_nonzeros.end(), 0U);
    }
    QVERIFY(counted > 0);
    QCOMPARE(drawn, counted);
  }

  void rowsAlongTheAxesAreAsLongAsTheImage() {
    const auto A = make("siddon", axis_spec(6, 2), VolumeGrid::centered(6, 6, 1, {2, 2, 2}));
    const RowLengths all = row_lengths(*A, 1000, 100);
    QCOMPARE(all.rays, std::size_t{40});
    QCOMPARE(all.sampled, std::size_t{40});
    QCOMPARE(all.empty, std::size_t{16});
    QCOMPARE(all.longest, 6U);
    EXPECT_NEAR(all.mean, 24 * 6 / 40.0, 1e-12);
    QCOMPARE(all.bin_width, 1U);
    QVERIFY((all.histogram == std::vector<std::size_t>{16, 0, 0, 0, 0, 0, 24}));
    const RowLengths coarse = row_lengths(*A, 1000, 2);
    QCOMPARE(coarse.bin_width, 5U);
    QVERIFY((coarse.histogram == std::vector<std::size_t>{16, 24}));
  }

  void aSampleIsSmallAndFair() {
    ScanSpec spec = fan_spec(90, 128, 1);
    spec.detector_rows = 3;
    spec.central_row = 1;
    const auto A = make("joseph", spec, VolumeGrid::centered(40, 40, 3, {2, 2, 2}));
    const RowLengths all = row_lengths(*A, 1000000, 64), some = row_lengths(*A, 2500, 64);
    QCOMPARE(all.sampled, all.rays);
    QVERIFY(some.sampled <= 2500 && some.sampled > 500);
    QCOMPARE(some.rays, all.rays);
    EXPECT_NEAR(some.mean, all.mean, 0.03 * all.mean);
    QCOMPARE(std::accumulate(some.histogram.begin(), some.histogram.end(), std::size_t{0}),
             some.sampled);
    QVERIFY(some.histogram.size() <= 64);
  }

  /// A row is where its ray weighs, and nothing else.
  void aFootprintIsTheRow() {
    const VolumeGrid grid = VolumeGrid::centered(20, 18, 3, {3, 3, 2});
    ScanSpec spec = fan_spec(12, 31, 3);
    spec.detector_rows = 3;
    spec.central_row = 1;
    spec.row_pitch_mm = 2;
    const auto A = make("distance_driven", spec, grid);
    const DenseMatrix dense = dense_matrix(*A);
    const RayIndex ray{7, 13, 1};
    const RowWeights row = row_of(*A, ray);
    const auto& expected = dense[(7 * 3 + 1) * 31 + 13];
    double sum = 0;
    for (int z = 0; z < 3; ++z) {
      const SliceImage image = footprint(row, grid, z, 1000, 18);
      QCOMPARE(image.width, 20);
      QCOMPARE(image.u0_mm, grid.origin_mm.x);
      const SliceImage small = footprint(row, grid, z, 5, 3);
      QCOMPARE(small.du_mm, 12.0);
      EXPECT_NEAR(small.v0_mm, grid.origin_mm.y + 2.5 * 3, 1e-12);
      std::vector<float> largest(15);
      for (std::size_t p = 0; p < 360; ++p) {
        float& dot = largest[p / 20 / 6 * 5 + p % 20 / 4];
        dot = std::max(dot, image.values[p]);
      }
      QVERIFY(small.values == largest);
      for (std::size_t p = 0; p < 360; ++p) {
        EXPECT_NEAR(image.values[p], expected[static_cast<std::size_t>(z) * 360 + p], 1e-5);
        sum += image.values[p];
      }
    }
    QVERIFY(sum > 10);
  }

  void copiesHaveTheRowsOfTheirRays_data() {
    QTest::addColumn<double>("first_deg");
    QTest::addColumn<int>("column");
    QTest::addColumn<int>("copies");
    QTest::newRow("off the middle") << 7.5 << 9 << 8;
    QTest::newRow("the middle ray of a view") << 7.5 << 15 << 8;
    QTest::newRow("on the axis, its own mirror image") << -15.0 << 15 << 4;
  }
  void copiesHaveTheRowsOfTheirRays() {
    QFETCH(double, first_deg);
    QFETCH(int, column);
    QFETCH(int, copies);
    const VolumeGrid grid = VolumeGrid::centered(25, 25, 1, {3, 3, 3});
    ScanSpec spec = fan_spec(24, 31, 3.1);
    spec.view_angles_rad = angles_from_degrees(first_deg, 15, 24);
    for (const char* key : {"siddon", "distance_driven"}) {
      const auto A = make(key, spec, grid);
      const ScanSymmetry symmetry(A->geometry(), grid);
      QCOMPARE(symmetry.elements().size(), std::size_t{8});
      const RayIndex ray{1, column, 0};
      const auto all = symmetric_copies(symmetry, grid, ray, row_of(*A, ray));
      QCOMPARE(static_cast<int>(all.size()), copies);
      QCOMPARE(all.front().ray, ray);
      for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) QVERIFY(!(all[k].ray == all[i].ray));
        const auto restored = as_map(all[i].row), own = as_map(row_of(*A, all[i].ray));
        QVERIFY(own.size() > 20);
        QCOMPARE(restored.size(), own.size());
        for (const auto& [voxel, weight] : own) EXPECT_NEAR(restored.at(voxel), weight, 1e-9);
      }
    }
  }

  void columnsAreThoseOfAllRows_data() {
    QTest::addColumn<QString>("key");
    for (const auto* entry : catalog_.projectors.on("cpu"))
      QTest::addRow("%s", entry->key.c_str()) << QString::fromStdString(entry->key);
  }
  void columnsAreThoseOfAllRows() {
    QFETCH(QString, key);
    int looked_at = 0;
    auto cases = scan_cases();
    for (const ScanCase& c : pose_cases()) cases.push_back(c);
    for (const ScanCase& c : cases) {
      std::unique_ptr<Projector> A;
      try {
        A = make(key.toStdString(), c.geometry->spec(), c.grid);
      } catch (const UsageError&) {
        continue;  // not for this scan
      }
      if (!A->matched()) {  // has no one matrix to look at
        EXPECT_THROWS(UsageError, voxel_column(*A, {0, 0, 0}), "no matrix describes both");
        return;
      }
      if (A->row_source() == nullptr) continue;
      const VolumeGrid& g = c.grid;
      const std::vector<VoxelIndex> voxels{
          {0, 0, 0}, {g.nx / 2, g.ny / 3, g.nz / 2}, {g.nx - 1, g.ny / 2, g.nz - 1}};
      std::vector<std::vector<RayWeight>> expected(voxels.size());
      for (int v = 0; v < c.geometry->views(); ++v) {
        const auto rows = A->row_source()->view_rows(v);
        for (int r = 0; r < c.geometry->rows(); ++r)
          for (int u = 0; u < c.geometry->columns(); ++u) {
            RowWeights row;
            rows->weights(u, r, row);
            for (std::size_t i = 0; i < voxels.size(); ++i)
              for (std::size_t k = 0; k < row.size(); ++k)
                if (row.voxel[k] == g.index(voxels[i].x, voxels[i].y, voxels[i].z))
                  expected[i].push_back({{v, u, r}, row.weight[k]});
          }
      }
      for (std::size_t i = 0; i < voxels.size(); ++i) {
        const auto column = voxel_column(*A, voxels[i]);
        const std::string where = c.name + ", voxel " + std::to_string(i);
        QVERIFY2(column.size() == expected[i].size(), where.c_str());
        for (std::size_t k = 0; k < column.size(); ++k) {
          QVERIFY2(column[k].ray == expected[i][k].ray, where.c_str());
          QCOMPARE(column[k].weight, expected[i][k].weight);
        }
        looked_at += static_cast<int>(column.size());
      }
    }
    QVERIFY(looked_at > 100);
  }

  void formatsSayWhatTheyTake() {
    const VolumeGrid grid = VolumeGrid::centered(48, 48, 1, {2, 2, 2});
    const auto A = make("siddon", fan_spec(60, 80, 1.5), grid);
    Catalog catalog = catalog_;
    const auto make_impossible = [](const Params&) { return std::make_unique<Impossible>(); };
    catalog.matrix_formats.add({.key = "impossible", .label = ""}, "cpu", make_impossible);
    catalog.matrix_formats.add({.key = "elsewhere", .label = ""}, "cuda", make_impossible);
    const auto sizes = format_sizes(catalog, "cpu", *A, estimate_nonzeros(*A));
    const auto of = [&](const char* key) {
      return *std::ranges::find(sizes, std::string(key), &FormatSize::key);
    };
    StoredMatrix matrix(make("siddon", fan_spec(60, 80, 1.5), grid),
                        catalog.matrix_formats.make("csr", "cpu", {}));
    const auto built = static_cast<double>(matrix.storage().bytes());
    QVERIFY(of("csr").problem.empty());
    EXPECT_NEAR(static_cast<double>(of("csr").bytes), built, 0.1 * built);
    QVERIFY(of("impossible").problem.find("no scan will do") != std::string::npos);
    QVERIFY(of("elsewhere").problem.find("does not run on backend cpu") != std::string::npos);
  }

  /// What is said before anything is built is what the matrix itself says, of a stack of slices
  /// too, of which most formats store one.
  void sizesOfAStackAreThoseOfTheMatrices() {
    ScanSpec spec = fan_spec(24, 40, 2);
    spec.detector_rows = 6;
    spec.row_pitch_mm = 3;
    spec.central_row = 2.5;
    const VolumeGrid grid = VolumeGrid::centered(24, 24, 6, {2, 2, 3});
    const auto A = make("siddon", spec, grid);
    std::map<std::string, std::size_t> taken;
    for (const FormatSize& size : format_sizes(catalog_, "cpu", *A, estimate_nonzeros(*A))) {
      if (!size.problem.empty()) continue;
      const StoredMatrix matrix(make("siddon", spec, grid),
                                catalog_.matrix_formats.make(size.key, "cpu", {}));
      taken[size.key] = size.bytes;
      QCOMPARE(size.bytes, matrix.workspace_bytes() - matrix.build_bytes() - A->workspace_bytes());
    }
    QVERIFY(taken.contains("csr") && taken.contains("bsr"));
    const auto slice = shared_slice(*A);
    const auto of_slice = format_sizes(catalog_, "cpu", *slice, estimate_nonzeros(*slice));
    const auto bsr = std::ranges::find(of_slice, "bsr", &FormatSize::key);
    QVERIFY(bsr != of_slice.end() && taken["bsr"] < 2 * bsr->bytes);
  }

  void whatIsAskedToGiveWayDoes() {
    const auto A = make("siddon", fan_spec(6, 20, 3), VolumeGrid::centered(9, 9, 1, {4, 4, 4}));
    Interrupt interrupt;
    interrupt.raise();
    QVERIFY_THROWS_EXCEPTION(Interrupted, view_sparsity(*A, 0, 0, 0, 9, 9, &interrupt));
    QVERIFY_THROWS_EXCEPTION(Interrupted, row_lengths(*A, 100, 10, &interrupt));
    QVERIFY_THROWS_EXCEPTION(Interrupted, voxel_column(*A, {4, 4, 0}, &interrupt));
  }
};

GANTRY_TEST(TestMatrixRows)
#include "test_matrix_rows.moc"
