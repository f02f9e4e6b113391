// SART and OS-SART over weights stored on a CUDA device, an iteration in one sweep, against the
// CPU's solvers over its stored weights.
#include "core/matrix/matrix_format.hpp"
#include "core/solvers/solver.hpp"
#include "tests/gpu/cuda_twin.hpp"
#include "tests/gpu/odd_sizes.hpp"
#include "tests/gpu/symmetric_scans.hpp"
#include "tests/support/interrupt_at_check.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

namespace {

/// Rays that miss and voxels that no view sees among them; and in space, from the host's rows.
std::vector<ScanCase> sweep_cases() {
  std::vector<ScanCase> cases = planar_of({scan_cases(), odd_sizes()});
  std::erase_if(cases, is_ambiguous);
  ScanSpec cone = fan_spec(9, 21, 4);
  cone.beam = Beam::cone;
  cone.detector_rows = 13;
  cone.central_row = 5.2;
  cone.row_pitch_mm = 3;
  cases.push_back({"cone", share(cone), VolumeGrid::centered(17, 13, 11, {2.5, 3, 2})});
  return cases;
}

/// Slices that share their weights.
ScanCase stack_of_slices() {
  ScanSpec stack = turning(24, 0.5, 61, 2.2);
  stack.detector_rows = 3;
  stack.central_row = 1;
  stack.row_pitch_mm = 1.3;
  return {"stack", share(stack), VolumeGrid::centered(53, 53, 3, {1.3, 1.3, 1.3})};
}

struct FormatCase {
  const char* key;
  Params params;
  bool sweeps = true;
};

const std::vector<FormatCase> formats = {
    {"cusparse", {}},
    {"cusparse", {{"transpose", std::string("op")}}, false},
    {"csr", {}},
    {"block_csr", {}},
    {"ellr_t", {{"threads", std::string("4")}}},
    {"ellr_t_pair", {{"threads", std::string("1")}}},
    {"ellr_t_pair", {{"threads", std::string("8")}}},
    {"sliced_ell", {}},
    {"brc", {}},
    {"csr5", {}},
};

/// Parameters of the symmetric format, and how far its sweep may lie from that of float32.
struct SymmetricCase {
  Params params;
  double tolerance;
};
const std::vector<SymmetricCase> symmetric_formats = {
    {{}, 1e-5},
    {{{"transpose", std::string("colouring")}}, 1e-5},
    {{{"transpose", std::string("atomics")}}, 1e-5},
    {{{"weights", std::string("compact")}}, 5e-3},
};

}  // namespace

class TestCudaSweep : public QObject {
  Q_OBJECT

  CudaTwins twins_;
  std::vector<ScanCase> cases_ = sweep_cases(), symmetric_ = symmetric_cases();

  std::unique_ptr<StoredMatrix> stored(std::unique_ptr<Projector> weights, const char* backend,
                                       const FormatCase& format) {
    return std::make_unique<StoredMatrix>(
        std::move(weights),
        twins_.bench.catalog.matrix_formats.make(format.key, backend, format.params));
  }
  std::unique_ptr<Solver> solver(const char* key, const Params& params) {
    return twins_.bench.catalog.solvers.make(key, "cpu", params);
  }

  /// So many whole iterations; returns the norms of the last, summed over its steps.
  static UpdateNorms iterate(Solver& s, int iterations) {
    UpdateNorms sum;
    for (int i = 0; i < iterations; ++i) {
      sum = {};
      for (int step = 0; step < s.steps_per_iteration(); ++step) {
        const StepReport report = s.step();
        sum.residual_square += report.residual_norm * report.residual_norm;
        sum.update_square += report.update_norm * report.update_norm;
      }
    }
    return sum;
  }

 private slots:
  void initTestCase() {
    if (!twins_.bench.absent.empty()) QSKIP(twins_.bench.absent.c_str());
  }

  /// Four iterations: the third and later ones launch what the second recorded, in another order.
  void sweepsAsTheCpu_data() {
    add_scan_rows(cases_, [](const ScanCase& c) { return c.geometry->views() >= 2; });
  }
  void sweepsAsTheCpu() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    for (const char* projector : {"distance_driven", "siddon"}) {
      const auto A = stored(twins_.on_cpu(projector, c), "cpu", {"csr", {}});
      const auto data = random_values(A->range_size(), 92, -1, 3);
      const Array b = Array::from(twins_.cpu, data), device_b = Array::from(twins_.device(), data);
      const double square = twins_.cpu.dot(b, b);
      for (const auto& [key, subsets] : {std::pair{"sart", A->views()}, {"os_sart", 4}})
        for (const bool nonnegative : {true, false}) {
          if (A->views() < subsets) continue;
          Params params = {
              {"order", std::string("random")}, {"nonnegative", nonnegative}, {"relaxation", 0.8}};
          if (key == std::string("os_sart")) params.set("subsets", std::int64_t{subsets});
          const auto expected = solver(key, params);
          expected->init({A.get(), &b, nullptr});
          const UpdateNorms norms = iterate(*expected, 4);
          for (const FormatCase& format : formats) {
            const auto B = stored(twins_.on_device(projector, c), "cuda", format);
            const auto found = solver(key, params);
            found->init({B.get(), &device_b, nullptr});
            QCOMPARE(found->steps_per_iteration(), format.sweeps ? 1 : subsets);
            const UpdateNorms of_device = iterate(*found, 4);
            const double error =
                relative_rms(found->solution().to_host(), expected->solution().host());
            QVERIFY2(
                error <= 1e-5,
                qPrintable(QString("%1 %2 %3: %4").arg(projector, key, format.key).arg(error)));
            EXPECT_NEAR(of_device.residual_square, norms.residual_square,
                        1e-4 * norms.residual_square + 1e-8 * square);
            EXPECT_NEAR(of_device.update_square, norms.update_square,
                        1e-3 * norms.update_square + 1e-9);
          }
        }
    }
  }

  /// View after view over the stored stored views: SART, and the parallel ART, whose steps have no
  /// column sums. Whole subsets, which it takes one after the other.
  void sweepsOverTheStoredViews_data() { add_scan_rows(symmetric_); }
  void sweepsOverTheStoredViews() {
    QFETCH(int, scan);
    const ScanCase& c = symmetric_[static_cast<std::size_t>(scan)];
    const auto A = stored(twins_.on_cpu("distance_driven", c), "cpu", {"csr", {}});
    const auto data = random_values(A->range_size(), 96, -1, 3);
    const Array b = Array::from(twins_.cpu, data), device_b = Array::from(twins_.device(), data);
    for (const auto& [key, subsets] :
         {std::pair{"sart", A->views()}, {"parallel_art", A->views()}, {"os_sart", 4}}) {
      Params params = {{"order", std::string("random")}, {"relaxation", 0.8}};
      if (key == std::string("os_sart")) params.set("subsets", std::int64_t{subsets});
      const auto expected = solver(key, params);
      expected->init({A.get(), &b, nullptr});
      const UpdateNorms norms = iterate(*expected, 4);
      for (const auto& [format, tolerance] : symmetric_formats) {
        const auto B = stored(twins_.on_device("distance_driven", c), "cuda", {"scsr", format});
        std::vector<std::vector<float>> images;
        for (int time = 0; time < 2; ++time) {
          const auto found = solver(key, params);
          found->init({B.get(), &device_b, nullptr});
          QCOMPARE(found->steps_per_iteration(), key == std::string("os_sart") ? subsets : 1);
          const UpdateNorms of_device = iterate(*found, 4);
          images.push_back(found->solution().to_host());
          const double error = relative_rms(images.back(), expected->solution().host());
          QVERIFY2(error <= tolerance, qPrintable(QString("%1: %2").arg(key).arg(error)));
          EXPECT_NEAR(of_device.residual_square, norms.residual_square,
                      20 * tolerance * norms.residual_square);
          EXPECT_NEAR(of_device.update_square, norms.update_square,
                      200 * tolerance * norms.update_square);
        }
        if (B->repeatable()) QVERIFY(images[0] == images[1]);
      }
    }
  }

  /// Slice after slice, against all rows of all slices on the CPU.
  void sweepsAStack() {
    const ScanCase c = stack_of_slices();
    const auto A = stored(twins_.on_cpu("area_integral", c), "cpu", {"csr", {}});
    const auto data = random_values(A->range_size(), 97, -1, 3);
    const Array b = Array::from(twins_.cpu, data), device_b = Array::from(twins_.device(), data);
    for (const auto& [key, subsets] : {std::pair{"sart", A->views()}, {"os_sart", 4}}) {
      Params params = {{"order", std::string("random")}, {"relaxation", 0.8}};
      if (key == std::string("os_sart")) params.set("subsets", std::int64_t{subsets});
      const auto expected = solver(key, params);
      expected->init({A.get(), &b, nullptr});
      const UpdateNorms norms = iterate(*expected, 4);
      for (const FormatCase& format : {FormatCase{"csr", {}},
                                       {"scsr", {}},
                                       {"ellr_t_pair", {{"threads", std::string("8")}}}}) {
        const auto B = stored(twins_.on_device("area_integral", c), "cuda", format);
        const auto found = solver(key, params);
        found->init({B.get(), &device_b, nullptr});
        QVERIFY(B->storage().stored < B->storage().nonzeros);     // of one slice
        const bool by_views = std::string(format.key) == "scsr";  // its sweeps go view by view
        QCOMPARE(found->steps_per_iteration(),
                 by_views && key == std::string("os_sart") ? subsets : 1);
        const UpdateNorms of_device = iterate(*found, 4);
        const double error = relative_rms(found->solution().to_host(), expected->solution().host());
        QVERIFY2(error <= 1e-5, qPrintable(QString("%1 %2: %3").arg(key, format.key).arg(error)));
        EXPECT_NEAR(of_device.residual_square, norms.residual_square, 1e-4 * norms.residual_square);
        EXPECT_NEAR(of_device.update_square, norms.update_square, 1e-3 * norms.update_square);
      }
    }
  }

  /// To the bit, norms too.
  void isTheSameEveryTime() {
    const ScanCase& c = cases_.front();
    for (const FormatCase& format : formats) {
      if (!format.sweeps) continue;
      std::vector<std::vector<float>> images;
      std::vector<double> residuals, updates;
      for (int time = 0; time < 2; ++time) {
        const auto A = stored(twins_.on_device("siddon", c), "cuda", format);
        const Array b = Array::from(twins_.device(), random_values(A->range_size(), 93, -1, 3));
        const auto s = solver("sart", {});
        s->init({A.get(), &b, nullptr});
        const UpdateNorms norms = iterate(*s, 4);
        images.push_back(s->solution().to_host());
        residuals.push_back(norms.residual_square);
        updates.push_back(norms.update_square);
      }
      QVERIFY(images[0] == images[1]);
      QCOMPARE(residuals[0], residuals[1]);
      QCOMPARE(updates[0], updates[1]);
    }
  }

  /// Sweeps of other lengths, subsets and operands between recorded ones.
  void takesTurns() {
    const ScanCase& c = cases_.front();
    for (const FormatCase& format : formats) {
      if (!format.sweeps) continue;
      const auto A = stored(twins_.on_device("siddon", c), "cuda", format);
      const Array b = Array::from(twins_.device(), random_values(A->range_size(), 94, -1, 3));
      const auto alone = solver("sart", {}), among = solver("sart", {}),
                 other = solver("os_sart", {{"subsets", std::int64_t{3}}});
      alone->init({A.get(), &b, nullptr});
      iterate(*alone, 6);
      among->init({A.get(), &b, nullptr});
      other->init({A.get(), &b, nullptr});
      for (int i = 0; i < 6; ++i) {
        iterate(*among, 1);
        iterate(*other, 1);
      }
      QVERIFY(among->solution().to_host() == alone->solution().to_host());
    }
  }

  void anInterruptedSweepCanBeRepeated() {
    const ScanCase& c = cases_.front();
    const auto A = stored(twins_.on_device("siddon", c), "cuda", formats.front());
    InterruptAtCheck check;
    A->set_interrupt(&check);
    const Array b = Array::from(twins_.device(), random_values(A->range_size(), 95, -1, 3));
    const auto calm = solver("sart", {}), harried = solver("sart", {});
    calm->init({A.get(), &b, nullptr});
    harried->init({A.get(), &b, nullptr});
    for (int i = 0; i < 4; ++i) {
      const std::vector<float> before = harried->solution().to_host();
      check.set(1);
      QVERIFY_THROWS_EXCEPTION(Interrupted, harried->step());
      check.set(0);
      QVERIFY(harried->solution().to_host() == before);
      harried->step();
      calm->step();
      QVERIFY(harried->solution().to_host() == calm->solution().to_host());
    }
  }
};

GANTRY_TEST(TestCudaSweep)
#include "test_cuda_sweep.moc"
