// cuART's blockings as layouts of the stored views: sizes against an independent program
// (M = 3072 rows of 12 views, 256 rays, 256 x 256 pixels), rows back as they were, products.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/geometry/symmetry.hpp"
#include "core/matrix/symmetric/column_permutation.hpp"
#include "core/matrix/symmetric/scsr.hpp"
#include "core/matrix/symmetric/scsr_blocks.hpp"
#include "core/projectors/area/area_integral.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/published_scan.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/threads.hpp"

#include <algorithm>

using namespace gantry;
using namespace gantry::test;

namespace {

struct StoredViews {
  StoredViews(int side, double eps, int views, int columns, double start)
      : geometry(share(published_scan(side, eps, views, columns, start))),
        grid(VolumeGrid::centered(side, side, 1, {1, 1, 1})),
        stored(ScanSymmetry(*geometry, grid).stored_views()) {
    rows = stored_rows(*projector(), stored);
  }
  std::unique_ptr<Projector> projector() {
    return make_area_integral(backend, geometry, grid,
                              resolve_params({}, area_integral_params(), ""));
  }
  StoredMatrix matrix(const std::string& blocking) {
    return {projector(),
            make_scsr(resolve_params({{"blocking", blocking}}, scsr_params(), "scsr"))};
  }
  std::unique_ptr<ScsrBlocks> blocks(const std::string& blocking) const {
    if (blocking == "global") return make_scsr_global_blocks(rows, grid.voxels());
    std::vector<ProfileRamps> ramps;
    for (const int view : stored) ramps.push_back(profile_ramps(*geometry, grid, view));
    return make_scsr_view_blocks(rows, grid.voxels(), ramps);
  }
  std::uint64_t nonzeros() const {
    std::uint64_t sum = 0;
    for (const ViewCsr& view : rows) sum += view.nonzeros();
    return sum;
  }

  CpuBackend backend;
  std::shared_ptr<const ScanGeometry> geometry;
  VolumeGrid grid;
  std::vector<int> stored;
  std::vector<ViewCsr> rows;
};

}  // namespace

class TestScsrBlocks : public QObject {
  Q_OBJECT

  /// The pieces of all sub-matrices are the rows, each entry once, in the order of their places.
  static void expect_rows(const std::vector<DensePieces>& all, const std::vector<ViewCsr>& views) {
    using Row = std::vector<std::pair<std::uint32_t, float>>;
    const std::size_t cells = views.front().row_start.size() - 1;
    std::vector<Row> found(views.size() * cells);
    for (const auto& [block, pieces] : all) {
      std::size_t behind = 0;  // of the pieces so far
      for (const DensePiece& piece : pieces) {
        const std::size_t place = piece.row * block->width() + piece.first;
        QVERIFY(place >= behind && piece.first + piece.count <= block->width());
        behind = place + piece.count;
        for (std::size_t j = piece.first; j < piece.first + piece.count; ++j)
          found[piece.owner].emplace_back(block->columns()[j * block->rows() + piece.row],
                                          block->weights()[j * block->rows() + piece.row]);
      }
    }
    for (std::size_t row = 0; row < found.size(); ++row) {
      std::ranges::sort(found[row]);
      const ViewCsr& view = views[row / cells];
      Row expected;
      for (auto k = view.row_start[row % cells]; k < view.row_start[row % cells + 1]; ++k)
        expected.emplace_back(view.column[k], view.weight[k]);
      QVERIFY(found[row] == expected);
    }
  }

 private slots:
  // Views odd and even in number, pairs odd and even, rows that are empty, M odd.
  void rowsComeBackAsTheyWere_data() {
    QTest::addColumn<QString>("blocking");
    QTest::addColumn<int>("views");
    QTest::addColumn<int>("columns");
    QTest::addColumn<double>("eps");
    QTest::addColumn<double>("start");
    for (const std::string blocking : {"global", "view"})
      for (const auto& [views, columns, eps, start] : {std::tuple{96, 64, 0.0436, 0.5},
                                                       {96, 64, 0.4621, 0.0},
                                                       {64, 40, 0.3, 0.5},
                                                       {8, 33, 0.3, 0.5},
                                                       {24, 31, 0.0436, 0.5},
                                                       {72, 47, 0.4621, 0.5}})
        QTest::addRow("%s, %d views of %d, eps %g from %g", blocking.c_str(), views, columns, eps,
                      start)
            << QString::fromStdString(blocking) << views << columns << eps << start;
  }
  void rowsComeBackAsTheyWere() {
    QFETCH(QString, blocking);
    QFETCH(int, views);
    QFETCH(int, columns);
    QFETCH(double, eps);
    QFETCH(double, start);
    StoredViews stored(48, eps, views, columns, start);
    // A ray without a nonzero: none is shared by all.
    for (const bool empty : {false, true}) {
      if (empty) {
        ViewCsr& view = stored.rows.back();
        const std::uint32_t count = view.row_start[1];
        view.column.erase(view.column.begin(), view.column.begin() + count);
        view.weight.erase(view.weight.begin(), view.weight.begin() + count);
        for (std::size_t i = 1; i < view.row_start.size(); ++i) view.row_start[i] -= count;
      }
      const auto blocks = stored.blocks(blocking.toStdString());
      MatrixStorage storage;
      blocks->describe(storage);
      QCOMPARE(storage.parts[0].bytes, 4 * (stored.nonzeros() + storage.padding));
      expect_rows(blocks->pieces(), stored.rows);
      for (std::size_t v = 0; v < stored.rows.size(); ++v) {
        const ViewCsr back = blocks->decode(v);
        QVERIFY(back.row_start == stored.rows[v].row_start);
        QVERIFY(back.column == stored.rows[v].column && back.weight == stored.rows[v].weight);
      }
    }
  }

  void aPermutationKeepsTheRows_data() {
    QTest::addColumn<QString>("blocking");
    for (const char* blocking : {"global", "view"}) QTest::newRow(blocking) << QString(blocking);
  }
  void aPermutationKeepsTheRows() {
    QFETCH(QString, blocking);
    const StoredViews stored(48, 0.0436, 96, 75, 0.5);
    std::uint64_t meeting[3] = {};
    for (const ColumnOrder order :
         {ColumnOrder::ascending, ColumnOrder::shifted, ColumnOrder::distinct}) {
      const auto blocks = stored.blocks(blocking.toStdString());
      blocks->permute(order);
      expect_rows(blocks->pieces(), stored.rows);
      for (std::size_t v = 0; v < stored.rows.size(); ++v) {
        const ViewCsr back = blocks->decode(v);
        QVERIFY(back.row_start == stored.rows[v].row_start);
        QCOMPARE(back.column == stored.rows[v].column, order == ColumnOrder::ascending);
      }
      for (const DensePieces& one : blocks->pieces())
        meeting[static_cast<int>(order)] += colliding_writes(one);
    }
    QVERIFY(meeting[2] < meeting[1] / 10 && meeting[1] < meeting[0]);
  }

  /// Another program counted 10962 meetings of 131073 writes in one view of the near-parallel scan
  /// (256 rays, 256^2 pixels), and 3699 meetings after the shift. That program
  /// has the first line of the image on top, the source opposite, and the rays in reverse order.
  void theShiftLeavesWhatAnotherProgramFound() {
    const StoredViews stored(256, 0.0436, 720, 256, 0.5);
    const ViewCsr& ours = stored.rows.front();
    ViewCsr view;
    view.row_start.push_back(0);
    for (std::size_t ray = 256; ray-- > 0;) {
      for (auto k = ours.row_start[ray]; k < ours.row_start[ray + 1]; ++k) {
        view.column.push_back(ours.column[k] / 256 * 256 + 255 - ours.column[k] % 256);
        view.weight.push_back(1);
      }
      std::sort(view.column.begin() + view.row_start.back(), view.column.end());
      view.row_start.push_back(static_cast<std::uint32_t>(view.column.size()));
    }
    EXPECT_NEAR(static_cast<double>(view.nonzeros()), 131073.0, 20.0);
    std::uint32_t longest = 0;
    for (std::size_t i = 0; i < 256; ++i)
      longest = std::max(longest, view.row_start[i + 1] - view.row_start[i]);
    for (const auto& [order, low, high] : {std::tuple{ColumnOrder::ascending, 10900.0, 11020.0},
                                           {ColumnOrder::shifted, 3670.0, 3730.0},
                                           {ColumnOrder::distinct, 0.0, 10.0}}) {
      DenseBlock block(256, longest);
      DensePieces all{&block, {}};
      for (std::uint32_t row = 0; row < 256; ++row) {
        const std::uint32_t start = view.row_start[row], count = view.row_start[row + 1] - start;
        block.put(row, 0, view, start, count);
        all.pieces.push_back({row, 0, count, row});
      }
      permute_columns(block, all.pieces, order);
      const auto found = static_cast<double>(colliding_writes(all));
      QVERIFY2(found >= low && found <= high, qPrintable(QString::number(found)));
    }
  }

  void globalBlocksHaveThePublishedSizes_data() {
    QTest::addColumn<double>("eps");
    QTest::addColumn<qint64>("nonzeros");
    QTest::addColumn<int>("shared");
    QTest::addColumn<int>("half");
    QTest::addColumn<double>("ratio");
    QTest::newRow("near parallel") << 0.0436 << 1680126LL << 256 << 565 << 7.71;
    QTest::newRow("wide fan") << 0.4621 << 1673633LL << 230 << 561 << 7.74;
  }
  void globalBlocksHaveThePublishedSizes() {
    QFETCH(double, eps);
    QFETCH(qint64, nonzeros);
    QFETCH(int, shared);
    QFETCH(int, half);
    QFETCH(double, ratio);
    const StoredViews stored(256, eps, 96, 256, 0.5);
    QCOMPARE(static_cast<qint64>(stored.nonzeros()), nonzeros);
    MatrixStorage storage;
    stored.blocks("global")->describe(storage);
    const qint64 rows = 3072, places = rows * shared + 2 * (rows / 2) * (half - shared);
    QCOMPARE(static_cast<qint64>(storage.padding), places - nonzeros);
    const double csr = 64.0 * static_cast<double>(nonzeros) + 4.0 * (96 * 256 + 1);
    EXPECT_NEAR(csr / static_cast<double>(storage.bytes()), ratio, 0.02);
  }

  /// With views half a degree apart, as published, neighbours fill each other's ramps: less padding
  /// than without, than pairs of all rows have, and than one length for all rows of a view.
  void neighboursFillTheRamps() {
    const StoredViews stored(128, 0.0436, 720, 128, 0.5);
    MatrixStorage storage, global;
    stored.blocks("view")->describe(storage);
    stored.blocks("global")->describe(global);
    double one_length = 0;
    for (const ViewCsr& view : stored.rows) {
      std::uint32_t longest = 0;
      for (std::size_t i = 0; i + 1 < view.row_start.size(); ++i)
        longest = std::max(longest, view.row_start[i + 1] - view.row_start[i]);
      one_length += 128.0 * longest;
    }
    const auto all = static_cast<double>(stored.nonzeros()),
               padding = static_cast<double>(storage.padding);
    QVERIFY(padding < 0.3 * (one_length - all));
    QVERIFY(storage.padding < global.padding);
    std::vector<ProfileRamps> none(stored.rows.size());
    MatrixStorage wrong;
    make_scsr_view_blocks(stored.rows, stored.grid.voxels(), none)->describe(wrong);
    QVERIFY(storage.padding < wrong.padding / 2);
  }

  /// Yu et al. (2019), section 4.2.2, print 5, 6 and 5 rays a view. Computed from that scan, the
  /// left break point moves 4.4 rays a view until view 5, then 6.0 the other way, the right
  /// one 5.45.
  void profilesBendWherePublished() {
    const ScanGeometry geometry(published_scan(1024, 0.0436, 720, 1024, 0));
    const VolumeGrid grid = VolumeGrid::centered(1024, 1024, 1, {1, 1, 1});
    std::vector<ProfileRamps> ramps;
    for (int v = 0; v <= 90; ++v) ramps.push_back(profile_ramps(geometry, grid, v));
    const auto slope = [&](auto side, int first, int last) {
      return (static_cast<double>(ramps[static_cast<std::size_t>(last)].*side) -
              static_cast<double>(ramps[static_cast<std::size_t>(first)].*side)) /
             (last - first);
    };
    // The program's columns run the other way than the paper's rays.
    EXPECT_NEAR(
        std::abs(slope(&ProfileRamps::left, 5, 90)) + std::abs(slope(&ProfileRamps::right, 5, 90)),
        6.02 + 5.45, 0.1);
    EXPECT_NEAR(std::min(std::abs(slope(&ProfileRamps::left, 0, 5)),
                         std::abs(slope(&ProfileRamps::right, 0, 5))),
                4.36, 0.3);
  }

  void productsAreThoseOfTheBands() {
    for (const double start : {0.0, 0.5}) {
      StoredViews stored(40, 0.3, 24, 48, start);
      const StoredMatrix bands = stored.matrix("none");
      for (const char* blocking : {"global", "view"}) {
        const StoredMatrix A = stored.matrix(blocking);
        QCOMPARE(A.storage().nonzeros, bands.storage().nonzeros);
        for (const ViewSubset subset : {A.all(), ViewSubset{5, 1, 1}, ViewSubset{1, 4, 6}}) {
          const Array x = Array::from(A.backend(), random_values(A.domain_size(), 1)),
                      y = Array::from(A.backend(), random_values(A.range_size(), 2));
          Array Ax(A.backend(), A.range_size()), Aty(A.backend(), A.domain_size()),
              rays(A.backend(), A.range_size()), image(A.backend(), A.domain_size());
          for (Array* out : {&Ax, &Aty, &rays, &image}) A.backend().fill(*out, 0);
          A.forward(x, Ax, subset);
          A.adjoint(y, Aty, subset);
          bands.forward(x, rays, subset);
          bands.adjoint(y, image, subset);
          for (std::size_t i = 0; i < Ax.size(); ++i)
            EXPECT_NEAR(Ax.host()[i], rays.host()[i], 1e-6 * rays.host()[i]);
          for (std::size_t j = 0; j < Aty.size(); ++j)
            EXPECT_NEAR(Aty.host()[j], image.host()[j], 1e-6 * image.host()[j]);
        }
        expect_same_products_on_any_threads(A);
      }
    }
  }

  void whatCannotBeBlockedIsRefused() {
    EXPECT_THROWS(UsageError,
                  make_scsr(resolve_params({{"weights", "compact"}, {"blocking", "view"}},
                                           scsr_params(), "scsr")),
                  "weights compact (half precision) are not available with dense blocks");
    CpuBackend backend;
    ScanSpec cone = published_scan(8, 0.1, 8, 9, 0.5);
    cone.beam = Beam::cone;
    cone.detector_rows = 4;
    cone.central_row = 1.5;
    EXPECT_THROWS(
        UsageError,
        StoredMatrix(
            make_siddon(backend, share(cone), VolumeGrid::centered(8, 8, 2, {1, 1, 1}), {}),
            make_scsr(resolve_params({{"blocking", "view"}}, scsr_params(), "scsr"))),
        "this detector has 4");
  }
};

GANTRY_TEST(TestScsrBlocks)
#include "test_scsr_blocks.moc"
