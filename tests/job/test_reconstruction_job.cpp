// One run: what it needs, how it steps, what it measures, and how it ends.
#include "core/base/error.hpp"
#include "tests/job/job_bench.hpp"
#include "tests/job/second_device.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/measured_backend.hpp"
#include "tests/support/test_program.hpp"

#include <chrono>
#include <limits>
#include <stdexcept>
#include <thread>

using namespace gantry;
using namespace gantry::test;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Siddon that fails in its n-th product, on a device for want of memory, and whose pair may be
/// said not to match.
class FragileProjector final : public Projector {
 public:
  FragileProjector(Workshop& workshop, Backend& backend,
                   std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid, int& left,
                   bool matched)
      : Projector(backend, geometry, grid),
        inner_(workshop.catalog.projectors.make("siddon", "cpu", backend, std::move(geometry), grid,
                                                {})),
        left_(left),
        matched_(matched) {}
  bool matched() const override { return matched_; }

 private:
  void wear() const {
    if (--left_ >= 0) return;
    if (backend().kind() != BackendKind::cpu) throw OutOfMemory("a product", 8, 4);
    throw std::runtime_error("the cable is out");
  }
  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    wear();
    inner_->forward(x, y, subset);
  }
  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    wear();
    inner_->adjoint(y, x, subset);
  }

  std::unique_ptr<Projector> inner_;
  int& left_;
  bool matched_;
};

void add_fragile(Workshop& workshop, const std::string& key, int& left, bool matched) {
  workshop.catalog.projectors.add(
      {.key = key, .label = "Fragile"}, "cpu",
      [&workshop, &left, matched](Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                                  const VolumeGrid& grid,
                                  const Params&) -> std::unique_ptr<Projector> {
        return std::make_unique<FragileProjector>(workshop, backend, std::move(geometry), grid,
                                                  left, matched);
      },
      {.is_exact_pair = matched,
       .has_single_weights = false,
       .has_columns = false,
       .has_rows = false});
}

}  // namespace

class TestReconstructionJob : public QObject, private JobBench {
  Q_OBJECT
  int products_left_ = 0;

  static void advance_iterations(ReconstructionJob& job, int count) {
    for (int done = 0; done < count;) done += job.advance() ? 1 : 0;
  }

 private slots:
  void initTestCase() {
    add_fragile(workshop_, "fragile", products_left_, true);
    add_fragile(workshop_, "unmatched", products_left_, false);
    data_ = small_data(workshop_);
  }
  void init() { products_left_ = std::numeric_limits<int>::max(); }

  // ---- Memory

  void theEstimateIsWhatIsHeld_data() { every_solver(); }
  void theEstimateIsWhatIsHeld() {
    QFETCH(QString, solver);
    RunSpec spec = run_spec(solver.toStdString(), 3);
    spec.projector = "distance_driven";  // which works in no memory of its own
    BackendList backends;
    backends.add("cpu", std::make_unique<MeasuredBackend>());
    auto& backend = static_cast<MeasuredBackend&>(backends.resolve("cpu"));
    const MemoryEstimate estimate =
        estimate_memory(spec, *data_->geometry, data_->grid, workshop_.catalog, backends);
    QCOMPARE(estimate.free_bytes, backend.limit_bytes);
    backend.limit_bytes = estimate.needed_bytes;
    ReconstructionJob run(spec, data_, {}, workshop_.catalog, backends, nullptr);
    finish(run);
    QVERIFY(run.iterations() > 0);
    // What is no image and no vector of rays does not lie in arrays of the backend
    // (test_run_memory).
    std::size_t in_arrays = 0;
    for (const MemoryPart& part : estimate.parts)
      if (part.count > 0) in_arrays += part.bytes;
    const auto held = static_cast<double>(backend.peak_bytes());
    const double share = held / static_cast<double>(in_arrays);
    QVERIFY2(share > 0.6, qPrintable(QString::number(share)));
  }

  void aRunThatDoesNotFitIsRefused() {
    BackendList backends;
    backends.add("cpu", std::make_unique<MeasuredBackend>());
    auto& backend = static_cast<MeasuredBackend&>(backends.resolve("cpu"));
    const RunSpec spec = run_spec("sirt", 3);
    const auto needed =
        estimate_memory(spec, *data_->geometry, data_->grid, workshop_.catalog, backends)
            .needed_bytes;
    // At the least the image, its data and what SIRT divides by.
    QVERIFY(needed >= 4 * (2 * data_->grid.voxels() + 2 * data_->geometry->rays()));
    backend.limit_bytes = needed - 1;
    const auto make = [&] {
      ReconstructionJob(spec, data_, {}, workshop_.catalog, backends, nullptr);
    };
    EXPECT_THROWS(OutOfMemory, make(), "this run needs " + format_bytes(needed));
    EXPECT_THROWS(OutOfMemory, make(), "use a smaller grid or fewer views");
    QCOMPARE(backend.held_bytes(), std::size_t{0});
  }

  /// Neither in the products that set a method up, two of SIRT, nor in those of its first step is
  /// anything lost that the CPU could not begin anew. After a step the run ends.
  void aDeviceMayRunOutOfMemoryUntilAStepIsMade() {
    Workshop workshop;
    workshop.backends.add("board", std::make_unique<MeasuredBackend>(BackendKind::cuda));
    int left = 0;
    workshop.catalog.projectors.add_on(
        "board", "siddon",
        [&](Backend& on, std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid,
            const Params&) -> std::unique_ptr<Projector> {
          return std::make_unique<FragileProjector>(workshop, on, std::move(geometry), grid, left,
                                                    true);
        });
    RunSpec spec = run_spec("sirt", 3);
    spec.backend = "cpu";
    const std::vector<float> expected = calm_run(spec, data_, workshop).mu;
    spec.backend = "auto";
    for (left = 0; left < 4;) {
      const int products = left;
      ReconstructionJob run(spec, data_, {}, workshop.catalog, workshop.backends, nullptr);
      QCOMPARE(run.memory().backend_key, std::string("board"));
      finish(run);
      QCOMPARE(run.memory().backend_key, std::string("cpu"));
      QCOMPARE(run.solution(), expected);
      left = products + 1;
    }
    ReconstructionJob run(spec, data_, {}, workshop.catalog, workshop.backends, nullptr);
    EXPECT_THROWS(OutOfMemory, finish(run), "a product needs");
    QCOMPARE(run.iterations(), 1);
  }

  // ---- Method and projector

  void aMethodOfSingleWeightsNamesTheProjectorsThatGiveThem() {
    EXPECT_THROWS(UsageError, job(run_spec("art", 3, "fragile")), "projector");
    EXPECT_THROWS(UsageError, job(run_spec("art", 3, "fragile")), "siddon");
    EXPECT_THROWS(UsageError,
                  estimate_memory(run_spec("art", 3, "fragile"), *data_->geometry, data_->grid,
                                  workshop_.catalog, workshop_.backends),
                  "single weights");
  }

  void theAdmissibleRelaxationIsKnownOnceItRuns() {
    ReconstructionJob run = job(run_spec("landweber", 2));
    QVERIFY(!run.admissible());
    run.advance();
    const auto range = run.admissible();
    QVERIFY(range.has_value());
    EXPECT_NEAR(range->value, 0.5 * range->bound, 1e-9);  // 1 of 2
    QVERIFY(describe(*range).find("converges below") != std::string::npos);
    ReconstructionJob without = job(run_spec("cgls", 2));
    without.advance();
    QVERIFY(!without.admissible());
  }

  // ---- Steps

  void stepsMakeIterations() {
    ReconstructionJob run = job(run_spec("sart", 2));
    QCOMPARE(run.iterations(), 0);
    QVERIFY(!run.finished() && run.reason() == StopReason::none);
    for (int iteration = 1; iteration <= 2; ++iteration) {
      for (int view = 1; view < 12; ++view) {
        QVERIFY(!run.advance());
        QCOMPARE(run.steps_into_iteration(), view);
        QCOMPARE(run.steps_per_iteration(), 12);
        QCOMPARE(run.iterations(), iteration - 1);
      }
      const auto entry = run.advance();
      QVERIFY(entry.has_value());
      QCOMPARE(entry->report.iteration, iteration);
      QCOMPARE(run.steps_into_iteration(), 0);
    }
    QVERIFY(run.finished() && run.reason() == StopReason::iterations);
    QVERIFY(!run.advance());
    QCOMPARE(run.iterations(), 2);
  }

  /// Against numbers taken apart from the run: norms of the data, products made here.
  void numbersAreWhatTheySay() {
    ReconstructionJob run = job(run_spec("sirt", 3), {MaskKind::circle, true});
    const std::vector<HistoryEntry> history = finish(run);
    const std::vector<float> mu = run.solution(), projection = run.projection();
    const std::vector<float>& b = data_->line_integrals;
    EXPECT_NEAR(history[0].report.residual_norm, distance(b, std::vector<float>(b.size())), 1e-4);
    QVERIFY(projection == product(workshop_, *data_, mu));
    EXPECT_NEAR(history[2].exact_residual, distance(b, projection), 1e-5);
    EXPECT_NEAR(history[1].exact_residual, history[2].report.residual_norm, 1e-5);
    const double rmse =
        distance(mu, data_->reference->mu()) / std::sqrt(static_cast<double>(mu.size()));
    EXPECT_NEAR(history[2].metrics.at("rmse"), rmse, 1e-7);
    for (const auto& entry : workshop_.catalog.metrics.entries())
      QCOMPARE(history[2].metrics.contains(entry.key),
               entry.make("any", {})->needs() == MetricNeeds::reference);
  }

  void slicesShowTheEstimate() {
    ReconstructionJob run = job(run_spec("cgls", 2));
    const SliceImage before = run.slice(Axis::axial, 0);
    QCOMPARE(before.values.size(), std::size_t{256});
    QVERIFY(std::ranges::all_of(before.values, [](float v) { return v == 0.0F; }));
    QVERIFY(run.solution() == std::vector<float>(256, 0.0F));
    QVERIFY(run.projection() == std::vector<float>(data_->line_integrals.size(), 0.0F));
    finish(run);
    QVERIFY(run.slice(Axis::axial, 0).values == run.solution());
  }

  void theReferenceCanBeChanged() {
    ReconstructionJob run = job(run_spec("sirt", 3));
    advance_iterations(run, 1);
    run.set_reference(nullptr);
    QVERIFY(run.advance()->metrics.empty());
    ReconstructionJob twin = job(run_spec("sirt", 3));
    finish(twin);
    run.set_reference(make_reference(data_->grid, twin.solution(), "twin"));
    EXPECT_NEAR(run.advance()->metrics.at("rmse"), 0, 0);
  }

  // ---- Measuring

  /// The time of a run does not contain the time that its metrics took.
  void measuringIsOutsideTheClock() {
    double slept = 0;
    Workshop slow;
    slow.catalog.metrics.add({.key = "slow", .label = "Slow"}, "any", [&slept](const Params&) {
      return std::make_unique<Metric>("Slow", "", true, [&slept](const ImagePair&) {
        const auto start = Clock::now();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        slept += seconds_since(start);
        return 0.0;
      });
    });
    const auto data = small_data(slow);
    const auto start = Clock::now();
    ReconstructionJob run(run_spec("sirt", 3), data, {MaskKind::circle, true}, slow.catalog,
                          slow.backends, nullptr);
    const std::vector<HistoryEntry> history = finish(run);
    const double all = seconds_since(start);
    QVERIFY(slept > 0.05);
    QVERIFY(run.seconds() <= all - slept);
    QVERIFY(history.back().report.seconds == run.seconds() && run.seconds() > 0);
  }

  void onADeviceMetricsKeepTheirShare() {
    Workshop workshop;
    add_device(workshop);
    add_slow_metric(workshop.catalog, std::chrono::milliseconds(100));
    const auto data = small_data(workshop);
    const auto measured = [&](const std::string& backend, MeasuringBudget budget) {
      RunSpec run = run_spec("sirt", 6);
      run.backend = backend;
      ReconstructionJob job(run, data, {}, workshop.catalog, workshop.backends, nullptr);
      job.set_measuring_budget(budget);
      std::string which;
      for (const HistoryEntry& entry : finish(job)) {
        [&] { QCOMPARE(entry.metrics.contains("rmse"), entry.is_measured); }();
        [&] { QVERIFY(entry.report.residual_norm > 0); }();
        which += entry.is_measured ? 'x' : '-';
      }
      return which;
    };
    // One measurement takes a hundred milliseconds, the six iterations not nearly fifty seconds.
    QCOMPARE(measured("board", {0.15, 0.001}), std::string("x----x"));
    QCOMPARE(measured("board", {0, 0}), std::string("-----x"));
    QCOMPARE(measured("board", {1e9, 0}), std::string("xxxxxx"));
    QCOMPARE(measured("board", {0, 1e9}), std::string("xxxxxx"));
    QCOMPARE(measured("cpu", {0, 0}), std::string("xxxxxx"));
  }

  void whatWasLeftOutIsMeasuredLater() {
    Workshop workshop;
    add_device(workshop);
    add_slow_metric(workshop.catalog, std::chrono::milliseconds(100));
    const auto data = small_data(workshop);
    RunSpec run = run_spec("sart", 6);
    run.backend = "board";
    ReconstructionJob job(run, data, {}, workshop.catalog, workshop.backends, nullptr);
    job.set_measuring_budget({0.15, 0.001});
    const auto iterate = [&] {
      for (;;)
        if (auto entry = job.advance()) return *entry;
    };
    QVERIFY(iterate().is_measured);
    QVERIFY(!job.measure_last());  // there is nothing left out
    QVERIFY(!iterate().is_measured);
    const auto later = job.measure_last();
    QVERIFY(later && later->is_measured);
    QCOMPARE(later->report.iteration, 2);
    const Calm calm = calm_run(run, data, workshop);
    QVERIFY(later->metrics == calm.history[1].metrics);
    QVERIFY(!job.measure_last());
    QVERIFY(!iterate().is_measured);
    job.advance();  // a view further: the estimate is no longer that of the entry
    QVERIFY(!job.measure_last());
  }

  void exactResidualsAreNoProductsOfTheRun() {
    const RunSpec spec = run_spec("os_sart", 4);
    const Calm plain = calm_run(spec, data_, workshop_);
    const Calm measured = calm_run(spec, data_, workshop_, {MaskKind::circle, true});
    QVERIFY(plain.mu == measured.mu);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(measured.history[i].report.applications, plain.history[i].report.applications,
                  1e-12);
      QVERIFY(std::isnan(plain.history[i].exact_residual));
      QVERIFY(measured.history[i].exact_residual > 0);
    }
  }

  // ---- Failing

  void aFailureLeavesTheEstimate_data() {
    QTest::addColumn<QString>("solver");
    for (const char* solver : {"sirt", "sart", "os_sart", "cgls"}) QTest::newRow(solver) << solver;
  }
  void aFailureLeavesTheEstimate() {
    QFETCH(QString, solver);
    const std::string key = solver.toStdString();
    // The same operator: others may fuse products, and round otherwise.
    const auto calm = [&](int iterations) {
      return calm_run(run_spec(key, iterations, "fragile"), data_, workshop_).mu;
    };
    const auto after_two = calm(2), after_five = calm(5);
    ReconstructionJob run = job(run_spec(key, 5, "fragile"));
    advance_iterations(run, 2);
    products_left_ = 1;
    EXPECT_THROWS(std::runtime_error, while (true) run.advance(), "the cable is out");
    QVERIFY(run.solution() == after_two);
    QCOMPARE(run.iterations(), 2);
    products_left_ = std::numeric_limits<int>::max();  // mended: it can even go on
    finish(run);
    QVERIFY(run.solution() == after_five);
  }

  void aFailureInTheSetUpIsPassedOn() {
    ReconstructionJob run = job(run_spec("sirt", 5, "fragile"));
    products_left_ = 1;
    EXPECT_THROWS(std::runtime_error, run.advance(), "the cable is out");
    QVERIFY(!run.finished());
    QCOMPARE(run.iterations(), 0);
  }

  void choicesThatCannotWorkAreSaid() {
    EXPECT_THROWS(UsageError, job(run_spec("magic", 5)), "use one of sirt, sart");
    EXPECT_THROWS(UsageError, job(run_spec("sirt", 5, "magic")), "use one of distance_driven");
    RunSpec spec = run_spec("sirt", 5);
    spec.backend = "abacus";
    EXPECT_THROWS(UsageError, job(spec), "use one of auto, cpu");
    spec = run_spec("sirt", 5);
    spec.solver_params = {{"relaxation", 2.5}};
    EXPECT_THROWS(UsageError, job(spec), "sirt.relaxation");
    EXPECT_THROWS(UsageError, job(run_spec("cgls", 5, "unmatched")),
                  "unmatched is not one; use one of distance_driven, ");
    EXPECT_THROWS(UsageError, job(run_spec("cgls", 5, "voxel_driven")), "use one of");
  }

  void divergenceEndsARun() {
    auto wild = std::make_shared<ExperimentData>(*data_);
    wild->line_integrals[40] = std::numeric_limits<float>::infinity();
    ReconstructionJob run(run_spec("sirt", 50), wild, {MaskKind::circle, true}, workshop_.catalog,
                          workshop_.backends, nullptr);
    finish(run);
    QVERIFY(run.reason() == StopReason::diverged);
    QCOMPARE(run.iterations(), 1);
  }

  // ---- Words

  void labelsTellRunsApart() {
    RunSpec spec = run_spec("sart", 5);
    QCOMPARE(run_label(spec, workshop_.catalog), std::string("SART, λ 0.5"));
    spec.solver_params = {{"relaxation", 0.25}};
    QCOMPARE(run_label(spec, workshop_.catalog), std::string("SART, λ 0.25"));
    spec.format = "csr";
    QCOMPARE(run_label(spec, workshop_.catalog), std::string("SART, λ 0.25, CSR"));
    spec.format = {};
    spec.name = "mine";
    QCOMPARE(run_label(spec, workshop_.catalog), std::string("mine"));
    const std::string text = run_description(spec, workshop_.catalog, 1);
    for (const char* part : {"SART, 1 iteration,", "relaxation 0.25", "order golden", "Siddon"})
      QVERIFY2(text.find(part) != std::string::npos, text.c_str());
  }
};

GANTRY_TEST(TestReconstructionJob)
#include "test_reconstruction_job.moc"
