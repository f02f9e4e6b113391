// FBP and FDK on a CUDA device against the CPU's, on every scan that they take.
#include "tests/gpu/cuda_twin.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestCudaFbp : public QObject {
  Q_OBJECT

  CudaTwins twins_;
  std::vector<ScanCase> cases_;

  std::vector<float> solve(const std::string& solver, const std::string& backend,
                           const Projector& A, const std::vector<float>& rays) {
    Params params;
    params.set("window", std::string("hann"));
    params.set("cutoff", 0.8);
    const auto method = twins_.bench.catalog.solvers.make(solver, backend, params);
    const Array b = Array::from(A.backend(), rays);
    method->init({&A, &b, nullptr, nullptr});
    method->step();
    return method->solution().to_host();
  }

 private slots:
  void initTestCase() {
    if (!twins_.bench.absent.empty()) QSKIP(twins_.bench.absent.c_str());
    for (ScanCase& c : scan_cases())
      if (c.geometry->spec().trajectory == Trajectory::circular) cases_.push_back(std::move(c));
    for (const Beam beam : {Beam::parallel, Beam::fan, Beam::cone}) {
      ScanSpec gap = fan_spec(80, 48, 3);
      gap.beam = beam;
      if (beam == Beam::cone) gap.detector_rows = 8;
      gap.view_angles_rad = angles_from_degrees(0, 3, 80);
      gap.view_angles_rad.erase(gap.view_angles_rad.begin() + 20, gap.view_angles_rad.begin() + 27);
      cases_.push_back({"a gap filled with interpolated views, " + std::to_string(cases_.size()),
                        share(gap),
                        VolumeGrid::centered(32, 32, beam == Beam::cone ? 6 : 1, {2, 2, 2})});
    }
  }
  void agreesWithTheCpu_data() { add_scan_rows(cases_); }
  void agreesWithTheCpu() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    const std::string solver = c.geometry->beam() == Beam::cone ? "fdk" : "fbp";
    const auto A = twins_.on_cpu("siddon", c), B = twins_.on_device("siddon", c);
    const auto rays = random_values(A->range_size(), 31);
    const auto expected = solve(solver, "cpu", *A, rays), found = solve(solver, "cuda", *B, rays);
    // Where no ray passes there are only the filter's tails, far smaller than the views they are
    // of, whose rounding they carry.
    EXPECT_NEAR(relative_rms(found, expected), 0, c.name == "every ray misses" ? 1e-4 : 1e-5);
  }
};

GANTRY_TEST(TestCudaFbp)
#include "test_cuda_fbp.moc"
