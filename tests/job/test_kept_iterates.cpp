// The iterates of a run that are kept: which, and when none.
#include "core/base/error.hpp"
#include "core/worker/kept_iterates.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

#include <chrono>
#include <cmath>
#include <limits>

using namespace gantry;

class TestKeptIterates : public QObject {
  Q_OBJECT

  static constexpr std::size_t values = 250;  // 1000 bytes

  static auto copyOf(int iteration) {
    return [iteration] {
      auto progress = std::make_shared<RunProgress>();
      progress->iterations = iteration;
      progress->solver.arrays = {std::vector<float>(values, static_cast<float>(iteration))};
      return std::shared_ptr<const RunProgress>(std::move(progress));
    };
  }
  static std::vector<int> iterationsOf(const KeptIterates& kept) {
    std::vector<int> found;
    for (const KeptIterate& one : *kept.list()) found.push_back(one.iteration);
    return found;
  }
  static void run(KeptIterates& kept, int last) {
    for (int i = 1; i <= last; ++i) kept.keep(i, 1000, copyOf(i));
  }

 private slots:
  void allAreKeptWhileTheyFit() {
    KeptIterates kept({.bytes = 8000, .count = 100, .seconds = 10});
    run(kept, 8);
    QCOMPARE(iterationsOf(kept), (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}));
    QCOMPARE(kept.bytes(), std::size_t{8000});
    QCOMPARE(kept.list()->at(4).progress->solver.arrays[0][0], 5.0F);
  }

  void theyAreThinnedEvenly() {
    KeptIterates kept({.bytes = 8000, .count = 100, .seconds = 10});
    run(kept, 9);
    QCOMPARE(iterationsOf(kept), (std::vector<int>{1, 2, 4, 6, 8}));
    run(kept, 15);
    QCOMPARE(iterationsOf(kept), (std::vector<int>{1, 2, 4, 6, 8, 10, 12, 14}));
    run(kept, 40);
    QCOMPARE(iterationsOf(kept), (std::vector<int>{1, 8, 16, 24, 32, 40}));
    KeptIterates few({.bytes = 1 << 20, .count = 4, .seconds = 10});
    run(few, 100);
    QVERIFY(few.list()->size() <= 4);
    QCOMPARE(few.list()->front().iteration, 1);
  }

  /// Copies that would take too much of a run's time are thinned as evenly: each takes at least 1
  /// ms here, of which an iteration of 1 ms may spend a tenth.
  void theyAreThinnedEvenlyForTime() {
    KeptIterates kept({.bytes = 1 << 20, .count = 1000, .seconds = 0.02, .share = 0.1});
    const auto slowCopy = [](int iteration) {
      return [iteration] {
        const auto start = std::chrono::steady_clock::now();
        while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(1)) {
        }
        return copyOf(iteration)();
      };
    };
    for (int i = 1; i <= 2000; ++i) kept.keep(i, 1e-3 * i, slowCopy(i));
    const std::vector<int> found = iterationsOf(kept);
    QVERIFY(found.size() >= 2);
    QCOMPARE(found[0], 1);
    const int step = found[1];
    QVERIFY(step >= 16);
    for (std::size_t i = 1; i < found.size(); ++i) QCOMPARE(found[i], static_cast<int>(i) * step);
  }

  void nothingThatDoesNotFitIsKept() {
    KeptIterates kept({.bytes = 999, .count = 100, .seconds = 10});
    run(kept, 5);
    QVERIFY(kept.list()->empty());
    KeptIterates no_time({.bytes = 8000, .count = 100, .seconds = -1});
    QVERIFY(!no_time.keep(1, 0, copyOf(1)));
    KeptIterates failing({.bytes = 8000, .count = 100, .seconds = 10});
    QVERIFY(!failing.keep(
        1, 0, []() -> std::shared_ptr<const RunProgress> { throw OutOfMemory("a copy", 0); }));
    QVERIFY(failing.list()->empty());
  }

  /// Half the memory of an image, whatever else the state holds; three digits of each value remain.
  void roundedOnesTakeHalf() {
    std::vector<float> image(values);
    for (std::size_t i = 0; i < values; ++i)
      image[i] = (i % 3 == 0 ? -1.0F : 1.0F) * 0.02F * std::pow(10.0F, -static_cast<float>(i % 8)) *
                 (1 + 0.37F * static_cast<float>(i % 7));
    image[5] = 0;
    const auto copy = [&] {
      auto progress = std::make_shared<RunProgress>();
      progress->iterations = 1;
      progress->has_begun = true;
      progress->solver.arrays = {image, image, image};
      return std::shared_ptr<const RunProgress>(std::move(progress));
    };
    KeptIterates kept({.bytes = 1 << 20, .count = 100, .seconds = 10});
    kept.set_rounds(true);
    QVERIFY(kept.keep(1, 0, copy));
    QCOMPARE(kept.bytes(), values * 2);
    const KeptIterate& one = kept.list()->front();
    QVERIFY(!one.is_exact());
    const std::vector<float> shown = *one.image();
    for (std::size_t i = 0; i < values; ++i)
      EXPECT_NEAR(shown[i], image[i], 0.0005 * std::abs(image[i]));
    // The run starts its method anew from there, and counts on.
    const auto start = one.start();
    QVERIFY(!start->has_begun);
    QCOMPARE(start->iterations, 1);
    QCOMPARE(start->solver.arrays.size(), std::size_t{1});
    QVERIFY(start->solver.arrays[0] == shown);
    // Exact again: the whole state.
    kept.set_rounds(false);
    QVERIFY(kept.keep(2, 0, copyOf(2)));
    QVERIFY(kept.list()->back().is_exact());
    QVERIFY(kept.list()->back().start() == kept.list()->back().progress);
  }

  void rounding() {
    const float infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> values_in = {0, -0.0F, 1, -2, 1.0F / 3, 3e4F, infinity, -infinity};
    const std::vector<float> out = RoundedImage(values_in).values();
    for (std::size_t i = 0; i < values_in.size(); ++i)
      if (std::isfinite(values_in[i]))
        EXPECT_NEAR(out[i], values_in[i], std::abs(values_in[i]) / 2048);
      else
        QCOMPARE(out[i], values_in[i]);
    QVERIFY(std::isnan(RoundedImage({std::nanf("")}).values()[0]));
    // Powers of two, and zeros, are exact; so are images of any size of values.
    QVERIFY((RoundedImage({0, 0}).values() == std::vector<float>{0, 0}));
    QVERIFY((RoundedImage({0x1p-100F, 0x1p-103F}).values() ==
             std::vector<float>{0x1p-100F, 0x1p-103F}));
    QVERIFY((RoundedImage({0x1p100F}).values() == std::vector<float>{0x1p100F}));
  }

  /// Lists that somebody else holds do not change.
  void aContinuedRunBeginsWithEarlierOnes() {
    KeptIterates kept({.bytes = 8000, .count = 100, .seconds = 10});
    run(kept, 6);
    const auto before = kept.list();
    KeptIterates again({.bytes = 8000, .count = 100, .seconds = 10});
    again.begin_with(*before, 4);
    QCOMPARE(iterationsOf(again), (std::vector<int>{1, 2, 3, 4}));
    QVERIFY(!again.keep(4, 0, copyOf(4)));  // it is there
    QVERIFY(again.keep(5, 0, copyOf(5)));
    QCOMPARE(before->size(), std::size_t{6});
  }
};

GANTRY_TEST(TestKeptIterates)
#include "test_kept_iterates.moc"
