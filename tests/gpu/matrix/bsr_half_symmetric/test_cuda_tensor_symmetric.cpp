// Symmetric BSR on Tensor Cores against the CPU's sums over the same half precision weights in
// float64: both stored parts, any number of slices, patches that elements keep whole and others.
#include "core/base/error.hpp"
#include "tests/gpu/stored_twins.hpp"
#include "tests/support/symmetric_stacks.hpp"
#include "tests/support/test_program.hpp"

#include <limits>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Relative errors of products: 2^-12 / sqrt(3) and more with vectors rounded to halves, and with
/// vectors split into two halves.
constexpr double of_halves = 5e-4, of_splits = 2e-6;

}  // namespace

class TestCudaTensorSymmetric : public QObject {
  Q_OBJECT

  StoredTwins twins_;

  std::unique_ptr<StoredMatrix> on_device(const ScanCase& c, const Params& params = {},
                                          const std::string& key = "distance_driven") {
    return twins_.stored_on_device("bsr_half_symmetric", params, c, key);
  }
  std::unique_ptr<StoredMatrix> on_cpu(const ScanCase& c, const Params& params = {},
                                       const std::string& key = "distance_driven") {
    Params of_twin{{"weights", std::string("half")}};
    for (const char* shared : {"part", "block", "order"})
      if (params.values().contains(shared)) of_twin.set(shared, params.text(shared));
    return twins_.stored_on_cpu("bsr_symmetric", of_twin, c, key);
  }

  /// Where the twin takes the scan.
  void compare_products(const ScanCase& c, const Params& params,
                        const std::string& key = "distance_driven") {
    std::unique_ptr<StoredMatrix> exact;
    try {
      exact = on_cpu(c, params, key);
    } catch (const UsageError&) {
      EXPECT_THROWS(UsageError, on_device(c, params, key), "is along one");
      return;
    }
    const auto A = on_device(c, params, key);
    const bool split = params.values().contains("product") && params.text("product") == "split";
    expect_products_of(*exact, *A, split ? of_splits : of_halves,
                       c.name + (split ? ", split" : ""));
    if (QTest::currentTestFailed()) return;
    const auto about = [](std::uint64_t a, std::uint64_t b) {
      // Where a ray runs along pixels' edges rounding decides.
      EXPECT_NEAR(static_cast<double>(a), static_cast<double>(b), 0.01 * static_cast<double>(b));
    };
    about(A->storage().stored, exact->storage().stored);
    about(A->storage().padding, exact->storage().padding);
    about(A->storage().nonzeros, exact->storage().nonzeros);
    expect_the_same_every_time(*A);
  }

 private slots:
  void initTestCase() {
    if (!twins_.bench.absent.empty()) QSKIP(twins_.bench.absent.c_str());
  }

  void takesAnyNumberOfSlices() {
    for (const int slices : {1, 2, 3, 4, 8, 9, 33})
      for (const char* part : {"views", "octant"})
        for (const char* product : {"mma", "split"})
          for (const int side : {20, 21}) {
            compare_products(symmetric_stack("fan", slices, 16, 0.5, 29, side),
                             {{"part", std::string(part)}, {"product", std::string(product)}});
            if (QTest::currentTestFailed()) return;
          }
  }

  void takesEveryScan() {
    for (const int slices : {1, 5})
      for (const ScanCase& c : symmetric_stacks(slices))
        for (const char* part : {"views", "octant"})
          for (const char* order : {"natural", "pseudo-morton", "folded"}) {
            compare_products(c, {{"part", std::string(part)},
                                 {"order", std::string(order)},
                                 {"product", std::string("split")}});
            if (QTest::currentTestFailed()) return;
          }
  }

  void takesEveryBlockAndProjector() {
    const ScanCase c = symmetric_stack("fan", 2, 24, 0.5, 44, 36);
    for (const char* part : {"views", "octant"})
      for (const char* block : {"8x16", "16x16", "32x16"})
        for (const char* key : {"distance_driven", "siddon", "joseph", "area_integral"}) {
          compare_products(c, {{"part", std::string(part)}, {"block", std::string(block)}}, key);
          if (QTest::currentTestFailed()) return;
        }
  }

  /// Many groups and patches; pixels are summed up by orbits of patches.
  void takesLargeImages() {
    for (const char* kind : {"parallel", "parallel offset"})
      for (const int slices : {1, 3, 9})
        for (const char* part : {"views", "octant"})
          for (const char* product : {"mma", "split"}) {
            compare_products(symmetric_stack(kind, slices, 32, 0.5, 200, 288),
                             {{"part", std::string(part)}, {"product", std::string(product)}});
            if (QTest::currentTestFailed()) return;
          }
  }

  /// Each slice has a scale of its own, what is not finite stays in its slice.
  void slicesDoNotSeeEachOther() {
    const ScanCase c = symmetric_stack("fan", 3, 16, 0.5, 29, 20);
    for (const char* part : {"views", "octant"}) {
      const auto A = on_device(c, {{"part", std::string(part)}});
      const auto plain = random_values(A->domain_size(), 5);
      auto x = plain;
      x[10] = std::numeric_limits<float>::infinity();
      x[11] = std::nanf("");
      const float size[3] = {1, 0x1p-80F, 1};
      slices_of_images(*A).scale(x, size);
      const auto rays = forward_of(*A, x, A->all()), expected = forward_of(*A, plain, A->all());
      for (std::size_t i = 0; i < rays.size(); ++i) {
        QVERIFY(std::isfinite(rays[i]));
        const std::size_t slice = slices_of_rays(*A).slice(i);
        if (slice == 1) QCOMPARE(rays[i] * 0x1p80F, expected[i]);
        if (slice == 2) QCOMPARE(rays[i], expected[i]);
      }
    }
  }
};

GANTRY_TEST(TestCudaTensorSymmetric)
#include "test_cuda_tensor_symmetric.moc"
