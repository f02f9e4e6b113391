// What the formats of stored matrices take, part by part, against closed formulas of the rows'
// lengths; published sizes; and products on grids that the contracts are too small for.
#include "core/catalog/catalog.hpp"
#include "core/matrix/matrix_format.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/reference_weights.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/threads.hpp"

#include <numeric>

using namespace gantry;
using namespace gantry::test;

namespace {

using Lengths = std::vector<std::vector<std::size_t>>;  // [view][ray]

std::size_t up(std::size_t count, std::size_t of) { return (count + of - 1) / of; }

}  // namespace

class TestMatrixFormats : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;
  // 25600 pixels are three bands of CSR; rays at both ends miss, those beside them are short.
  std::shared_ptr<const ScanGeometry> scan_ = share(fan_spec(9, 75, 6));
  VolumeGrid grid_ = VolumeGrid::centered(160, 160, 1, {1, 1, 1});
  Lengths lengths_;
  std::size_t nonzeros_ = 0, rays_ = 0, empty_ = 0, longest_column_ = 0;

  std::unique_ptr<StoredMatrix> matrix(const std::string& format, const Params& params = {}) {
    return std::make_unique<StoredMatrix>(
        catalog_.projectors.make("siddon", "cpu", backend_, scan_, grid_, {}),
        catalog_.matrix_formats.make(format, "cpu", params));
  }
  static void expect_parts(const StoredMatrix& A,
                           const std::vector<std::pair<std::string, std::size_t>>& expected) {
    std::size_t sum = 0;
    for (const auto& [name, bytes] : expected) {
      const auto& parts = A.storage().parts;
      const auto part = std::ranges::find(parts, name, &MatrixPart::name);
      QVERIFY2(part != parts.end(), name.c_str());
      QVERIFY2(part->bytes == bytes,
               (name + ": " + std::to_string(part->bytes) + " instead of " + std::to_string(bytes))
                   .c_str());
      sum += bytes;
    }
    const std::size_t vectors = A.storage().bytes(PartOf::workspace);
    QCOMPARE(A.storage().bytes(), sum + vectors);
    QCOMPARE(A.workspace_bytes(), sum + vectors + A.weights().workspace_bytes());
  }
  /// The longest row of each slice of 32, the rows of each view sorted.
  std::vector<std::size_t> slice_widths() const {
    std::vector<std::size_t> widths;
    for (std::vector<std::size_t> view : lengths_) {
      std::ranges::sort(view, std::greater<>{});
      for (std::size_t first = 0; first < view.size(); first += 32) widths.push_back(view[first]);
    }
    return widths;
  }

 private slots:
  void initTestCase() {
    add_core(catalog_);
    const auto A = catalog_.projectors.make("siddon", "cpu", backend_, scan_, grid_, {});
    std::vector<std::size_t> columns(A->domain_size(), 0);
    RowWeights row;
    for (int v = 0; v < A->views(); ++v) {
      lengths_.emplace_back();
      const auto view = A->row_source()->view_rows(v);
      for (int u = 0; u < scan_->columns(); ++u) {
        view->weights(u, 0, row);
        lengths_.back().push_back(row.size());
        nonzeros_ += row.size();
        empty_ += row.size() == 0 ? 1 : 0;
        for (const std::size_t j : row.voxel) ++columns[j];
      }
    }
    rays_ = A->range_size();
    longest_column_ = *std::ranges::max_element(columns);
    QVERIFY(empty_ > 9 && nonzeros_ > 10000);
  }

  void csrTakesEightBytesANonzero() {
    const auto A = matrix("csr");
    expect_parts(*A, {{"weights", 4 * nonzeros_},
                      {"columns", 4 * nonzeros_},
                      {"row starts", 4 * (3 * rays_ + 9)}});
    QCOMPARE(A->storage().padding, std::uint64_t{0});
  }

  void slicesArePaddedToTheirLongestRow() {
    std::size_t entries = 0;
    for (const std::size_t width : slice_widths()) entries += 32 * width;
    const auto A = matrix("sliced_ell");
    QCOMPARE(A->storage().padding, std::uint64_t{entries - nonzeros_});
    expect_parts(*A, {{"weights", 4 * entries},
                      {"columns", 4 * entries},
                      {"blocks", 16 * slice_widths().size()},
                      {"order of rows", 4 * rays_}});
  }

  void blocksHaveALimitedWidth() {
    for (const std::size_t most : {16U, 64U, 256U, 1024U}) {
      std::size_t entries = 0, blocks = 0;
      for (const std::size_t width : slice_widths()) {
        entries += 32 * width;
        blocks += std::max<std::size_t>(1, up(width, most));
      }
      expect_parts(*matrix("brc", {{"width", std::to_string(most)}}),
                   {{"weights", 4 * entries},
                    {"columns", 4 * entries},
                    {"blocks", 16 * blocks},
                    {"order of rows", 4 * rays_}});
    }
  }

  /// Slices that share their weights are stored as one, and multiplied as that one is, to the bit.
  void aStackIsStoredAsOneSlice() {
    ScanSpec spec = fan_spec(16, 41, 3);
    spec.view_angles_rad = angles_from_degrees(0.5 * 22.5, 22.5, 16);
    const ScanSpec one = spec;
    spec.detector_rows = 6;
    spec.central_row = 2.5;
    spec.row_pitch_mm = 2;
    const VolumeGrid plane = VolumeGrid::centered(32, 32, 1, {2, 2, 2}),
                     block = VolumeGrid::centered(32, 32, 6, {2, 2, 2});
    for (const auto* entry : catalog_.matrix_formats.on("cpu"))
      for (const char* projector : {"siddon", "joseph", "area_integral"}) {
        const auto stored = [&](const ScanSpec& scan, const VolumeGrid& grid) {
          return StoredMatrix(
              catalog_.projectors.make(projector, "cpu", backend_, share(scan), grid, {}),
              catalog_.matrix_formats.make(entry->key, "cpu", {}));
        };
        const StoredMatrix A = stored(spec, block), S = stored(one, plane);
        QCOMPARE(A.storage().stored, S.storage().stored);
        QCOMPARE(A.storage().nonzeros, 6 * S.storage().nonzeros);
        // One slice's vectors, for formats that do not take all slices at once.
        const bool one_by_one =
            catalog_.matrix_formats.make(entry->key, "cpu", {})->stacks(backend_);
        const auto taken = [one_by_one](const StoredMatrix& matrix) {
          const MatrixStorage& storage = matrix.storage();
          return storage.bytes() - (one_by_one ? 0 : storage.bytes(PartOf::workspace));
        };
        QCOMPARE(taken(A) - taken(S), one_by_one ? 4 * (S.domain_size() + S.range_size()) : 0);
        const auto x = random_values(A.domain_size(), 1), y = random_values(A.range_size(), 2);
        for (const ViewSubset subset : {A.all(), ViewSubset{1, 3, 5}}) {
          Array rays = Array::filled(backend_, A.range_size(), 0), image(backend_, A.domain_size()),
                slice_rays = Array::filled(backend_, S.range_size(), 0),
                slice_image(backend_, S.domain_size());
          A.forward(Array::from(backend_, x), rays, subset);
          A.adjoint(Array::from(backend_, y), image, subset);
          for (std::size_t s = 0; s < 6; ++s) {
            const std::span<const float> of_image(x.data() + s * S.domain_size(), S.domain_size());
            std::vector<float> of_rays;
            for (std::size_t i = 0; i < S.range_size(); ++i)
              of_rays.push_back(y[(i / 41 * 6 + s) * 41 + i % 41]);
            S.forward(Array::from(backend_, of_image), slice_rays, subset);
            S.adjoint(Array::from(backend_, of_rays), slice_image, subset);
            for (std::size_t i = 0; i < S.range_size(); ++i)
              QCOMPARE(rays.host()[(i / 41 * 6 + s) * 41 + i % 41], slice_rays.host()[i]);
            for (std::size_t j = 0; j < S.domain_size(); ++j)
              QCOMPARE(image.host()[s * S.domain_size() + j], slice_image.host()[j]);
          }
        }
      }
  }

  /// Where rows lie between slices, all of them are stored.
  void whatIsNoStackIsStoredWhole() {
    ScanSpec spec = fan_spec(8, 41, 3);
    spec.detector_rows = 6;
    spec.row_pitch_mm = 2;
    for (const double middle : {2.5, 2.3}) {
      spec.central_row = middle;
      const StoredMatrix A(catalog_.projectors.make("joseph", "cpu", backend_, share(spec),
                                                    VolumeGrid::centered(32, 32, 6, {2, 2, 2}), {}),
                           catalog_.matrix_formats.make("csr", "cpu", {}));
      QCOMPARE(A.storage().stored == A.storage().nonzeros, middle != 2.5);
    }
  }

  void blockCsrKeepsWeightsAndListsRows() {
    expect_parts(*matrix("block_csr"), {{"weights", 4 * nonzeros_},
                                        {"columns", 4 * nonzeros_},
                                        {"rows in new order", 8 * rays_},
                                        {"rays of the rows", 4 * rays_}});
  }

  void ellrIsAsWideAsTheLongestColumn() {
    for (const std::size_t threads : {1U, 2U, 4U, 8U, 16U, 32U}) {
      const auto A = matrix("ellr_t", {{"threads", std::to_string(threads)}});
      const std::size_t entries = grid_.voxels() * up(longest_column_, threads) * threads;
      QCOMPARE(A->storage().padding, std::uint64_t{entries - nonzeros_});
      QCOMPARE(A->storage().stored, std::uint64_t{2 * nonzeros_});
      expect_parts(*A, {{"weights", 4 * nonzeros_},
                        {"columns", 4 * nonzeros_},
                        {"rows in new order", 8 * rays_},
                        {"rays of the rows", 4 * rays_},
                        {"weights of the transpose", 4 * entries},
                        {"rays of the transpose", 4 * entries},
                        {"row lengths", 4 * grid_.voxels()}});
    }
  }

  void csr5CutsNonzerosIntoTiles() {
    for (const std::size_t sigma : {4U, 8U, 16U, 32U}) {
      std::size_t tiles = 0;
      for (const auto& view : lengths_)
        tiles += up(std::accumulate(view.begin(), view.end(), std::size_t{0}), 32 * sigma);
      const std::size_t entries = 32 * sigma * tiles;
      const auto A = matrix("csr5", {{"sigma", std::to_string(sigma)}});
      QCOMPARE(A->storage().padding, std::uint64_t{entries - nonzeros_});
      expect_parts(*A, {{"weights", 4 * entries},
                        {"columns", 4 * entries},
                        {"row bits", 4 * sigma * tiles},
                        {"lane offsets", 2 * 32 * tiles},
                        {"tile starts", 4 * tiles},
                        {"rows", 4 * (rays_ - empty_)}});
    }
  }

  /// On a grid of several bands, and for any number of threads.
  void productsOnLargerGrids_data() {
    QTest::addColumn<QString>("key");
    for (const auto* entry : catalog_.matrix_formats.on("cpu")) try {
        matrix(entry->key);
        QTest::addRow("%s", entry->key.c_str()) << QString::fromStdString(entry->key);
      } catch (const UsageError&) {  // requires a symmetric scan
      }
  }
  void productsOnLargerGrids() {
    QFETCH(QString, key);
    const auto A = matrix(key.toStdString());
    const ReferenceWeights exact(A->weights());
    const std::vector<float> x = random_values(A->domain_size(), 1),
                             y = random_values(A->range_size(), 2);
    for (const ViewSubset& views : {A->all(), ViewSubset{4, 1, 1}, ViewSubset{1, 3, 3}}) {
      Array rays = Array::filled(backend_, A->range_size(), -7), image(backend_, A->domain_size());
      A->forward(Array::from(backend_, x), rays, views);
      A->adjoint(Array::from(backend_, y), image, views);
      const std::vector<double> sums = exact.forward(x, views, -7), back = exact.adjoint(y, views);
      for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_NEAR(rays.host()[i], sums[i], 2e-4);
      for (std::size_t j = 0; j < back.size(); ++j) EXPECT_NEAR(image.host()[j], back[j], 1e-5);
    }
    expect_same_products_on_any_threads(*A);
  }

  // Chen et al., the matrix approach to CBCT, Table 1: 256^2 pixels, 180 views of half a turn, 256
  // cells of 1.59 pixels: 9.447e6 nonzeros; A^T as ELLR 82.75 MiB, 88.25 MiB with 16 threads a row.
  void publishedSizes() {
    ScanSpec spec = fan_spec(180, 256, 1.59);
    spec.beam = Beam::parallel;
    spec.view_angles_rad = angles_from_degrees(1e-7 * 180 / pi, 1, 180);
    scan_ = share(spec);
    grid_ = VolumeGrid::centered(256, 256, 1, {1, 1, 1});
    for (const auto& [threads, mebibytes] : {std::pair{"1", 82.75}, {"16", 88.25}}) {
      const auto A = matrix("ellr_t", {{"threads", std::string(threads)}});
      EXPECT_NEAR(static_cast<double>(A->storage().nonzeros), 9.447e6, 1e-3 * 9.447e6);
      double transpose = 0;
      for (const MatrixPart& part : A->storage().parts)
        if (part.name.find("transpose") != std::string::npos || part.name == "row lengths")
          transpose += static_cast<double>(part.bytes);
      EXPECT_NEAR(transpose / 1048576, mebibytes, 1e-9);
    }
  }
};

GANTRY_TEST(TestMatrixFormats)
#include "test_matrix_formats.moc"
