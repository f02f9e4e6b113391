// The memory that is stated for a run on a device before it starts is what the run takes there at a
// time, within a tenth.
#include "gpu/base/cuda_backend.hpp"
#include "gpu/catalog_gpu.hpp"
#include "tests/job/job_fixture.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestCudaRunMemory : public QObject {
  Q_OBJECT
  Workshop workshop_;
  CudaBackend* cuda_ = nullptr;
  std::shared_ptr<const ExperimentData> data_;

 private slots:
  void initTestCase() {
    ScanSpec scan = fan_spec(90, 256, 1);
    scan.beam = Beam::cone;
    scan.detector_rows = 192;
    scan.central_row = 95.5;
    auto data = std::make_shared<ExperimentData>();
    data->geometry = share(scan);
    // Beside such an image the tables and groups of views, which have fixed sizes, are small.
    data->grid = VolumeGrid::centered(384, 384, 192, {0.4, 0.4, 0.4});
    data->line_integrals = random_values(data->geometry->rays(), 3, 0.5F, 1.5F);
    data_ = std::move(data);
    add_gpu(workshop_.catalog, workshop_.backends);
    for (const auto& entry : workshop_.backends.entries())
      if (entry.key == "cuda") cuda_ = dynamic_cast<CudaBackend*>(entry.backend->get());
    if (cuda_ == nullptr) QSKIP("no CUDA device");
  }

  void whatIsStatedIsTaken_data() {
    QTest::addColumn<QString>("solver");
    // What is stated for FBP and FDK counts a product in place of their filter, which takes some
    // tens of MB.
    for (const auto* entry : workshop_.catalog.solvers.on("cuda"))
      if (entry->traits.family != SolverFamily::direct)
        QTest::newRow(entry->key.c_str()) << QString::fromStdString(entry->key);
  }
  void whatIsStatedIsTaken() {
    QFETCH(QString, solver);
    RunSpec run = run_spec(solver.toStdString(), 2, "distance_driven");
    run.backend = "cuda";
    cuda_->synchronize();
    const std::size_t before = cuda_->used_bytes();
    cuda_->restart_peak();
    std::size_t stated = 0;
    {
      ReconstructionJob job(run, data_, {}, workshop_.catalog, workshop_.backends, nullptr);
      stated = job.memory().needed_bytes;
      finish(job);
      cuda_->synchronize();
    }
    const double taken = static_cast<double>(cuda_->peak_bytes() - before),
                 share = static_cast<double>(stated) / taken;
    QVERIFY2(share > 0.9 && share < 1.1,
             qPrintable(QStringLiteral("%1 stated, %2 taken").arg(stated).arg(taken)));
  }
};

GANTRY_TEST(TestCudaRunMemory)
#include "test_cuda_run_memory.moc"
