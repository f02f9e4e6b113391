// Products in parts against whole ones: a sum over slabs is the product, whatever is cut where, and
// no device holds more than it may.
#include "core/base/error.hpp"
#include "core/streaming/stream_plan.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/limited_devices.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <atomic>

using namespace gantry;
using namespace gantry::test;

namespace {

double relative(const std::vector<float>& a, const std::vector<float>& b) {
  double difference = 0, square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (static_cast<double>(a[i]) - b[i]) * (static_cast<double>(a[i]) - b[i]);
    square += static_cast<double>(b[i]) * b[i];
  }
  return square == 0 ? std::sqrt(difference) : std::sqrt(difference / square);
}

/// A cone, 40 rows, wide enough an angle that neighbouring slabs overlap on the detector.
ScanCase tall_cone() {
  ScanSpec cone = fan_spec(24, 40, 4);
  cone.beam = Beam::cone;
  cone.detector_rows = 40;
  cone.central_row = 18.25;
  cone.row_pitch_mm = 4;
  return {"tall cone", share(cone), VolumeGrid::centered(20, 22, 36, {3, 3, 2.5})};
}

}  // namespace

class TestStreamedProjector : public QObject {
  Q_OBJECT
  Catalog catalog_;
  CpuBackend cpu_;
  std::vector<ScanCase> cases_ = scan_cases();

  struct Products {
    std::vector<float> rays, image;
  };
  Products products(const Projector& A) {
    Array y = Array::filled(cpu_, A.range_size(), std::nanf("")),
          x = Array::filled(cpu_, A.domain_size(), std::nanf(""));
    A.forward(Array::from(cpu_, random_values(A.domain_size(), 31)), y);
    A.adjoint(Array::from(cpu_, random_values(A.range_size(), 32)), x);
    return {y.to_host(), x.to_host()};
  }

 private slots:
  void initTestCase() {
    add_core(catalog_);
    for (const ScanCase& c : pose_cases()) cases_.push_back(c);
    cases_.push_back(tall_cone());
  }

  void partsMakeUpTheWhole_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("scan");
    for (const auto* entry : catalog_.projectors.on("cpu"))
      for (std::size_t i = 0; i < cases_.size(); ++i) try {
          catalog_.projectors.make(entry->key, "cpu", cpu_, cases_[i].geometry, cases_[i].grid, {});
          QTest::addRow("%s, %s", entry->key.c_str(), cases_[i].name.c_str())
              << QString::fromStdString(entry->key) << static_cast<int>(i);
        } catch (const UsageError&) {
          // Not for this scan.
        }
  }
  void partsMakeUpTheWhole() {
    QFETCH(QString, key);
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    const auto whole =
        catalog_.projectors.make(key.toStdString(), "cpu", cpu_, c.geometry, c.grid, {});
    const Products expected = products(*whole);
    LimitedDevices workers;
    // From tight to roomy: other slabs, other tiles.
    auto streamed = make_with_least_memory(workers, cpu_, c.geometry, c.grid,
                                           make_hosted(catalog_, key.toStdString()));
    for (int i = 0; i < 2; ++i) {
      QCOMPARE(streamed->matched(), whole->matched());
      const Products found = products(*streamed);
      // Siddon's rays round where they leave a pixel, from another origin in each slab.
      const double tolerance = std::max(1e-5, 2 * streamed->rounding());
      const double rays = relative(found.rays, expected.rays),
                   image = relative(found.image, expected.image);
      QVERIFY2(rays <= tolerance && image <= tolerance,
               qPrintable(QStringLiteral("off by %1 and %2: %3")
                              .arg(rays)
                              .arg(image)
                              .arg(QString::fromStdString(streamed->note()))));
      QVERIFY(workers.peak_bytes() <= workers.workers.front()->limit_bytes);
      workers.limit(workers.workers.front()->limit_bytes * 5);
      streamed = make_streamed_projector(cpu_, c.geometry, c.grid, workers.devices(),
                                         make_hosted(catalog_, key.toStdString()));
    }
  }

  void theLanesDoNotChangeANumber() {
    const ScanCase c = tall_cone();
    std::vector<Products> found;
    for (const std::size_t count : {1, 2, 5}) {
      LimitedDevices workers(count);
      workers.limit(60000);
      const auto A = make_streamed_projector(cpu_, c.geometry, c.grid, workers.devices(),
                                             make_hosted(catalog_, "distance_driven"));
      found.push_back(products(*A));
      found.push_back(products(*A));
    }
    for (std::size_t i = 0; i < found.size(); i += 2) {
      QCOMPARE(found[i].rays, found[i + 1].rays);
      QCOMPARE(found[i].image, found[i + 1].image);
    }
  }

  /// A device that is told to hold 1/10 of the run holds that, and says so before.
  void whatIsPromisedIsKept() {
    const ScanCase c = tall_cone();
    LimitedDevices workers;
    const std::size_t whole = (c.grid.voxels() + c.geometry->rays()) * sizeof(float);
    workers.limit(whole / 10);
    const auto A = make_streamed_projector(cpu_, c.geometry, c.grid, workers.devices(),
                                           make_hosted(catalog_, "joseph"));
    const MemoryNeed promised = A->helpers().front();
    QVERIFY(promised.fits());
    QCOMPARE(promised.free_bytes, 2 * (whole / 10));
    products(*A);
    QVERIFY(workers.peak_bytes() <= promised.needed_bytes / 2);
    QVERIFY(workers.peak_bytes() >= promised.needed_bytes / 4);  // and is no idle number
    QVERIFY2(A->note().find("are streamed from the host through measured") != std::string::npos,
             A->note().c_str());
    for (const auto& worker : workers.workers) QCOMPARE(worker->held_bytes(), std::size_t{0});
  }

  void tooLittleMemoryIsSaid() {
    const ScanCase c = tall_cone();
    LimitedDevices workers;
    workers.limit(1000);
    EXPECT_THROWS(OutOfMemory,
                  make_streamed_projector(cpu_, c.geometry, c.grid, workers.devices(),
                                          make_hosted(catalog_, "siddon")),
                  "the smallest part of this run that can pass through a device needs");
  }

  /// What moves is near the floor of V + D each way, where a tenth of a parallel problem fits:
  /// bands and slabs correspond there but for the margins.
  void bandsOfRowsMoveLittleMoreThanTheFloor() {
    ScanSpec stack = fan_spec(1000, 1500, 2);
    stack.beam = Beam::parallel;
    stack.detector_rows = 1024;
    stack.central_row = 511.5;
    const VolumeGrid grid = VolumeGrid::centered(1000, 1000, 1024, {2, 2, 2});
    stack.row_pitch_mm = 2;
    const ScanGeometry geometry(stack);
    const double floor = 4.0 * static_cast<double>(grid.voxels() + geometry.rays());
    const StreamPlan plan = plan_stream(
        geometry, grid, 2, static_cast<std::size_t>(floor / 10),
        [](std::shared_ptr<const ScanGeometry>, const VolumeGrid&) { return std::size_t{0}; });
    for (const StreamCut& cut : {plan.forward, plan.transpose}) {
      QVERIFY(cut.moved_bytes >= floor);
      QVERIFY2(cut.moved_bytes <= 1.5 * floor,
               qPrintable(QString::number(cut.moved_bytes / floor)));
      QVERIFY(cut.worker_bytes <= static_cast<std::size_t>(floor / 10));
    }
  }

  void aFailureOnALaneIsThrownOnce() {
    const ScanCase c = tall_cone();
    LimitedDevices workers;
    workers.limit(60000);
    auto broken = std::make_shared<std::atomic<bool>>(false);
    const MakePart good = make_hosted(catalog_, "siddon");
    const auto A = make_streamed_projector(
        cpu_, c.geometry, c.grid, workers.devices(),
        [&](Backend& worker, std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid) {
          if (*broken) throw Error("the device fell silent");
          return good(worker, std::move(geometry), grid);
        });
    *broken = true;
    Array y(cpu_, A->range_size());
    const Array x = Array::filled(cpu_, A->domain_size(), 1);
    EXPECT_THROWS(Error, A->forward(x, y), "the device fell silent");
    *broken = false;
    A->forward(x, y);
    for (const auto& worker : workers.workers) QCOMPARE(worker->held_bytes(), std::size_t{0});
  }
};

GANTRY_TEST(TestStreamedProjector)
#include "test_streamed_projector.moc"
