// Every CUDA projector against the CPU's of the same key: the scans of the contracts, and sizes
// that no block divides.
#include "core/backend/cpu_backend.hpp"
#include "tests/gpu/cuda_device.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Larger than a block, and no multiple of one; one of everything; anisotropic; off the axis.
std::vector<ScanCase> odd_sizes() {
  std::vector<ScanCase> cases;
  const auto add = [&](std::string name, const ScanSpec& spec, const VolumeGrid& grid) {
    cases.push_back({std::move(name), share(spec), grid});
  };
  ScanSpec fan = fan_spec(37, 203, 1.1);
  const VolumeGrid plane = VolumeGrid::centered(129, 67, 1, {1, 1.7, 1});
  add("129 x 67 pixels, 37 views of 203 cells", fan, plane);
  fan.central_column = 61.3;
  add("the same, detector to one side", fan, plane);
  fan.beam = Beam::parallel;
  add("the same, parallel", fan, plane);
  add("one view of 203 cells", fan_spec(1, 203, 1.1), plane);
  add("one column, 131 views", fan_spec(131, 1, 1.1), plane);
  add("a row of 257 pixels", fan_spec(19, 150, 2.1), VolumeGrid::centered(257, 1, 1, {0.9, 5, 1}));
  add("a column of 257 pixels", fan_spec(19, 150, 2.1),
      VolumeGrid::centered(1, 257, 1, {5, 0.9, 1}));
  ScanSpec stack = fan_spec(23, 71, 3);
  stack.detector_rows = 33;
  stack.central_row = 16;
  stack.row_pitch_mm = 2;
  add("33 slices that share their weights", stack, VolumeGrid::centered(45, 51, 33, {2, 2, 2}));
  ScanSpec cone = stack;
  cone.beam = Beam::cone;
  cone.central_row = 13.7;
  VolumeGrid block = VolumeGrid::centered(45, 35, 37, {2.5, 3, 1.3});
  add("cone, 45 x 35 x 37 voxels", cone, block);
  block.origin_mm = block.origin_mm + Vec3{7, -11, 5};
  add("cone, off the axis", cone, block);
  cone.detector = DetectorShape::arc;
  add("cone on an arc, off the axis", cone, block);
  ScanSpec flat_row = cone;
  flat_row.detector_rows = 1;
  flat_row.central_row = 0;
  add("cone of one row", flat_row, block);
  ScanSpec beside = cone;
  beside.central_column = -40;
  add("half of the rays miss", beside, block);
  return cases;
}

double relative_rms(const std::vector<float>& found, const std::vector<float>& expected) {
  double error = 0, scale = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error += std::pow(static_cast<double>(found[i]) - expected[i], 2);
    scale += std::pow(static_cast<double>(expected[i]), 2);
  }
  return scale > 0 ? std::sqrt(error / scale) : std::sqrt(error);
}

}  // namespace

class TestCudaParity : public QObject {
  Q_OBJECT
  ContractBench bench_ = cuda_bench();
  CpuBackend cpu_;
  std::vector<ScanCase> cases_ = scan_cases();
  static constexpr double tolerance = 1e-5;

  std::unique_ptr<Projector> make(const std::string& key, const std::string& backend_key,
                                  Backend& backend, const ScanCase& c) {
    return bench_.catalog.projectors.make(key, backend_key, backend, c.geometry, c.grid, {});
  }
  std::string refusal(const std::string& key, const std::string& backend_key, Backend& backend,
                      const ScanCase& c) {
    try {
      make(key, backend_key, backend, c);
      return {};
    } catch (const UsageError& error) {
      return error.what();
    }
  }

 private slots:
  void initTestCase() {
    if (!bench_.absent.empty()) QSKIP(bench_.absent.c_str());
    for (auto more : {pose_cases(), odd_sizes()})
      cases_.insert(cases_.end(), more.begin(), more.end());
  }

  void productsAreThoseOfTheCpu_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("scan");
    for (const auto* entry : bench_.catalog.projectors.on("cuda"))
      for (std::size_t i = 0; i < cases_.size(); ++i)
        if (bench_.catalog.projectors.has(entry->key, "cpu"))
          QTest::addRow("%s, %s", entry->key.c_str(), cases_[i].name.c_str())
              << QString::fromStdString(entry->key) << static_cast<int>(i);
  }
  void productsAreThoseOfTheCpu() {
    QFETCH(QString, key);
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    Backend& cuda = *bench_.backend;
    const std::string why = refusal(key.toStdString(), "cpu", cpu_, c);
    QCOMPARE(refusal(key.toStdString(), "cuda", cuda, c).empty(), why.empty());
    if (!why.empty()) return;  // no scan for this projector
    const auto here = make(key.toStdString(), "cpu", cpu_, c),
               there = make(key.toStdString(), "cuda", cuda, c);
    QCOMPARE(there->matched(), here->matched());
    // A ray along a plane of the grid may count on either side of it: equal there.
    const bool ambiguous = c.name.find("diagonals") != std::string::npos;
    const float low = ambiguous ? 1.0F : 0.0F;
    const std::vector<float> image = random_values(here->domain_size(), 51, low, 1),
                             rays = random_values(here->range_size(), 52, low, 1);
    const int subsets = here->views() >= 3 ? 3 : 1;
    for (const ViewSubset views :
         {here->all(), ViewSubset::interleaved(subsets - 1, subsets, here->views())}) {
      const auto forward = [&](const Projector& A) {
        Array y = Array::filled(A.backend(), A.range_size(), 0.5F);
        A.forward(Array::from(A.backend(), image), y, views);
        return y.to_host();
      };
      const auto adjoint = [&](const Projector& A) {
        Array x = Array::filled(A.backend(), A.domain_size(), 0.5F);
        A.adjoint(Array::from(A.backend(), rays), x, views);
        return x.to_host();
      };
      EXPECT_NEAR(relative_rms(forward(*there), forward(*here)), 0, tolerance);
      if (ambiguous) continue;  // either neighbour
      EXPECT_NEAR(relative_rms(adjoint(*there), adjoint(*here)), 0, tolerance);
    }
  }
};

QTEST_APPLESS_MAIN(TestCudaParity)
#include "test_cuda_parity.moc"
