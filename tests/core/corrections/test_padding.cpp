// Columns that are added to a detector: their values, and the geometry around them.
#include "core/base/error.hpp"
#include "core/corrections/padding/padding.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestPadding : public QObject {
  Q_OBJECT
 private slots:
  void rowsGetColumns_data() {
    QTest::addColumn<int>("values");
    QTest::addColumn<QList<double>>("parts");  // of the outermost value, from the end on
    const auto fade = [](int d) { return 0.5 * (1 + std::cos(std::acos(-1.0) * d / 4)); };
    QTest::addRow("fade") << static_cast<int>(PadValues::fade)
                          << QList<double>{fade(1), fade(2), fade(3)};
    QTest::addRow("fade within a third of the columns")
        << static_cast<int>(PadValues::fade) << QList<double>{fade(1), fade(2), fade(3), 0, 0};
    QTest::addRow("edge") << static_cast<int>(PadValues::edge) << QList<double>{1, 1, 1};
    QTest::addRow("zero") << static_cast<int>(PadValues::zero) << QList<double>{0, 0, 0};
  }
  void rowsGetColumns() {
    QFETCH(int, values);
    QFETCH(QList<double>, parts);
    constexpr std::size_t lines = 50, columns = 9;
    const auto added = static_cast<std::size_t>(parts.size()), wide = columns + 2 * added;
    std::vector<float> data(lines * columns);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i + 1);
    const std::vector<float> before = data;
    pad(data, columns, {static_cast<int>(added), static_cast<PadValues>(values)});
    QCOMPARE(data.size(), lines * wide);
    for (std::size_t line = 0; line < lines; ++line) {
      const float *row = &data[line * wide], *old = &before[line * columns];
      for (std::size_t i = 0; i < columns; ++i) QCOMPARE(row[added + i], old[i]);
      for (std::size_t d = 0; d < added; ++d) {
        const double part = parts[static_cast<qsizetype>(d)];
        EXPECT_NEAR(row[added - 1 - d], part * old[0], 1e-4);
        EXPECT_NEAR(row[added + columns + d], part * old[columns - 1], 1e-4);
      }
    }
  }

  /// The rays of the measured cells stay where they are, on a circle and with free poses.
  void measuredCellsStay() {
    ScanSpec circle = cone_spec(), poses = circle;
    circle.central_column = 8.25;
    poses.trajectory = Trajectory::poses;
    for (int view = 0; view < 7; ++view) poses.poses.push_back(ScanGeometry(circle).view(view));
    for (const ScanSpec& spec : {circle, poses}) {
      const Padding padding{6, PadValues::edge};
      const auto measured = share(spec), wide = padded(measured, padding);
      QCOMPARE(wide->columns(), measured->columns() + 12);
      for (int view = 0; view < 7; ++view)
        for (const int column : {0, 19}) {
          const Ray one = measured->ray(view, column, 4), other = wide->ray(view, column + 6, 4);
          EXPECT_NEAR(norm(one.direction - other.direction), 0, 1e-12);
          EXPECT_NEAR(norm(one.origin_mm - other.origin_mm), 0, 1e-9);
        }
      QVERIFY(without_padding(wide->spec(), padding) == measured->spec());
      QVERIFY(padded(measured, {}) == measured);
    }
    EXPECT_THROWS(UsageError, padded(share(circle), {32759}),
                  "cannot be padded by 32759 at each end; add at most 32758");
  }

  /// Where views of a full turn see one side alone, the columns that are added come between.
  void theNoteSaysWhoTakesThem() {
    const auto note = [](double central, int columns) {
      ScanSpec spec = fan_spec(40, 60, 2);
      spec.central_column = central;
      return QString::fromStdString(padding_note(ScanGeometry(spec), {columns}));
    };
    QCOMPARE(note(29.5, 0), QString());
    QVERIFY(note(29.5, 9).startsWith("9 columns were added at each end of the detector, showing"));
    QVERIFY(note(29.5, 9).endsWith("iterative methods take these columns as measured"));
    QVERIFY(note(20, 9).contains("since the axis is off the middle"));
    QCOMPARE(named_padding({9}), std::string(", padded by 9 columns at each end"));
  }
};

GANTRY_TEST(TestPadding)
#include "test_padding.moc"
