// How views are shared out among GPUs by their speed. Needs no device.
#include "gpu/projectors/split/split_projector.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

#include <cmath>
#include <numeric>

using namespace gantry;

class TestShareOut : public QObject {
  Q_OBJECT
  const std::vector<std::vector<double>> speeds_ = {
      {412},
      {100, 100},
      {400, 50},
      {1e-3, 4000},
      {7, 5, 3},
      {90, 90, 90, 90, 90, 90, 90, 90},
      {120, 30, 118, 60, 1, 119.5, 33, 7},
  };

 private slots:
  /// As many parts as GPUs, none negative, that make up the whole; each within a view of its due.
  void partsAreDueBySpeed() {
    for (const std::vector<double>& speeds : speeds_)
      for (const int count : {0, 1, 2, 3, 5, 7, 8, 9, 64, 719, 720, 1 << 30}) {
        const std::vector<int> parts = divide_views(count, speeds);
        QCOMPARE(parts.size(), speeds.size());
        QCOMPARE(std::accumulate(parts.begin(), parts.end(), 0), count);
        const double all = std::accumulate(speeds.begin(), speeds.end(), 0.0);
        for (std::size_t n = 0; n < parts.size(); ++n) {
          QVERIFY(parts[n] >= 0);
          QVERIFY(std::abs(parts[n] - count * speeds[n] / all) <= 1);
        }
      }
  }

  void evenSpeedsShareEvenly() {
    QCOMPARE(divide_views(720, {1, 1}), (std::vector{360, 360}));
    QCOMPARE(divide_views(984, std::vector<double>(8, 55.5)), std::vector<int>(8, 123));
    QCOMPARE(divide_views(90, {2, 1}), (std::vector{60, 30}));
    QCOMPARE(divide_views(5, {3}), std::vector{5});
  }

  /// With fewer views than GPUs some have none, and no view is taken twice.
  void fewerViewsThanParts() {
    for (int count = 0; count < 8; ++count)
      for (const int part : divide_views(count, std::vector<double>(8, 20))) QVERIFY(part <= 1);
    QCOMPARE(divide_views(1, {100, 1}), (std::vector{1, 0}));
    QCOMPARE(divide_views(1, {1, 100}), (std::vector{0, 1}));
  }
};

GANTRY_TEST(TestShareOut)
#include "test_share_out.moc"
