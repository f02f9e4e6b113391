// Filtered backprojection in parts against the whole: the image is the sum over tiles of rays, and
// no device holds more than it may.
#include "core/base/error.hpp"
#include "core/solvers/direct/streamed_filtered_sum.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/hosted_filtered_sum.hpp"
#include "tests/support/limited_devices.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <limits>

using namespace gantry;
using namespace gantry::test;

namespace {

double relative_rms(const std::vector<float>& a, const std::vector<float>& b) {
  double difference = 0, square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (static_cast<double>(a[i]) - b[i]) * (static_cast<double>(a[i]) - b[i]);
    square += static_cast<double>(b[i]) * b[i];
  }
  return square == 0 ? std::sqrt(difference) : std::sqrt(difference / square);
}

/// Takes six times its rays on the worker, and says so.
class HungrySum final : public FilteredSum {
 public:
  HungrySum(const Projector& projector, FilteringPlan plan)
      : lane_(projector.backend()),
        size_(6 * projector.range_size()),
        inner_(projector, std::move(plan)) {}
  std::size_t workspace_bytes() const override { return size_ * sizeof(float); }

 private:
  void do_compute(const Array& rays, Array& mu) const override {
    const Array own(lane_, size_);
    inner_.compute(rays, mu);
  }

  Backend& lane_;
  std::size_t size_;
  HostedFilteredSum inner_;
};

/// A tall cone-beam scan with an off-centre detector; neighbouring slabs of its volume see
/// overlapping rows of the detector.
ScanCase tall_cone(DetectorShape shape, double span_degrees) {
  ScanSpec cone = fan_spec(48, 40, 4);
  cone.beam = Beam::cone;
  cone.detector = shape;
  cone.detector_rows = 40;
  cone.central_row = 18.25;
  cone.central_column = 17.5;
  cone.row_pitch_mm = 4;
  cone.view_angles_rad = angles_from_degrees(3, span_degrees / 48, 48);
  return {"tall cone, " + std::to_string(static_cast<int>(span_degrees)) + " degrees", share(cone),
          VolumeGrid::centered(20, 22, 36, {3, 3, 2.5})};
}

/// Leaves a gap that is filled with views interpolated between others, which see other rows than
/// those in a corner of the volume.
ScanCase without_some_views(ScanCase c) {
  ScanSpec spec = c.geometry->spec();
  spec.view_angles_rad.erase(spec.view_angles_rad.begin() + 20, spec.view_angles_rad.begin() + 28);
  return {c.name + " with a gap", share(spec), c.grid};
}

}  // namespace

class TestStreamedFilteredSum : public QObject {
  Q_OBJECT
  Catalog catalog_;
  CpuBackend cpu_;
  std::vector<ScanCase> cases_;

  static FilteringPlan plan(const ScanCase& c) {
    return FilteringPlan::of(*c.geometry, InterpolatedViews(*c.geometry), "hann", 0.8);
  }
  static std::unique_ptr<FilteredSum> in_parts(const Projector& streamed, const ScanCase& c) {
    return make_streamed_filtered_sum([](const Projector& part, FilteringPlan of_part) {
      return std::make_unique<HungrySum>(part, std::move(of_part));
    })(streamed, plan(c));
  }
  /// With as little as will do.
  std::unique_ptr<FilteredSum> tightly(LimitedDevices& workers, const ScanCase& c,
                                       std::unique_ptr<Projector>& streamed) {
    streamed =
        make_with_least_memory(workers, cpu_, c.geometry, c.grid, make_hosted(catalog_, "siddon"));
    for (;;) {
      try {
        return in_parts(*streamed, c);
      } catch (const OutOfMemory&) {
        workers.limit(workers.workers.front()->limit_bytes * 3 / 2);
        streamed = make_streamed_projector(cpu_, c.geometry, c.grid, workers.devices(),
                                           make_hosted(catalog_, "siddon"));
      }
    }
  }
  std::vector<float> image_of(const FilteredSum& sum, const ScanCase& c) {
    Array mu = Array::filled(cpu_, c.grid.voxels(), std::nanf(""));
    sum.compute(Array::from(cpu_, random_values(c.geometry->rays(), 51, 0, 2)), mu);
    return mu.to_host();
  }

 private slots:
  void initTestCase() {
    add_core(catalog_);
    for (ScanCase& c : scan_cases())
      if (c.geometry->spec().trajectory == Trajectory::circular) cases_.push_back(std::move(c));
    for (const auto shape : {DetectorShape::flat, DetectorShape::arc})
      for (const double span : {360.0, 235.0}) cases_.push_back(tall_cone(shape, span));
    cases_.push_back(without_some_views(tall_cone(DetectorShape::flat, 235)));
  }

  void partsMakeUpTheWhole_data() {
    QTest::addColumn<int>("scan");
    for (std::size_t i = 0; i < cases_.size(); ++i)
      QTest::addRow("%s, %d", cases_[i].name.c_str(), static_cast<int>(i)) << static_cast<int>(i);
  }
  void partsMakeUpTheWhole() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    const auto A = catalog_.projectors.make("siddon", "cpu", cpu_, c.geometry, c.grid, {});
    const std::vector<float> whole = image_of(*make_cpu_filtered_sum(*A, plan(c)), c);
    LimitedDevices workers;
    std::unique_ptr<Projector> streamed;
    auto sum = tightly(workers, c, streamed);
    for (int i = 0; i < 2; ++i) {
      const double off = relative_rms(image_of(*sum, c), whole);
      QVERIFY2(off <= 2e-6, qPrintable(QString::number(off)));
      QVERIFY(workers.peak_bytes() > 0 &&
              workers.peak_bytes() <= workers.workers.front()->limit_bytes);
      workers.limit(workers.workers.front()->limit_bytes * 5);  // other slabs, other tiles
      sum.reset();
      streamed = make_streamed_projector(cpu_, c.geometry, c.grid, workers.devices(),
                                         make_hosted(catalog_, "siddon"));
      sum = in_parts(*streamed, c);
    }
  }

  void theLanesDoNotChangeANumber() {
    const ScanCase c = tall_cone(DetectorShape::flat, 360);
    std::vector<float> first;
    for (const std::size_t count : {1, 2, 5}) {
      LimitedDevices workers(count);
      workers.limit(120000);
      const auto A = make_streamed_projector(cpu_, c.geometry, c.grid, workers.devices(),
                                             make_hosted(catalog_, "siddon"));
      const std::vector<float> found = image_of(*in_parts(*A, c), c);
      if (first.empty()) first = found;
      // Two workers and five have more slabs than one has.
      QVERIFY(relative_rms(found, first) <= 2e-6);
      QCOMPARE(image_of(*in_parts(*A, c), c), found);
    }
  }

  void tooLittleMemoryIsSaid() {
    const ScanCase c = tall_cone(DetectorShape::flat, 360);
    LimitedDevices workers;
    const auto A =
        make_with_least_memory(workers, cpu_, c.geometry, c.grid, make_hosted(catalog_, "siddon"));
    workers.limit(workers.workers.front()->limit_bytes / 2);
    const FilteredSumMaker enormous = [](const Projector& part, FilteringPlan) {
      struct Enormous final : FilteredSum {
        std::size_t workspace_bytes() const override { return std::size_t{1} << 40U; }
        void do_compute(const Array&, Array&) const override {}
      };
      (void)part;
      return std::make_unique<Enormous>();
    };
    EXPECT_THROWS(OutOfMemory, make_streamed_filtered_sum(enormous)(*A, plan(c)),
                  "the smallest part of this run that can pass through a device needs");
  }
};

GANTRY_TEST(TestStreamedFilteredSum)
#include "test_streamed_filtered_sum.moc"
