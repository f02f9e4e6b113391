// What Tensor Cores are held against, slices as columns: cuSPARSE's products in float32 and half
// precision, Blocked-ELL and half2, against CSR on the CPU. Any number of slices, sizes that are no
// multiple of a block, vectors of any range.
#include "core/base/error.hpp"
#include "core/operator/slice_stack.hpp"
#include "tests/gpu/odd_sizes.hpp"
#include "tests/gpu/stacks.hpp"
#include "tests/gpu/stored_twins.hpp"
#include "tests/support/test_program.hpp"

#include <limits>

using namespace gantry;
using namespace gantry::test;

namespace {

struct Rival {
  const char* key;
  Params params;
  double tolerance;  ///< weights and vectors of 11 bits each; chains of sums of as many
  bool half() const { return tolerance > 1e-5; }
};

const std::vector<Rival>& rivals() {
  const auto text = [](const char* value) { return std::string(value); };
  static const std::vector<Rival> all = {
      {"cusparse_spmm", {}, 1e-6},
      {"cusparse_spmm", {{"algorithm", text("2")}}, 1e-6},
      {"cusparse_spmm", {{"product", text("spmv")}}, 1e-6},
      {"cusparse_spmm", {{"product", text("spmm-half")}}, 5e-4},
      {"cusparse_spmm", {{"product", text("spmm-half")}, {"algorithm", text("2")}}, 5e-4},
      {"cusparse_spmm", {{"product", text("spmv-half")}}, 5e-4},
      {"cusparse_bell", {}, 5e-4},
      {"cusparse_bell", {{"block", text("16x16")}, {"order", text("natural")}}, 5e-4},
      {"cusparse_bell", {{"block", text("16x16")}}, 5e-4},
      {"cusparse_bell", {{"order", text("pseudo-morton")}}, 5e-4},
      {"csr_half2", {}, 1e-3},
  };
  return all;
}

std::string name_of(const Rival& rival) {
  std::string name = rival.key;
  for (const auto& [key, value] : rival.params.values())
    name += " " + key + " " + format_param(value);
  return name;
}

}  // namespace

class TestCudaColumns : public QObject {
  Q_OBJECT

  StoredTwins twins_;

  std::unique_ptr<StoredMatrix> on_device(const Rival& rival, const ScanCase& c,
                                          const std::string& key = "distance_driven") {
    return twins_.stored_on_device(rival.key, rival.params, c, key);
  }
  std::unique_ptr<StoredMatrix> on_cpu(const ScanCase& c,
                                       const std::string& key = "distance_driven") {
    return twins_.stored_on_cpu("csr", {}, c, key);
  }

  void compare_products(const Rival& rival, const ScanCase& c,
                        const std::string& key = "distance_driven") {
    const auto A = on_device(rival, c, key), exact = on_cpu(c, key);
    expect_products_of(*exact, *A, rival.tolerance, c.name + ", " + key + ", " + name_of(rival));
    if (QTest::currentTestFailed()) return;
    // All of it is counted, and was known of before.
    QVERIFY(A->storage().bytes() >= 2 * A->storage().stored);
    QVERIFY(A->storage().bytes(PartOf::transpose) > 0);
  }

 private slots:
  void initTestCase() {
    if (!twins_.bench.absent.empty()) QSKIP(twins_.bench.absent.c_str());
  }

  void takesAnyNumberOfSlices_data() {
    QTest::addColumn<int>("rival");
    QTest::addColumn<int>("slices");
    for (std::size_t i = 0; i < rivals().size(); ++i)
      for (const int slices : {1, 2, 3, 8, 16, 33, 70})
        QTest::addRow("%s, %d", name_of(rivals()[i]).c_str(), slices)
            << static_cast<int>(i) << slices;
  }
  void takesAnyNumberOfSlices() {
    QFETCH(int, rival);
    QFETCH(int, slices);
    compare_products(rivals()[static_cast<std::size_t>(rival)], stack_of(slices));
  }

  void takesAnySizeAndProjector() {
    for (const Rival& rival : rivals())
      for (const ScanCase& c : odd_sizes()) {
        if (!is_planar(*c.geometry, c.grid) && !is_stack(*c.geometry, c.grid)) {
          EXPECT_THROWS(UsageError, on_device(rival, c, "siddon"), "slices");
          continue;
        }
        for (const char* key : {"distance_driven", "siddon", "joseph", "area_integral"})
          compare_products(rival, c, key);
        if (QTest::currentTestFailed()) return;
      }
  }

  /// More columns of blocks than a portion has, and several rows of the view order.
  void takesLargeImages() {
    for (const Rival& rival : rivals())
      compare_products(rival, stack_of(2, Beam::parallel, 6, 150, 750, 800));
  }

  /// Each slice has a scale of its own: none overflows, none loses digits to another.
  void takesAnyRangeOfValues() {
    const ScanCase c = stack_of(4);
    const auto exact = on_cpu(c);
    auto x = random_values(exact->domain_size(), 3, -1, 1),
         y = random_values(exact->range_size(), 4, -1, 1);
    const float size[4] = {1e-30F, 0, 1e6F, 1e28F};
    const SliceRuns of_image = slices_of_images(*exact), of_rays = slices_of_rays(*exact);
    of_image.scale(x, size);
    of_rays.scale(y, size);
    const auto rays_exact = forward_of(*exact, x, exact->all()),
               image_exact = adjoint_of(*exact, y, exact->all());
    for (const Rival& rival : rivals()) {
      const auto A = on_device(rival, c);
      const auto rays = forward_of(*A, x, A->all()), image = adjoint_of(*A, y, A->all());
      for (std::size_t s = 0; s < 4; ++s) {
        expect_close(of_rays.of(s, rays), of_rays.of(s, rays_exact), 3 * rival.tolerance,
                     name_of(rival) + ", forward");
        expect_close(of_image.of(s, image), of_image.of(s, image_exact), 3 * rival.tolerance,
                     name_of(rival) + ", back");
      }
    }
  }

  /// As halves, what is not finite counts as a large number, or none, in its slice; no other slice
  /// sees it.
  void whatIsNotFiniteStaysInItsSlice() {
    const ScanCase c = stack_of(3);
    for (const Rival& rival : rivals()) {
      const auto A = on_device(rival, c);
      const auto plain = random_values(A->domain_size(), 5);
      auto x = plain;
      x[10] = std::numeric_limits<float>::infinity();
      x[11] = std::nanf("");
      const auto rays = forward_of(*A, x, A->all()), expected = forward_of(*A, plain, A->all());
      const SliceRuns of_rays = slices_of_rays(*A);
      for (const float value : rays)
        QVERIFY2(!rival.half() || std::isfinite(value), name_of(rival).c_str());
      for (const std::size_t s : {1, 2})
        expect_close(of_rays.of(s, rays), of_rays.of(s, expected), 1e-6, name_of(rival));
    }
  }

  void readsNoOtherViews() {
    const ScanCase c = stack_of(2);
    const auto exact = on_cpu(c);
    const auto subset = ViewSubset::interleaved(1, 2, exact->views());
    auto y = random_values(exact->range_size(), 6);
    for (std::size_t i = 0; i < y.size(); ++i)
      if (i / exact->cells_per_view() % 2 == 0) y[i] = std::numeric_limits<float>::infinity();
    for (const Rival& rival : rivals())
      expect_close(adjoint_of(*on_device(rival, c), y, subset), adjoint_of(*exact, y, subset),
                   rival.tolerance, name_of(rival));
  }

  /// A run is refused for what is known before: within a factor of what is then taken.
  void tellsItsSizeBefore() {
    const ScanCase c = stack_of(8, Beam::parallel, 180, 256, 256, 256);
    for (const Rival& rival : rivals()) {
      const auto A = on_device(rival, c);
      const auto before = static_cast<double>(A->workspace_bytes());
      A->build();
      const auto taken = static_cast<double>(A->storage().bytes());
      QVERIFY2(before > 0.6 * taken && before < 1.7 * taken,
               qPrintable(QString::fromStdString(name_of(rival)) + ": " + QString::number(before) +
                          " said, taken " + QString::number(taken)));
    }
  }
};

GANTRY_TEST(TestCudaColumns)
#include "test_cuda_columns.moc"
