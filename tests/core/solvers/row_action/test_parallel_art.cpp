// Parallel ART: against its formula over the dense matrix, and against a table of errors that
// another program computed.
#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "core/matrix/rows/csr.hpp"
#include "core/solvers/run.hpp"
#include "core/solvers/view_order.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/published_scan.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

namespace {

/// ||a_i||^2 of rows first .. last - 1 decide; the largest eigenvalue of A_s^T diag(1/||a||^2) A_s.
double dense_eigenvalue(const DenseMatrix& a, std::size_t first, std::size_t last) {
  const std::size_t n = a.front().size();
  DenseMatrix m(n, std::vector<double>(n, 0.0));
  for (std::size_t k = first; k < last; ++k) {
    const double norm = std::inner_product(a[k].begin(), a[k].end(), a[k].begin(), 0.0);
    if (norm == 0) continue;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) m[i][j] += a[k][i] * a[k][j] / norm;
  }
  return symmetric_eigenvalues(m).back();
}

/// x += step A_s^T diag(1/||a||^2) (b - A_s x), s the rows first .. last - 1.
void correct(const DenseMatrix& a, std::span<const float> b, std::size_t first, std::size_t last,
             double step, bool nonnegative, std::vector<double>& x) {
  std::vector<double> change(x.size(), 0.0);
  for (std::size_t i = first; i < last; ++i) {
    const double norm = std::inner_product(a[i].begin(), a[i].end(), a[i].begin(), 0.0);
    if (norm == 0) continue;
    const double deviation = b[i] - std::inner_product(a[i].begin(), a[i].end(), x.begin(), 0.0);
    for (std::size_t j = 0; j < x.size(); ++j) change[j] += a[i][j] * deviation / norm;
  }
  for (std::size_t j = 0; j < x.size(); ++j) {
    x[j] += step * change[j];
    if (nonnegative) x[j] = std::max(x[j], 0.0);
  }
}

}  // namespace

class TestParallelArt : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;
  // The detector is wider than the grid: rays at both ends miss.
  std::unique_ptr<Projector> A_;
  DenseMatrix dense_;

  std::unique_ptr<Solver> solver(const Params& params) {
    return catalog_.solvers.make("parallel_art", "cpu", params);
  }
  std::size_t views() const { return static_cast<std::size_t>(A_->views()); }
  /// M / s: of all rays, or of the views the smallest.
  double half_bound(bool by_views) const {
    const std::size_t cells = A_->cells_per_view();
    if (!by_views)
      return static_cast<double>(dense_.size()) / dense_eigenvalue(dense_, 0, dense_.size());
    double s = 0;
    for (std::size_t v = 0; v < views(); ++v)
      s = std::max(s, dense_eigenvalue(dense_, v * cells, (v + 1) * cells));
    return static_cast<double>(cells) / s;
  }

 private slots:
  void initTestCase() {
    add_core(catalog_);
    A_ = catalog_.projectors.make("siddon", "cpu", backend_, share(fan_spec(14, 22, 4)),
                                  VolumeGrid::centered(8, 7, 1, {5, 5, 5}), {});
    dense_ = dense_matrix(*A_);
  }

  void isTheFormulaInPrint_data() {
    QTest::addColumn<QString>("scope");
    QTest::addColumn<QString>("normalisation");
    QTest::addColumn<QString>("order");
    for (const char* normalisation : {"bound", "printed"}) {
      QTest::addRow("all, %s", normalisation) << "all" << normalisation << "natural";
      for (const char* order : {"natural", "golden"})
        QTest::addRow("views, %s, %s", normalisation, order) << "views" << normalisation << order;
    }
  }
  void isTheFormulaInPrint() {
    QFETCH(QString, scope);
    QFETCH(QString, normalisation);
    QFETCH(QString, order);
    const bool by_views = scope == "views";
    const Array wild = Array::from(backend_, random_values(A_->range_size(), 73, -5, 8));
    const std::size_t cells = A_->cells_per_view();
    const std::vector<int> sequence =
        visiting_order(parse_view_order(order.toStdString()), A_->views(), 1, 0);
    for (const bool nonnegative : {false, true}) {
      const auto s = solver({{"relaxation", 1.5},
                             {"scope", scope.toStdString()},
                             {"normalisation", normalisation.toStdString()},
                             {"order", order.toStdString()},
                             {"nonnegative", nonnegative}});
      run(*s, {A_.get(), &wild, nullptr}, {4, 0}, {});
      QCOMPARE(s->steps_per_iteration(), by_views ? A_->views() : 1);
      const double bound = 2 * half_bound(by_views),
                   lambda = 1.5 * (normalisation == "bound" ? bound / 2 : 1);
      const auto range = s->admissible();
      QVERIFY(range.has_value());
      EXPECT_NEAR(range->bound, bound, 1e-4 * bound);
      EXPECT_NEAR(range->value, lambda, 1e-4 * lambda);
      std::vector<double> x(A_->domain_size(), 0.0);
      for (int iteration = 0; iteration < 4; ++iteration) {
        if (!by_views)
          correct(dense_, wild.host(), 0, dense_.size(),
                  lambda / static_cast<double>(dense_.size()), nonnegative, x);
        else
          for (const int v : sequence)
            correct(dense_, wild.host(), static_cast<std::size_t>(v) * cells,
                    static_cast<std::size_t>(v + 1) * cells, lambda / static_cast<double>(cells),
                    nonnegative, x);
      }
      QCOMPARE(std::ranges::min(x) >= 0, nonnegative);
      for (std::size_t j = 0; j < x.size(); ++j) EXPECT_NEAR(s->solution().host()[j], x[j], 5e-4);
    }
  }

  void allRaysAtOnceAreCimminos() {
    const Array data = Array::from(backend_, random_values(A_->range_size(), 74));
    const auto after = [&](const std::string& key, const Params& params) {
      const auto s = catalog_.solvers.make(key, "cpu", params);
      run(*s, {A_.get(), &data, nullptr}, {5, 0}, {});
      return s->solution().to_host();
    };
    QCOMPARE(after("parallel_art", {{"scope", std::string("all")}, {"relaxation", 1.9}}),
             after("cimmino", {{"relaxation", 1.9}}));
  }

  void needsTheNormsOfTheRows() {
    const MatrixOperator bare(backend_, dense_, A_->views());
    const Array data = Array::filled(backend_, dense_.size(), 1);
    EXPECT_THROWS(UsageError, solver({})->init({&bare, &data, nullptr}), "norms of the rows");
  }

  /// Errors after 1, 5 and 15 iterations for the published formula and its sound variants: modified
  /// Shepp-Logan of 128^2 pixels, 180 views of 192 cells, area weights; computed by another program
  /// in float64.
  void publishedTable() {
    constexpr int side = 128;
    const VolumeGrid grid = VolumeGrid::centered(side, side, 1, {1, 1, 1});
    // The table begins half a step past the -Y axis.
    const StoredMatrix A(
        catalog_.projectors.make("area_integral", "cpu", backend_,
                                 share(published_scan(side, 0.4621, 180, 192, 90.5)), grid,
                                 {{"normalisation", std::string("area")}}),
        make_csr({}));
    const auto phantom =
        catalog_.phantoms.make("shepp_logan", "cpu", {{"size_mm", 1.0 * side}, {"mu_scale", 1.0}});
    std::vector<float> truth(grid.voxels());
    for (int iy = 0; iy < side; ++iy)
      for (int ix = 0; ix < side; ++ix) {
        double sum = 0;  // of 4 x 4 points
        for (int k = 0; k < 16; ++k) {
          const Vec3 centre = grid.voxel_center_mm(ix, iy, 0);
          sum += phantom->mu_at(
              {centre.x + (k % 4 - 1.5) / 4, centre.y + (k / 4 - 1.5) / 4, centre.z});
        }
        truth[grid.index(ix, iy, 0)] = static_cast<float>(sum / 16);
      }
    const auto error = [&](std::span<const float> x) {
      double sum = 0;
      for (std::size_t j = 0; j < truth.size(); ++j) sum += std::pow(1.0 * x[j] - truth[j], 2);
      return std::sqrt(sum / static_cast<double>(truth.size()));
    };
    EXPECT_NEAR(error(std::vector<float>(truth.size(), 0.0F)), 0.236878, 2e-5);
    QVERIFY(std::abs(static_cast<double>(A.storage().nonzeros) - 8024896) < 9);
    Array data(backend_, A.range_size());
    A.forward(Array::from(backend_, truth), data);

    struct Row {
      std::string scope, normalisation;
      double relaxation;  // of views in the unit of 1/||a||^2, where it is not printed
      std::vector<double> errors;
    };
    const std::vector<Row> table = {
        {"all", "printed", 1, {0.2361, 0.2329, 0.2257}},
        {"all", "bound", 1.0, {0.1798, 0.1430, 0.1055}},
        {"all", "bound", 1.8, {0.1977, 0.1303, 0.0827}},
        {"views", "printed", 1, {0.1743, 0.1276, 0.0864}},
        {"views", "bound", 0.25, {0.0671, 0.0146, 0.0053}},
        {"views", "bound", 0.5, {0.0956, 0.0311, 0.0075}},
    };
    for (const Row& row : table) {
      Params params = {{"relaxation", 1.0},
                       {"scope", row.scope},
                       {"normalisation", row.normalisation},
                       {"order", std::string("natural")},
                       {"nonnegative", false}};
      auto s = solver(params);
      s->init({&A, &data, nullptr});
      const double bound = s->admissible()->bound;
      if (row.scope == "all")
        EXPECT_NEAR(bound, 216.275, 0.05);
      else  // the table looked at three views, of which none has the largest eigenvalue
        QVERIFY(bound < 185.327 && bound > 0.95 * 185.327);
      const bool in_norms = row.scope == "views" && row.normalisation == "bound";
      params.set("relaxation", row.relaxation * (in_norms ? 2 * 192 / bound : 1));
      s = solver(params);
      s->init({&A, &data, nullptr});
      std::vector<double> errors;
      for (int iteration = 1; iteration <= 15; ++iteration) {
        for (int step = 0; step < s->steps_per_iteration(); ++step) s->step();
        if (iteration == 1 || iteration == 5 || iteration == 15)
          errors.push_back(error(s->solution().host()));
      }
      for (std::size_t i = 0; i < errors.size(); ++i)
        EXPECT_NEAR(errors[i], row.errors[i], 6e-5 + 2e-3 * row.errors[i]);
    }
  }
};

GANTRY_TEST(TestParallelArt)
#include "test_parallel_art.moc"
