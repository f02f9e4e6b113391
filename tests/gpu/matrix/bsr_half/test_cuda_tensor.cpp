// BSR on Tensor Cores against the CPU's sums over the same half precision weights in float64: any
// number of slices, sizes that are no multiple of a block, vectors of any range.
#include "core/base/error.hpp"
#include "core/operator/slice_stack.hpp"
#include "core/solvers/run.hpp"
#include "tests/gpu/odd_sizes.hpp"
#include "tests/gpu/stacks.hpp"
#include "tests/gpu/stored_twins.hpp"
#include "tests/support/test_program.hpp"

#include <limits>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Relative errors of products: 2^-12 / sqrt(3) and more with vectors rounded to halves, and with
/// vectors split into two halves.
constexpr double of_halves = 5e-4, of_splits = 2e-6;

}  // namespace

class TestCudaTensor : public QObject {
  Q_OBJECT

  StoredTwins twins_;

  std::unique_ptr<StoredMatrix> on_device(const ScanCase& c, const Params& params = {},
                                          const std::string& key = "distance_driven") {
    return twins_.stored_on_device("bsr_half", params, c, key);
  }
  std::unique_ptr<StoredMatrix> on_cpu(const ScanCase& c, Params params = {},
                                       const std::string& key = "distance_driven") {
    Params of_bsr{{"weights", std::string("half")}};
    for (const char* shared : {"block", "order"})
      if (params.values().contains(shared)) of_bsr.set(shared, params.text(shared));
    return twins_.stored_on_cpu("bsr", of_bsr, c, key);
  }

  void compare_products(const ScanCase& c, const Params& params,
                        const std::string& key = "distance_driven") {
    const auto A = on_device(c, params, key), exact = on_cpu(c, params, key);
    const std::string product =
        params.values().contains("product") ? params.text("product") : "mma";
    expect_products_of(*exact, *A, product == "split" ? of_splits : of_halves,
                       c.name + ", " + product);
    if (QTest::currentTestFailed()) return;
    QCOMPARE(A->storage().stored, exact->storage().stored);
    QCOMPARE(A->storage().padding, exact->storage().padding);
    expect_the_same_every_time(*A);
  }

 private slots:
  void initTestCase() {
    if (!twins_.bench.absent.empty()) QSKIP(twins_.bench.absent.c_str());
  }

  void takesAnyNumberOfSlices_data() {
    QTest::addColumn<int>("slices");
    QTest::addColumn<QString>("product");
    for (const int slices : {1, 3, 8, 16, 17, 32, 33, 64, 70, 128, 150})
      for (const char* product : {"mma", "split", "wmma"})
        QTest::addRow("%d, %s", slices, product) << slices << product;
  }
  void takesAnyNumberOfSlices() {
    QFETCH(int, slices);
    QFETCH(QString, product);
    compare_products(stack_of(slices), {{"product", product.toStdString()}});
  }

  void takesEveryBlockAndOrder() {
    for (const char* block : {"8x16", "16x16", "32x16"})
      for (const char* order : {"natural", "pseudo-morton", "folded"})
        for (const char* product : {"mma", "split", "wmma"})
          for (const Beam beam : {Beam::fan, Beam::parallel}) {
            compare_products(stack_of(3, beam), {{"block", std::string(block)},
                                                 {"order", std::string(order)},
                                                 {"product", std::string(product)}});
            if (QTest::currentTestFailed()) return;
          }
  }

  void takesAnySizeAndProjector() {
    for (const ScanCase& c : odd_sizes()) {
      if (!is_planar(*c.geometry, c.grid) && !is_stack(*c.geometry, c.grid)) {
        EXPECT_THROWS(UsageError, on_device(c, {}, "siddon"), "slices with equal weights");
        continue;
      }
      for (const char* key : {"distance_driven", "siddon", "joseph", "area_integral"})
        compare_products(c, {{"product", std::string("split")}}, key);
      if (QTest::currentTestFailed()) return;
    }
  }

  /// More patches than a block looks at in one go.
  void takesLargeImages() {
    compare_products(stack_of(2, Beam::parallel, 6, 150, 700, 610),
                     {{"product", std::string("split")}});
  }

  /// Each slice has a scale of its own: none loses digits to another.
  void takesAnyRangeOfValues() {
    const ScanCase c = stack_of(4);
    const auto A = on_device(c), exact = on_cpu(c);
    auto x = random_values(A->domain_size(), 3, -1, 1),
         y = random_values(A->range_size(), 4, -1, 1);
    const float size[4] = {1e-30F, 0, 1e4F, 1e28F};
    const SliceRuns of_image = slices_of_images(*A), of_rays = slices_of_rays(*A);
    of_image.scale(x, size);
    of_rays.scale(y, size);
    const auto rays = forward_of(*A, x, A->all()), rays_exact = forward_of(*exact, x, A->all()),
               image = adjoint_of(*A, y, A->all()), image_exact = adjoint_of(*exact, y, A->all());
    for (std::size_t s = 0; s < 4; ++s) {
      expect_close(of_rays.of(s, rays), of_rays.of(s, rays_exact), 1e-3, "forward");
      expect_close(of_image.of(s, image), of_image.of(s, image_exact), 1e-3, "back");
    }
  }

  /// What is not finite counts as a large number, or none, in its slice; no other slice sees it.
  void whatIsNotFiniteStaysInItsSlice() {
    const ScanCase c = stack_of(3);
    const auto A = on_device(c);
    const auto plain = random_values(A->domain_size(), 5);
    auto x = plain;
    x[10] = std::numeric_limits<float>::infinity();
    x[11] = std::nanf("");
    const auto rays = forward_of(*A, x, A->all()), expected = forward_of(*A, plain, A->all());
    const SliceRuns of_rays = slices_of_rays(*A);
    for (std::size_t i = 0; i < rays.size(); ++i) {
      QVERIFY(std::isfinite(rays[i]));
      if (of_rays.slice(i) != 0) QCOMPARE(rays[i], expected[i]);
    }
  }

  void readsNoOtherViews() {
    const auto A = on_device(stack_of(2)), exact = on_cpu(stack_of(2));
    const auto subset = ViewSubset::interleaved(1, 2, A->views());
    auto y = random_values(A->range_size(), 6);
    for (std::size_t i = 0; i < y.size(); ++i)
      if (i / A->cells_per_view() % 2 == 0) y[i] = std::numeric_limits<float>::infinity();
    expect_close(adjoint_of(*A, y, subset), adjoint_of(*exact, y, subset), of_halves, "back");
  }

  /// Conjugate gradients go as far as with float weights: relative errors within 1 %.
  void reconstructsAsCsrDoes() {
    const ScanCase c = stack_of(8, Beam::parallel, 90, 64, 40, 40);
    const auto exact = twins_.on_device("distance_driven", c);
    std::vector<float> image(exact->domain_size(), 0);
    for (std::size_t j = 0; j < image.size(); ++j) {
      const double px = static_cast<double>(j % 40) - 19.5,
                   py = static_cast<double>(j / 40 % 40) - 19.5;
      image[j] = (px * px + py * py < 225 ? 1.0F : 0.0F) +
                 (std::abs(px - 4) < 3 && std::abs(py) < 5 ? 0.5F : 0.0F);
    }
    Array b(twins_.device(), exact->range_size());
    exact->forward(Array::from(twins_.device(), image), b);
    const auto error_of = [&](const Projector& A) {
      const auto solver = twins_.bench.catalog.solvers.make("cgls", "cuda", {});
      solver->init({&A, &b});
      for (int i = 0; i < 20; ++i) solver->step();
      return relative_rms(solver->solution().to_host(), image);
    };
    const double expected = error_of(*exact);
    for (const char* product : {"mma", "split", "wmma"})
      EXPECT_NEAR(error_of(*on_device(c, {{"product", std::string(product)}})), expected,
                  0.01 * expected);
  }
};

GANTRY_TEST(TestCudaTensor)
#include "test_cuda_tensor.moc"
