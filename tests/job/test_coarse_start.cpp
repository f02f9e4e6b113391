// Runs that start from a reconstruction on larger voxels.
#include "core/base/error.hpp"
#include "core/data/resample.hpp"
#include "core/geometry/coarsening.hpp"
#include "tests/job/job_bench.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/interrupt_at_check.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Returns the same scan with a grid of 64 x 64 voxels, which can be doubled twice.
std::shared_ptr<const ExperimentData> fine_data(Workshop& workshop) {
  auto data = std::make_shared<ExperimentData>(*small_data(workshop));
  data->grid = VolumeGrid::centered(64, 64, 1, {0.75, 0.75, 3});
  data->reference = nullptr;
  return data;
}

RunSpec coarse(RunSpec run, int levels, int iterations = 3) {
  run.coarse_levels = levels;
  run.coarse_iterations = iterations;
  return run;
}

bool has_note(const ReconstructionJob& job, const std::string& text) {
  return std::ranges::any_of(
      job.notes(), [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

}  // namespace

class TestCoarseStart : public QObject, private JobBench {
  Q_OBJECT

  /// Returns a run on voxels of twice the size.
  ReconstructionJob job_on_double_voxels(const RunSpec& spec) const {
    const ScanSpec& scan = data_->geometry->spec();
    const CellBinning binning = binning_for_double_voxels(scan);
    auto data = std::make_shared<ExperimentData>();
    data->geometry = share(with_binned_cells(scan, binning));
    data->line_integrals = bin_cells(data_->line_integrals, scan, binning);
    data->grid = with_double_voxels(data_->grid, false);
    return {spec, data, {}, workshop_.catalog, workshop_.backends, nullptr};
  }

 private slots:
  void initTestCase() { data_ = fine_data(workshop_); }

  void aRunBeginsFromTheResultOnLargerVoxels_data() {
    QTest::addColumn<QString>("solver");
    QTest::addColumn<int>("levels");
    for (const auto& entry : workshop_.catalog.solvers.entries())
      if (!entry.traits.is_direct)
        QTest::addRow("%s", entry.key.c_str()) << QString::fromStdString(entry.key) << 1;
    QTest::addRow("sirt, two levels") << "sirt" << 2;
  }
  void aRunBeginsFromTheResultOnLargerVoxels() {
    QFETCH(QString, solver);
    QFETCH(int, levels);
    const RunSpec plain = run_spec(solver.toStdString(), 2);
    ReconstructionJob before = job_on_double_voxels(coarse(run_spec(plain.solver, 3), levels - 1));
    const double products = finish(before).back().report.applications / 4;
    RunProgress image;
    image.solver.arrays = {
        resample_volume(before.shared_data()->grid, before.solution(), data_->grid)};
    ReconstructionJob expected = job(plain);
    expected.resume_from(image);
    const auto expected_history = finish(expected);

    ReconstructionJob run = job(coarse(plain, levels));
    const auto history = finish(run);
    QVERIFY(run.solution() == expected.solution());
    QCOMPARE(history.size(), expected_history.size());
    QCOMPARE(history.back().report.iteration, 2);
    EXPECT_NEAR(history.back().report.applications,
                expected_history.back().report.applications + products, 1e-9);
    QVERIFY(has_note(run, "starts from 3 iterations with 32 x 32 voxels"));
    QVERIFY(!has_note(expected, "starts from"));
  }

  void itsTimeCounts() {
    ReconstructionJob run = job(coarse(run_spec("sirt", 1), 1, 400)),
                      plain = job(run_spec("sirt", 1));
    QVERIFY(finish(run).back().report.seconds > 3 * finish(plain).back().report.seconds);
  }

  void anInterruptedStartGoesOn() {
    const RunSpec spec = coarse(run_spec("sart", 2), 2);
    ReconstructionJob calm = job(spec);
    finish(calm);
    InterruptAtCheck interrupt;
    ReconstructionJob run = job(spec, {}, &interrupt);
    int interrupted = 0;
    for (interrupt.set(5); !run.finished();) {
      try {
        run.advance();
      } catch (const Interrupted&) {
        QCOMPARE(run.iterations(), 0);
        ++interrupted;
        interrupt.set(interrupted < 3 ? 5 : 1000000);
      }
    }
    QCOMPARE(interrupted, 3);
    QVERIFY(run.solution() == calm.solution());
  }

  void aResumedRunDoesNotStartAgain() {
    const RunSpec spec = coarse(run_spec("cgls", 4), 1);
    ReconstructionJob whole = job(spec);
    finish(whole);
    RunSpec part = spec;
    part.iterations = 2;
    ReconstructionJob first = job(part);
    finish(first);
    ReconstructionJob second = job(spec);
    second.resume_from(first.progress());
    finish(second);
    QVERIFY(second.solution() == whole.solution());
    QVERIFY(!has_note(second, "starts from"));
  }

  void aDirectMethodHasNoStart() {
    EXPECT_THROWS(UsageError, job(coarse(run_spec("fbp", 1), 1)), "computes its image directly");
  }

  void aSmallGridIsNotDoubled() {
    const auto data = small_data(workshop_);
    ReconstructionJob run(coarse(run_spec("sirt", 2), 3), data, {}, workshop_.catalog,
                          workshop_.backends, nullptr),
        plain(run_spec("sirt", 2), data, {}, workshop_.catalog, workshop_.backends, nullptr);
    finish(run);
    finish(plain);
    QVERIFY(run.solution() == plain.solution());
  }
};

GANTRY_TEST(TestCoarseStart)
#include "test_coarse_start.moc"
