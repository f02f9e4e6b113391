// A run that goes on: beyond its plan, with other settings, and after it was interrupted.
#include "tests/job/job_bench.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/interrupt_at_check.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestGoingOn : public QObject, private JobBench {
  Q_OBJECT

 private slots:
  void initTestCase() { data_ = small_data(workshop_); }

  void extendedIsAsIfPlannedSo_data() { every_solver(); }
  void extendedIsAsIfPlannedSo() {
    QFETCH(QString, solver);
    ReconstructionJob run = job(run_spec(solver.toStdString(), 3));
    std::vector<HistoryEntry> all = finish(run);
    run.extend(4);
    const bool is_direct = workshop_.catalog.solvers.at(solver.toStdString()).traits.is_direct;
    QCOMPARE(run.spec().iterations, is_direct ? 3 : run.iterations() + 4);  // a direct one is done
    for (HistoryEntry& entry : finish(run)) all.push_back(std::move(entry));
    const Calm calm = calm_run(run_spec(solver.toStdString(), 7), data_, workshop_);
    QVERIFY(same_history(all, calm.history));
    QVERIFY(run.solution() == calm.mu);
    QCOMPARE(run.iterations(), solver == "fbp" ? 1 : 7);
  }

  void extendedBeforeItBegins() {
    ReconstructionJob run = job(run_spec("sirt", 3));
    run.extend(5);
    QCOMPARE(finish(run).size(), std::size_t{5});
  }

  /// Unlike the order of views, what CGLS knows of its past is not carried over.
  void continuedIsAsIfNeverLeft_data() {
    QTest::addColumn<QString>("solver");
    QTest::addColumn<int>("set_up");  // products of the second set-up
    QTest::newRow("sirt") << "sirt" << 2;
    QTest::newRow("sart") << "sart" << 1;
    QTest::newRow("os_sart") << "os_sart" << 1;
  }
  void continuedIsAsIfNeverLeft() {
    QFETCH(QString, solver);
    QFETCH(int, set_up);
    const std::string key = solver.toStdString();
    ReconstructionJob run = job(run_spec(key, 3));
    std::vector<HistoryEntry> all = finish(run);
    ReconstructionJob next = job(run_spec(key, 5));
    next.continue_from(run);
    QCOMPARE(next.iterations(), 3);
    QVERIFY(next.solution() == run.solution());
    QVERIFY(next.slice(Axis::axial, 0).values == run.solution());
    for (HistoryEntry& entry : finish(next)) all.push_back(std::move(entry));
    Calm calm = calm_run(run_spec(key, 5), data_, workshop_);
    for (std::size_t i = 3; i < 5; ++i) calm.history[i].report.applications += set_up;
    QVERIFY(same_history(all, calm.history));
    QVERIFY(all[3].report.seconds >= all[2].report.seconds);
    QVERIFY(next.solution() == calm.mu);
  }

  /// Settings changed twice before a further iteration: nothing of the first run is forgotten.
  void continuedTwiceBeforeAnyIteration() {
    ReconstructionJob run = job(run_spec("sirt", 3));
    const std::vector<HistoryEntry> history = finish(run);
    ReconstructionJob second = job(run_spec("sirt", 9, "distance_driven"));
    second.continue_from(run);
    ReconstructionJob third = job(run_spec("sirt", 5));
    third.continue_from(second);
    QCOMPARE(third.iterations(), 3);
    EXPECT_NEAR(third.seconds(), run.seconds(), 0);
    QVERIFY(third.solution() == run.solution());
    const auto entry = third.advance();
    QCOMPARE(entry->report.iteration, 4);
    EXPECT_NEAR(entry->report.applications, history[2].report.applications + 4, 1e-9);
    finish(third);
    QCOMPARE(third.iterations(), 5);
    QVERIFY(third.solution() == calm_run(run_spec("sirt", 5), data_, workshop_).mu);
  }

  /// What was computed of an iteration that did not end counts too.
  void continuedWithinAnIteration() {
    ReconstructionJob run = job(run_spec("sart", 3));
    for (int view = 0; view < 12 + 5; ++view) run.advance();
    ReconstructionJob next = job(run_spec("sart", 3));
    next.continue_from(run);
    QCOMPARE(next.iterations(), 1);
    QVERIFY(next.solution() == run.solution());
    EXPECT_NEAR(next.seconds(), run.seconds(), 0);
    const std::vector<HistoryEntry> history = finish(next);
    QCOMPARE(history.back().report.iteration, 3);
    // Twice A 1; three products for each of 12 + 5 + 24 views.
    EXPECT_NEAR(history.back().report.applications, 2 + 3 * (12 + 5 + 24) / 12.0, 1e-9);
  }

  void continuedFromNothing() {
    ReconstructionJob run = job(run_spec("sirt", 3)), next = job(run_spec("sirt", 3));
    next.continue_from(run);
    QVERIFY(same_history(finish(next), calm_run(run_spec("sirt", 3), data_, workshop_).history));
  }

  void continuedBeyondItsPlanMakesOneMore() {
    ReconstructionJob run = job(run_spec("sirt", 5)), next = job(run_spec("sirt", 2));
    finish(run);
    next.continue_from(run);
    QCOMPARE(finish(next).size(), std::size_t{1});
    QCOMPARE(next.iterations(), 6);
  }

  void anotherGridIsRefused() {
    auto other = std::make_shared<ExperimentData>(*data_);
    other->grid.origin_mm.x += 1;
    other->reference = nullptr;
    ReconstructionJob run(run_spec("sirt", 1), other, {}, workshop_.catalog, workshop_.backends,
                          nullptr);
    ReconstructionJob next = job(run_spec("sirt", 1));
    EXPECT_THROWS(ShapeError, next.continue_from(run), "another grid");
  }

  // ---- Giving way

  void anInterruptedStepIsMadeAgain_data() { every_solver(); }
  /// Wherever in the set-up or in a step it gives way, the same call goes on as if nothing was.
  void anInterruptedStepIsMadeAgain() {
    QFETCH(QString, solver);
    RunSpec spec = run_spec(solver.toStdString(), 2);
    if (solver == "sart") spec.solver_params = {{"order", std::string("random")}};
    const Calm calm = calm_run(spec, data_, workshop_);
    InterruptAtCheck interrupt;
    int places = 0;
    // Every place, and of the many of a long set-up (homogeneous) some.
    for (int n = 1;; n += n < 40 ? 1 : n / 3) {
      ReconstructionJob run = job(spec, {}, &interrupt);
      interrupt.set(n);
      std::vector<HistoryEntry> history;
      bool gave_way = false;
      while (!run.finished()) try {
          if (auto entry = run.advance()) history.push_back(std::move(*entry));
        } catch (const Interrupted&) {
          gave_way = true;
          interrupt.set(0);
        }
      QVERIFY(same_history(history, calm.history));
      QVERIFY(run.solution() == calm.mu);
      if (!gave_way) break;
      ++places;
    }
    // FBP gives way between blocks of views, of which there is one here.
    QVERIFY2(places >= (solver == "fbp" ? 1 : 5), qPrintable(QString::number(places)));
  }

  /// The exact residual gives way instead of the iteration that it was to measure.
  void anInterruptedMeasurementIsLeftOut() {
    const RunSpec spec = run_spec("sirt", 1);
    InterruptAtCheck interrupt;
    ReconstructionJob counted = job(spec, {}, &interrupt);
    finish(counted);
    const int checks = interrupt.checks();
    interrupt.set(checks + 1);
    ReconstructionJob run = job(spec, {MaskKind::circle, true}, &interrupt);
    const std::vector<HistoryEntry> history = finish(run);
    QVERIFY(interrupt.raised());
    QCOMPARE(history.size(), std::size_t{1});
    QVERIFY(std::isnan(history[0].exact_residual));
    QVERIFY(history[0].metrics.contains("rmse"));
  }
};

GANTRY_TEST(TestGoingOn)
#include "test_going_on.moc"
