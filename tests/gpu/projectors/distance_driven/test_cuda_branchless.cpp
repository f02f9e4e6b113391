// The published branchless variants on a CUDA device against their definition in float64, and
// against the CPU's branchless projector where the two are the same: in the plane and where rays
// keep their height. Texture units interpolate by steps of 1/256, so GPU-BL and GPU-BZ are held to
// little more than their rounding(); run on the host with such steps, the arithmetic of the kernels
// is within 8e-3 of the definition, and that of GPU-DB and GPU-BS within 6e-6.
#include "tests/gpu/cuda_twin.hpp"
#include "tests/gpu/odd_sizes.hpp"
#include "tests/support/dd_reference.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestCudaBranchless : public QObject {
  Q_OBJECT
  CudaTwins twins_;
  std::vector<ScanCase> cases_;

  const ScanCase& scan() {
    QFETCH(int, scan);
    return cases_[static_cast<std::size_t>(scan)];
  }
  /// Each variant, with its mean subtracted too where it can be.
  std::vector<std::unique_ptr<Projector>> variants(const ScanCase& c) {
    std::vector<std::unique_ptr<Projector>> all;
    for (const char* key : {"dd_gpu_bl", "dd_gpu_bz", "dd_gpu_db", "dd_gpu_bs"})
      all.push_back(twins_.on_device(key, c));
    for (const char* key : {"dd_gpu_bl", "dd_gpu_bz"})
      all.push_back(twins_.on_device(key, c, {{"subtract_mean", true}}));
    return all;
  }
  static double tolerance(const Projector& A) { return 4 * A.rounding(); }

 private slots:
  void initTestCase() {
    if (!twins_.bench.absent.empty()) QSKIP(twins_.bench.absent.c_str());
    for (const auto& some : {scan_cases(), odd_sizes()})
      for (const ScanCase& c : some)
        if (twins_.takes(twins_.cpu, "distance_driven_branchless", c)) cases_.push_back(c);
    QVERIFY(cases_.size() > 30);
  }

  void forwardIsTheDefinition_data() { add_scan_rows(cases_); }
  void forwardIsTheDefinition() {
    const ScanGeometry& g = *scan().geometry;
    const std::vector<float> x = random_values(scan().grid.voxels(), 71);
    std::vector<float> expected;
    for (int v = 0; v < g.views(); ++v)
      for (int row = 0; row < g.rows(); ++row)
        for (int column = 0; column < g.columns(); ++column)
          expected.push_back(
              static_cast<float>(ray_sum(scan(), x, v, column, row, Magnified::at_cell)));
    for (const auto& A : variants(scan()))
      EXPECT_NEAR(relative_rms(forward_of(*A, x, A->all()), expected), 0, tolerance(*A));
  }

  void backwardIsTheDefinition_data() { add_scan_rows(cases_); }
  void backwardIsTheDefinition() {
    const VolumeGrid& grid = scan().grid;
    const std::vector<float> y = random_values(scan().geometry->rays(), 72);
    std::vector<float> expected;
    for (int iz = 0; iz < grid.nz; ++iz)
      for (int iy = 0; iy < grid.ny; ++iy)
        for (int ix = 0; ix < grid.nx; ++ix) {
          double sum = 0;
          for (int v = 0; v < scan().geometry->views(); ++v)
            sum += shadow_mean(scan(), y, v, ix, iy, iz);
          expected.push_back(static_cast<float>(sum));
        }
    for (const auto& A : variants(scan()))
      EXPECT_NEAR(relative_rms(adjoint_of(*A, y, A->all()), expected), 0, tolerance(*A));
  }

  void forwardIsThatOfTheCpu_data() { add_scan_rows(cases_); }
  void forwardIsThatOfTheCpu() {
    // Where heights grow with the depth, theirs is taken at the cell and the CPU's at the voxel:
    // 2e-3 between these.
    const double definitions = scan().geometry->beam() == Beam::cone ? 4e-3 : 0;
    const auto twin = twins_.on_cpu("distance_driven_branchless", scan());
    const std::vector<float> x = random_values(twin->domain_size(), 73);
    for (const ViewSubset views : some_subsets(*twin)) {
      const std::vector<float> expected = forward_of(*twin, x, views);
      for (const auto& A : variants(scan()))
        EXPECT_NEAR(relative_rms(forward_of(*A, x, views), expected), 0,
                    tolerance(*A) + definitions);
    }
  }

  void subsetsMakeUpTheBackprojection_data() { add_scan_rows(cases_); }
  void subsetsMakeUpTheBackprojection() {
    const std::vector<float> y = random_values(scan().geometry->rays(), 74);
    for (const auto& A : variants(scan())) {
      const int subsets = std::min(3, A->views());
      std::vector<float> sum(A->domain_size());
      for (int s = 0; s < subsets; ++s) {
        const auto part = adjoint_of(*A, y, ViewSubset::interleaved(s, subsets, A->views()));
        for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += part[j];
      }
      EXPECT_NEAR(relative_rms(sum, adjoint_of(*A, y, A->all())), 0, 2e-6);
    }
  }
};

GANTRY_TEST(TestCudaBranchless)
#include "test_cuda_branchless.moc"
