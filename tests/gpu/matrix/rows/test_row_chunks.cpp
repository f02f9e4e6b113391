// How rows are put into chunks.
#include "gpu/matrix/rows/row_chunks.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

#include <algorithm>
#include <random>

using namespace gantry;

class TestRowChunks : public QObject {
  Q_OBJECT

 private slots:
  void keepEveryRowOnceInItsGroup_data() {
    QTest::addColumn<int>("group");
    for (const int group : {1, 31, 32, 33, 100}) QTest::addRow("%d", group) << group;
  }
  void keepEveryRowOnceInItsGroup() {
    QFETCH(int, group);
    constexpr int groups = 7;
    std::mt19937 random(5);
    std::vector<std::int64_t> start{0};
    for (int i = 0; i < groups * group; ++i)
      start.push_back(start.back() + static_cast<std::int64_t>(random() % 40));
    const RowChunks chunks(start, group);
    QCOMPARE(chunks.chunks_in_group, (group + 31) / 32);
    QCOMPARE(chunks.start.size(), static_cast<std::size_t>(groups * chunks.chunks_in_group + 1));
    std::vector<int> times(static_cast<std::size_t>(groups * group), 0);
    std::int64_t before = 0;
    for (std::size_t place = 0; place < chunks.row.size(); ++place) {
      const int row = chunks.row[place];
      if (row < 0) continue;
      ++times[static_cast<std::size_t>(row)];
      const std::size_t chunk = place / 32;
      QCOMPARE(row / group, static_cast<int>(chunk) / chunks.chunks_in_group);
      const auto at = static_cast<std::size_t>(row);
      const std::int64_t length = start[at + 1] - start[at];
      const bool first = place % (32 * static_cast<std::size_t>(chunks.chunks_in_group)) == 0;
      QVERIFY2(first || length <= before, "rows of a group are not sorted");
      before = length;
      QVERIFY(length <= chunks.start[chunk + 1] - chunks.start[chunk]);
      if (place % 32 == 0) QCOMPARE(chunks.start[chunk + 1] - chunks.start[chunk], length);
    }
    QVERIFY(std::ranges::all_of(times, [](int count) { return count == 1; }));
  }
};

GANTRY_TEST(TestRowChunks)
#include "test_row_chunks.moc"
