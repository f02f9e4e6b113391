// A run repeated with several values of a parameter, and the choice of the best.
#include "core/base/error.hpp"
#include "core/geometry/view_angles.hpp"
#include "core/worker/sweep/race.hpp"
#include "core/worker/sweep/sweep.hpp"
#include "tests/job/job_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestSweep : public QObject {
  Q_OBJECT

  static const SweepParam* find(const std::vector<SweepParam>& params, const std::string& key) {
    const auto found =
        std::ranges::find(params, key, [](const SweepParam& param) { return param.spec.key; });
    return found == params.end() ? nullptr : &*found;
  }
  static Experiment with_run(const RunSpec& run) {
    Experiment experiment;
    experiment.runs = {run};
    return experiment;
  }
  static Criterion usual(const Workshop& workshop) {
    const auto all = criteria(workshop.catalog);
    return all[usual_criterion(all, true)];
  }

 private slots:
  void numbersOfMethodAndPriorAreOffered() {
    const Workshop workshop;
    RunSpec run;
    run.solver = "fista";
    run.prior = "huber";
    run.prior_params.set("weight", 0.25);
    const auto params = sweep_params(with_run(run), 0, nullptr, workshop.catalog);
    const SweepParam* weight = find(params, "weight");
    QVERIFY(weight != nullptr && weight->is_weight() && weight->id() == "prior:weight");
    QCOMPARE(weight->present, 0.25);
    QVERIFY(find(params, "inner") != nullptr);
    QVERIFY(find(params, "nonnegative") == nullptr);  // no number

    const Experiment other = with_value(with_run(run), 0, *weight, 0.5);
    QCOMPARE(other.runs[0].prior_params.real("weight"), 0.5);
    QCOMPARE(with_value(with_run(run), 0, *find(params, "inner"), 6.6)
                 .runs[0]
                 .solver_params.integer("inner"),
             std::int64_t{7});
    // Where the weight is found automatically, it has no effect, and the sharpness has.
    const auto keys = [&] { return sweep_params(with_run(run), 0, nullptr, workshop.catalog); };
    QVERIFY(find(keys(), "sharpness") == nullptr);
    run.prior_params.set("scale", std::string("automatic"));
    const auto automatic = keys();
    QVERIFY(find(automatic, "weight") == nullptr && find(automatic, "sharpness") != nullptr);
    run.solver = "sirt";
    run.prior_params = {};
    QVERIFY(find(keys(), "weight") == nullptr);
  }

  void valuesCoverTheRange() {
    const auto equal = sweep_values(1, 3, 5, false), ratios = sweep_values(0.01, 100, 5, true);
    QCOMPARE(equal, (std::vector<double>{1, 1.5, 2, 2.5, 3}));
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_NEAR(std::log10(ratios[i]), static_cast<double>(i) - 2, 1e-12);
    QCOMPARE(sweep_values(0.001, 1.999, 9, false)[2], 0.5005);  // not 0.50050000000000006
    // Neighbours stay apart, however narrow the range is.
    QCOMPARE(sweep_values(1023, 1024, 5, false),
             (std::vector<double>{1023, 1023.25, 1023.5, 1023.75, 1024}));
    const auto near = sweep_values(1000, 1001, 9, true);
    for (std::size_t i = 0; i < near.size(); ++i)
      EXPECT_NEAR(near[i], 1000 * std::pow(1.001, static_cast<double>(i) / 8), 1e-3);
    EXPECT_THROWS(UsageError, sweep_values(1, 1, 5, false), "the smaller one first");
    EXPECT_THROWS(UsageError, sweep_values(0, 1, 5, true), "above 0");
    EXPECT_THROWS(UsageError, sweep_values(1, 2, 1, false), "two values");
  }

  /// Each point is what a run with that value computes; a value that fails does not end the sweep.
  void everyPointIsARun() {
    Workshop workshop;
    const auto data = small_data(workshop);
    RunSpec run = run_spec("sirt", 4);
    const auto params = sweep_params(with_run(run), 0, nullptr, workshop.catalog);
    const Interrupt interrupt;
    std::vector<SweepPoint> points;
    const auto sweep_it = [&] {
      points.clear();
      sweep(with_run(run), 0, *find(params, "relaxation"), {0.5, 1.5}, run.iterations, data,
            {MetricsSpec{}, workshop.catalog, workshop.backends, interrupt},
            [&](SweepPoint one) { points.push_back(std::move(one)); });
    };
    sweep_it();
    QCOMPARE(points.size(), std::size_t{2});
    for (const SweepPoint& one : points) {
      RunSpec alone = run;
      alone.solver_params.set("relaxation", one.value);
      ReconstructionJob job(alone, data, MetricsSpec{}, workshop.catalog, workshop.backends,
                            nullptr);
      while (!job.finished()) job.advance();
      QVERIFY(one.image == job.solution());
      QVERIFY(one.problem.empty());
      QCOMPARE(one.last().report.iteration, 4);
    }
    run.solver = "cgls";
    run.weights = RayWeights::statistical;  // of data without photons
    sweep_it();
    QCOMPARE(points.size(), std::size_t{2});
    for (const SweepPoint& one : points) QVERIFY(!one.problem.empty() && one.image.empty());
  }

  /// What is set is among the values, in the place of the one nearest to it unless that is an end.
  void thePresentValueIsAmongThem() {
    const auto plain = sweep_values(0, 2, 9, false), held = sweep_values(0, 2, 9, false, 0.4);
    QCOMPARE(plain[2], 0.5);
    QCOMPARE(held[2], 0.4);
    for (const std::size_t i : {0, 1, 3, 8}) QCOMPARE(held[i], plain[i]);
    // The ends stay as they are given.
    QCOMPARE(sweep_values(1, 100, 3, true, 40.0), (std::vector<double>{1, 10, 40, 100}));
    QCOMPARE(sweep_values(0, 2, 3, false, 0.25), (std::vector<double>{0, 0.25, 1, 2}));
    QCOMPARE(sweep_values(0, 2, 3, false, 0.0), (std::vector<double>{0, 1, 2}));
    QCOMPARE(sweep_values(0, 2, 3, false, 2.0), (std::vector<double>{0, 1, 2}));
    QCOMPARE(sweep_values(0, 2, 9, false, 2.5), plain);
  }

  /// The scan's numbers make other data for each value.
  void theScanIsSwept() {
    Workshop workshop;
    Experiment experiment = ready_experiment();
    experiment.geometry->detector_columns = 32;
    experiment.geometry->column_pitch_mm *= 16;
    experiment.geometry->central_column = 15.5;
    experiment.grid = VolumeGrid::centered(32, 32, 1, {8, 8, 8});
    experiment.runs = {run_spec("sirt", 3)};
    Backend& cpu = workshop.backends.resolve(host_key);
    const auto data = prepare_data(experiment, workshop.catalog, cpu);
    const auto params = sweep_params(experiment, 0, data.get(), workshop.catalog);
    const SweepParam* views = find(params, "views");
    QVERIFY(views != nullptr && find(params, "photons") != nullptr);
    QCOMPARE(views->present, 720.0);
    const Interrupt interrupt;
    std::vector<SweepPoint> points;
    std::vector<int> followed;
    sweep(
        experiment, 0, *views, {10, 90}, 3, data,
        {MetricsSpec{}, workshop.catalog, workshop.backends, interrupt},
        [&](SweepPoint one) { points.push_back(std::move(one)); },
        [&](int iteration) { followed.push_back(iteration); });
    QCOMPARE(followed, (std::vector<int>{1, 2, 3, 1, 2, 3}));
    QCOMPARE(points[0].data->geometry->views(), 10);
    QCOMPARE(points[1].data->geometry->views(), 90);
    Experiment alone = experiment;
    set_views(*alone.geometry, first_angle_deg(*alone.geometry), 360, 90);
    const auto of_90 = prepare_data(alone, workshop.catalog, cpu);
    QVERIFY(points[1].data->line_integrals == of_90->line_integrals);
    // A measured scan keeps its views; where its axis is can be tried.
    experiment.source.kind = SourceKind::scan;
    const auto measured = sweep_params(experiment, 0, data.get(), workshop.catalog);
    QVERIFY(find(measured, "views") == nullptr && find(measured, "photons") == nullptr);
    QVERIFY(find(measured, "central_column") != nullptr);
  }

  /// Who reaches a level when, against the histories of the runs computed alone.
  void aRaceEndsAtTheLevel() {
    Workshop workshop;
    const auto data = small_data(workshop);
    Race race{{run_spec("sirt", 30), run_spec("cgls", 30)}, usual(workshop), std::nullopt};
    const Interrupt interrupt;
    const auto results_of = [&] {
      std::vector<TrialResult> results(race.runs.size());
      gantry::race(race, data, {MetricsSpec{}, workshop.catalog, workshop.backends, interrupt},
                   [&](std::size_t i, TrialResult one) { results[i] = std::move(one); });
      return results;
    };
    const auto whole = results_of();
    double best = 1e9;
    for (const TrialResult& one : whole)
      for (const HistoryEntry& entry : one.history) best = std::min(best, entry.metrics.at("rmse"));
    EXPECT_NEAR(*level_of(race, whole), 1.05 * best, 1e-12);

    // A level that SIRT reaches at its 20th iteration.
    race.level = whole[0].history[19].metrics.at("rmse");
    const auto results = results_of();
    QCOMPARE(results[0].history.size(), std::size_t{20});
    QVERIFY(results[1].history.size() < 20 && results[1].progress != nullptr);
    const auto order = arrivals(race.criterion, *race.level, results);
    QCOMPARE(order.size(), std::size_t{2});
    for (const Arrival& arrival : order) {
      QVERIFY(arrival.entry.has_value());
      QCOMPARE(arrival.entry->report.iteration,
               static_cast<int>(results[arrival.run].history.size()));
    }
    race.level = 1e-12;  // that nobody reaches
    const auto nobody = arrivals(race.criterion, *race.level, results_of());
    QCOMPARE(nobody.size(), std::size_t{2});
    for (const Arrival& arrival : nobody) QVERIFY(!arrival.entry);
  }

  void entrantsSuitTheScan() {
    Workshop workshop;
    const auto data = small_data(workshop);
    const auto entrants =
        race_entrants({run_spec("sirt", 5)}, *data->geometry, 40, workshop.catalog);
    QCOMPARE(entrants.front().solver, std::string("sirt"));
    std::vector<std::string> keys;
    for (const RunSpec& run : entrants) {
      QVERIFY(std::ranges::find(keys, run.solver) == keys.end());
      keys.push_back(run.solver);
      QVERIFY(!workshop.catalog.solvers.at(run.solver).traits.is_direct);
    }
    QVERIFY(keys.size() > 4);
  }
};

GANTRY_TEST(TestSweep)
#include "test_sweep.moc"
