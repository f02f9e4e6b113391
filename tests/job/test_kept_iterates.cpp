// The iterates of a run that are kept: which, and when none.
#include "core/base/error.hpp"
#include "core/worker/kept_iterates.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

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
