// Runs that start from a reconstruction on larger voxels.
#include "core/base/error.hpp"
#include "core/data/resample.hpp"
#include "core/geometry/coarsening.hpp"
#include "core/job/checkpoint.hpp"
#include "core/job/coarse_start.hpp"
#include "tests/job/job_bench.hpp"
#include "tests/job/second_device.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/interrupt_at_check.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

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

/// Siddon, whose products wait on grids other than that of the data.
class WaitingProjector final : public Projector {
 public:
  static constexpr double wait_s = 0.03;

  WaitingProjector(const Catalog& catalog, Backend& backend,
                   std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid,
                   const ExperimentData& data)
      : Projector(backend, geometry, grid),
        waits_(!(grid == data.grid)),
        inner_(catalog.projectors.make("siddon", "cpu", backend, std::move(geometry), grid, {})) {}

 private:
  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    wait();
    inner_->forward(x, y, subset);
  }
  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    wait();
    inner_->adjoint(y, x, subset);
  }
  void wait() const {
    if (waits_) std::this_thread::sleep_for(std::chrono::duration<double>(wait_s));
  }

  bool waits_;
  std::unique_ptr<Projector> inner_;
};

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

  /// The products on larger voxels wait; the run's time must hold all these waits.
  void itsTimeCounts() {
    workshop_.catalog.projectors.add(
        {.key = "waiting", .label = "Waiting"}, "cpu",
        [this](Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
               const VolumeGrid& grid, const Params&) -> std::unique_ptr<Projector> {
          return std::make_unique<WaitingProjector>(workshop_.catalog, backend, std::move(geometry),
                                                    grid, *data_);
        });
    ReconstructionJob run = job(coarse(run_spec("sirt", 1, "waiting"), 1, 3));
    const double waited_s = 6 * WaitingProjector::wait_s;  // two products an iteration
    QVERIFY(finish(run).back().report.seconds >= waited_s);
  }

  /// A device without memory for the coarser run: all of the run is computed on the CPU.
  void aDeviceThatRunsOutOfMemoryIsLeft() {
    Workshop shop;
    MeasuredBackend& device = add_device(shop);
    device.limit_bytes = 1000;
    device.taken_by_others = std::size_t{1} << 30;
    RunSpec spec = coarse(run_spec("sirt", 2), 2);
    spec.backend = "auto";
    ReconstructionJob run(spec, data_, {}, shop.catalog, shop.backends, nullptr);
    QCOMPARE(run.device(), std::string("measured"));
    finish(run);
    QCOMPARE(run.memory().backend_key, std::string(host_key));
    spec.backend = host_key;
    ReconstructionJob on_host = job(spec);
    finish(on_host);
    QVERIFY(run.solution() == on_host.solution());
    QCOMPARE(device.held_bytes(), std::size_t{0});
  }

  void itsLabelAndDescriptionSaySo() {
    const RunSpec spec = coarse(run_spec("sart", 5), 2, 7);
    QCOMPARE(run_label(spec, workshop_.catalog), std::string("SART, λ 0.5, from 2 coarser grids"));
    const std::string text = run_description(spec, workshop_.catalog, 5);
    QVERIFY2(text.find(", from 2 coarser grids of 7 iterations each") != std::string::npos,
             text.c_str());
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

  /// A start that was interrupted on any of its grids goes on from a checkpoint to the same bits.
  void aSavedStartGoesOn() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("c").toStdString();
    const RunSpec spec = coarse(run_spec("sart", 2), 2);
    ReconstructionJob calm = job(spec);
    finish(calm);
    std::set<int> made;  // iterations on coarser grids when the run was interrupted
    for (int checks = 1; checks < 1000; ++checks) {
      InterruptAtCheck interrupt;
      ReconstructionJob run = job(spec, {}, &interrupt);
      interrupt.set(checks);
      try {
        while (!run.finished()) run.advance();
        break;
      } catch (const Interrupted&) {
      }
      if (run.iterations() > 0 || run.steps_into_iteration() > 0) break;
      if (!made.insert(run.start_iterations()).second && checks % 5 != 0) continue;
      write_checkpoint(file, {spec, "cpu", run.progress(), {}});
      ReconstructionJob second = job(spec);
      Checkpoint saved = read_checkpoint(file, workshop_.catalog);
      QVERIFY(saved.progress.coarse != nullptr || run.start_iterations() == 0);
      second.resume_from(std::move(saved.progress));
      finish(second);
      QVERIFY(second.solution() == calm.solution());
    }
    QVERIFY2(made.size() >= 3, qPrintable(QString::number(made.size())));
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

  void aCheckpointIsOfTheSameStart() {
    Checkpoint checkpoint;
    checkpoint.run = coarse(run_spec("sirt", 2), 1);
    require_same_run(checkpoint, checkpoint.run, "c");
    for (const RunSpec& other :
         {coarse(checkpoint.run, 0), coarse(checkpoint.run, 2), coarse(checkpoint.run, 1, 4)})
      EXPECT_THROWS(InputError, require_same_run(checkpoint, other, "c"),
                    "coarser grids of the start");
  }

  void aDirectMethodHasNoStart() {
    EXPECT_THROWS(UsageError, job(coarse(run_spec("fbp", 1), 1)), "computes its image directly");
  }

  /// Joining n cells divides the norm of the noise by n: the noise of a mean is smaller by sqrt(n),
  /// and there are n times fewer cells.
  void theNoiseIsThatOfJoinedCells() {
    ExperimentData data = *data_;
    data.noise_norm = 3;
    const auto joined = coarse_data(data);
    const double parts =
        static_cast<double>(data.geometry->rays()) / static_cast<double>(joined->geometry->rays());
    QVERIFY(parts > 1.5);
    EXPECT_NEAR(joined->noise_norm, 3 / parts, 1e-9);
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
