// The memory that is stated for a run before it starts is what the run takes, measured where every
// array and every vector gets its memory.
#include "core/backend/thread_count.hpp"
#include "core/job/run_plan.hpp"
#include "core/metrics/ssim.hpp"
#include "tests/job/counted_heap.hpp"
#include "tests/job/job_fixture.hpp"
#include "tests/support/measured_backend.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

namespace {

/// Methods whose every step is made of whole products. What is stated for others is an upper bound,
/// because a projector needs fewer tables for a part of the views.
const QStringList of_whole_products = {"sirt", "landweber", "cimmino",   "cav",  "drop",
                                       "cgls", "lsqr",      "cg_normal", "mlem", "wls_pcg"};

}  // namespace

class TestRunMemory : public QObject {
  Q_OBJECT

 private slots:
  void whatIsStatedIsTaken_data() {
    QTest::addColumn<QString>("solver");
    Catalog catalog;
    add_core(catalog);
    for (const auto& entry : catalog.solvers.entries()) {
      const QString key = QString::fromStdString(entry.key);
      if (key != "fdk")  // fdk takes cones, which these data are not
        QTest::addRow("%s", entry.key.c_str()) << key;
    }
  }
  void whatIsStatedIsTaken() {
    QFETCH(QString, solver);
    // The scratch of two threads counts only where these overlap, which a busy machine delays.
    const ThreadCount one(1);
    Catalog catalog;
    add_core(catalog);
    BackendList backends;
    backends.add("cpu", std::make_unique<MeasuredBackend>());
    auto data = std::make_shared<ExperimentData>();
    // All rays of a view of a parallel beam cross the same layers: the tables are as large as
    // stated.
    ScanSpec scan = fan_spec(240, 256, 1);
    scan.beam = Beam::parallel;
    data->geometry = share(scan);
    data->grid = VolumeGrid::centered(192, 192, 1, {1, 1, 1});
    data->line_integrals.assign(data->geometry->rays(), 0.5F);
    const RunSpec run = run_spec(solver.toStdString(), 2);
    const std::size_t stated =
        estimate_memory(run, *data->geometry, data->grid, catalog, backends).needed_bytes;
    begin_heap_peak();
    const std::size_t before = heap_held();
    ReconstructionJob job(run, data, {}, catalog, backends, nullptr);
    finish(job);
    const double taken = static_cast<double>(heap_peak() - before),
                 share = taken / static_cast<double>(stated);
    const double least = of_whole_products.contains(solver) ? 0.9 : 0.6;
    QVERIFY2(share > least && share < 1.1,
             qPrintable(QStringLiteral("%1 of %2 bytes").arg(taken).arg(stated)));
  }

  /// An index of the rows for which there was memory would be that of another picture. A task holds
  /// 52 doubles for each column.
  void anIndexWithoutMemoryIsNone() {
    const VolumeGrid grid = VolumeGrid::centered(20000, 12, 1, {1, 1, 1});
    const std::vector<float> x(grid.voxels(), 1), reference(grid.voxels(), 2);
    const ImagePair pair{grid, x, reference, {}, 1};
    QVERIFY(std::isfinite(ssim(pair)));
    const HeapLimit limit(std::size_t{1} << 20U);
    QVERIFY_THROWS_EXCEPTION(std::bad_alloc, ssim(pair));
  }
};

GANTRY_TEST(TestRunMemory)
#include "test_run_memory.moc"
