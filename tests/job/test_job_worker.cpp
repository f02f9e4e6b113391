// Commands to the worker: each does what its name says, in the order given, and none of them
// changes a run's numbers.
#include "tests/job/gated_projector.hpp"
#include "tests/job/second_device.hpp"
#include "tests/job/worker_session.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <random>

using namespace gantry;
using namespace gantry::test;

namespace {

using States = std::vector<RunState>;
constexpr RunId first{1, 1}, second{2, 1};

}  // namespace

class TestJobWorker : public QObject {
  Q_OBJECT

  Workshop workshop_;
  Gate gate_;
  std::shared_ptr<const ExperimentData> data_;

 private slots:
  void initTestCase() {
    add_gated(workshop_, gate_);
    data_ = small_data(workshop_);
  }
  void init() { gate_.open(); }

  void aRunComputesWhatAJobComputes_data() {
    QTest::addColumn<QString>("solver");
    for (const auto& entry : workshop_.catalog.solvers.entries())
      if (entry.key != "fdk")  // fbp for cones, which these data are not
        QTest::addRow("%s", entry.key.c_str()) << QString::fromStdString(entry.key);
  }
  void aRunComputesWhatAJobComputes() {
    QFETCH(QString, solver);
    const RunSpec spec = run_spec(solver.toStdString(), 7);
    Session session(workshop_);
    session.start(first, spec, data_);
    QVERIFY(session.until_state(1, RunState::finished));
    session.worker.request_volume(1, 5);
    const auto mu = session.volume(5);
    const Calm calm = calm_run(spec, data_, workshop_);
    QVERIFY(same_history(session.history(first), calm.history));
    QVERIFY(mu != nullptr && *mu == calm.mu);
    QCOMPARE(session.states(1), (States{RunState::running, RunState::finished}));
    QVERIFY(!session.message(1).empty());
    QCOMPARE(session.latest[1]->iterations, static_cast<int>(calm.history.size()));
    QVERIFY(session.latest[1]->state == RunState::finished);
  }

  void pauseArrivesInsideAStep() {
    gate_.allow(-(1 << 30) + 8);  // set-up takes two products, an iteration of SIRT two
    Session session(workshop_);
    session.start(first, run_spec("sirt", 50, "gated"), data_);
    QVERIFY(session.until([&] { return session.iterations(first) == 3; }));
    QVERIFY(wait_until([&] { return gate_.waiting(); }));
    session.worker.pause(1);
    QVERIFY(session.until_state(1, RunState::paused));  // though the step cannot go on
    QCOMPARE(session.iterations(first), 3);
    QVERIFY(wait_until([&] { return !gate_.waiting(); }));
    gate_.open();
    QVERIFY(session.until_run());
    QCOMPARE(session.iterations(first), 3);  // a paused run stays where it is
    session.worker.resume(1);
    QVERIFY(session.until_state(1, RunState::finished));
    QVERIFY(same_history(session.history(first),
                         calm_run(run_spec("sirt", 50), data_, workshop_).history));
  }

  void interruptionsDoNotChangeNumbers_data() {
    QTest::addColumn<QString>("solver");
    for (const char* solver : {"sirt", "sart", "os_sart", "cgls"}) QTest::newRow(solver) << solver;
  }
  void interruptionsDoNotChangeNumbers() {
    QFETCH(QString, solver);
    RunSpec spec = run_spec(solver.toStdString(), 4, "gated");
    if (solver == "sart") spec.solver_params = {{"order", std::string("random")}};
    const Calm calm = calm_run(spec, data_, workshop_);
    gate_.close();
    Session session(workshop_);
    session.start(first, spec, data_);
    std::mt19937 random(7);
    int pauses = 0;
    const auto finished = [&] {
      session.take();
      return session.states(1).size() > 1 && session.states(1).back() == RunState::finished;
    };
    for (; !finished() && pauses < 300; ++pauses) {
      gate_.allow(static_cast<int>(random() % 4));
      QVERIFY(wait_until([&] { return gate_.waiting() || finished(); }));
      session.worker.pause(1);
      session.worker.set_view(1, {{{Axis::coronal, pauses % 16}}, pauses % 2 == 0});
      session.worker.resume(1);
    }
    gate_.open();  // products that gave way were made again: let it come to an end
    QVERIFY(wait_until(finished));
    QVERIFY(pauses > 3);
    QVERIFY(same_history(session.history(first), calm.history));
    session.worker.request_volume(1, 1);
    const auto mu = session.volume(1);
    QVERIFY(mu != nullptr && *mu == calm.mu);
  }

  void stepsGoAsFarAsAsked() {
    Session session(workshop_);
    session.start(first, run_spec("sart", 2), data_, true);
    QVERIFY(session.until_run());
    QCOMPARE(session.states(1), States{RunState::paused});
    QCOMPARE(session.latest[1]->iterations, 0);
    for (int view = 1; view <= 5; ++view) {
      session.worker.step_subset(1);
      const auto changes = static_cast<std::size_t>(1 + 2 * view);
      QVERIFY(session.until([&] { return session.states(1).size() == changes; }));
      QVERIFY(session.until_run());
      QVERIFY(session.states(1).back() == RunState::paused);
      EXPECT_NEAR(session.latest[1]->part_of_iteration, view / 12.0, 1e-12);
    }
    QCOMPARE(session.iterations(first), 0);
    session.worker.step_iteration(1);  // the rest of this one
    QVERIFY(session.until([&] { return session.iterations(first) == 1; }));
    QVERIFY(session.until_state(1, RunState::paused));
    EXPECT_NEAR(session.latest[1]->part_of_iteration, 0, 0);
    session.worker.step_iteration(1);
    QVERIFY(session.until_state(1, RunState::finished));
    session.worker.step_iteration(1);  // a finished run goes on by one
    QVERIFY(session.until([&] { return session.iterations(first) == 3; }));
    QVERIFY(session.until_state(1, RunState::finished));
    QVERIFY(same_history(session.history(first),
                         calm_run(run_spec("sart", 3), data_, workshop_).history));
    QVERIFY(!session.a_state_came_alone());
  }

  void aRunAtRestIsMeasured() {
    Workshop workshop;
    add_device(workshop);
    add_slow_metric(workshop.catalog, std::chrono::milliseconds(400));
    RunSpec run = run_spec("sirt", 6);
    run.backend = "board";
    const auto data = small_data(workshop);
    Session session(workshop);
    session.start(first, run, data, true);
    for (int iteration = 1; iteration <= 2; ++iteration) {
      session.worker.step_iteration(1);
      QVERIFY(session.until([&] { return session.iterations(first) == iteration; }));
      QVERIFY(session.until_state(1, RunState::paused));
    }
    QVERIFY(!session.history(first)[1].is_measured);
    QVERIFY(session.until([&] { return !session.all<EntryChanged>().empty(); }));
    const HistoryEntry& later = session.all<EntryChanged>().back()->entry;
    QCOMPARE(later.report.iteration, 2);
    QVERIFY(later.metrics == calm_run(run, data, workshop).history[1].metrics);
  }

  /// Another reference: what the run keeps is measured again, the present estimate first; the same
  /// image with the same mask is nothing new.
  void anotherReferenceIsMeasuredAgain() {
    Session session(workshop_);
    session.start(first, run_spec("sirt", 4), data_);
    QVERIFY(session.until_state(1, RunState::finished));
    const auto history = session.history(first);
    const Reference& truth = *data_->reference;
    session.worker.set_reference(1, make_reference(truth.grid, truth.mu(), "the same"));
    const auto measured = [&] { return session.all<IterateMeasured>(); };
    QVERIFY(session.until([&] { return measured().size() == 4; }));
    QCOMPARE(measured().front()->iteration, 4);
    for (const IterateMeasured* one : measured()) {
      QCOMPARE(one->reference->label, std::string("the same"));
      QCOMPARE(one->metrics.values.at("rmse"),
               history[static_cast<std::size_t>(one->iteration) - 1].metrics.at("rmse"));
    }
    const MetricMask half =
        metric_mask({MaskKind::roi, Region::box(0, -1e3, 1e3, 1e3)}, *data_->geometry, truth.grid);
    session.worker.set_reference(1, with_mask(truth, half));
    QVERIFY(session.until([&] { return measured().size() == 8; }));
    session.worker.request_volume(1, 7);
    const std::vector<float> x = *session.volume(7);
    double sum = 0;
    std::size_t count = 0;
    const auto counts = half.voxels.voxels();
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (counts[i] == 0) continue;
      sum += (x[i] - truth.mu()[i]) * (x[i] - truth.mu()[i]);
      ++count;
    }
    QVERIFY(count > 0 && count < x.size());
    EXPECT_NEAR(measured()[4]->metrics.values.at("rmse"),
                std::sqrt(sum / static_cast<double>(count)), 1e-7);
    session.worker.set_reference(1, with_mask(truth, half));
    session.worker.set_reference(1, nullptr);
    QVERIFY(session.until_run());
    QCOMPARE(measured().size(), std::size_t{8});
  }

  void steppingThenRunningGoesOnToTheEnd() {
    Session session(workshop_);
    session.start(first, run_spec("os_sart", 5), data_, true);
    session.worker.step_iteration(1);
    session.worker.resume(1);
    QVERIFY(session.until_state(1, RunState::finished));
    QCOMPARE(session.iterations(first), 5);
  }

  void aStoppedRunKeepsWhatItHas() {
    gate_.allow(-(1 << 30) + 6);
    Session session(workshop_);
    session.start(first, run_spec("sirt", 9, "gated"), data_);
    QVERIFY(session.until([&] { return session.iterations(first) == 2; }));
    QVERIFY(wait_until([&] { return gate_.waiting(); }));
    session.worker.stop_and_keep(1);
    session.worker.request_volume(1, 3);
    const auto mu = session.volume(3);
    QVERIFY(mu != nullptr && *mu == calm_run(run_spec("sirt", 2), data_, workshop_).mu);
    QVERIFY(session.states(1).back() == RunState::stopped);
    gate_.open();
    session.worker.pause(1);  // not running: nothing to pause
    session.worker.resume(1);
    QVERIFY(session.until_state(1, RunState::finished));
    QVERIFY(same_history(session.history(first),
                         calm_run(run_spec("sirt", 9), data_, workshop_).history));
  }

  void aDiscardedRunIsGone() {
    gate_.allow(-(1 << 30) + 6);
    Session session(workshop_);
    session.start(first, run_spec("sirt", 9, "gated"), data_);
    QVERIFY(wait_until([&] { return gate_.arrivals() > 6 && gate_.waiting(); }));
    session.worker.discard(1);
    gate_.open();
    session.worker.resume(1);
    QVERIFY(session.until_run());
    QVERIFY(session.states(1).back() == RunState::idle);
    QCOMPARE(session.iterations(first), 2);
    QVERIFY2(!session.latest.contains(1), "a look at the run came with the news that it is gone");
  }

  void aFinishedRunIsExtended() {
    Session session(workshop_);
    session.start(first, run_spec("cgls", 3), data_);
    QVERIFY(session.until_state(1, RunState::finished));
    session.worker.extend(1, 4);
    QVERIFY(session.until([&] { return session.iterations(first) == 7; }));
    QVERIFY(session.until_state(1, RunState::finished));
    QCOMPARE(session.latest[1]->planned_iterations, 7);
    QVERIFY(same_history(session.history(first),
                         calm_run(run_spec("cgls", 7), data_, workshop_).history));
  }

  void whatIsExhaustedIsNotExtended() {
    Session session(workshop_);
    session.start(first, run_spec("fbp", 3), data_);
    QVERIFY(session.until_state(1, RunState::finished));
    session.worker.extend(1, 4);
    session.worker.step_iteration(1);
    QVERIFY(session.until_run());
    QVERIFY(session.until_state(1, RunState::finished));
    QCOMPARE(session.iterations(first), 1);
  }

  void settingsChangeOnTheWay() {
    Session session(workshop_);
    session.start(first, run_spec("sirt", 5), data_);
    QVERIFY(session.until_state(1, RunState::finished));
    session.worker.continue_with({1, 2}, run_spec("sirt", 9), {});
    QVERIFY(session.until([&] { return session.iterations({1, 2}) == 4; }));
    QVERIFY(session.until_state(1, RunState::finished));
    std::vector<HistoryEntry> all = session.history(first);
    for (const HistoryEntry& entry : session.history({1, 2})) all.push_back(entry);
    Calm calm = calm_run(run_spec("sirt", 9), data_, workshop_);
    QVERIFY(all[5].report.seconds >= all[4].report.seconds);
    // Its set-up is made and counted anew: A 1 and A^T 1.
    for (std::size_t i = 5; i < 9; ++i) calm.history[i].report.applications += 2;
    QVERIFY(same_history(all, calm.history));
    session.worker.request_volume(1, 1);
    const auto mu = session.volume(1);
    QVERIFY(mu != nullptr && *mu == calm.mu);
  }

  /// Two changes at once: the second comes before the run has made an iteration after the first.
  void changingTwiceForgetsNothing() {
    Session session(workshop_);
    session.start(first, run_spec("sirt", 5), data_);
    QVERIFY(session.until_state(1, RunState::finished));
    gate_.close();
    session.worker.continue_with({1, 2}, run_spec("sirt", 9, "gated"), {});
    QVERIFY(wait_until([&] { return gate_.waiting(); }));
    session.worker.continue_with({1, 3}, run_spec("sirt", 9), {});
    QVERIFY(session.until([&] { return session.iterations({1, 3}) > 0; }));
    QCOMPARE(session.history({1, 3}).front().report.iteration, 6);
    QVERIFY(session.until_state(1, RunState::finished));
    session.worker.request_volume(1, 1);
    const auto mu = session.volume(1);
    QVERIFY(mu != nullptr && *mu == calm_run(run_spec("sirt", 9), data_, workshop_).mu);
  }

  void settingsThatCannotWorkLoseNothing() {
    Session session(workshop_);
    session.start(first, run_spec("sirt", 5), data_);
    QVERIFY(session.until_state(1, RunState::finished));
    session.worker.continue_with({1, 2}, run_spec("no_such", 9), {});
    QVERIFY(session.until_state(1, RunState::failed));
    QVERIFY(session.message(1).find("no_such") != std::string::npos);
    session.worker.request_volume(1, 1);
    QVERIFY(session.until_run());
    QCOMPARE(session.all<VolumeReady>().size(), std::size_t{1});
    QVERIFY(*session.volume(1) == calm_run(run_spec("sirt", 5), data_, workshop_).mu);
    QVERIFY(session.all<VolumeReady>().front()->id == (RunId{1, 2}));
  }

  void nothingToGoOnFromIsSaid() {
    Session session(workshop_);
    session.worker.continue_with(second, run_spec("sirt", 9), {});
    QVERIFY(session.until_state(2, RunState::failed));
    QVERIFY(session.message(2).find("no estimate") != std::string::npos);
  }

  void runsTakeTurns() {
    Session session(workshop_);
    session.worker.prepare({}, 1);  // all are there before the first computes
    for (int run = 1; run <= 3; ++run)
      session.start({run, 1}, run_spec(run == 2 ? "sart" : "sirt", 6), data_);
    QVERIFY(session.until([&] { return session.all<IterationDone>().size() == 18; }));
    const auto done = session.all<IterationDone>();
    for (std::size_t i = 0; i < done.size(); ++i) {
      QCOMPARE(done[i]->id.run, static_cast<int>(i % 3) + 1);
      QCOMPARE(done[i]->entry.report.iteration, static_cast<int>(i / 3) + 1);
    }
  }

  /// An interrupted run has not had its turn.
  void interruptionsDoNotCostATurn() {
    gate_.close();
    Session session(workshop_);
    session.start(first, run_spec("sirt", 1000000, "gated"), data_);
    session.start(second, run_spec("sirt", 1000000, "siddon"), data_);
    gate_.allow(2);  // set-up
    for (int round = 0; round < 20; ++round) {
      QVERIFY(wait_until([&] { return gate_.waiting(); }));
      session.worker.pause(77);  // no such run; the step gives way nevertheless
      QVERIFY(session.until_run());
      QVERIFY(wait_until([&] { return gate_.waiting(); }));
      if (round % 4 == 3) gate_.allow(2);
    }
    QVERIFY(session.until_run());
    const int behind = session.iterations(second) - session.iterations(first);
    QVERIFY2(behind >= 0 && behind <= 1, qPrintable(QString::number(behind)));
  }

  void aFailingRunLeavesTheOthersAlone() {
    Gate rotten;
    add_gated(workshop_, rotten, "rotten");
    rotten.close();
    rotten.allow(6);
    Session session(workshop_);
    session.start({1, 1}, run_spec("sirt", 40, "rotten"), data_);
    session.start({2, 1}, run_spec("sirt", 40), data_);
    session.start({3, 1}, run_spec("sirt", 40, "no_such"), data_);
    session.start({4, 1}, run_spec("sart", 40), data_);
    QVERIFY(session.until([&] { return session.iterations({4, 1}) >= 2; }));
    QVERIFY(wait_until([&] { return rotten.waiting(); }));
    rotten.break_down();
    rotten.allow(1);
    QVERIFY(session.until([&] { return session.iterations({4, 1}) == 40; }));
    QVERIFY(session.until_state(4, RunState::finished) && session.until_state(1, RunState::failed));
    QVERIFY(session.until_state(2, RunState::finished) && session.until_state(3, RunState::failed));
    QCOMPARE(session.message(1), std::string("the cable is out"));
    QVERIFY(session.message(3).find("no_such") != std::string::npos);
    for (const int run : {2, 4})
      QVERIFY(same_history(
          session.history({run, 1}),
          calm_run(run_spec(run == 2 ? "sirt" : "sart", 40), data_, workshop_).history));
    for (const auto command : {&JobWorker::resume, &JobWorker::step_iteration,
                               &JobWorker::step_subset, &JobWorker::pause})
      (session.worker.*command)(1);
    QVERIFY(session.until_run());
    QCOMPARE(session.states(1), (States{RunState::running, RunState::failed}));
    session.worker.request_volume(1, 1);  // what it had is still there
    QVERIFY(*session.volume(1) == calm_run(run_spec("sirt", 2), data_, workshop_).mu);
  }

  void divergenceIsAFailure() {
    auto wild = std::make_shared<ExperimentData>(*data_);
    wild->line_integrals[40] = std::numeric_limits<float>::infinity();
    Session session(workshop_);
    session.start(first, run_spec("cgls", 50), wild);
    QVERIFY(session.until_state(1, RunState::failed));
    QVERIFY(session.message(1).find("diverged") != std::string::npos);
    QCOMPARE(session.iterations(first), 1);
  }

  /// The message of a run that diverged names what its parameters offer against that.
  void divergenceNamesItsCure() {
    auto wild = std::make_shared<ExperimentData>(*data_);
    wild->line_integrals[40] = std::numeric_limits<float>::infinity();
    RunSpec spec = run_spec("icd", 12);
    spec.solver_params.set("step", std::string("newton"));
    spec.solver_params.set("start", std::string("zero"));
    Session session(workshop_);
    session.start(first, spec, wild);
    QVERIFY(session.until_state(1, RunState::failed));
    const std::string message = session.message(1);
    QVERIFY2(message.find("diverged") != std::string::npos, message.c_str());
    QVERIFY2(message.find("or solver.step=bound") != std::string::npos, message.c_str());
  }

  /// Commands reach a run that has only just been asked for, while another is in a long step.
  void commandsKeepTheirOrder() {
    gate_.close();
    Session session(workshop_);
    session.start(first, run_spec("sirt", 5, "gated"), data_);
    QVERIFY(wait_until([&] { return gate_.waiting(); }));
    for (int round = 0; round < 50; ++round) {
      const RunId id{2, round};
      session.start(id, run_spec("sirt", 1), data_, true);
      session.worker.set_view(2, {{{Axis::sagittal, 3}}, false});
      session.worker.request_volume(2, round);
      session.worker.step_iteration(2);
      session.worker.request_volume(2, 1000 + round);
      session.worker.discard(1);
      QVERIFY(session.until([&] { return session.all<VolumeReady>().size() == 2; }));
      const auto ready = session.all<VolumeReady>();
      QVERIFY(ready[0]->id == id && ready[0]->iterations == 0);
      QVERIFY(session.until_state(2, RunState::finished));
      QCOMPARE(session.latest[2]->slices.size(), std::size_t{1});
      QVERIFY(session.latest[2]->slices[0]->axis == Axis::sagittal);
      session.events.clear();
      session.start(first, run_spec("sirt", 5, "gated"), data_);
      QVERIFY(wait_until([&] { return gate_.waiting(); }));
    }
  }
};

GANTRY_TEST(TestJobWorker)
#include "test_job_worker.moc"
