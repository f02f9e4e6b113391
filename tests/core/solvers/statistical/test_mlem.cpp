// MLEM and OSEM: likelihood, conservation of the data's sum, and what becomes of data and voxels
// that the formula alone leaves undefined.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "core/solvers/run.hpp"
#include "core/solvers/view_order.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <numeric>

using namespace gantry;
using namespace gantry::test;

class TestMlem : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;
  VolumeGrid grid_ = VolumeGrid::centered(24, 20, 1, {2.5, 2.5, 2});
  std::unique_ptr<Projector> A_;
  Array truth_, b_, noisy_;

  std::unique_ptr<Projector> projector(const char* key, const ScanSpec& spec,
                                       const VolumeGrid& grid) {
    return catalog_.projectors.make(key, "cpu", backend_, share(spec), grid, {});
  }
  std::unique_ptr<Solver> solver(const std::string& key, const Params& params = {}) {
    return catalog_.solvers.make(key, "cpu", params);
  }
  std::vector<float> after(const std::string& key, const Params& params, int iterations,
                           const Problem& problem) {
    const auto s = solver(key, params);
    run(*s, problem, {iterations, 0}, {});
    return s->solution().to_host();
  }
  Problem problem(const Array& b) { return {A_.get(), &b, nullptr}; }

  /// sum_i b_i ln (A x)_i - (A x)_i over rays that meet the grid, in double.
  double log_likelihood(const Array& x, const Array& b) {
    Array y(backend_, A_->range_size());
    A_->forward(x, y);
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double data = std::max(0.0F, b.host()[i]), at = y.host()[i];
      if (at > 0) sum += (data > 0 ? data * std::log(at) : 0) - at;
    }
    return sum;
  }

  static bool all_finite(std::span<const float> values) {
    return std::ranges::all_of(values, [](float v) { return std::isfinite(v); });
  }

 private slots:
  void initTestCase() {
    add_core(catalog_);
    A_ = projector("distance_driven", fan_spec(24, 48, 3), grid_);
    truth_ = Array::from(backend_, random_values(grid_.voxels(), 7, 0.005F, 0.04F));
    b_ = Array(backend_, A_->range_size());
    A_->forward(truth_, b_);
    noisy_ = Array::from(backend_, random_values(A_->range_size(), 8, -0.2F, 0.2F));
    backend_.axpby(1, b_, 1, noisy_);
  }

  void likelihoodNeverFallsAndTheSumIsKept() {
    for (const Array* data : {&b_, &noisy_}) {
      const auto s = solver("mlem");
      s->init(problem(*data));
      Array ones = Array::filled(backend_, A_->range_size(), 1), sums(backend_, grid_.voxels()),
            lengths(backend_, A_->range_size());
      A_->forward(Array::filled(backend_, grid_.voxels(), 1), lengths);
      for (std::size_t i = 0; i < ones.size(); ++i)
        if (lengths.host()[i] < 1e-3F) ones.host()[i] = 0;  // rays that miss
      A_->adjoint(ones, sums);
      double expected_sum = 0;
      for (std::size_t i = 0; i < ones.size(); ++i)
        expected_sum += ones.host()[i] * std::max(0.0F, data->host()[i]);
      double previous = log_likelihood(s->solution(), *data);
      EXPECT_NEAR(backend_.dot(sums, s->solution()), expected_sum, 1e-5 * expected_sum);
      for (int i = 0; i < 60; ++i) {
        s->step();
        const double now = log_likelihood(s->solution(), *data);
        QVERIFY2(now >= previous - 1e-7 * std::abs(previous),
                 qPrintable(QStringLiteral("iteration %1: %2 after %3")
                                .arg(i + 1)
                                .arg(now, 0, 'g', 12)
                                .arg(previous, 0, 'g', 12)));
        EXPECT_NEAR(backend_.dot(sums, s->solution()), expected_sum, 1e-5 * expected_sum);
        QVERIFY(std::ranges::min(s->solution().host()) >= 0);
        previous = now;
      }
    }
  }

  void itIsTheFormula_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("subsets");
    QTest::addColumn<QString>("order");
    QTest::newRow("mlem") << "mlem" << 1 << "natural";
    QTest::newRow("osem") << "osem" << 5 << "golden";  // of 12 views: subsets of 3 and of 2
    QTest::newRow("osem, natural") << "osem" << 4 << "natural";
    QTest::newRow("osem, random") << "osem" << 4 << "random";
  }
  void itIsTheFormula() {  // in double, on the matrix itself
    QFETCH(QString, key);
    QFETCH(int, subsets);
    QFETCH(QString, order);
    const auto A =
        projector("siddon", fan_spec(12, 20, 4), VolumeGrid::centered(7, 6, 1, {5, 5, 5}));
    const DenseMatrix a = dense_matrix(*A);
    const std::vector<float> data = random_values(A->range_size(), 9, -0.3F, 1);
    const Array b = Array::from(backend_, data);
    const std::size_t voxels = A->domain_size();
    double seen = 0, total = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double row = std::accumulate(a[i].begin(), a[i].end(), 0.0);
      seen += row;
      if (row > 0) total += std::max(0.0F, data[i]);
    }
    std::vector<double> x(voxels, total / seen);
    const auto step = [&](int subset) {
      std::vector<double> correction(voxels), sums(voxels);
      for (std::size_t i = 0; i < a.size(); ++i) {
        if (static_cast<int>(i / A->cells_per_view()) % subsets != subset) continue;
        const double y = std::inner_product(a[i].begin(), a[i].end(), x.begin(), 0.0);
        for (std::size_t j = 0; j < voxels && y > 0; ++j) {
          correction[j] += a[i][j] * std::max(0.0F, data[i]) / y;
          sums[j] += a[i][j];
        }
      }
      for (std::size_t j = 0; j < voxels; ++j)
        if (sums[j] > 0) x[j] *= correction[j] / sums[j];
    };
    constexpr int seed = 3;
    const int iterations = key == "mlem" ? 20 : 4;
    for (int k = 0; k < iterations; ++k)
      for (const int subset :
           visiting_order(parse_view_order(order.toStdString()), subsets, seed, k))
        step(subset);
    Params params;
    if (key == "osem")
      params = {{"subsets", std::int64_t{subsets}},
                {"order", order.toStdString()},
                {"seed", std::int64_t{seed}}};
    const std::vector<float> ours =
        after(key.toStdString(), params, iterations, {A.get(), &b, nullptr});
    for (std::size_t j = 0; j < voxels; ++j)
      EXPECT_NEAR(ours[j], x[j], 1e-4 * (total / seen + x[j]));
  }

  void residualAndUpdateAreThoseOfTheStep() {
    const auto s = solver("mlem");
    s->init(problem(noisy_));
    for (int i = 0; i < 5; ++i) {
      Array before = s->solution().clone(), y(backend_, A_->range_size());
      A_->forward(before, y);
      const double residual = std::sqrt(backend_.residual(noisy_, y, nullptr));
      const StepReport report = s->step();
      EXPECT_NEAR(report.residual_norm, residual, 1e-6 * residual);
      backend_.axpby(-1, s->solution(), 1, before);
      const double update = std::sqrt(backend_.dot(before, before));
      EXPECT_NEAR(report.update_norm, update, 1e-6 * update);
    }
  }

  void oneSubsetIsMlem() {
    QCOMPARE(after("osem", {{"subsets", std::int64_t{1}}}, 6, problem(noisy_)),
             after("mlem", {}, 6, problem(noisy_)));
  }

  void subsetsAreFasterAtFirst() {
    const auto likelihood = [&](const char* key) {
      return log_likelihood(Array::from(backend_, after(key, {}, 2, problem(b_))), b_);
    };
    QVERIFY(likelihood("osem") > likelihood("mlem"));
  }

  void subsetsWorkThroughEveryView() {  // also when their number does not divide the views'
    for (const std::int64_t subsets : {5, 7, 24, 1000}) {
      const std::vector<float> x = after("osem", {{"subsets", subsets}}, 3, problem(b_));
      QVERIFY(all_finite(x) && std::ranges::min(x) >= 0);
      QVERIFY(log_likelihood(Array::from(backend_, x), b_) >
              log_likelihood(Array::from(backend_, after("mlem", {}, 1, problem(b_))), b_));
    }
  }

  void negativeDataCountAsZeroAndAreTold() {
    Array clipped = noisy_.clone();
    backend_.clamp(clipped, 0, 1e30F);
    QCOMPARE(after("mlem", {}, 5, problem(noisy_)), after("mlem", {}, 5, problem(clipped)));
    const auto negative = std::ranges::count_if(noisy_.host(), [](float v) { return v < 0; });
    QVERIFY(negative > 10);
    for (const char* key : {"mlem", "osem"}) {
      const auto s = solver(key);
      s->init(problem(noisy_));
      QCOMPARE(s->notes().size(), std::size_t{1});
      QVERIFY(s->notes()[0].starts_with(std::to_string(negative) + " of "));
      s->init(problem(clipped));
      QVERIFY(s->notes().empty());
    }
  }

  void emptyDataGiveAnEmptyImage() {
    for (const float value : {0.0F, -1.0F})
      for (const char* key : {"mlem", "osem"}) {
        const Array empty = Array::filled(backend_, A_->range_size(), value);
        const auto cold = solver(key), warm = solver(key);
        QCOMPARE(run(*cold, problem(empty), {9, 0}, {}), StopReason::exhausted);
        QCOMPARE(run(*warm, {A_.get(), &empty, &truth_}, {9, 0}, {}), StopReason::exhausted);
        for (const Solver* s : {cold.get(), warm.get()})
          for (const float x : s->solution().host()) QCOMPARE(x, 0.0F);
      }
  }

  void voxelsThatNoRayMeetsStayEmpty() {
    // Three strips of 14 mm through the middle of 60 mm x 50 mm.
    const ScanSpec narrow = fan_spec(3, 6, 3);
    const auto A = projector("siddon", narrow, grid_);
    Array b(backend_, A->range_size());
    A->forward(truth_, b);
    for (const char* key : {"mlem", "osem"}) {
      const std::vector<float> x = after(key, {}, 4, {A.get(), &b, nullptr});
      QVERIFY(all_finite(x));
      QCOMPARE(x[grid_.index(0, 10, 0)], 0.0F);
      QVERIFY(x[grid_.index(12, 10, 0)] > 0);
    }
  }

  void raysThatMissTheGridSayNothing() {
    const VolumeGrid small = VolumeGrid::centered(8, 8, 1, {2, 2, 2});
    const auto A = projector("distance_driven", fan_spec(24, 48, 3), small);
    Array b(backend_, A->range_size());
    A->forward(Array::filled(backend_, small.voxels(), 0.03F), b);
    Array row(backend_, A->range_size());
    A->forward(Array::filled(backend_, small.voxels(), 1), row);
    Array wrong = b.clone();
    for (std::size_t i = 0; i < row.size(); ++i)
      if (row.host()[i] == 0) wrong.host()[i] = 0.5F;
    QVERIFY(wrong.to_host() != b.to_host());
    const std::vector<float> expected = after("mlem", {}, 5, {A.get(), &b, nullptr});
    QCOMPARE(after("mlem", {}, 5, {A.get(), &wrong, nullptr}), expected);
    for (const float x : expected)
      EXPECT_NEAR(x, 0.03, 1e-5);  // the constant start is the solution
  }

  void aRayThatGrazesTheGridSaysNothing() {  // it would double the voxel that it touches
    const MatrixOperator A(backend_, {{1, 0}, {0, 1}, {1e-9, 0}}, 1);
    const Array b = Array::filled(backend_, 3, 1);
    for (const float x : after("mlem", {}, 9, {&A, &b, nullptr})) EXPECT_NEAR(x, 1, 1e-6);
  }

  /// What a subset sees little of is little beside that subset, not beside all.
  void voxelsHardlySeenAreLeftOut() {
    const DenseMatrix rows(4, {1, 1e-5, 1e-6});
    const MatrixOperator A(backend_, rows, 4);
    const Array b = Array::filled(backend_, 4, 1), twos = Array::filled(backend_, 3, 2);
    for (const std::int64_t subsets : {1, 4}) {
      const std::vector<float> x = after("osem", {{"subsets", subsets}}, 1, {&A, &b, &twos});
      EXPECT_NEAR(x[0], 1, 1e-4);
      EXPECT_NEAR(x[1], 1, 1e-4);
      QCOMPARE(x[2], 2.0F);
    }
  }

  /// A subset that is content with the image says nothing of the others.
  void oneContentSubsetDoesNotEndTheRun() {
    const MatrixOperator A(backend_, {{1, 0}, {0, 1}}, 2);
    const Array b = Array::filled(backend_, 2, 1);
    for (const std::vector<float>& start : {std::vector<float>{1, 2}, std::vector<float>{2, 1}}) {
      const Array x0 = Array::from(backend_, start);
      QCOMPARE(after("osem", {{"subsets", std::int64_t{2}}}, 3, {&A, &b, &x0}),
               (std::vector<float>{1, 1}));
    }
  }

  void aStartOfZerosCanGrow() {
    const Array zero = Array::filled(backend_, grid_.voxels(), 0),
                negative = Array::filled(backend_, grid_.voxels(), -1);
    for (const Array* start : {&zero, &negative}) {
      const std::vector<float> x = after("mlem", {}, 30, {A_.get(), &b_, start}),
                               cold = after("mlem", {}, 31, problem(b_));
      for (std::size_t j = 0; j < x.size(); ++j) EXPECT_NEAR(x[j], cold[j], 2e-3);
    }
  }

  void warmStartGoesOnWhereAColdRunIs() {
    for (const char* key : {"mlem", "osem"}) {
      const Array five = Array::from(backend_, after(key, {}, 5, problem(noisy_)));
      QCOMPARE(after(key, {}, 3, {A_.get(), &noisy_, &five}), after(key, {}, 8, problem(noisy_)));
    }
  }
};

GANTRY_TEST(TestMlem)
#include "test_mlem.moc"
