// How rows are put into slices.
#include "gpu/matrix/rows/row_slices.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

#include <algorithm>
#include <random>

using namespace gantry;

class TestRowSlices : public QObject {
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
    const RowSlices slices(start, group);
    QCOMPARE(slices.slices_in_group, (group + 31) / 32);
    QCOMPARE(slices.start.size(), static_cast<std::size_t>(groups * slices.slices_in_group + 1));
    std::vector<int> times(static_cast<std::size_t>(groups * group), 0);
    std::int64_t before = 0;
    for (std::size_t place = 0; place < slices.row.size(); ++place) {
      const int row = slices.row[place];
      if (row < 0) continue;
      ++times[static_cast<std::size_t>(row)];
      const std::size_t slice = place / 32;
      QCOMPARE(row / group, static_cast<int>(slice) / slices.slices_in_group);
      const auto at = static_cast<std::size_t>(row);
      const std::int64_t length = start[at + 1] - start[at];
      const bool first = place % (32 * static_cast<std::size_t>(slices.slices_in_group)) == 0;
      QVERIFY2(first || length <= before, "rows of a group are not sorted");
      before = length;
      QVERIFY(length <= slices.start[slice + 1] - slices.start[slice]);
      if (place % 32 == 0) QCOMPARE(slices.start[slice + 1] - slices.start[slice], length);
    }
    QVERIFY(std::ranges::all_of(times, [](int count) { return count == 1; }));
  }
};

GANTRY_TEST(TestRowSlices)
#include "test_row_slices.moc"
