// FBP and FDK on a CUDA device against the CPU's, on every scan that they take.
#include "tests/gpu/cuda_twin.hpp"

using namespace gantry;
using namespace gantry::test;

class TestCudaFbp : public QObject {
  Q_OBJECT

  CudaTwin twin_{"siddon"};

  static std::vector<float> solve(Catalog& catalog, const std::string& solver,
                                  const std::string& backend, const Projector& A,
                                  const std::vector<float>& rays) {
    Params params;
    params.set("window", std::string("hann"));
    params.set("cutoff", 0.8);
    const auto method = catalog.solvers.make(solver, backend, params);
    const Array b = Array::from(A.backend(), rays);
    method->init({&A, &b, nullptr, nullptr});
    method->step();
    return method->solution().to_host();
  }

 private slots:
  void initTestCase() {
    if (twin_.device() == nullptr) QSKIP("no CUDA device");
  }
  void agreesWithTheCpu_data() { add_scan_rows(twin_.cases); }
  void agreesWithTheCpu() {
    QFETCH(int, scan);
    const ScanCase& c = twin_.cases[static_cast<std::size_t>(scan)];
    if (c.geometry->spec().trajectory != Trajectory::circular) return;
    const std::string solver = c.geometry->beam() == Beam::cone ? "fdk" : "fbp";
    const auto A = twin_.on_cpu(c), B = twin_.on_device(c);
    const auto rays = random_values(A->range_size(), 31);
    const auto expected = solve(twin_.catalog, solver, "cpu", *A, rays),
               found = solve(twin_.catalog, solver, "cuda", *B, rays);
    const double off = relative_rms(found, expected);
    // Where no ray passes there are only the filter's tails, far smaller than the views they are of,
    // whose rounding they carry.
    const double allowed = c.name == "every ray misses" ? 1e-4 : 1e-5;
    QVERIFY2(off <= allowed, qPrintable(QString::number(off)));
  }
};

QTEST_APPLESS_MAIN(TestCudaFbp)
#include "test_cuda_fbp.moc"
