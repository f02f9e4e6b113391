// Runs that went on with other settings: what they tell of themselves computes them again, whether
// by the worker's commands or from an experiment's file.
#include "core/job/experiment_file.hpp"
#include "tests/job/job_bench.hpp"
#include "tests/job/worker_session.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <functional>

using namespace gantry;
using namespace gantry::test;

namespace {

RunSpec sart(double relaxation, int iterations) {
  RunSpec run = run_spec("sart", iterations);
  run.solver_params = {{"relaxation", relaxation}};
  return run;
}

RunStage stage(const RunSettings& settings, int until_iteration, int steps = 0) {
  return {settings, until_iteration, steps};
}

/// What a worker's run came to: all its iterations, whatever their epoch.
struct Made {
  RunSpec spec;
  std::vector<HistoryEntry> history;
  std::vector<float> mu;
};

}  // namespace

class TestStages : public QObject, private JobBench {
  Q_OBJECT

  /// The run as its experiment's file has it.
  RunSpec from_file(const RunSpec& run) const {
    Experiment e;
    e.runs = {run};
    const Experiment back =
        parse_experiment(format_experiment(e, "/"), "e.json", "/", workshop_.catalog);
    return back.runs.at(0);
  }

  /// Waits until so many iterations are done, of all epochs, and the run is at its end.
  static bool finishes(Session& session, int iterations) {
    return session.until([&] {
      return static_cast<int>(session.all<IterationDone>().size()) == iterations &&
             session.states(1).back() == RunState::finished;
    });
  }

  static Made made(Session& session) {
    Made all;
    all.spec = session.all<RunBegan>().back()->spec;
    for (const auto* done : session.all<IterationDone>()) all.history.push_back(done->entry);
    session.worker.request_volume(1, 7);
    all.mu = *session.volume(7);
    return all;
  }

  void is_computed_again(const Made& made) {
    const RunSpec read = from_file(made.spec);
    QVERIFY(read == made.spec);
    const Calm again = calm_run(read, data_, workshop_);
    QVERIFY(same_history(again.history, made.history));
    for (std::size_t i = 0; i < made.history.size(); ++i)
      QCOMPARE(again.history[i].stage, made.history[i].stage);
    QVERIFY(again.mu == made.mu);
    // And by a worker that starts it.
    Session session(workshop_);
    session.start({1, 1}, read, data_);
    QVERIFY(session.until_state(1, RunState::finished));
    QVERIFY(same_history(session.history({1, 1}), made.history));
  }

 private slots:
  void initTestCase() { data_ = small_data(workshop_); }

  /// A run that was continued at its end, and saved before it computed on, is read again.
  void whatIsWrittenAtTheEndOfAStageIsRead() {
    RunSpec run = sart(0.5, 20);
    run.stages = {stage(sart(1, 20), 20)};
    const RunSpec back = from_file(run);
    QCOMPARE(back.iterations, 21);
    QVERIFY(back.stages == run.stages);
    run.iterations = 30;
    QCOMPARE(from_file(run).iterations, 30);
  }

  void theFileComputesWhatTheWorkerDid_data() {
    QTest::addColumn<QString>("second");
    QTest::addColumn<QString>("third");
    for (const char* second : {"sart", "cgls", "fista", "mlem"})
      QTest::addRow("%s then sirt", second) << second << "sirt";
  }
  void theFileComputesWhatTheWorkerDid() {
    QFETCH(QString, second);
    QFETCH(QString, third);
    Session session(workshop_);
    session.start({1, 1}, sart(1, 3), data_);
    QVERIFY(finishes(session, 3));
    session.worker.continue_with({1, 2}, run_spec(second.toStdString(), 5), {});
    QVERIFY(finishes(session, 5));
    session.worker.extend(1, 2);
    QVERIFY(finishes(session, 7));
    session.worker.continue_with({1, 3}, run_spec(third.toStdString(), 9), {});
    QVERIFY(finishes(session, 9));
    const Made all = made(session);
    QCOMPARE(all.spec.stages.size(), std::size_t{2});
    QCOMPARE(all.spec.stages[0].until_iteration, 3);
    QCOMPARE(all.spec.stages[1].until_iteration, 7);
    QCOMPARE(all.history[2].stage, std::size_t{0});
    QCOMPARE(all.history[3].stage, std::size_t{1});
    QCOMPARE(all.history[8].stage, std::size_t{2});
    is_computed_again(all);
    // The history matters: without it the numbers are others.
    QVERIFY(calm_run(run_spec("sirt", 9), data_, workshop_).mu != all.mu);
  }

  void changedWithinAnIteration() {
    Session session(workshop_);
    session.start({1, 1}, sart(1, 4), data_, true);
    for (int i = 0; i < 12 + 5; ++i) {
      session.worker.step_subset(1);
      QVERIFY(session.until(
          [&] { return std::ranges::count(session.states(1), RunState::paused) == i + 2; }));
    }
    session.worker.continue_with({1, 2}, sart(0.3, 4), {});
    QVERIFY(finishes(session, 4));
    const Made all = made(session);
    QCOMPARE(all.spec.stages.size(), std::size_t{1});
    QCOMPARE(all.spec.stages[0].until_iteration, 1);
    QCOMPARE(all.spec.stages[0].steps, 5);
    is_computed_again(all);
  }

  /// A rule that had ended the first settings was lifted when they were extended.
  void aRuleThatWasLiftedIsLiftedAgain() {
    RunSpec first = run_spec("sirt", 40);
    first.relative_residual = 0.5;
    Session session(workshop_);
    session.start({1, 1}, first, data_);
    QVERIFY(session.until_state(1, RunState::finished));
    const int ended = session.iterations({1, 1});
    QVERIFY(ended < 40);
    session.worker.extend(1, 3);
    QVERIFY(finishes(session, ended + 3));
    session.worker.continue_with({1, 2}, run_spec("cgls", ended + 5), {});
    QVERIFY(finishes(session, ended + 5));
    is_computed_again(made(session));
  }

  /// A rule that was lifted for one stage holds in the next, which has a limit of its own.
  void aRuleIsLiftedForItsStageAlone() {
    RunSpec run = run_spec("sirt", 60), first = run;
    first.relative_residual = 0.5;
    const std::size_t ended = calm_run(first, data_, workshop_).history.size();
    QVERIFY(ended < 20);
    run.relative_residual = 1e-9;  // which measures residuals, and is not reached
    run.stages = {stage(first, 20)};
    const HistoryEntry chosen = calm_run(run, data_, workshop_).history.at(29);
    run.relative_residual = 1.0001 * chosen.exact_residual / norm(data_->line_integrals);
    ReconstructionJob both = job(run);
    QCOMPARE(finish(both).size(), std::size_t{30});
    QCOMPARE(both.reason(), StopReason::fitted);
  }

  /// And where nothing else was changed: what is saved does not stop where the run went on.
  void aRunGoesPastItsRuleAgain_data() {
    QTest::addColumn<bool>("by_step");
    QTest::newRow("by more iterations") << false;
    QTest::newRow("by a step") << true;
  }
  void aRunGoesPastItsRuleAgain() {
    QFETCH(bool, by_step);
    RunSpec run = run_spec("sirt", 40);
    run.relative_residual = 0.5;
    Session session(workshop_);
    session.start({1, 1}, run, data_);
    QVERIFY(session.until_state(1, RunState::finished));
    const int ended = session.iterations({1, 1});
    QVERIFY(ended < 40);
    if (by_step)
      session.worker.step_iteration(1);
    else
      session.worker.extend(1, 3);
    QVERIFY(finishes(session, ended + (by_step ? 1 : 3)));
    is_computed_again(made(session));
  }

  void changedTwiceWithinAnIteration() {
    Session session(workshop_);
    session.start({1, 1}, sart(1, 4), data_, true);
    const auto take = [&](int steps, int& paused) {
      for (int i = 0; i < steps; ++i) {
        session.worker.step_subset(1);
        ++paused;
        QVERIFY(session.until(
            [&] { return std::ranges::count(session.states(1), RunState::paused) == paused; }));
      }
    };
    int paused = 1;
    take(12 + 5, paused);
    session.worker.continue_with({1, 2}, sart(0.3, 4), {});
    session.worker.pause(1);
    ++paused;
    QVERIFY(session.until(
        [&] { return std::ranges::count(session.states(1), RunState::paused) == paused; }));
    take(2, paused);
    session.worker.continue_with({1, 3}, sart(0.7, 4), {});
    QVERIFY(finishes(session, 4));
    const Made all = made(session);
    QVERIFY(all.spec.stages.size() == 2);
    QCOMPARE(all.spec.stages[0].steps, 5);
    QCOMPARE(all.spec.stages[1].until_iteration, 1);
    QVERIFY(all.spec.stages[1].steps >= 2);
    is_computed_again(all);
  }

  void settingsThatComputedNothingAreNoStage() {
    ReconstructionJob first = job(sart(1, 2)), second = job(sart(0.7, 4)),
                      third = job(sart(0.3, 4));
    finish(first);
    second.continue_from(first);
    third.continue_from(second);
    QCOMPARE(third.spec().stages.size(), std::size_t{1});
    QVERIFY(third.spec().stages[0] == stage(sart(1, 2), 2));
  }

  void settingsThatCannotWorkAreRefusedAtOnce() {
    RunSpec run = sart(0.3, 4);
    run.stages = {stage(run_spec("cgls", 1, "voxel_driven"), 2)};
    EXPECT_THROWS(UsageError, job(run), "exact transpose");
    run = run_spec("cgls", 4, "voxel_driven");
    run.stages = {stage(sart(1, 1), 2)};
    EXPECT_THROWS(UsageError, job(run), "exact transpose");
  }

  /// What is read of a run between two stages is what the first left.
  void betweenStagesNothingIsLost() {
    RunSpec run = sart(0.3, 4);
    run.stages = {stage(sart(1, 1), 2)};
    ReconstructionJob two = job(run);
    while (two.iterations() < 2) two.advance();
    QVERIFY(!two.finished());
    const Calm first = calm_run(sart(1, 2), data_, workshop_);
    QVERIFY(two.solution() == first.mu);
    QCOMPARE(two.stage(), std::size_t{0});
    two.advance();
    QCOMPARE(two.stage(), std::size_t{1});
    finish(two);
    QCOMPARE(two.iterations(), 4);
  }

  void measuredBetweenStages() {
    ReconstructionJob first = job(sart(1, 2)), second = job(sart(0.3, 4));
    finish(first);
    second.continue_from(first);
    MeasurementRegions regions;
    regions.roi = Region::circle(-6, 0, 10);
    regions.background = Region::circle(6, 0, 8);
    const auto there = second.set_regions(regions), expected = first.set_regions(regions);
    QVERIFY(there && expected && there->report.iteration == 2);
    QVERIFY(there->metrics == expected->metrics);
  }

  // ---- Words

  void namesTellAllStages() {
    const auto text = [this](const RunSpec& run) {
      return QString::fromStdString(run_label(run, workshop_.catalog));
    };
    RunSpec run = sart(0.3, 30);
    run.stages = {stage(sart(1, 1), 12)};
    QCOMPARE(text(run), QString("SART, λ 1 to iteration 12, λ 0.3 from 13"));
    run.stages.push_back(stage(run_spec("sirt", 1), 20, 3));
    QCOMPARE(text(run), QString("SART, λ 1 to iteration 12, SIRT, λ 1 to step 3 of iteration "
                                "21, SART, λ 0.3 from there"));
    run.stages = {stage(sart(0.3, 1), 12)};
    QCOMPARE(text(run), QString("SART, λ 0.3 to iteration 12, begun anew from 13"));
    run.stages[0].projector = "joseph";
    QVERIFY(text(run).contains("to iteration 12, Siddon"));
    run.name = "mine";
    QCOMPARE(text(run), QString("mine"));
  }

  /// Until the first iteration with the new settings is done, the run is what it was.
  void namesFollowWhatHasComputed() {
    RunSpec run = sart(0.3, 30);
    run.stages = {stage(sart(1, 1), 12)};
    const auto label = [&](int done) {
      return run_label(as_of_iteration(run, done), workshop_.catalog);
    };
    for (const int done : {0, 1, 12}) QCOMPARE(label(done), std::string("SART, λ 1"));
    QCOMPARE(label(13), std::string("SART, λ 1 to iteration 12, λ 0.3 from 13"));
  }

  void descriptionsTellAllStages() {
    RunSpec run = sart(0.3, 30);
    run.stages = {stage(sart(1, 1), 12)};
    const auto text = [&](int done) { return run_description(run, workshop_.catalog, done); };
    const std::string both = text(30);
    const auto first = both.find("SART, iterations 1 to 12, "), second = both.find("; then SART, ");
    QVERIFY2(first == 0 && second != std::string::npos, both.c_str());
    QVERIFY(both.find("relaxation 1,") < second);
    QVERIFY(both.find("SART, iterations 13 to 30, ") > second);
    QVERIFY(both.find("relaxation 0.3,") > second);
    QCOMPARE(text(7), run_description(sart(1, 7), workshop_.catalog, 7));
    QVERIFY(text(13).find("SART, iteration 13, ") != std::string::npos);
  }
};

GANTRY_TEST(TestStages)
#include "test_stages.moc"
