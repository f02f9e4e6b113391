// Landweber, Cimmino, CAV and DROP: against their formulas over the dense matrix, and the bounds of
// their relaxation.
#include "core/backend/cpu_backend.hpp"
#include "core/catalog/catalog.hpp"
#include "core/operator/row_norms.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "core/solvers/power_iteration.hpp"
#include "core/solvers/run.hpp"
#include "core/solvers/sirt_family/cimmino.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/threads.hpp"

using namespace gantry;
using namespace gantry::test;

namespace {

/// What the methods divide by, by the book.
struct DenseSums {
  DenseMatrix a;
  std::vector<double> norms, hits, weighted_norms;  ///< ||a_i||^2, n_j, sum_j n_j a_ij^2

  explicit DenseSums(const LinearOperator& A)
      : a(dense_matrix(A)),
        norms(a.size(), 0.0),
        hits(a.front().size(), 0.0),
        weighted_norms(a.size(), 0.0) {
    for (const auto& row : a)
      for (std::size_t j = 0; j < row.size(); ++j) hits[j] += row[j] != 0 ? 1 : 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < hits.size(); ++j) {
        norms[i] += a[i][j] * a[i][j];
        weighted_norms[i] += hits[j] * a[i][j] * a[i][j];
      }
  }

  /// Largest eigenvalue of A^T R A.
  double eigenvalue(const std::vector<double>& r) const {
    const std::size_t n = hits.size();
    DenseMatrix m(n, std::vector<double>(n, 0.0));
    for (std::size_t k = 0; k < a.size(); ++k)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) m[i][j] += r[k] * a[k][i] * a[k][j];
    return symmetric_eigenvalues(m).back();
  }

  /// x += D A^T R (b - A x), so many times from zero.
  std::vector<double> iterate(const std::vector<double>& d, const std::vector<double>& r,
                              std::span<const float> b, int times, bool nonnegative) const {
    std::vector<double> x(hits.size(), 0.0);
    for (int k = 0; k < times; ++k) {
      std::vector<double> g(x.size(), 0.0);
      for (std::size_t i = 0; i < a.size(); ++i) {
        double deviation = b[i];
        for (std::size_t j = 0; j < x.size(); ++j) deviation -= a[i][j] * x[j];
        for (std::size_t j = 0; j < x.size(); ++j) g[j] += a[i][j] * r[i] * deviation;
      }
      for (std::size_t j = 0; j < x.size(); ++j) {
        x[j] += d[j] * g[j];
        if (nonnegative) x[j] = std::max(x[j], 0.0);
      }
    }
    return x;
  }
};

std::vector<double> inverse(std::vector<double> values) {
  for (double& value : values) value = value > 0 ? 1 / value : 0;
  return values;
}

}  // namespace

class TestSimultaneous : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;
  // The detector is wider than the grid: rays at both ends miss.
  std::unique_ptr<Projector> A_ = make_siddon(backend_, share(fan_spec(14, 22, 4)),
                                              VolumeGrid::centered(8, 7, 1, {5, 5, 5}), {});
  DenseSums dense_{*A_};
  Array noisy_;

  /// Diagonals D and R of a method at relaxation 1, and the bound of the relaxation in print.
  struct Book {
    std::vector<double> d, r;
    double bound = 2;
  };
  Book book(const std::string& key) const {
    const std::size_t voxels = dense_.hits.size();
    const std::vector<double> ones(dense_.a.size(), 1.0), norms = inverse(dense_.norms);
    const auto rays = static_cast<double>(dense_.a.size());
    if (key == "landweber") {
      const double s = dense_.eigenvalue(ones);
      return {std::vector<double>(voxels, 1 / s), ones, 2 / s};
    }
    if (key == "cimmino") {
      const double s = dense_.eigenvalue(norms);
      return {std::vector<double>(voxels, 1 / s), norms, 2 * rays / s};
    }
    if (key == "cav") return {std::vector<double>(voxels, 1), inverse(dense_.weighted_norms), 2};
    return {inverse(dense_.hits), norms, 2};
  }
  void methods() {
    QTest::addColumn<QString>("key");
    for (const char* key : {"landweber", "cimmino", "cav", "drop"}) QTest::newRow(key) << key;
  }
  std::unique_ptr<Solver> solver(const std::string& key, const Params& params) {
    return catalog_.solvers.make(key, "cpu", params);
  }
  double weighted_residual(const Array& x, const std::vector<double>& r) {
    Array y(backend_, A_->range_size());
    A_->forward(x, y);
    double sum = 0;
    for (std::size_t i = 0; i < r.size(); ++i) {
      const double deviation = static_cast<double>(noisy_.host()[i]) - y.host()[i];
      sum += r[i] * deviation * deviation;
    }
    return sum;
  }

 private slots:
  void initTestCase() {
    add_core(catalog_);
    const Array truth = Array::from(backend_, random_values(A_->domain_size(), 71));
    noisy_ = Array(backend_, A_->range_size());
    A_->forward(truth, noisy_);
    const Array noise = Array::from(backend_, random_values(A_->range_size(), 72, -3, 3));
    backend_.axpby(1, noise, 1, noisy_);
  }

  void rowSumsAreThoseOfTheMatrix() {
    const std::vector<std::uint32_t> counts = column_counts(*A_);
    for (std::size_t j = 0; j < counts.size(); ++j)
      QCOMPARE(static_cast<double>(counts[j]), dense_.hits[j]);
    const Array norms = inverse_squared_row_norms(*A_),
                weighted = inverse_squared_row_norms(*A_, counts);
    double sum = 0, rows = 0;
    for (std::size_t i = 0; i < dense_.norms.size(); ++i) {  // products round the ray's place
      EXPECT_NEAR(norms.host()[i] * dense_.norms[i], dense_.norms[i] > 0 ? 1 : 0, 2e-4);
      EXPECT_NEAR(weighted.host()[i] * dense_.weighted_norms[i], dense_.norms[i] > 0 ? 1 : 0, 2e-4);
      sum += dense_.norms[i];
      rows += dense_.norms[i] > 0 ? 1 : 0;
    }
    QVERIFY(rows < static_cast<double>(dense_.norms.size()));  // some rays miss
    EXPECT_NEAR(mean_squared_row_norm(*A_, A_->all()), sum / rows, 1e-5 * sum / rows);
  }

  void rowsThatGrazeTheGridWeighNothing() {
    const ScanCase grazing = grazing_case();
    const auto A = make_siddon(backend_, grazing.geometry, grazing.grid, {});
    const DenseSums dense(*A);
    const std::vector<std::uint32_t> counts = column_counts(*A);
    int grazes = 0;
    for (const Array& inverse :
         {inverse_squared_row_norms(*A), inverse_squared_row_norms(*A, counts)})
      for (std::size_t i = 0; i < dense.norms.size(); ++i) {
        const bool touches = dense.norms[i] > 0 && dense.norms[i] < 1e-4;
        QCOMPARE(inverse.host()[i] > 0, dense.norms[i] > 0 && !touches);
        grazes += touches ? 1 : 0;
      }
    QCOMPARE(grazes, 2 * 8);
  }

  void threadsChangeNothing() {
    expect_same_on_any_threads([&] {
      const auto counts = column_counts(*A_);
      std::vector<float> all = inverse_squared_row_norms(*A_, counts).to_host();
      all.push_back(static_cast<float>(mean_squared_row_norm(*A_, A_->all())));
      return std::make_pair(counts, all);
    });
  }

  void isTheFormulaInPrint_data() { methods(); }
  void isTheFormulaInPrint() {
    QFETCH(QString, key);
    const Book expected = book(key.toStdString());
    const Array wild = Array::from(backend_, random_values(A_->range_size(), 73, -5, 8));
    for (const bool nonnegative : {false, true}) {
      const auto s = solver(key.toStdString(), {{"relaxation", 1.5}, {"nonnegative", nonnegative}});
      run(*s, {A_.get(), &wild, nullptr}, {6, 0}, {});
      std::vector<double> d = expected.d;
      for (double& value : d) value *= 1.5;
      const std::vector<double> x = dense_.iterate(d, expected.r, wild.host(), 6, nonnegative);
      QCOMPARE(std::ranges::min(x) >= 0, nonnegative);
      for (std::size_t j = 0; j < x.size(); ++j) EXPECT_NEAR(s->solution().host()[j], x[j], 1e-4);
    }
  }

  void saysWhatIsAdmissible_data() { methods(); }
  void saysWhatIsAdmissible() {
    QFETCH(QString, key);
    const Book expected = book(key.toStdString());
    const auto s = solver(key.toStdString(), {{"relaxation", 1.5}});
    s->init({A_.get(), &noisy_, nullptr});
    const auto range = s->admissible();
    QVERIFY(range.has_value());
    EXPECT_NEAR(range->bound, expected.bound, 1e-5 * expected.bound);
    EXPECT_NEAR(range->value, 0.75 * expected.bound, 1e-5 * expected.bound);
  }

  void saysItInWords() {
    QCOMPARE(describe(RelaxationRange{1.9, 2, {}, {}}), std::string("λ = 1.9, converges below 2"));
    QCOMPARE(describe(RelaxationRange{2.93e-5, 3.09e-5, "1/mm²", "2/‖A‖²"}),
             std::string("λ = 2.93e-05 1/mm², converges below 3.09e-05 1/mm² = 2/‖A‖²"));
  }

  void cimminoInPrint() {
    const auto s = solver("cimmino", {{"relaxation", 1.0}, {"unit", std::string("printed")}});
    s->init({A_.get(), &noisy_, nullptr});
    EXPECT_NEAR(s->admissible()->value, 1, 1e-12);
    EXPECT_NEAR(s->admissible()->bound, book("cimmino").bound, 1e-5 * book("cimmino").bound);
    s->step();
    const std::vector<double> step(dense_.hits.size(), 1.0 / static_cast<double>(dense_.a.size()));
    const std::vector<double> x =
        dense_.iterate(step, inverse(dense_.norms), noisy_.host(), 1, true);
    for (std::size_t j = 0; j < x.size(); ++j) EXPECT_NEAR(s->solution().host()[j], x[j], 1e-6);
  }

  void weightedResidualNeverGrows_data() { methods(); }
  void weightedResidualNeverGrows() {
    QFETCH(QString, key);
    const std::vector<double> r = book(key.toStdString()).r;
    for (const double relaxation : {0.5, 1.0, 1.999}) {
      const auto s =
          solver(key.toStdString(), {{"relaxation", relaxation}, {"nonnegative", false}});
      s->init({A_.get(), &noisy_, nullptr});
      double previous = weighted_residual(s->solution(), r);
      for (int k = 0; k < 60; ++k) {
        s->step();
        const double now = weighted_residual(s->solution(), r);
        QVERIFY(now <= previous * (1 + 1e-6));
        previous = now;
      }
    }
  }

  // Eq. 9 of Yu et al. (2019), which is Cimmino's.
  void cimminoConvergesBelowItsBoundAndDivergesAbove() {
    const std::vector<double> r = book("cimmino").r;
    const double bound = book("cimmino").bound;
    const auto after = [&](double lambda, int iterations) {
      SimultaneousUpdate::Method method;
      method.scale = [=](const LinearOperator& A) { return cimmino_scaling(A, lambda); };
      method.nonnegative = false;
      SimultaneousUpdate s(method);
      s.init({A_.get(), &noisy_, nullptr});
      for (int k = 0; k < iterations; ++k) s.step();
      return weighted_residual(s.solution(), r);
    };
    const double start = after(bound, 0);
    const double settled = after(0.95 * bound, 100);
    QVERIFY(settled < start);
    QVERIFY(after(0.95 * bound, 200) <= settled * (1 + 1e-6));
    QVERIFY(after(1.05 * bound, 200) > 1e3 * start);
  }

  // CAV and DROP converge for lambda < 2 because their largest eigenvalue is at most 1; that
  // of SIRT, with C and R from the sums, is 1, for every projector.
  void eigenvaluesBehindTheBoundsOfTwo() {
    int pairs = 0;
    for (const auto& entry : catalog_.projectors.entries()) {
      const auto A = entry.make("cpu", backend_, A_->shared_geometry(), A_->grid(), {});
      if (!A->matched()) continue;
      ++pairs;
      Array ones = Array::filled(backend_, A->domain_size(), 1), row(backend_, A->range_size());
      A->forward(ones, row);
      Array all_rays = Array::filled(backend_, A->range_size(), 1), column(backend_, ones.size());
      A->adjoint(all_rays, column);
      backend_.safe_reciprocal(row, 0);
      backend_.safe_reciprocal(column, 0);
      EXPECT_NEAR(largest_eigenvalue(*A, &column, &row).eigenvalue, 1, 1e-4);
      // C A^T R A 1 = 1
      Array y(backend_, A->range_size()), x(backend_, ones.size());
      A->forward(ones, y);
      backend_.multiply(row, y);
      A->adjoint(y, x);
      backend_.multiply(column, x);
      for (const float value : x.host()) EXPECT_NEAR(value, 1, 2e-6);
    }
    QVERIFY(pairs > 1);
    for (const char* key : {"cav", "drop"}) {
      const Book b = book(key);
      const std::vector<float> column(b.d.begin(), b.d.end()), row(b.r.begin(), b.r.end());
      const Array c = Array::from(backend_, column), r = Array::from(backend_, row);
      const double eigenvalue = largest_eigenvalue(*A_, &c, &r).eigenvalue;
      QVERIFY(eigenvalue > 0.3 && eigenvalue <= 1 + 1e-6);
    }
  }
};

GANTRY_TEST(TestSimultaneous)

#include "test_simultaneous.moc"
