// The lengths of matrix rows, estimated from samples, are those of the whole matrix.
#include "core/backend/cpu_backend.hpp"
#include "core/catalog/catalog.hpp"
#include "core/matrix/nonzero_estimate.hpp"
#include "core/operator/row_norms.hpp"
#include "tests/contract/matrix_cases.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <numeric>

using namespace gantry;
using namespace gantry::test;

class TestNonzeroEstimate : public QObject {
  Q_OBJECT
  Catalog catalog_;
  CpuBackend backend_;
  std::vector<ScanCase> cases_ = large_matrix_cases();

  /// The numbers of nonzeros of all rows and columns of a matrix.
  struct Lengths {
    std::vector<double> rows, columns;
  };
  static Lengths lengths_of(const Projector& A) {
    Lengths all{{}, std::vector<double>(A.domain_size(), 0.0)};
    RowWeights row;
    for (int v = 0; v < A.views(); ++v) {
      const auto view = require_row_source(A).view_rows(v);
      for (int r = 0; r < A.geometry().rows(); ++r)
        for (int c = 0; c < A.geometry().columns(); ++c) {
          view->weights(c, r, row);
          all.rows.push_back(static_cast<double>(row.size()));
          for (const std::size_t voxel : row.voxel) ++all.columns[voxel];
        }
    }
    return all;
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  void samplesTellTheWhole_data() {
    QTest::addColumn<QString>("projector");
    QTest::addColumn<int>("scan");
    for (std::size_t i = 0; i < cases_.size(); ++i)
      for (const char* projector : {"siddon", "distance_driven"})
        QTest::addRow("%s, %s", projector, cases_[i].name.c_str())
            << QString(projector) << static_cast<int>(i);
  }
  void samplesTellTheWhole() {
    QFETCH(QString, projector);
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    const auto A =
        catalog_.projectors.make(projector.toStdString(), "cpu", backend_, c.geometry, c.grid, {});
    const NonzeroEstimate estimate = estimate_nonzeros(*A);
    const Lengths exact = lengths_of(*A);
    const double nonzeros = std::accumulate(exact.rows.begin(), exact.rows.end(), 0.0),
                 longest_row = std::ranges::max(exact.rows),
                 longest_column = std::ranges::max(exact.columns);
    EXPECT_NEAR(estimate.nonzeros, nonzeros, 0.05 * nonzeros);
    EXPECT_NEAR(estimate.longest_row(*A), longest_row, 0.05 * longest_row);
    const GroupLengths& lines = estimate.of_lines(*A);
    // Of Siddon's columns, which differ by chance, a sample seldom holds the very longest.
    EXPECT_NEAR(static_cast<double>(lines.longest()), longest_column, 0.06 * longest_column);
    const double by_lines = lines.sum([&](const auto& length) {
      double sum = 0;
      for (std::size_t i = 0; i < lines.rows; ++i) sum += static_cast<double>(length(i));
      return sum;
    });
    EXPECT_NEAR(by_lines, nonzeros, 0.05 * nonzeros);
  }
};

GANTRY_TEST(TestNonzeroEstimate)
#include "test_nonzero_estimate.moc"
