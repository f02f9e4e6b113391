// A run that was left and is taken up again by another job, as another process would: from a file.
#include "core/io/files/atomic_file.hpp"
#include "core/job/checkpoint.hpp"
#include "core/job/fingerprint.hpp"
#include "tests/job/job_bench.hpp"
#include "tests/job/worker_session.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/interrupt_at_check.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QFile>
#include <QTemporaryDir>

#include <functional>
#include <span>
#include <utility>

using namespace gantry;
using namespace gantry::test;

namespace {

/// The weight of the prior that a run's notes tell; 0 if they tell none.
double lambda_of(const ReconstructionJob& run) {
  const std::string sign = "λ = ";
  for (const std::string& note : run.notes())
    if (const std::size_t at = note.find(sign); at != std::string::npos)
      return std::stod(note.substr(at + sign.size()));
  return 0;
}

}  // namespace

class TestCheckpoint : public QObject, private JobBench {
  Q_OBJECT

  QTemporaryDir folder_;
  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }

  /// Through a file, as far as the run has come.
  Checkpoint left(const ReconstructionJob& run, const std::vector<HistoryEntry>& history) const {
    const std::string file = path("left.checkpoint");
    write_checkpoint(file, {run.spec(), "cpu", run.progress(), history});
    return read_checkpoint(file, workshop_.catalog);
  }
  /// What a run comes to that is left after so many steps.
  Calm taken_up(const RunSpec& spec, int steps, MetricsSpec metrics = {}) const {
    ReconstructionJob first = job(spec, metrics);
    std::vector<HistoryEntry> history;
    for (int i = 0; i < steps && !first.finished(); ++i)
      if (auto entry = first.advance()) history.push_back(std::move(*entry));
    Checkpoint checkpoint = left(first, history);
    ReconstructionJob second = job(spec, metrics);
    second.resume_from(std::move(checkpoint.progress));
    Calm result{std::move(checkpoint.history), {}};
    for (HistoryEntry& entry : finish(second)) result.history.push_back(std::move(entry));
    result.mu = second.solution();
    return result;
  }
  std::string some_checkpoint(const char* name) const {
    ReconstructionJob run = job(run_spec("cgls", 4));
    std::vector<HistoryEntry> history;
    history.push_back(*run.advance());
    write_checkpoint(path(name), {run.spec(), "cpu", run.progress(), history});
    return path(name);
  }

 private slots:
  void initTestCase() { data_ = small_data(workshop_); }

  /// Every solver, as it is by default and with each other choice of a parameter.
  void takenUpIsAsIfNeverLeft_data() {
    QTest::addColumn<QString>("solver");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("choice");
    for (const auto& entry : workshop_.catalog.solvers.entries()) {
      if (entry.key == "fdk") continue;  // fbp for cones, which these data are not
      const QString solver = QString::fromStdString(entry.key);
      QTest::newRow(entry.key.c_str()) << solver << QString() << QString();
      for (const ParamSpec& param : entry.params)
        for (const std::string& choice : param.choices)
          if (param.fallback != ParamValue(choice))
            QTest::addRow("%s, %s %s", entry.key.c_str(), param.key.c_str(), choice.c_str())
                << solver << QString::fromStdString(param.key) << QString::fromStdString(choice);
    }
  }
  /// Wherever it was left: between iterations and within one, before the first and after the last.
  void takenUpIsAsIfNeverLeft() {
    QFETCH(QString, solver);
    QFETCH(QString, key);
    QFETCH(QString, choice);
    RunSpec spec = run_spec(solver.toStdString(), 4);
    if (!key.isEmpty()) spec.solver_params.set(key.toStdString(), choice.toStdString());
    const Calm calm = calm_run(spec, data_, workshop_);
    for (const int steps : {0, 1, 17, 1000}) {
      const Calm again = taken_up(spec, steps);
      QVERIFY2(same_history(again.history, calm.history), qPrintable(QString::number(steps)));
      QVERIFY2(again.mu == calm.mu, qPrintable(QString::number(steps)));
    }
  }

  /// The automatic weight of a prior is found anew, and is the same. With statistical weights the
  /// noise is that of the photons: a hundred times as many make the weight a hundredth. Without
  /// weights it is the noise that the data are known to hold.
  void anAutomaticWeightIsTakenUp() {
    const auto usual = data_;
    RunSpec spec = run_spec("wls_pcg", 4);
    spec.prior = "qggmrf";
    spec.prior_params = {{"scale", std::string("automatic")}, {"sharpness", 1.0}};
    spec.weights = RayWeights::statistical;
    std::vector<double> lambdas;
    for (const double photons : {1e4, 1e6}) {
      auto counted = std::make_shared<ExperimentData>(*usual);
      counted->counting.photons_per_ray = photons;
      data_ = counted;
      const Calm calm = calm_run(spec, data_, workshop_), again = taken_up(spec, 2);
      QVERIFY(same_history(again.history, calm.history));
      QVERIFY(again.mu == calm.mu);
      ReconstructionJob run = job(spec);
      run.advance();
      lambdas.push_back(lambda_of(run));
    }
    spec.weights = RayWeights::none;
    for (const double noise : {10.0, 1.0}) {
      auto counted = std::make_shared<ExperimentData>(*usual);
      counted->noise_norm = noise;
      data_ = counted;
      ReconstructionJob run = job(spec);
      run.advance();
      lambdas.push_back(lambda_of(run));
    }
    data_ = usual;
    EXPECT_NEAR(lambdas[0] / lambdas[1], 100, 0.2);  // four digits are printed
    EXPECT_NEAR(lambdas[2] / lambdas[3], 100, 0.2);
  }

  /// Left in each of its stages, of which two end within one iteration.
  void aRunInStagesIsTakenUp() {
    const auto sart = [](double relaxation) {
      RunSpec run = run_spec("sart", 4);
      run.solver_params = {{"relaxation", relaxation}};
      return run;
    };
    RunSpec spec = run_spec("sirt", 4);
    spec.stages = {{sart(1), 1, 5}, {sart(0.3), 1, 3}, {run_spec("cgls", 1), 3, 0}};
    const Calm calm = calm_run(spec, data_, workshop_);
    QCOMPARE(calm.history.size(), std::size_t{4});
    for (const int steps : {3, 12, 15, 17, 19, 20, 21, 22, 23, 1000}) {
      const Calm again = taken_up(spec, steps);
      QVERIFY2(same_history(again.history, calm.history), qPrintable(QString::number(steps)));
      QVERIFY2(again.mu == calm.mu, qPrintable(QString::number(steps)));
    }
  }

  /// A rule that was lifted before the run was left stays lifted: no residual is taken for it.
  void aRunThatWentPastItsRuleIsTakenUp() {
    RunSpec spec = run_spec("sirt", 40);
    spec.relative_residual = 0.1;
    const std::size_t ended = calm_run(spec, data_, workshop_).history.size();
    QVERIFY(ended > 1 && ended < 35);
    spec.goes_past_rules = true;
    const Calm calm = calm_run(spec, data_, workshop_);
    QCOMPARE(calm.history.size(), std::size_t{40});
    const auto at = static_cast<int>(ended);
    for (const int steps : {at - 1, at, at + 1, 38}) {
      const Calm again = taken_up(spec, steps);
      QVERIFY2(same_history(again.history, calm.history), qPrintable(QString::number(steps)));
      QVERIFY2(again.mu == calm.mu, qPrintable(QString::number(steps)));
    }
  }

  void aRuleOnTheResidualIsKept() {
    RunSpec spec = run_spec("sart", 30);
    spec.relative_residual = 1e-9;
    ReconstructionJob without = job(spec);
    const HistoryEntry third = finish(without)[2];
    spec.relative_residual = 1.0001 * third.exact_residual / norm(data_->line_integrals);
    const Calm calm = calm_run(spec, data_, workshop_);
    QCOMPARE(calm.history.size(), std::size_t{3});
    for (const int steps : {11, 12, 13}) {
      const Calm again = taken_up(spec, steps);
      QVERIFY(same_history(again.history, calm.history));
      QVERIFY(again.mu == calm.mu);
    }
  }

  /// Interrupted in the middle of a step, as a signal does it.
  void leftWithinAStep() {
    for (const char* solver : {"sart", "cgls", "fista", "wls_pcg"}) {
      const RunSpec spec = run_spec(solver, 3);
      const Calm calm = calm_run(spec, data_, workshop_);
      for (int n = 5; n < 40; n += 11) {
        InterruptAtCheck interrupt;
        ReconstructionJob run = job(spec, {}, &interrupt);
        interrupt.set(n);
        std::vector<HistoryEntry> history;
        try {
          while (!run.finished())
            if (auto entry = run.advance()) history.push_back(std::move(*entry));
        } catch (const Interrupted&) {
        }
        Checkpoint checkpoint = left(run, history);
        ReconstructionJob next = job(spec);
        next.resume_from(std::move(checkpoint.progress));
        for (HistoryEntry& entry : finish(next)) checkpoint.history.push_back(std::move(entry));
        QVERIFY2(same_history(checkpoint.history, calm.history), solver);
        QVERIFY2(next.solution() == calm.mu, solver);
      }
    }
  }

  void timeGoesOn() {
    ReconstructionJob run = job(run_spec("sirt", 3));
    RunProgress progress = run.progress();
    QVERIFY(!progress.has_begun);
    run.advance();
    progress = run.progress();
    progress.seconds = 1000;
    ReconstructionJob next = job(run_spec("sirt", 3));
    next.resume_from(progress);
    QCOMPARE(next.iterations(), 1);
    QVERIFY(next.seconds() == 1000);
    const auto entry = next.advance();
    QVERIFY(entry->report.seconds > 1000);
    QCOMPARE(entry->report.iteration, 2);
    EXPECT_NEAR(entry->report.applications, progress.applications + 2, 1e-9);
  }

  /// A run at its end stays there, goes on where more is asked of it, and shows its image before.
  void aFinishedRunGoesOnWhereMoreIsAsked() {
    ReconstructionJob run = job(run_spec("sart", 2));
    const std::vector<HistoryEntry> history = finish(run);
    const Checkpoint checkpoint = left(run, history);
    QCOMPARE(checkpoint.progress.reason, StopReason::iterations);
    ReconstructionJob same = job(run_spec("sart", 2));
    same.resume_from(checkpoint.progress);
    QVERIFY(same.finished());
    QVERIFY(!same.advance());
    QVERIFY(same.solution() == run.solution());
    QVERIFY(same.slice(Axis::axial, 0).values == run.solution());
    same.extend(2);
    finish(same);
    ReconstructionJob more = job(run_spec("sart", 4));
    more.resume_from(checkpoint.progress);
    QVERIFY(!more.finished());
    finish(more);
    const Calm calm = calm_run(run_spec("sart", 4), data_, workshop_);
    QVERIFY(more.solution() == calm.mu);
    QVERIFY(same.solution() == calm.mu);
  }

  /// Not looked at, and left once more.
  void leftTwiceBeforeAnyStep() {
    ReconstructionJob run = job(run_spec("cgls", 5));
    run.advance();
    ReconstructionJob second = job(run_spec("cgls", 5));
    second.resume_from(run.progress());
    ReconstructionJob third = job(run_spec("cgls", 5));
    third.resume_from(second.progress());
    finish(third);
    QVERIFY(third.solution() == calm_run(run_spec("cgls", 5), data_, workshop_).mu);
  }

  void everythingComesBack() {
    ReconstructionJob run = job(run_spec("sart", 3), {MaskKind::circle, true});
    Checkpoint saved{run.spec(), "cuda", {}, finish(run)};
    saved.progress = run.progress();
    saved.run.name = "calm, \"λ\"";
    saved.run.solver_params.set("relaxation", 0.1 + 0.2);
    saved.history[0].metrics["psnr"] = std::numeric_limits<double>::infinity();
    saved.history[0].problems["ssim"] = "why";
    saved.history[1].is_measured = false;
    write_checkpoint(path("all.checkpoint"), saved);
    const Checkpoint read = read_checkpoint(path("all.checkpoint"), workshop_.catalog);
    QVERIFY(read.run == saved.run);
    QCOMPARE(read.backend, std::string("cuda"));
    QVERIFY(same_history(read.history, saved.history));
    QVERIFY(std::isinf(read.history[0].metrics.at("psnr")));
    QCOMPARE(read.history[0].problems.at("ssim"), std::string("why"));
    QVERIFY(!read.history[1].is_measured);
    QVERIFY(read.history[2].report.seconds == saved.history[2].report.seconds);
    QVERIFY(read.progress.solver.arrays == saved.progress.solver.arrays);
    QCOMPARE(read.progress.data, fingerprint(*data_));
  }

  /// Asked while the run computes, and gone on with by another worker.
  void aWorkerGoesOnWithWhatAnotherHandedOut() {
    const auto handed_out = [](Session& session, int ticket) {
      std::shared_ptr<const RunProgress> progress;
      bool is_there = false;
      session.until([&] {
        for (const auto* one : session.all<ProgressReady>())
          if (one->ticket == ticket) {
            is_there = true;
            progress = one->progress;
          }
        return is_there;
      });
      return progress;
    };
    RunSpec spec = run_spec("fista_sart", 100000);
    Session first(workshop_);
    first.start({1, 1}, spec, data_);
    QVERIFY(first.until([&] { return first.iterations({1, 1}) >= 2; }));
    first.worker.request_progress(1, 7);
    const auto left = handed_out(first, 7);
    QVERIFY(left != nullptr);
    first.worker.request_progress(2, 8);  // which was never started
    QVERIFY(handed_out(first, 8) == nullptr);
    spec.iterations = left->iterations + 3;
    Session second(workshop_);
    second.worker.start({1, 1}, spec, data_, {}, data_->reference, {}, true, left);
    QVERIFY(second.until_state(1, RunState::paused));
    second.worker.resume(1);
    QVERIFY(second.until_state(1, RunState::finished));
    second.worker.request_volume(1, 1);
    const Calm calm = calm_run(spec, data_, workshop_);
    QVERIFY(*second.volume(1) == calm.mu);
    const std::vector<HistoryEntry> rest = second.history({1, 1});
    QCOMPARE(rest.size(), std::size_t{3});
    QVERIFY(same_history(rest, {calm.history.end() - 3, calm.history.end()}));
    second.worker.request_progress(1, 2);
    Session third(workshop_);
    third.worker.start({1, 1}, spec, data_, {}, data_->reference, {}, true, handed_out(second, 2));
    QVERIFY(third.until_state(1, RunState::finished));
  }

  // ---- What does not fit

  void otherDataAreRefused() {
    ReconstructionJob run = job(run_spec("sirt", 3));
    run.advance();
    auto other = std::make_shared<ExperimentData>(*data_);
    other->line_integrals[17] += 1e-4F;
    ReconstructionJob next(run_spec("sirt", 3), other, {}, workshop_.catalog, workshop_.backends,
                           nullptr);
    EXPECT_THROWS(InputError, next.resume_from(run.progress()), "belongs to other data");
  }

  void anotherMethodsStateIsRefused() {
    ReconstructionJob run = job(run_spec("cgls", 3));
    run.advance();
    ReconstructionJob next = job(run_spec("sirt", 3));
    next.resume_from(run.progress());
    EXPECT_THROWS(InputError, next.advance(), "not one of this method");
  }

  void otherSettingsAreNamed() {
    const Checkpoint saved{run_spec("sirt", 3), "cpu", {}, {}};
    RunSpec run = saved.run;
    run.iterations = 9;
    run.name = "longer";
    require_same_run(saved, run, "here");
    run.solver = "sart";
    EXPECT_THROWS(InputError, require_same_run(saved, run, "here"), "the solver is sart, not sirt");
    run = saved.run;
    run.solver_params.set("relaxation", 0.5);
    EXPECT_THROWS(InputError, require_same_run(saved, run, "here"), "a parameter of the solver");
    run = saved.run;
    run.format = "csr";
    EXPECT_THROWS(InputError, require_same_run(saved, run, "here"), "the format is csr, not none");
    // Each is checked for itself.
    const std::pair<std::function<void(RunSpec&)>, const char*> changes[] = {
        {[](RunSpec& r) { r.prior = "tv"; }, "the prior is tv, not the usual one"},
        {[](RunSpec& r) { r.projector = "other"; }, "the projector is other, not"},
        {[](RunSpec& r) { r.coarse_levels = 1; }, "the coarser grids of the start differ"},
        {[](RunSpec& r) { r.weights = RayWeights::statistical; }, "the weights of the rays differ"},
        {[](RunSpec& r) { r.prior_params.set("weight", 0.5); }, "a parameter of the prior"},
        {[](RunSpec& r) { r.projector_params.set("a", 0.5); }, "a parameter of the projector"},
        {[](RunSpec& r) { r.format_params.set("a", 0.5); }, "a parameter of the format"},
        {[](RunSpec& r) { r.stages.emplace_back(); }, "the earlier stages of the run differ"}};
    for (const auto& [change, says] : changes) {
      run = saved.run;
      change(run);
      EXPECT_THROWS(InputError, require_same_run(saved, run, "here"), says);
    }
  }

  void damageIsFound_data() {
    QTest::addColumn<QString>("damage");
    QTest::addColumn<QString>("says");
    QTest::newRow("absent") << "absent"
                            << "cannot be read";
    QTest::newRow("empty") << "empty"
                           << "is not a checkpoint";
    QTest::newRow("other") << "other"
                           << "is not a checkpoint";
    QTest::newRow("version") << "version"
                             << "of version 7";
    QTest::newRow("cut") << "cut"
                         << "cut short";
    QTest::newRow("longer") << "longer"
                            << "too long";
    QTest::newRow("header") << "header"
                            << "damaged";
    QTest::newRow("value") << "value"
                           << "its checksum differs";
    QTest::newRow("huge") << "huge"
                          << "cut short";
  }
  void damageIsFound() {
    QFETCH(QString, damage);
    QFETCH(QString, says);
    QByteArray content = bytes_of_file(some_checkpoint("good.checkpoint"));
    if (damage == "empty") content.clear();
    if (damage == "other") content = "{\"format\": \"gantry-experiment\"}\n" + content;
    if (damage == "version") content.replace(0, 19, "gantry-checkpoint 7");
    if (damage == "cut") content.chop(5);
    if (damage == "longer") content += "rest";
    if (damage == "header") content.replace("\"cpu\"", "\"gpu\"");
    if (damage == "value") content[content.size() - 3] = static_cast<char>(content.back() ^ 8);
    if (damage == "huge") content.replace(0, 19, "gantry-checkpoint 2 99999999999999999 9");
    const std::string file = path("bad.checkpoint");
    QFile::remove(QString::fromStdString(file));
    if (damage != "absent") write_file(file, content);
    EXPECT_THROWS(InputError, read_checkpoint(file, workshop_.catalog), says.toStdString());
  }

  /// A checkpoint that cannot be written leaves the one before.
  void theOldOneStays() {
    const std::string file = some_checkpoint("kept.checkpoint");
    const QByteArray before = bytes_of_file(file);
    ReconstructionJob run = job(run_spec("sirt", 1));
    EXPECT_THROWS(
        OutputError,
        write_checkpoint(path("no/folder.checkpoint"), {run.spec(), "cpu", run.progress(), {}}),
        "folder");
    QCOMPARE(bytes_of_file(file), before);
  }
};

GANTRY_TEST(TestCheckpoint)
#include "test_checkpoint.moc"
