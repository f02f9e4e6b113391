// How much of an array of projections is read and held at a time, whose views lie scattered, or in
// tiles.
#include "core/io/imports/array_frames.hpp"
#include "tests/core/io/imports/counted_arrays.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <set>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Elements of an array, of sizes in the order of its axes, in that order.
Frame elements_in(const ArrayBox& box, const std::vector<std::uint64_t>& size,
                  const Frame& values) {
  Frame found;
  for (std::uint64_t i = 0; i < box[0].count; ++i)
    for (std::uint64_t j = 0; j < box[1].count; ++j)
      for (std::uint64_t k = 0; k < box[2].count; ++k)
        found.push_back(
            values[((box[0].first + i * box[0].step) * size[1] + box[1].first + j * box[1].step) *
                       size[2] +
                   box[2].first + k * box[2].step]);
  return found;
}

/// An array of 40 counted projections in an order of axes, which notes how it is read.
struct ScatteredArray {
  static constexpr int views = 40;

  Frame usual = counted_projections(views), stored;
  StoredArray array;
  FrameAxes axes;
  std::size_t most = 0, numbers = 0;  ///< at once, and in all
  std::size_t unpacked_tiles = 0;

  explicit ScatteredArray(const std::string& order) : stored(values_in(order, usual)) {
    for (const hsize_t size : sizes_in(order, views)) array.size.push_back(size);
    array.read = [this](std::uint64_t first, std::span<float> values) {
      most = std::max(most, values.size());
      numbers += values.size();
      std::copy_n(stored.begin() + static_cast<std::ptrdiff_t>(first), values.size(),
                  values.begin());
    };
    const std::vector<std::size_t> places = places_of(order);
    for (std::size_t i = 0; i < 3; ++i)
      (places[i] == 0   ? axes.view.emplace()
       : places[i] == 1 ? axes.row.emplace()
                        : axes.column) = i;
  }
  /// Has the numbers lie in tiles.
  void lay_in_tiles(const std::vector<std::uint64_t>& tile, bool are_kept) {
    array.tile = tile;
    array.are_tiles_kept = are_kept;
    array.read_box = [this](const ArrayBox& box, std::span<float> values) {
      most = std::max(most, values.size());
      std::size_t tiles = 1;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const AxisRange& range = box[axis];
        std::set<std::uint64_t> along;
        for (std::uint64_t i = 0; i < range.count; ++i)
          along.insert((range.first + i * range.step) / array.tile[axis]);
        tiles *= along.size();
      }
      unpacked_tiles += tiles;
      std::ranges::copy(elements_in(box, array.size, stored), values.begin());
    };
  }
  /// Returns the mean of a cell and its neighbours to the right and below.
  double mean_of_four(int view, int row, int column) const {
    double sum = 0;
    for (const int r : {row, row + 1})
      for (const int c : {column, column + 1})
        sum += usual[static_cast<std::size_t>((view * 6 + r) * 9 + c)];
    return sum / 4;
  }
  ScatteredArray(const ScatteredArray&) = delete;
  ScatteredArray& operator=(const ScatteredArray&) = delete;
};

}  // namespace

class TestArrayFrames : public QObject {
  Q_OBJECT
 private slots:
  /// Views that lie scattered are read slab by slab, some of them at a time, by several threads.
  void scatteredViewsAreReadBySlabs_data() {
    QTest::addColumn<QString>("order");
    QTest::addColumn<int>("slab");
    QTest::newRow("rows first") << "rows,columns,views" << 9 * 40;
    QTest::newRow("columns first") << "columns,rows,views" << 6 * 40;
    QTest::newRow("views between") << "rows,views,columns" << 9 * 40;
  }
  void scatteredViewsAreReadBySlabs() {
    QFETCH(QString, order);
    QFETCH(int, slab);
    constexpr int views = ScatteredArray::views;
    constexpr std::size_t cells = 6 * 9;
    ScatteredArray of(order.toStdString());
    const auto frames = frames_of_array(of.array, of.axes, 10 * cells * sizeof(float));
    const auto is_right = [&](int view) {
      std::vector<float> values(cells);
      frames->read(view, values);
      return std::equal(values.begin(), values.end(),
                        of.usual.begin() + static_cast<std::ptrdiff_t>(view * cells));
    };
    for (int view = 0; view < views; ++view) QVERIFY(is_right(view));
    QCOMPARE(of.most, static_cast<std::size_t>(slab));
    QCOMPARE(of.numbers, 4 * of.stored.size());  // a block of ten views at a time
    bool are_right = true;
#pragma omp parallel for schedule(dynamic) reduction(&& : are_right)
    for (int view = 0; view < views; ++view) are_right = are_right && is_right(view);
    QVERIFY(are_right);
  }

  /// Of the slabs only those are read that the part lies in, once where its views fit the memory.
  void ofScatteredViewsAPartIsRead_data() { scatteredViewsAreReadBySlabs_data(); }
  void ofScatteredViewsAPartIsRead() {
    QFETCH(QString, order);
    QFETCH(int, slab);
    constexpr std::size_t cells = 2 * 3, views = 14;
    const PartOfCells part{{2, 6, 2}, {1, 4, 2}, 3};
    const auto slabs = static_cast<std::size_t>(order.startsWith(QLatin1String("columns")) ? 6 : 4);
    for (const std::size_t views_at_once : {views, views / 2}) {
      ScatteredArray of(order.toStdString());
      const auto whole = frames_of_array(of.array, of.axes, views_at_once * cells * sizeof(float));
      const auto frames = whole->part(part);
      QVERIFY(frames != nullptr);
      QCOMPARE(frames->frames(), static_cast<int>(views));
      QCOMPARE(frames->rows(), 2);
      QCOMPARE(frames->columns(), 3);
      QCOMPARE(frames->place(13), 39);
      for (int view = 0; view < frames->frames(); ++view) {
        std::vector<float> values(cells);
        frames->read(view, values);
        for (int row = 0; row < 2; ++row)
          for (int column = 0; column < 3; ++column) {
            const auto cell = static_cast<std::size_t>(row * 3 + column);
            QCOMPARE(values[cell],
                     static_cast<float>(of.mean_of_four(3 * view, 1 + 2 * row, 2 + 2 * column)));
          }
      }
      QCOMPARE(of.numbers, slabs * static_cast<std::size_t>(slab) * (views / views_at_once));
    }
  }

  /// Of an array in tiles, a part is read of those in which it lies, each of them once where its
  /// views fit the memory; all views as well, unless the tiles are kept when view by view is read.
  void ofTilesThoseOfThePartAreRead_data() {
    QTest::addColumn<QString>("order");
    QTest::addColumn<std::vector<std::uint64_t>>("tile");
    QTest::addColumn<int>("of_part");
    QTest::addColumn<int>("of_all");
    const auto add = [](const char* order, std::vector<std::uint64_t> tile, int of_part, int all) {
      QTest::addRow("%s, %d x %d x %d", order, int(tile[0]), int(tile[1]), int(tile[2]))
          << order << tile << of_part << all;
    };
    add("views,rows,columns", {40, 1, 9}, 4, 6);
    add("views,rows,columns", {40, 6, 1}, 6, 9);
    add("views,rows,columns", {40, 6, 9}, 1, 1);
    add("views,rows,columns", {10, 2, 3}, 4 * 3 * 3, 4 * 3 * 3);
    add("views,rows,columns", {64, 4, 16}, 2, 2);  // larger than the array
    add("rows,views,columns", {6, 40, 2}, 3, 5);
    add("columns,views,rows", {3, 8, 6}, 5 * 3, 5 * 3);
  }
  void ofTilesThoseOfThePartAreRead() {
    QFETCH(QString, order);
    QFETCH(std::vector<std::uint64_t>, tile);
    QFETCH(int, of_part);
    QFETCH(int, of_all);
    constexpr int views = ScatteredArray::views;
    constexpr std::uint64_t all_bytes = views * 54 * sizeof(float);
    for (const bool are_kept : {true, false}) {
      ScatteredArray of(order.toStdString());
      of.lay_in_tiles(tile, are_kept);
      const auto whole = frames_of_array(of.array, of.axes, all_bytes);
      const auto frames = whole->part({{2, 6, 2}, {1, 4, 2}, 3});
      QVERIFY(frames != nullptr);
      QCOMPARE(frames->frames(), 14);
      for (int view = 0; view < 14; ++view) {
        std::vector<float> values(6);
        frames->read(view, values);
        for (int cell = 0; cell < 6; ++cell)
          QCOMPARE(
              values[static_cast<std::size_t>(cell)],
              static_cast<float>(of.mean_of_four(3 * view, 1 + cell / 3 * 2, 2 + cell % 3 * 2)));
      }
      QCOMPARE(of.unpacked_tiles, static_cast<std::size_t>(of_part));
      QCOMPARE(of.numbers, std::size_t{0});
      QVERIFY(of.most <= 14 * 4 * 6);
      of.unpacked_tiles = 0;
      for (int view = 0; view < views; ++view) {
        std::vector<float> values(54);
        whole->read(view, values);
        QVERIFY(std::ranges::equal(
            values, std::span(of.usual).subspan(static_cast<std::size_t>(view) * 54, 54)));
      }
      QCOMPARE(of.unpacked_tiles, static_cast<std::size_t>(are_kept ? 0 : of_all));
      QCOMPARE(of.numbers, are_kept ? of.stored.size() : 0);
    }
  }

  /// Blocks of views, of which each needs all tiles across all views, hold no more than they may.
  void blocksOfViewsInTiles() {
    ScatteredArray of("views,rows,columns");
    of.lay_in_tiles({40, 1, 9}, false);
    const auto frames = frames_of_array(of.array, of.axes, std::uint64_t{10} * 54 * sizeof(float));
    for (int view = 0; view < ScatteredArray::views; ++view) {
      std::vector<float> values(54);
      frames->read(view, values);
      QVERIFY(std::ranges::equal(
          values, std::span(of.usual).subspan(static_cast<std::size_t>(view) * 54, 54)));
    }
    QCOMPARE(of.unpacked_tiles, std::size_t{4 * 6});
    QVERIFY(of.most <= 10 * 9);
  }

  /// Views from 10 to 29, read by tiles and one after the other.
  void someViewsOfAnArray() {
    for (const bool are_kept : {true, false}) {
      ScatteredArray of("views,rows,columns");
      of.lay_in_tiles({40, 1, 9}, are_kept);
      const auto frames = frames_of_array(part_of_slowest_axis(of.array, 10, 20), of.axes);
      QCOMPARE(frames->frames(), 20);
      std::vector<float> values(54);
      frames->read(3, values);
      QVERIFY(std::ranges::equal(values, std::span(of.usual).subspan(std::size_t{13} * 54, 54)));
      QVERIFY(of.most <= 20 * 54);
      frames->part({{0, 9}, {2, 1}, 2})->read(9, std::span(values).first(9));
      QVERIFY(std::ranges::equal(std::span(values).first(9),
                                 std::span(of.usual).subspan(std::size_t{28} * 54 + 18, 9)));
    }
  }
};

GANTRY_TEST(TestArrayFrames)
#include "test_array_frames.moc"
