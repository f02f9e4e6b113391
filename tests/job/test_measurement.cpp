// Measuring at regions while a run goes on, and rays weighted by their statistics.
#include "core/base/error.hpp"
#include "core/physics/statistical_weights.hpp"
#include "tests/job/job_fixture.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <functional>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Minimises sum w_i (b - A x)_i^2 + mu ||x||^2: the rows scaled by the roots of their weights.
std::vector<double> weighted_least_squares(DenseMatrix a, const std::vector<float>& b,
                                           const std::vector<float>& w, double mu) {
  std::vector<double> scaled(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (double& value : a[i]) value *= std::sqrt(static_cast<double>(w[i]));
    scaled[i] = b[i] * std::sqrt(static_cast<double>(w[i]));
  }
  return least_squares(a, scaled, mu);
}

}  // namespace

class TestMeasurement : public QObject {
  Q_OBJECT
  Workshop workshop_;
  std::shared_ptr<const ExperimentData> data_;

  ReconstructionJob job(const RunSpec& spec, const MetricsSpec& metrics = {}) const {
    return {spec, data_, metrics, workshop_.catalog, workshop_.backends, nullptr};
  }
  static std::vector<HistoryEntry> finish(ReconstructionJob& job) {
    std::vector<HistoryEntry> history;
    while (!job.finished())
      if (auto entry = job.advance()) history.push_back(std::move(*entry));
    return history;
  }

 private slots:
  void init() { data_ = small_data(workshop_); }

  /// The left half of the grid's middle against the right one, taken apart from the run.
  void placesAreMeasuredWithoutAReference() {
    MetricsSpec metrics;
    metrics.regions.roi = Region::box(-24, -24, 0, 24);
    metrics.regions.background = Region::box(0, -24, 24, 24);
    ReconstructionJob run = job(run_spec("sirt", 3), metrics);
    run.set_reference(nullptr);
    const std::vector<HistoryEntry> history = finish(run);
    QCOMPARE(history[2].metrics.size(), std::size_t{1});
    const std::vector<float> mu = run.solution();
    double left = 0, right = 0, squares = 0;
    for (std::size_t i = 0; i < 256; ++i) (i % 16 < 8 ? left : right) += mu[i] / 128;
    for (std::size_t i = 0; i < 256; ++i)
      if (i % 16 >= 8) squares += (mu[i] - right) * (mu[i] - right);
    EXPECT_NEAR(history[2].metrics.at("cnr"), std::abs(left - right) / std::sqrt(squares / 127),
                1e-6);
  }

  void placesCanBeChanged() {
    ReconstructionJob run = job(run_spec("sirt", 4));
    MeasurementRegions regions;
    regions.roi = Region::circle(-6, 0, 10);
    regions.background = Region::circle(6, 0, 8);
    regions.edge = EdgeSegment{0, 0, 1, 0};
    QVERIFY(!run.set_regions(regions));  // nothing is there yet
    const HistoryEntry first = *run.advance();
    QVERIFY(first.metrics.contains("cnr") && first.metrics.contains("rmse"));
    QVERIFY(std::isnan(first.metrics.at("edge_width")));
    QVERIFY(first.problems.at("edge_width").find("too few pixels") != std::string::npos);
    regions.edge.reset();
    regions.roi = Region::circle(-6, 0, 12);
    const auto changed = run.set_regions(regions);
    QVERIFY(changed && changed->report.iteration == 1 && changed->problems.empty());
    QVERIFY(!changed->metrics.contains("edge_width"));
    QVERIFY(changed->metrics.at("cnr") != first.metrics.at("cnr"));
    QVERIFY(changed->metrics.at("rmse") == first.metrics.at("rmse"));
    QVERIFY(run.set_regions({})->metrics.size() + 1 == changed->metrics.size());
    QVERIFY(!run.advance()->metrics.contains("cnr"));
  }

  /// A subset later the estimate is no longer that of the last entry: that says so, and the
  /// iteration under way is measured when it ends.
  void placesDrawnWithinAnIterationAreMeasuredAtItsEnd() {
    ReconstructionJob steps = job(run_spec("sart", 2));
    MeasurementRegions regions;
    regions.roi = Region::circle(-6, 0, 12);
    regions.background = Region::circle(6, 0, 8);
    while (steps.iterations() < 1) steps.advance();
    steps.advance();
    QCOMPARE(steps.steps_into_iteration(), 1);
    const auto waits = steps.set_regions(regions);
    QVERIFY(waits && waits->report.iteration == 1);
    QVERIFY(std::isnan(waits->metrics.at("cnr")) && waits->metrics.contains("rmse"));
    QCOMPARE(waits->problems.at("cnr"),
             std::string("is measured at the end of iteration 2, which is under way"));
    QVERIFY(!waits->metrics.contains("edge_width"));  // there is no line to measure along
    const auto cleared = steps.set_regions({});
    QVERIFY(!cleared->metrics.contains("cnr") && cleared->problems.empty());
    steps.set_regions(regions);
    const std::vector<HistoryEntry> rest = finish(steps);
    QVERIFY(std::isfinite(rest[0].metrics.at("cnr")) && rest[0].problems.empty());
  }

  /// While a step is under way the regions are measured of the iterate before it; while the exact
  /// residual of an iteration is, with that iteration.
  void placesDrawnWithinAStepAreMeasuredOfTheIterateBefore() {
    class Drawing final : public Interrupt {
     public:
      std::function<void()> draw;

     private:
      void run_queued_tasks() const override {
        if (draw) draw();
      }
    };
    Drawing drawing;
    MeasurementRegions regions;
    regions.roi = Region::circle(-6, 0, 12);
    regions.background = Region::circle(6, 0, 8);
    const MetricsSpec exact{MaskKind::circle, true};
    ReconstructionJob run(run_spec("sirt", 3), data_, exact, workshop_.catalog, workshop_.backends,
                          &drawing),
        calm = job(run_spec("sirt", 3));
    calm.set_regions(regions);
    std::vector<double> expected;
    for (const HistoryEntry& entry : finish(calm)) expected.push_back(entry.metrics.at("cnr"));
    run.advance();
    int looks = 0;
    drawing.draw = [&] {
      const auto entry = run.set_regions(regions);
      QVERIFY(entry && entry->report.iteration == 1);
      ++looks;
      if (run.iterations() == 1) QCOMPARE(entry->metrics.at("cnr"), expected[0]);
      if (run.iterations() == 2) QVERIFY(std::isnan(entry->metrics.at("cnr")));
    };
    const auto second = run.advance();
    drawing.draw = {};
    QVERIFY(looks > 2);
    QCOMPARE(second->metrics.at("cnr"), expected[1]);
    QVERIFY(second->problems.empty());
  }

  // ---- Weights of the rays

  /// CGLS with weights, without and with damping, against elimination on its matrix.
  void weightedLeastSquaresIsThatOfItsMatrix() {
    const VolumeGrid grid = VolumeGrid::centered(4, 4, 1, {9, 9, 3});
    const auto A = workshop_.catalog.projectors.make("siddon", "cpu", workshop_.cpu(),
                                                     data_->geometry, grid, {});
    const DenseMatrix dense = dense_matrix(*A);
    const std::vector<float>& b = data_->line_integrals;
    std::vector<float> w = random_values(b.size(), 9, 0.05F, 1.0F), spoilt = b;
    for (std::size_t i = 0; i < w.size(); i += 5) {
      w[i] = 0;
      spoilt[i] = 100;  // what weighs nothing may be anything
    }
    const Array data = Array::from(workshop_.cpu(), spoilt),
                weights = Array::from(workshop_.cpu(), w);
    for (const double mu : {0.0, 500.0}) {
      const std::vector<double> expected = weighted_least_squares(dense, b, w, mu),
                                plain = weighted_least_squares(
                                    dense, b, std::vector<float>(b.size(), 1.0F), mu);
      const auto solver = workshop_.catalog.solvers.make("cgls", "cpu", {{"damping", mu}});
      QVERIFY(solver->traits().uses_ray_weights);
      solver->init({A.get(), &data, nullptr, &weights});
      for (int i = 0; i < 60; ++i) solver->step();
      const std::vector<float> x = solver->solution().to_host();
      double size = 0, apart = 0;
      for (const double value : expected) size = std::max(size, std::abs(value));
      for (std::size_t i = 0; i < 16; ++i) {
        EXPECT_NEAR(x[i], expected[i], 1e-5 * size);
        apart = std::max(apart, std::abs(plain[i] - expected[i]));
      }
      QVERIFY(apart > 1e-3 * size);  // the weights matter
    }
  }

  /// A run asks for weights: they are those of its data, and lower the noise where few photons
  /// came.
  void statisticalWeightsAreThoseOfTheData() {
    auto counted = std::make_shared<ExperimentData>(*data_);
    counted->counting = {500, 20};
    data_ = counted;
    RunSpec spec = run_spec("cgls", 4);
    spec.weights = RayWeights::statistical;
    ReconstructionJob run = job(spec);
    finish(run);
    std::vector<float> w(data_->line_integrals.size());
    statistical_weights(data_->line_integrals, 500, 20, w);
    const auto A = workshop_.catalog.projectors.make("siddon", "cpu", workshop_.cpu(),
                                                     data_->geometry, data_->grid, {});
    const Array b = Array::from(workshop_.cpu(), data_->line_integrals),
                weights = Array::from(workshop_.cpu(), w);
    const auto solver = workshop_.catalog.solvers.make("cgls", "cpu", {});
    solver->init({A.get(), &b, nullptr, &weights});
    for (int i = 0; i < 4; ++i) solver->step();
    QVERIFY(run.solution() == solver->solution().to_host());
    ReconstructionJob plain = job(run_spec("cgls", 4));
    finish(plain);
    QVERIFY(run.solution() != plain.solution());
    QVERIFY(run_description(spec, workshop_.catalog, 4).find("statistical weights") !=
            std::string::npos);
    QVERIFY(
        estimate_memory(spec, *data_->geometry, data_->grid, workshop_.catalog, workshop_.backends)
            .needed_bytes > estimate_memory(run_spec("cgls", 4), *data_->geometry, data_->grid,
                                            workshop_.catalog, workshop_.backends)
                                .needed_bytes);
  }

  /// Where the number of photons is not known, the weights are those of any number of them.
  void weightsNeedNoNumberOfPhotons() {
    RunSpec spec = run_spec("cgls", 3);
    spec.weights = RayWeights::statistical;
    const auto told = [](const ReconstructionJob& run) {
      return std::ranges::count(run.notes(),
                                "the number of photons is not known: rays are weighted by exp(−p)");
    };
    ReconstructionJob unknown = job(spec);
    finish(unknown);
    QCOMPARE(told(unknown), 1);
    auto counted = std::make_shared<ExperimentData>(*data_);
    counted->counting = {1e4, 0};
    data_ = counted;
    ReconstructionJob known = job(spec);
    finish(known);
    QCOMPARE(told(known), 0);
    QVERIFY(known.solution() == unknown.solution());
  }

  void weightsThatCannotBeAreSaid() {
    RunSpec spec = run_spec("cgls", 2);
    spec.weights = RayWeights::statistical;
    spec.solver = "fbp";
    EXPECT_THROWS(UsageError, job(spec),
                  "the solver fbp does not weight rays; use none, or a solver that does: cgls");
    const auto A = workshop_.catalog.projectors.make("siddon", "cpu", workshop_.cpu(),
                                                     data_->geometry, data_->grid, {});
    const Array b = Array::from(workshop_.cpu(), data_->line_integrals);
    const auto cgls = workshop_.catalog.solvers.make("cgls", "cpu", {}),
               fbp = workshop_.catalog.solvers.make("fbp", "cpu", {});
    Array w = Array::filled(workshop_.cpu(), b.size(), 1.0F);
    EXPECT_THROWS(UsageError, fbp->init({A.get(), &b, nullptr, &w}), "does not weight rays");
    std::vector<float> negative(b.size(), 1.0F);
    negative[7] = -1e-6F;
    w = Array::from(workshop_.cpu(), negative);
    EXPECT_THROWS(UsageError, cgls->init({A.get(), &b, nullptr, &w}), "negative");
    negative[7] = std::nanf("");
    w = Array::from(workshop_.cpu(), negative);
    EXPECT_THROWS(UsageError, cgls->init({A.get(), &b, nullptr, &w}), "not finite");
    const Array few = Array::filled(workshop_.cpu(), 3, 1.0F);
    EXPECT_THROWS(ShapeError, cgls->init({A.get(), &b, nullptr, &few}), "3 weights");
  }
};

GANTRY_TEST(TestMeasurement)
#include "test_measurement.moc"
