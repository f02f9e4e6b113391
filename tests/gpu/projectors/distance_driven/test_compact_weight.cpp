// Row weights in 16 bits: how far they are rounded, and what becomes of those beyond.
#include "gpu/projectors/distance_driven/cone/compact_weight.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

#include <cmath>
#include <random>

using namespace gantry::device;

class TestCompactWeight : public QObject {
  Q_OBJECT

  static float rounded(float value, float unit) { return expanded(compact(value, 1 / unit), unit); }

 private slots:
  void isRoundedByElevenBits_data() {
    QTest::addColumn<float>("largest");
    for (const float largest : {1.0F, 1.9999999F, 1e3F, 3e-7F, 1e9F, 1e-30F})
      QTest::addRow("%g", static_cast<double>(largest)) << largest;
  }
  void isRoundedByElevenBits() {
    QFETCH(float, largest);
    const float unit = compact_unit(largest);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> octaves(-29, 0);
    double worst = 0;
    for (int i = 0; i < 100000; ++i) {
      const auto value = static_cast<float>(largest * std::exp2(octaves(random)));
      worst = std::max(worst, std::abs(rounded(value, unit) / static_cast<double>(value) - 1));
    }
    QVERIFY2(worst <= std::exp2(-12), qPrintable(QString::number(worst)));
    QVERIFY(worst > 0.9 * std::exp2(-12));
    QVERIFY(std::abs(rounded(largest, unit) / largest - 1) <= std::exp2(-12));
    QCOMPARE(rounded(0, unit), 0.0F);
  }

  /// Down to nothing in even steps; never more than twice what it was.
  void fadesOut() {
    const float unit = compact_unit(1);
    const double step = std::exp2(-40);  // of the last octave, from 2^-29
    for (double value = std::exp2(-29); value > 1e-14; value *= 0.93)
      QVERIFY(std::abs(rounded(static_cast<float>(value), unit) - value) <= 0.5001 * step);
    QCOMPARE(rounded(1e-14F, unit), 0.0F);
  }

  void tooLargeIsTheLargest() {
    for (const float largest : {1.0F, 1e20F, std::numeric_limits<float>::infinity(), 0.0F}) {
      const float unit = compact_unit(largest), most = expanded(0xFFFF, unit);
      QVERIFY(std::isfinite(most));
      for (const float value : {1e25F, 3e38F}) QCOMPARE(rounded(value, unit), most);
    }
  }

  /// Every code is its own nearest, and more is more.
  void codesAreOrdered() {
    const float unit = compact_unit(5);
    float before = -1;
    for (std::uint32_t code = 0; code <= 0xFFFF; ++code) {
      const float value = expanded(static_cast<std::uint16_t>(code), unit);
      QVERIFY(value > before);
      QCOMPARE(compact(value, 1 / unit), static_cast<std::uint16_t>(code));
      before = value;
    }
  }
};

GANTRY_TEST(TestCompactWeight)
#include "test_compact_weight.moc"
