#include "core/base/nice_numbers.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <limits>
#include <set>

using namespace gantry;

class TestNiceNumbers : public QObject {
  Q_OBJECT

  static std::string labels(const std::vector<Tick>& ticks) {
    std::string all;
    for (const Tick& tick : ticks) all += (all.empty() ? "" : " ") + tick.label;
    return all;
  }

 private slots:
  void roundLengths() {
    for (const auto& [x, expected] : {std::pair{1.0, 1.0},
                                      {1.99, 1.0},
                                      {2.0, 2.0},
                                      {4.9, 2.0},
                                      {5.0, 5.0},
                                      {73.0, 50.0},
                                      {100.0, 100.0},
                                      {0.034, 0.02},
                                      {0.001, 0.001}})
      EXPECT_NEAR(round_length_below(x), expected, 1e-12 * expected);
    QCOMPARE(round_length_below(0), 0.0);
    QCOMPARE(round_length_below(-1), 0.0);
    QCOMPARE(round_length_below(std::numeric_limits<double>::infinity()), 0.0);
  }

  void linearTicksAreShort() {
    QCOMPARE(labels(linear_ticks(0, 50, 6)), std::string("0 10 20 30 40 50"));
    QCOMPARE(labels(linear_ticks(-0.02, 0.02, 5)), std::string("-0.02 -0.01 0 0.01 0.02"));
    QCOMPARE(labels(linear_ticks(0.0102, 0.0298, 5)), std::string("0.015 0.020 0.025"));
    QCOMPARE(labels(linear_ticks(0, 4e-5, 5)), std::string("0 1e-5 2e-5 3e-5 4e-5"));
    QCOMPARE(labels(linear_ticks(0, 400000, 5)), std::string("0 1e5 2e5 3e5 4e5"));
    QCOMPARE(labels(linear_ticks(0, 1.5e-5, 4)), std::string("0 5e-6 1e-5 1.5e-5"));
    QCOMPARE(labels(linear_ticks(0.246231, 0.246234, 4)),
             std::string("0.246231 0.246232 0.246233 0.246234"));
  }

  void linearTicksNeverRepeatALabel() {
    for (const double size : {1e-9, 3e-4, 0.7, 12.0, 9e3, 4e8})
      for (const double offset : {0.0, 0.3, 20.0, -5.0})
        for (int most = 2; most < 12; ++most) {
          const std::vector<Tick> ticks = linear_ticks(offset * size, (offset + 1) * size, most);
          QVERIFY(static_cast<int>(ticks.size()) <= most + 1);
          std::set<std::string> seen;
          for (const Tick& tick : ticks) {
            QVERIFY2(seen.insert(tick.label).second, tick.label.c_str());
            EXPECT_NEAR(std::stod(tick.label), tick.value,
                        1e-6 * size + 1e-9 * std::abs(tick.value));
          }
        }
  }

  void emptyRangesHaveNoTicks() {
    QVERIFY(linear_ticks(1, 1, 5).empty());
    QVERIFY(linear_ticks(2, 1, 5).empty());
    QVERIFY(linear_ticks(std::nan(""), 1, 5).empty());
    QVERIFY(log_ticks(0, std::numeric_limits<double>::infinity(), 5).empty());
  }

  void logTicksAreDecades() {
    QCOMPARE(labels(log_ticks(-3, 1, 5)), std::string("0.001 0.01 0.1 1 10"));
    QCOMPARE(labels(log_ticks(-6.2, -3.8, 4)), std::string("1e-6 1e-5 1e-4"));
    QCOMPARE(labels(log_ticks(-0.1, 1.1, 6)), std::string("1 2 3 5 10"));
    for (const Tick& tick : log_ticks(0.301, 0.40, 5))
      EXPECT_NEAR(std::pow(10, tick.value), std::stod(tick.label), 1e-3);
    QCOMPARE(labels(log_ticks(std::log10(0.00105), std::log10(0.0131), 10)),
             std::string("0.002 0.003 0.005 0.01"));  // not 0.007 0.008 0.009 0.01, which touch
    QVERIFY(log_ticks(-20, 20, 5).size() <= 6);
    QVERIFY(log_ticks(-20, 20, 5).size() >= 2);
  }

  void numbersAreShort() {
    QCOMPARE(short_number(0.0204), std::string("0.0204"));
    QCOMPARE(short_number(20.44), std::string("20.4"));
    QCOMPARE(short_number(-1024), std::string("-1024"));
    QCOMPARE(short_number(0.0000312), std::string("3.12e-5"));
    QCOMPARE(short_number(0), std::string("0"));
    QCOMPARE(short_number(std::nan("")), std::string("no value"));
    QCOMPARE(length_text(20), std::string("20 mm"));
    QCOMPARE(length_text(0.5), std::string("0.5 mm"));
    QCOMPARE(length_text(0.05), std::string("50 \u00b5m"));
    QCOMPARE(length_text(0.05, false), std::string("0.05 cells"));
  }

  void digitsAreRounded() {
    QCOMPARE(to_digits(299.99999999999994, 12), 300.0);
    QCOMPARE(to_digits(-0.0136091712918298, 4), -0.01361);
    QCOMPARE(to_digits(123456, 2), 120000.0);
    QCOMPARE(to_digits(0, 3), 0.0);
  }
};

GANTRY_TEST(TestNiceNumbers)
#include "test_nice_numbers.moc"
