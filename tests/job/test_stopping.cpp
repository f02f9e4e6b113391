// When a run ends by itself: at a small update, a small residual, or the level of the noise.
#include "core/base/error.hpp"
#include "tests/job/job_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestStopping : public QObject {
  Q_OBJECT
  Workshop workshop_;
  std::shared_ptr<const ExperimentData> data_ = small_data(workshop_);

  ReconstructionJob job(const RunSpec& spec) const {
    return {spec, data_, {}, workshop_.catalog, workshop_.backends, nullptr};
  }

 private slots:
  void aStopRuleEndsARun() {
    RunSpec spec = run_spec("sirt", 1000);
    spec.relative_update = 1e-2;
    ReconstructionJob run = job(spec);
    const auto last = finish(run).back();
    QVERIFY(run.reason() == StopReason::converged && run.iterations() < 1000);
    QVERIFY(last.report.update_norm <= 1e-2 * norm(run.solution()) * (1 + 1e-6));
  }

  /// ||A x - b|| of the image that is left, whatever the method reports on its way.
  void aRunEndsAtTheNoise_data() {
    QTest::addColumn<QString>("solver");
    for (const char* key : {"sirt", "sart", "os_sart", "cgls", "mlem", "osem", "fista"})
      QTest::newRow(key) << key;
  }
  void aRunEndsAtTheNoise() {
    QFETCH(QString, solver);
    auto noisy = std::make_shared<ExperimentData>(*data_);
    const std::vector<float>& b = data_->line_integrals;
    const double norm_b = norm(b);
    noisy->noise_norm = 0.05 * norm_b;
    RunSpec spec = run_spec(solver.toStdString(), 500);
    spec.discrepancy = 1.02;
    ReconstructionJob run(spec, noisy, {}, workshop_.catalog, workshop_.backends, nullptr);
    std::vector<double> residuals;
    while (!run.finished())
      if (const auto entry = run.advance()) {
        residuals.push_back(distance(product(workshop_, *data_, run.solution()), b));
        EXPECT_NEAR(entry->exact_residual, residuals.back(), 1e-4 * norm_b);
      }
    QCOMPARE(run.reason(), StopReason::noise_level);
    QVERIFY(residuals.back() <= 1.0201 * noisy->noise_norm);
    residuals.pop_back();  // and of no image before it
    for (const double residual : residuals) QVERIFY(residual > 1.0199 * noisy->noise_norm);
    // The same level, as a share of the data.
    spec.discrepancy = 0;
    spec.relative_residual = 1.02 * 0.05;
    ReconstructionJob twin(spec, data_, {}, workshop_.catalog, workshop_.backends, nullptr);
    finish(twin);
    QCOMPARE(twin.reason(), StopReason::fitted);
    QCOMPARE(twin.iterations(), run.iterations());
  }

  /// A method reports an objective if, and only if, its description says so.
  void methodsReportAnObjectiveAsTheySay_data() {
    QTest::addColumn<QString>("solver");
    for (const auto& entry : workshop_.catalog.solvers.entries())
      if (entry.key != "fdk")
        QTest::addRow("%s", entry.key.c_str()) << QString::fromStdString(entry.key);
  }
  void methodsReportAnObjectiveAsTheySay() {
    QFETCH(QString, solver);
    RunSpec spec = run_spec(solver.toStdString(), 2);
    const SolverTraits& traits = workshop_.catalog.solvers.at(spec.solver).traits;
    ReconstructionJob run = job(spec);
    QCOMPARE(std::isfinite(finish(run).back().report.objective.total()), traits.reports_objective);
    spec.relative_objective = 1e-9;
    if (!traits.has_objective()) {
      try {
        job(spec);
        QFAIL("the run was accepted");
      } catch (const UsageError& error) {
        const std::string words = error.what();
        QVERIFY2(words.find("reports no objective; stop at the update") != std::string::npos,
                 words.c_str());
        const std::string others = words.substr(words.find("a solver that does: "));
        QVERIFY2(others.find("cgls") != std::string::npos, words.c_str());
        QVERIFY2(others.find(spec.solver) == std::string::npos, words.c_str());
      }
      return;
    }
    ReconstructionJob by_rule = job(spec);
    const Objective last = finish(by_rule).back().report.objective;
    QVERIFY(std::isfinite(last.total()));
    if (!traits.objective_takes_residual) return;
    const double square = std::pow(
        distance(product(workshop_, *data_, by_rule.solution()), data_->line_integrals), 2);
    EXPECT_NEAR(last.data, 0.5 * square, 1e-4 * square);
  }

  /// Methods whose every step uses all rays report the residual of the image before the iteration,
  /// not a sum over the steps.
  void theResidualOfAnIterationIsThatOfItsStart_data() {
    QTest::addColumn<QString>("solver");
    for (const char* key : {"sirt", "cgls", "wls_pcg", "icd", "supervoxel_icd"})
      QTest::newRow(key) << key;
  }
  void theResidualOfAnIterationIsThatOfItsStart() {
    QFETCH(QString, solver);
    ReconstructionJob run = job(run_spec(solver.toStdString(), 3));
    std::vector<float> before;
    while (!run.finished()) {
      const std::optional<HistoryEntry> entry = run.advance();
      if (!entry) continue;
      if (!before.empty()) {
        const double expected = distance(product(workshop_, *data_, before), data_->line_integrals);
        EXPECT_NEAR(entry->report.residual_norm, expected, 1e-4 * expected);
      }
      before = run.solution();
    }
  }

  void unknownNoiseIsNoLevelToStopAt() {
    RunSpec spec = run_spec("sirt", 5);
    spec.discrepancy = 1.02;
    EXPECT_THROWS(UsageError, job(spec), "noise of these data is not known");
  }

  void aRuleOnTheResidualIsCounted_data() {
    QTest::addColumn<QString>("solver");
    QTest::addColumn<bool>("of_objective");
    QTest::addColumn<int>("measurements");
    QTest::newRow("residual") << QString("sirt") << false << 5;
    QTest::newRow("objective") << QString("landweber") << true << 6;  // also before the first
    QTest::newRow("objective that is known") << QString("lsqr") << true << 0;
  }
  void aRuleOnTheResidualIsCounted() {  // its product and its memory
    QFETCH(QString, solver);
    QFETCH(bool, of_objective);
    QFETCH(int, measurements);
    RunSpec plain = run_spec(solver.toStdString(), 5), ruled = plain;
    (of_objective ? ruled.relative_objective : ruled.relative_residual) = 1e-9;
    const auto products = [&](const RunSpec& spec) {
      ReconstructionJob run = job(spec);
      return finish(run).back().report.applications;
    };
    EXPECT_NEAR(products(ruled), products(plain) + measurements, 1e-9);
    const auto needed = [&](const RunSpec& spec) {
      return estimate_memory(spec, *data_->geometry, data_->grid, workshop_.catalog,
                             workshop_.backends)
          .needed_bytes;
    };
    const std::size_t ray_vectors = measurements > 0 ? 1 : 0;
    QCOMPARE(needed(ruled),
             needed(plain) + ray_vectors * sizeof(float) * data_->line_integrals.size());
  }

  void aMethodSaysWhatItMadeOfTheData() {
    ReconstructionJob run = job(run_spec("mlem", 2));
    QVERIFY(run.notes().empty());
    finish(run);
    QCOMPARE(run.notes().size(), std::size_t{1});  // small_data has noise about zero
  }
};

GANTRY_TEST(TestStopping)
#include "test_stopping.moc"
