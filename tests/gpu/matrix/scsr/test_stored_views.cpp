// The stored stored views of a symmetric scan, its maps run on the host: products through them are
// those with all rows.
#include "core/base/error.hpp"
#include "core/projectors/area/area_integral.hpp"
#include "gpu/matrix/scsr/stored_views.hpp"
#include "tests/gpu/host_matrix.hpp"
#include "tests/gpu/host_model.hpp"
#include "tests/gpu/symmetric_scans.hpp"
#include "tests/support/test_program.hpp"

#include <numeric>

using namespace gantry;
using namespace gantry::test;

class TestStoredViews : public QObject {
  Q_OBJECT

  std::vector<ScanCase> cases_ = symmetric_cases();
  CpuBackend backend_;

  std::unique_ptr<Projector> area(const ScanCase& c) {
    return make_area_integral(backend_, c.geometry, c.grid,
                              Params{{"normalisation", std::string("length")}});
  }
  static StoredViews stored_views_of(const ScanCase& c) {
    return {ScanSymmetry(*c.geometry, c.grid), c.grid, c.geometry->columns()};
  }

 private slots:
  void writesEveryViewOnce_data() { add_scan_rows(cases_); }
  void writesEveryViewOnce() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    const StoredViews stored = stored_views_of(c);
    QVERIFY(stored.elements > 1);
    std::vector<int> times(stored.source.size(), 0);
    for (std::size_t i = 0; i < stored.image.size(); ++i) {
      if (stored.image[i].view < 0) continue;
      const auto view = static_cast<std::size_t>(stored.image[i].view);
      ++times[view];
      QCOMPARE(stored.source[view].view, static_cast<int>(i / 8));
      QCOMPARE(stored.source[view].element, static_cast<int>(i % 8));
      QCOMPARE(stored.source[view].flip, stored.image[i].flip);
    }
    for (const int count : times) QCOMPARE(count, 1);
  }

  void isTheWholeMatrix_data() { add_scan_rows(cases_); }
  void isTheWholeMatrix() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    const auto A = area(c);
    const StoredViews stored = stored_views_of(c);
    const HostMatrix W(*A);
    const auto x = random_values(A->domain_size(), 1), y = random_values(A->range_size(), 2);
    std::vector<double> rays(A->range_size(), 0), image(A->domain_size(), 0);
    std::vector<std::vector<double>> sums(8, std::vector<double>(A->domain_size(), 0));
    const int columns = c.geometry->columns();
    for (std::size_t i = 0; i < stored.image.size(); ++i) {
      if (stored.image[i].view < 0) continue;
      const device::PixelMap& map = stored.pixel[i % 8];
      const ViewCsr& rows = W.views[static_cast<std::size_t>(stored.views[i / 8])];
      for (int column = 0; column < columns; ++column) {
        const std::size_t ray =
            static_cast<std::size_t>(stored.image[i].view) * W.cells +
            static_cast<std::size_t>(device::flipped(column, columns, stored.image[i].flip));
        const auto cell = static_cast<std::size_t>(column);
        for (auto k = rows.row_start[cell]; k < rows.row_start[cell + 1]; ++k) {
          const int j = static_cast<int>(rows.column[k]);
          rays[ray] +=
              rows.weight[k] * x[static_cast<std::size_t>(map.at(j % c.grid.nx, j / c.grid.nx))];
          sums[i % 8][rows.column[k]] += rows.weight[k] * y[ray];
        }
      }
    }
    for (int iy = 0; iy < c.grid.ny; ++iy)
      for (int ix = 0; ix < c.grid.nx; ++ix)
        for (int g = 0; g < stored.elements; ++g) {
          const auto place = static_cast<std::size_t>(g);
          image[c.grid.index(ix, iy, 0)] +=
              sums[place][static_cast<std::size_t>(stored.inverse[place].at(ix, iy))];
        }
    const std::vector<float> found_rays(rays.begin(), rays.end()),
        found_image(image.begin(), image.end());
    QVERIFY(relative_rms(found_rays, W.forward(x, A->all())) < 1e-6);
    QVERIFY(relative_rms(found_image, W.adjoint(y, A->all())) < 1e-6);
  }

  void refusesWithTheCondition() {
    ScanSpec spec = turning(7, 0.3, 61, 2.2);
    EXPECT_THROWS(
        UsageError,
        require_stored_views(ScanGeometry(spec), VolumeGrid::centered(50, 50, 1, {1, 1, 1})),
        "takes 1.75 steps between views");
  }

  void stepsGoIntoSixteenBits() {
    const std::vector<int> rows{0, 3, 3 + 65535, 70000, 270000, 270001, 400000};
    std::vector<int> steps;
    std::vector<double> weights;
    const auto take = [&](int step, double weight) {
      steps.push_back(step);
      weights.push_back(weight);
    };
    device::StepEncoder<decltype(take)> encode{take};
    for (const int row : rows) encode(row, 1.0 + row);
    int row = 0;
    std::vector<int> found;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      QVERIFY(steps[k] >= 0 && steps[k] <= 65535);
      row += steps[k];
      if (weights[k] == 0) continue;
      found.push_back(row);
      QCOMPARE(weights[k], 1.0 + row);
    }
    QVERIFY(found == rows);
  }

  void columnsAreFoldedAndUnfolded() {
    for (int count = 1; count < 10; ++count) {
      std::vector<int> times(static_cast<std::size_t>(count), 0);
      for (int nth = 0; nth < count; ++nth) {
        const int place = device::folded(nth, count);
        QVERIFY(place >= 0 && place < count);
        ++times[static_cast<std::size_t>(place)];
        QCOMPARE(device::unfolded(place, count), nth);
        // As far from the nearer end as half its place.
        QCOMPARE(std::min(nth, count - 1 - nth), place / 2);
      }
      for (const int count_here : times) QCOMPARE(count_here, 1);
    }
  }

  /// Every place once; and 8 lanes that read `vector` neighbours each have, first, second and so
  /// on, eight turns that follow each other.
  void eightLanesHaveTurnsThatFollow() {
    for (const int vector : {2, 4})
      for (int entries = 1; entries <= 200; ++entries) {
        std::vector<int> turn_at(static_cast<std::size_t>(entries), -1);
        for (int turn = 0; turn < entries; ++turn) {
          const int place = device::position_of_read(turn, entries, vector);
          QVERIFY(place >= 0 && place < entries && turn_at[static_cast<std::size_t>(place)] < 0);
          turn_at[static_cast<std::size_t>(place)] = turn;
        }
        int turn = 0;
        for (int block = 0; block < entries; block += 8 * vector)
          for (int step = 0; step < vector; ++step)
            for (int lane = 0; lane < 8; ++lane)
              if (const int place = block + lane * vector + step; place < entries)
                QCOMPARE(turn_at[static_cast<std::size_t>(place)], turn++);
      }
  }

  /// Each entry has a turn; as long as every bank has some left, eight that follow each other are
  /// of all banks, and later none of a bank comes before all others have had theirs.
  void banksTakeTurns() {
    const std::vector<std::vector<int>> cases{{5, 5, 5, 5, 5, 5, 5, 5},
                                              {7, 3, 0, 12, 1, 5, 9, 2},
                                              {0, 0, 30, 0, 0, 0, 0, 0},
                                              {65535, 1, 2, 3, 4, 5, 6, 7}};
    for (const std::vector<int>& counts : cases) {
      device::BankCounts all;
      for (int bank = 0; bank < 8; ++bank)
        for (int k = 0; k < counts[static_cast<std::size_t>(bank)]; ++k) all.add(bank);
      std::vector<int> bank_of(
          static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), 0)), -1);
      for (int bank = 0; bank < 8; ++bank) {
        QCOMPARE(all.of(bank), counts[static_cast<std::size_t>(bank)]);
        for (int k = 0; k < all.of(bank); ++k) {
          int& here = bank_of.at(static_cast<std::size_t>(all.index_of(bank, k)));
          QCOMPARE(here, -1);
          here = bank;
        }
      }
      std::vector<int> left = counts, had(8, 0);
      for (const int bank : bank_of) {
        const auto b = static_cast<std::size_t>(bank);
        for (std::size_t other = 0; other < 8; ++other)
          QVERIFY(left[other] == 0 || had[other] >= had[b]);
        ++had[b];
        --left[b];
      }
    }
  }

  /// Each segment once, none beside one that it may share a pixel with.
  void turnsKeepColoursApart() {
    for (const int segments : {0, 1, 5, 16, 79, 316})
      for (const int colours : {1, 3, 5, 17})
        for (const int warps : {8, 16}) {
          const auto turns = device::ConflictSchedule::of(segments, colours, warps);
          std::vector<int> times(static_cast<std::size_t>(segments), 0);
          std::vector<int> together;
          for (int turn = 0; turn < turns.steps(); ++turn) {
            for (int warp = 0; warp < warps; ++warp) {
              const int segment = turns.segment(turn, warp);
              if (segment < 0) continue;
              ++times[static_cast<std::size_t>(segment)];
              for (const int other : together) QVERIFY(std::abs(segment - other) >= colours);
              together.push_back(segment);
            }
            if (turns.ends_colour(turn)) together.clear();
          }
          QVERIFY(together.empty());
          for (const int count : times) QCOMPARE(count, 1);
        }
  }

  void tilesCoverTheImage() {
    for (const int size : {16, 48, 64, 96}) {
      const auto grid = device::TileGrid::of(131, 77, size);
      QCOMPARE(grid.pitch % 8, 3);
      QVERIFY(grid.pitch >= size && grid.places() <= 65536);
      std::vector<int> times(131 * 77, 0);
      for (int tile = 0; tile < grid.tiles; ++tile)
        for (int y = grid.bottom(tile); y <= grid.top(tile); ++y)
          for (int x = grid.left(tile); x <= grid.right(tile); ++x) {
            ++times[static_cast<std::size_t>(y * 131 + x)];
            const int place = grid.place(tile, x, y);
            QVERIFY(place >= 0 && place < grid.places());
            QCOMPARE(place % grid.pitch, x - grid.left(tile));
            QCOMPARE(place / grid.pitch, y - grid.bottom(tile));
          }
      for (const int count : times) QCOMPARE(count, 1);
    }
  }
};

GANTRY_TEST(TestStoredViews)
#include "test_stored_views.moc"
