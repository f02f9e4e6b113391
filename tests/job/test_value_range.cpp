// The ranges over which sliders and sweeps vary a number, against ranges worked out by hand.
#include "core/job/value_range.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <limits>
#include <utility>

using namespace gantry;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

ParamSpec spec_of(ParamValue fallback, double min, double max, double step) {
  ParamSpec spec;
  spec.fallback = std::move(fallback);
  spec.min = min;
  spec.max = max;
  spec.step = step;
  return spec;
}

}  // namespace

class TestValueRange : public QObject {
  Q_OBJECT
 private slots:
  void partsOfARange() {
    const ValueRange even{2, 6}, ratios{.low = 0.01, .high = 100, .logarithmic = true};
    for (const auto& [part, value] : {std::pair{0.0, 2.0}, {0.25, 3}, {0.5, 4}, {1.0, 6}}) {
      EXPECT_NEAR(even.at(part), value, 1e-12);
      EXPECT_NEAR(even.part_of(value), part, 1e-12);
    }
    for (const auto& [part, value] : {std::pair{0.0, 0.01}, {0.25, 0.1}, {0.5, 1}, {1.0, 100}}) {
      EXPECT_NEAR(ratios.at(part), value, 1e-12);
      EXPECT_NEAR(ratios.part_of(value), part, 1e-12);
    }
    for (const ValueRange& range : {even, ratios}) {
      QCOMPARE(range.part_of(range.low - 1), 0.0);
      QCOMPARE(range.part_of(range.high + 1), 1.0);
      QCOMPARE(range.at(-1), range.low);
      QCOMPARE(range.at(2), range.high);
    }
  }

  void valuesAreRounded() {
    QCOMPARE((ValueRange{0, 1}).at(0.123456), 0.123);
    QCOMPARE((ValueRange{0, 1e6}).at(0.123456), 123000.0);
    QCOMPARE((ValueRange{-1, 1}).at(0.5), 0.0);
    QCOMPARE((ValueRange{.low = 1, .high = 8, .whole = true}).at(0.5), 5.0);  // of 4.5
    // The ends stay as they are, and nothing is rounded beyond them.
    QCOMPARE((ValueRange{0.12345, 1}).at(0), 0.12345);
    QCOMPARE((ValueRange{0, 0.98765}).at(1), 0.98765);
    QCOMPARE((ValueRange{0, 0.98765}).at(0.99999), 0.98765);
  }

  void rangesAreWidened() {
    const ValueRange range{2, 6};
    const auto is = [](const ValueRange& wide, double low, double high) {
      return wide.low == low && wide.high == high;
    };
    QVERIFY(is(range.with(4), 2, 6) && is(range.with(-1), -1, 6) && is(range.with(9), 2, 9));
    const ValueRange ratios{.low = 1, .high = 10, .logarithmic = true};
    QVERIFY(is(ratios.with(0), 1, 10) && is(ratios.with(0.5), 0.5, 10));
    QVERIFY(is(ratios.with(20), 1, 20) && ratios.with(20).logarithmic);
  }

  void whatIsWorthTrying_data() {
    QTest::addColumn<ParamSpec>("spec");
    QTest::addColumn<double>("middle");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<bool>("ratios");
    const auto add = [](const char* name, const ParamSpec& spec, double middle, double low,
                        double high, bool ratios) {
      QTest::newRow(name) << spec << middle << low << high << ratios;
    };
    const std::int64_t whole = 8, none = 0;
    add("bounded by purpose", spec_of(1.0, 0, 2, 0.1), 0.5, 0, 2, false);
    add("64 times its fallback", spec_of(1.0, 0, 64, 0.1), 2, 0, 64, false);
    add("more than that", spec_of(1.0, 0, 65, 0.1), 2, 0.2, 20, true);
    add("64 steps", spec_of(0.0, -32, 32, 1), 0, -32, 32, false);
    add("whole numbers", spec_of(none, 0, 64, 0), 3, 0, 64, false);
    add("a weight", spec_of(0.5, 0, infinite, 0), 2, 0.2, 20, true);
    add("a weight of 0", spec_of(0.5, 0, infinite, 0), 0, 0.05, 5, true);
    add("kept above its least", spec_of(0.5, 0.3, infinite, 0), 2, 0.3, 20, true);
    add("kept below its largest", spec_of(0.5, 0, 1000, 0), 200, 20, 1000, true);
    add("at least 1", spec_of(whole, 0, 1e6, 1), 4, 1, 40, true);
    add("an offset", spec_of(0.0, -infinite, infinite, 0.5), 3, -47, 53, false);
    add("an offset without steps", spec_of(0.0, -infinite, infinite, 0), 3, -97, 103, false);
    add("may be 0", spec_of(0.0, 0, infinite, 0.1), 0, 0, 10, false);
    add("an offset with bounds", spec_of(0.0, -10, 1000, 1), 0, -10, 100, false);
    add("below its largest", spec_of(0.0, -1000, 10, 1), 0, -100, 10, false);
  }
  void whatIsWorthTrying() {
    QFETCH(ParamSpec, spec);
    QFETCH(double, middle);
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(bool, ratios);
    const auto range = range_worth_trying(spec, middle, 10);
    QVERIFY(range);
    EXPECT_NEAR(range->low, low, 1e-12);
    EXPECT_NEAR(range->high, high, 1e-12);
    QCOMPARE(range->logarithmic, ratios);
    QCOMPARE(range->whole, std::holds_alternative<std::int64_t>(spec.fallback));
  }

  void whatHasNoRange() {
    QVERIFY(!range_worth_trying(spec_of(true, 0, 1, 1), 1, 10));
    QVERIFY(!range_worth_trying(spec_of(std::string("fbp"), 0, 1, 1), 1, 10));
    QVERIFY(!range_worth_trying(spec_of(1.0, 1, 1, 0), 1, 10));
    QVERIFY(!range_worth_trying(spec_of(0.5, 30, infinite, 0), 2, 10));  // all below the least
    QCOMPARE(number_of(ParamValue(std::int64_t{7})).value_or(0), 7.0);
    QCOMPARE(number_of(ParamValue(2.5)).value_or(0), 2.5);
    QVERIFY(!number_of(ParamValue(false)));
  }
};

GANTRY_TEST(TestValueRange)
#include "test_value_range.moc"
