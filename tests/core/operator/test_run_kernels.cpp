// The inner loops of coordinate descent with stored columns, compared with plain loops in float64.
#include "core/operator/ray_changes.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <span>

using namespace gantry;
using namespace gantry::test;

class TestRunKernels : public QObject {
  Q_OBJECT

  static constexpr std::size_t rays_ = 120, columns_ = 20;
  std::vector<std::uint32_t> runs_;
  std::vector<float> weights_;
  std::vector<std::size_t> first_row_ray_;
  const std::vector<float> residual_ = random_values(rays_, 1, -1, 1),
                           ray_weights_ = random_values(rays_, 2);

  /// Returns runs of all lengths, the last of which ends with the last ray. In a stack these are
  /// runs of views of one row, and the rays those of the second row of views of two.
  ColumnRuns make(bool of_stack) {
    runs_.clear();
    first_row_ray_.clear();
    const std::size_t rays = of_stack ? rays_ / 2 : rays_;
    if (of_stack)
      for (std::size_t ray = 0; ray < rays; ++ray)
        first_row_ray_.push_back(ray / columns_ * 2 * columns_ + ray % columns_);
    std::size_t count = 0;
    const auto add = [&](std::size_t ray, std::size_t length) {
      runs_.push_back(static_cast<std::uint32_t>(ray << run_length_bits | (length - 1)));
      count += length;
    };
    for (std::size_t ray = 1, length = 1; ray + 10 < rays; ray += 5) {
      if (ray / columns_ == (ray + length - 1) / columns_) add(ray, length);
      length = length % run_length + 1;
    }
    add(rays - 3, 3);
    weights_ = random_values(count + run_length, 3, 0.1F, 1);
    return {runs_.data(), runs_.data() + runs_.size(), weights_.data(),
            of_stack ? first_row_ray_.data() : nullptr, columns_};
  }

  template <class Use>
  static void for_rays(const ColumnRuns& runs, const Use& use) {
    const float* weight = runs.weight;
    for (const std::uint32_t* run = runs.run; run != runs.end; ++run)
      for (std::size_t k = 0; k < length_of_run(*run); ++k) use(runs.ray_of(*run) + k, *weight++);
  }

 private slots:
  void sumsAreThoseOfPlainLoops_data() {
    QTest::addColumn<bool>("weighted");
    QTest::addColumn<bool>("ofStack");
    for (const bool weighted : {false, true})
      for (const bool stack : {false, true})
        QTest::addRow("%s, %s", weighted ? "weighted" : "unweighted", stack ? "stack" : "slice")
            << weighted << stack;
  }
  void sumsAreThoseOfPlainLoops() {
    QFETCH(bool, weighted);
    QFETCH(bool, ofStack);
    const ColumnRuns runs = make(ofStack);
    std::vector<float> change = random_values(rays_ + run_length, 4, -0.5F, 0.5F);
    // Neither what follows the vectors nor the weights of the next voxel may be part of the sum.
    std::fill_n(change.begin() + rays_, run_length, 1e6F);
    std::fill_n(weights_.end() - run_length, run_length, 1e6F);
    const RayVectors rays{residual_.data(), change.data(), weighted ? ray_weights_.data() : nullptr,
                          rays_};
    double expected = 0;
    for_rays(runs, [&](std::size_t ray, float weight) {
      QVERIFY(ray < rays_);
      expected += static_cast<double>(weight) * (weighted ? ray_weights_[ray] : 1.0F) *
                  (static_cast<double>(residual_[ray]) + change[ray]);
    });
    EXPECT_NEAR(run_kernels().slope(runs, rays), expected, 2e-6);
  }

  void changesAreThoseOfPlainLoops_data() {
    QTest::addColumn<bool>("ofStack");
    QTest::newRow("slice") << false;
    QTest::newRow("stack") << true;
  }
  void changesAreThoseOfPlainLoops() {
    QFETCH(bool, ofStack);
    const ColumnRuns runs = make(ofStack);
    RayChanges changes(rays_);
    changes.subtract(runs, 0.5F);
    changes.subtract(runs, 0.25F);
    std::vector<double> expected(rays_), found(rays_);
    for_rays(runs, [&](std::size_t ray, float weight) { expected[ray] -= 0.75 * weight; });
    for (const auto& [ray, change] : changes.take()) found[ray] += change;
    for (std::size_t ray = 0; ray < rays_; ++ray) EXPECT_NEAR(found[ray], expected[ray], 1e-6);
    QVERIFY(changes.take().empty());
    QVERIFY(std::ranges::all_of(std::span(changes.data(), rays_),
                                [](float change) { return change == 0; }));
  }
};

GANTRY_TEST(TestRunKernels)
#include "test_run_kernels.moc"
