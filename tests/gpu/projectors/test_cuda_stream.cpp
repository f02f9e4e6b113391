// Runs that are larger than what they may take of a GPU: products in parts through the device
// against the CPU's, and what is promised of memory against what is taken.
#include "core/job/reconstruction_job.hpp"
#include "core/job/run_plan.hpp"
#include "tests/gpu/cuda_twin.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Large enough that its vectors, not tables, are what takes memory.
ScanCase middling(Beam beam, DetectorShape shape) {
  ScanSpec spec = fan_spec(90, 160, 1.6);
  spec.beam = beam;
  spec.detector = shape;
  spec.detector_rows = 140;
  spec.row_pitch_mm = 1.6;
  spec.central_row = 66.2;  // of parallel rays, none runs along a face of voxels
  return {"middling", share(spec), VolumeGrid::centered(112, 104, 120, {1, 1, 1})};
}

}  // namespace

class TestCudaStream : public QObject {
  Q_OBJECT
  Catalog catalog_;
  BackendList backends_;
  CudaBackend* cuda_ = nullptr;
  Backend *cpu_ = nullptr, *host_ = nullptr;
  std::vector<ScanCase> cases_ = scan_cases();

  /// With as little of the device as will do.
  std::unique_ptr<Projector> streamed(const std::string& key, const ScanCase& c) {
    for (std::size_t bytes = std::size_t{64} << 10U;; bytes += bytes / 2) {
      cuda_->limit_memory(bytes);
      try {
        return catalog_.projectors.make(key, "cuda-stream", *host_, c.geometry, c.grid, {});
      } catch (const OutOfMemory&) {
        if (bytes > std::size_t{4} << 30U) throw;
      }
    }
  }
  static double off(const Array& found, const Array& expected) {
    return relative_rms(found.to_host(), expected.to_host());
  }

 private slots:
  void initTestCase() {
    add_core(catalog_);
    backends_.add("cpu", std::make_unique<CpuBackend>());
    add_gpu(catalog_, backends_);
    for (const auto& entry : backends_.entries()) {
      if (entry.key == "cpu") cpu_ = entry.backend->get();
      if (entry.key == "cuda") cuda_ = dynamic_cast<CudaBackend*>(entry.backend->get());
      if (entry.key == "cuda-stream") host_ = entry.backend->get();
    }
    if (cuda_ == nullptr) QSKIP("no CUDA device");
    for (const ScanCase& c : pose_cases()) cases_.push_back(c);
    cases_.push_back(middling(Beam::cone, DetectorShape::flat));
    cases_.push_back(middling(Beam::cone, DetectorShape::arc));
    cases_.push_back(middling(Beam::parallel, DetectorShape::flat));
  }
  void cleanup() {
    if (cuda_ != nullptr) cuda_->limit_memory(std::numeric_limits<std::size_t>::max());
  }

  void partsMakeUpTheWhole_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("scan");
    for (const auto* entry : catalog_.projectors.on("cuda")) {
      if (!entry->runs_on("cpu")) continue;
      for (std::size_t i = 0; i < cases_.size(); ++i)
        if (entry->traits_on("cpu").scans.include(*cases_[i].geometry) && !is_ambiguous(cases_[i]))
          QTest::addRow("%s, %s", entry->key.c_str(), cases_[i].name.c_str())
              << QString::fromStdString(entry->key) << static_cast<int>(i);
    }
  }
  void partsMakeUpTheWhole() {
    QFETCH(QString, key);
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    const auto here =
        catalog_.projectors.make(key.toStdString(), "cpu", *cpu_, c.geometry, c.grid, {});
    const auto there = streamed(key.toStdString(), c);
    const auto image = random_values(here->domain_size(), 61),
               rays = random_values(here->range_size(), 62);
    Array Ax(*cpu_, here->range_size()), Aty(*cpu_, here->domain_size());
    Array Bx = Array::filled(*host_, here->range_size(), std::nanf("")),
          Bty = Array::filled(*host_, here->domain_size(), std::nanf(""));
    here->forward(Array::from(*cpu_, image), Ax);
    here->adjoint(Array::from(*cpu_, rays), Aty);
    there->forward(Array::from(*host_, image), Bx);
    there->adjoint(Array::from(*host_, rays), Bty);
    EXPECT_NEAR(off(Bx, Ax), 0, 2e-5);
    EXPECT_NEAR(off(Bty, Aty), 0, 3e-5);
  }

  void autoStreamsWhatTheDeviceMayNotHold() {
    const ScanCase c = middling(Beam::cone, DetectorShape::flat);
    RunSpec run;
    run.solver = "sirt";
    run.projector = "distance_driven";
    run.backend = "auto";
    const auto plan = [&] { return plan_run(run, c.geometry, c.grid, catalog_, backends_); };
    QCOMPARE(plan().backend_key, std::string("cuda"));
    cuda_->limit_memory(plan().needed_bytes / 4);
    const RunPlan chosen = plan();
    QCOMPARE(chosen.backend_key, std::string("cuda-stream"));
    QVERIFY2(chosen.because.find("streamed from the host") != std::string::npos,
             chosen.because.c_str());
  }

  /// What a run takes of the pool is what was said before it started.
  void promisesAreKept_data() {
    QTest::addColumn<QString>("projector");
    QTest::addColumn<QString>("solver");
    const ScanCase c = middling(Beam::cone, DetectorShape::flat);
    for (const auto* projector : catalog_.projectors.on("cuda")) {
      const ProjectorTraits& traits = projector->traits_on("cuda");
      if (!traits.scans.include(*c.geometry)) continue;
      for (const char* solver : {"sirt", "cgls", "os_sart", "mlem", "sart"})
        if (traits.is_exact_pair || !catalog_.solvers.at(solver, "cuda").traits.needs_exact_pair)
          QTest::addRow("%s, %s", projector->key.c_str(), solver)
              << QString::fromStdString(projector->key) << QString(solver);
    }
  }
  void promisesAreKept() {
    QFETCH(QString, projector);
    QFETCH(QString, solver);
    const ScanCase c = middling(Beam::cone, DetectorShape::flat);
    auto data = std::make_shared<ExperimentData>();
    data->geometry = c.geometry;
    data->grid = c.grid;
    data->line_integrals.assign(c.geometry->rays(), 1.0F);
    RunSpec run;
    run.solver = solver.toStdString();
    run.projector = projector.toStdString();
    run.backend = "cuda";
    run.iterations = 2;
    cuda_->synchronize();
    const std::size_t before = cuda_->used_bytes();
    ReconstructionJob job(run, data, {}, catalog_, backends_, nullptr);
    cuda_->restart_peak();
    while (!job.finished()) job.advance();
    cuda_->synchronize();
    const std::size_t taken = cuda_->peak_bytes() - before, promised = job.memory().needed_bytes;
    const QByteArray text =
        QStringLiteral("%1 taken of %2 promised").arg(taken).arg(promised).toLatin1();
    QVERIFY2(taken <= promised + (std::size_t{1} << 20U), text);  // pieces are rounded up
    QVERIFY2(taken >= promised / 2, text);
  }
};

GANTRY_TEST(TestCudaStream)
#include "test_cuda_stream.moc"
