// Symmetric BSR of a circular cone beam on Tensor Cores against the CPU's sums over the same half
// precision weights in float64: 16 images of a volume as columns, and fewer.
#include "core/base/error.hpp"
#include "core/matrix/matrix_format.hpp"
#include "tests/gpu/cuda_twin.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/symmetric_cones.hpp"
#include "tests/support/test_program.hpp"

#include <limits>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Relative errors of products: 2^-12 / sqrt(3) and more with vectors rounded to halves, and with
/// vectors split into two halves.
constexpr double of_halves = 5e-4, of_splits = 2e-6;

}  // namespace

class TestCudaTensorCone : public QObject {
  Q_OBJECT

  CudaTwins twins_;

  std::unique_ptr<StoredMatrix> on_device(const ScanCase& c, const Params& params = {},
                                          const std::string& key = "distance_driven") {
    return std::make_unique<StoredMatrix>(
        twins_.on_device(key, c),
        twins_.bench.catalog.matrix_formats.make("bsr_half_symmetric", "cuda", params));
  }
  std::unique_ptr<StoredMatrix> on_cpu(const ScanCase& c, const Params& params,
                                       const std::string& key) {
    Params of_twin{{"weights", std::string("half")}};
    for (const char* shared : {"block", "order"})
      if (params.values().contains(shared)) of_twin.set(shared, params.text(shared));
    return std::make_unique<StoredMatrix>(
        twins_.on_cpu(key, c),
        twins_.bench.catalog.matrix_formats.make("bsr_symmetric", "cpu", of_twin));
  }

  void compare(const std::vector<float>& found, const std::vector<float>& expected,
               double tolerance, const std::string& what) {
    for (const float value : found) QVERIFY2(std::isfinite(value), what.c_str());
    const double error = relative_rms(found, expected);
    QVERIFY2(error <= tolerance,
             qPrintable(QString::fromStdString(what) + ": " + QString::number(error)));
  }
  void compare_products(const ScanCase& c, const Params& params,
                        const std::string& key = "distance_driven") {
    const auto exact = on_cpu(c, params, key), A = on_device(c, params, key);
    const bool split = params.values().contains("product") && params.text("product") == "split";
    const double tolerance = split ? of_splits : of_halves;
    const auto x = random_values(A->domain_size(), 1), y = random_values(A->range_size(), 2);
    const std::string what = c.name + (split ? ", split" : "");
    for (const ViewSubset& views :
         {A->all(), ViewSubset{A->views() - 1, 1, 1}, ViewSubset::interleaved(2, 3, A->views())}) {
      compare(forward_of(*A, x, views), forward_of(*exact, x, views), tolerance,
              what + ", forward");
      compare(adjoint_of(*A, y, views), adjoint_of(*exact, y, views), tolerance, what + ", back");
      if (QTest::currentTestFailed()) return;
    }
    QCOMPARE(A->storage().stored, exact->storage().stored);
    QCOMPARE(A->storage().padding, exact->storage().padding);
    QCOMPARE(A->storage().nonzeros, exact->storage().nonzeros);
    QVERIFY(forward_of(*A, x, A->all()) == forward_of(*A, x, A->all()));
    QVERIFY(adjoint_of(*A, y, A->all()) == adjoint_of(*A, y, A->all()));
  }

 private slots:
  void initTestCase() {
    if (!twins_.bench.absent.empty()) QSKIP(twins_.bench.absent.c_str());
  }

  void takesEveryCone() {
    for (const SymmetricCone& cone : symmetric_cones())
      for (const char* product : {"mma", "split"}) {
        compare_products(cone.scan, {{"product", std::string(product)}});
        if (QTest::currentTestFailed()) return;
      }
  }

  void takesEveryOrderBlockAndProjector() {
    const ScanCase c = symmetric_cone("arc", 7, 9, 24, 0.5, 30, 20);
    for (const char* order : {"natural", "pseudo-morton", "folded"})
      for (const char* block : {"8x16", "16x16", "32x16"})
        for (const char* key : {"distance_driven", "siddon", "joseph"}) {
          compare_products(c,
                           {{"order", std::string(order)},
                            {"block", std::string(block)},
                            {"product", std::string("split")}},
                           key);
          if (QTest::currentTestFailed()) return;
        }
  }

  /// So many orbits of patches that voxels are folded where they are summed; also of patches that
  /// are their own mirror, an odd number of slices having such, and of 8 and 4 elements.
  void takesLargeVolumes() {
    for (const char* kind : {"flat", "flat raised", "flat oblong", "flat oblong and offset"})
      for (const char* product : {"mma", "split"}) {
        compare_products(symmetric_cone(kind, 61, 40, 16, 0.5, 40, 52),
                         {{"product", std::string(product)}});
        if (QTest::currentTestFailed()) return;
      }
  }

  void sizeIsKnownBefore() {
    for (const int side : {32, 52}) {
      const auto A = on_device(symmetric_cone("flat", side, 48, 32, 0.5, 64, side));
      const auto before = static_cast<double>(A->workspace_bytes() - A->build_bytes());
      A->build();
      EXPECT_NEAR(static_cast<double>(A->workspace_bytes()), before, 0.1 * before);
    }
  }

  /// What is not finite in a volume, or far above 65504, comes to no harm.
  void takesAnyRange() {
    const ScanCase c = symmetric_cone("flat", 7, 9);
    const auto A = on_device(c);
    const auto plain = random_values(A->domain_size(), 5);
    auto high = plain;
    for (float& value : high) value *= 0x1p60F;
    const auto rays = forward_of(*A, high, A->all()), expected = forward_of(*A, plain, A->all());
    for (std::size_t i = 0; i < rays.size(); ++i) QCOMPARE(rays[i] * 0x1p-60F, expected[i]);
    auto spoilt = plain;
    spoilt[10] = std::numeric_limits<float>::infinity();
    spoilt[11] = std::nanf("");
    for (const float ray : forward_of(*A, spoilt, A->all())) QVERIFY(std::isfinite(ray));
  }

  void refusesNamingTheCondition() {
    EXPECT_THROWS(UsageError,
                  on_device(symmetric_cone("flat", 7, 9), {{"part", std::string("octant")}}),
                  "octants for slices only");
    EXPECT_THROWS(UsageError, on_device(symmetric_cone("flat raised and offset", 6, 8, 7, 0.3)),
                  "no whole number");
  }
};

GANTRY_TEST(TestCudaTensorCone)
#include "test_cuda_tensor_cone.moc"
