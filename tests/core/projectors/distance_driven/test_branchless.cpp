// The branchless distance-driven projector: the matrix of the branching one, to rounding, in both
// directions.
#include "core/backend/cpu_backend.hpp"
#include "core/projectors/distance_driven/dd_view.hpp"
#include "core/projectors/distance_driven/distance_driven.hpp"
#include "core/projectors/distance_driven/distance_driven_branchless.hpp"
#include "core/projectors/distance_driven/z_sums.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scan_rows.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/threads.hpp"

#include <cmath>
#include <limits>

using namespace gantry;
using namespace gantry::test;

namespace {

/// The diagnostic scanner's arc (Liu et al. 2017, Table I) over one slice of 512 x 512, at views of
/// both kinds of slices, one on the axis and one on the diagonal.
ScanCase diagnostic_arc() {
  ScanSpec spec;
  spec.beam = Beam::fan;
  spec.detector = DetectorShape::arc;
  spec.source_to_isocenter_mm = 541;
  spec.source_to_detector_mm = 949;
  spec.detector_columns = 888;
  spec.column_pitch_mm = 1.0239;
  spec.row_pitch_mm = 1;
  spec.central_column = 443.5 - 1.25;
  spec.view_angles_rad = {radians(0), radians(11.3), radians(45), radians(77.7), radians(203.1)};
  return {"diagnostic arc", share(spec),
          VolumeGrid::centered(512, 512, 1, {0.9766, 0.9766, 0.625})};
}

/// Products with the single weights in float64.
struct Dense {
  std::vector<double> forward, adjoint;
  double largest_forward = 0, largest_adjoint = 0;

  Dense(const Projector& A, const std::vector<float>& x, const std::vector<float>& y)
      : forward(A.range_size(), 0.0), adjoint(A.domain_size(), 0.0) {
    RowWeights row;
    std::size_t ray = 0;
    for (int v = 0; v < A.views(); ++v) {
      const auto view = A.row_source()->view_rows(v);
      for (int q = 0; q < A.geometry().rows(); ++q)
        for (int c = 0; c < A.geometry().columns(); ++c, ++ray) {
          view->weights(c, q, row);
          for (std::size_t i = 0; i < row.size(); ++i) {
            forward[ray] += static_cast<double>(row.weight[i]) * x[row.voxel[i]];
            adjoint[row.voxel[i]] += static_cast<double>(row.weight[i]) * y[ray];
          }
        }
    }
    for (const double value : forward) largest_forward = std::max(largest_forward, std::abs(value));
    for (const double value : adjoint) largest_adjoint = std::max(largest_adjoint, std::abs(value));
  }
};

/// The forward product in float64 with the edges of the projector's own table: overlap by overlap.
std::vector<double> overlaps_of_table(const ScanCase& c, const std::vector<float>& x) {
  std::vector<double> rays(c.geometry->rays(), 0.0);
  for (int v = 0; v < c.geometry->views(); ++v) {
    const DdView table(*c.geometry, c.grid, v);
    const Layers& slices = table.slices;
    for (std::size_t cell = 0; cell < table.length_mm.size(); ++cell) {
      const double low = table.edge[cell], high = table.edge[cell + 1];
      double sum = 0;
      for (int k = 0; k < slices.count; ++k) {
        const double scale = table.scale_first + k * table.scale_step,
                     shift = table.shift_first + k * table.shift_step;
        const double from = std::clamp<double>(scale * low + shift, 0, slices.width),
                     to = std::clamp<double>(scale * high + shift, 0, slices.width);
        for (int i = static_cast<int>(from); i < to; ++i)
          sum += (std::min(to, i + 1.0) - std::max<double>(from, i)) / scale *
                 x[slices.along_y ? c.grid.index(i, k, 0) : c.grid.index(k, i, 0)];
      }
      rays[static_cast<std::size_t>(v) * c.geometry->cells() + table.column(cell)] =
          sum * table.length_mm[cell] / (high - low);
    }
  }
  return rays;
}

template <class Expected>
double worst_difference(const Array& actual, const Expected& expected) {
  double worst = 0;
  for (std::size_t i = 0; i < actual.size(); ++i)
    worst = std::max(worst, std::abs(static_cast<double>(actual.host()[i]) - expected[i]));
  return worst;
}

std::vector<float> magnitudes(std::vector<float> values) {
  for (float& value : values) value = std::abs(value);
  return values;
}

double largest(const Array& values) {
  double found = 0;
  for (const float value : values.host()) found = std::max<double>(found, std::abs(value));
  return found;
}

}  // namespace

class TestBranchless : public QObject {
  Q_OBJECT

  CpuBackend backend_;
  std::vector<ScanCase> cases_ = scan_cases();

  const ScanCase& scan_case() {
    QFETCH(int, scan);
    return cases_[static_cast<std::size_t>(scan)];
  }
  std::unique_ptr<Projector> branchless(const ScanCase& c) {
    return make_distance_driven_branchless(backend_, c.geometry, c.grid, {});
  }
  Array forward(const Projector& A, const std::vector<float>& x) {
    Array y(backend_, A.range_size());
    A.forward(Array::from(backend_, x), y);
    return y;
  }
  Array adjoint(const Projector& A, const std::vector<float>& y) {
    Array x(backend_, A.domain_size());
    A.adjoint(Array::from(backend_, y), x);
    return x;
  }

 private slots:
  void equalsDistanceDriven_data() { add_scan_rows(cases_); }
  void equalsDistanceDriven() {
    const ScanCase& c = scan_case();
    const auto A = branchless(c), B = make_distance_driven(backend_, c.geometry, c.grid, {});
    const std::vector<float> x = random_values(A->domain_size(), 31, -1, 1),
                             y = random_values(A->range_size(), 32, -1, 1);
    const Array of_b = forward(*B, x), back_of_b = adjoint(*B, y);
    const double scale = largest(forward(*B, magnitudes(x))),
                 scale_back = largest(adjoint(*B, magnitudes(y)));
    const double worst = worst_difference(forward(*A, x), of_b.host()),
                 worst_back = worst_difference(adjoint(*A, y), back_of_b.host());
    QVERIFY2(worst <= 1e-5 * scale, qPrintable(QString::number(worst / scale)));
    QVERIFY2(worst_back <= 1e-5 * scale_back, qPrintable(QString::number(worst_back / scale_back)));
  }

  void equalsTheSingleWeightsInFloat64_data() {
    QTest::addColumn<int>("scan");
    for (std::size_t i = 0; i < cases_.size(); ++i)
      if (cases_[i].name.find("diagonals") == std::string::npos)  // ties may count either way
        QTest::addRow("%s", cases_[i].name.c_str()) << static_cast<int>(i);
  }
  void equalsTheSingleWeightsInFloat64() {
    const ScanCase& c = scan_case();
    const auto A = branchless(c);
    const std::vector<float> x = random_values(A->domain_size(), 33),
                             y = random_values(A->range_size(), 34);
    const Dense dense(*A, x, y);
    const double worst = worst_difference(forward(*A, x), dense.forward),
                 worst_back = worst_difference(adjoint(*A, y), dense.adjoint);
    QVERIFY2(worst <= 1e-5 * dense.largest_forward,
             qPrintable(QString::number(worst / dense.largest_forward)));
    QVERIFY2(worst_back <= 1e-5 * dense.largest_adjoint,
             qPrintable(QString::number(worst_back / dense.largest_adjoint)));
  }

  /// Rows of 512 pixels pass 2^32 units many times over. Float32 prefix sums would be off by 4.9e-4
  /// of the largest ray here. What is left is less than float32 tables of edges lose.
  void isExactOnLongRows_data() {
    QTest::addColumn<bool>("random");
    QTest::addRow("ones") << false;
    QTest::addRow("random") << true;
  }
  void isExactOnLongRows() {
    QFETCH(bool, random);
    const ScanCase c = diagnostic_arc();
    const auto A = branchless(c);
    const auto values = [=](std::size_t count, unsigned seed) {
      return random ? random_values(count, seed) : std::vector<float>(count, 1.0F);
    };
    const std::vector<float> x = values(A->domain_size(), 35), y = values(A->range_size(), 36);
    const Dense dense(*A, x, y);
    const std::vector<double> of_table = overlaps_of_table(c, x);
    const Array Ax = forward(*A, x);
    const double sums = worst_difference(Ax, of_table) / dense.largest_forward,
                 whole = worst_difference(Ax, dense.forward) / dense.largest_forward,
                 back = worst_difference(adjoint(*A, y), dense.adjoint) / dense.largest_adjoint;
    const QString errors =
        QStringLiteral("prefix sums %1, with the table's edges %2, transpose %3 of the largest")
            .arg(sums, 0, 'e', 1)
            .arg(whole, 0, 'e', 1)
            .arg(back, 0, 'e', 1);
    qInfo("%s", qPrintable(errors));
    QVERIFY2(sums < 1e-6, qPrintable(errors));
    QVERIFY2(whole < 4e-6, qPrintable(errors));
    // Few views: what edges lose as float32, some 1e-5 pixels, does not average out.
    QVERIFY2(back < 3e-5, qPrintable(errors));
  }

  void adjointIsExact_data() { add_scan_rows(cases_); }
  void adjointIsExact() {
    const auto A = branchless(scan_case());
    const std::vector<float> x = random_values(A->domain_size(), 37, -1, 1),
                             y = random_values(A->range_size(), 38, -1, 1);
    const Array Ax = forward(*A, x), Aty = adjoint(*A, y);
    // What rounds are the terms, however they cancel: sum over i and j of A_ij |x_j| |y_i|.
    const double scale =
        backend_.dot(forward(*A, magnitudes(x)), Array::from(backend_, magnitudes(y)));
    EXPECT_NEAR(backend_.dot(Ax, Array::from(backend_, y)),
                backend_.dot(Array::from(backend_, x), Aty), 5e-7 * scale);
  }

  /// Beside the image the sum stays what it is at its border, and the cell's whole width divides.
  void footprintsAreCutAtTheBorder() {
    ScanSpec spec = fan_spec(1, 4, 3);  // cells of 3 mm, -6 to 6
    spec.beam = Beam::parallel;
    for (const double angle : {0.0, 90.0, 180.0, 270.0}) {
      spec.view_angles_rad = {radians(angle)};
      const auto A =
          branchless({"", share(spec), VolumeGrid::centered(4, 4, 1, {1, 1, 1})});  // -2 to 2
      const Array y = forward(*A, std::vector<float>(16, 1.0F));
      const std::vector<double> expected = {0, 4.0 * 2 / 3, 4.0 * 2 / 3, 0};
      QVERIFY(worst_difference(y, expected) < 1e-6);
      EXPECT_NEAR(y.host()[0], 0.0, 0.0);
      EXPECT_NEAR(y.host()[3], 0.0, 0.0);
    }
  }

  void lastPrefixIsTheSum() {
    const VolumeGrid grid = VolumeGrid::centered(37, 21, 13, {1, 1, 1});
    const std::vector<float> x = random_values(grid.voxels(), 39, -1, 2);
    const PrefixUnit unit(x.data(), x.size(), 37);
    double expected = 0;
    for (const float value : x) expected += value;
    const ZSums sums(backend_, grid, x.data(), unit);
    double sum = 0;
    for (int iy = 0; iy < grid.ny; ++iy)
      for (int ix = 0; ix < grid.nx; ++ix) {
        const std::int32_t* line = sums.line(ix, iy);
        QCOMPARE(line[0], 0);
        QCOMPARE(line[grid.nz + 1], line[grid.nz]);
        sum += line[grid.nz] * unit.value();
      }
    EXPECT_NEAR(sum, expected, 1e-7 * static_cast<double>(x.size()));
    // A single cell as wide as all of the image sums it up: p = d / width * sum.
    ScanSpec spec = fan_spec(1, 1, 50);
    spec.beam = Beam::parallel;
    spec.view_angles_rad = {radians(90)};
    const std::vector<float> image = random_values(37 * 21, 40);
    expected = 0;
    for (const float value : image) expected += value;
    const auto A = branchless({"", share(spec), VolumeGrid::centered(37, 21, 1, {1, 1, 1})});
    EXPECT_NEAR(forward(*A, image).host()[0], expected / 50, 2e-7 * expected / 50);
  }

  /// The unit is a power of two that follows the values: nothing depends on how large they are.
  void scaleOfTheValuesDoesNotMatter() {
    for (const ScanCase& c : cases_) {
      const auto A = branchless(c);
      std::vector<float> x = random_values(A->domain_size(), 41, -1, 1),
                         y = random_values(A->range_size(), 42, -1, 1);
      const Array Ax = forward(*A, x), Aty = adjoint(*A, y);
      for (const float scale : {std::ldexp(1.0F, 40), std::ldexp(1.0F, -60)}) {
        std::vector<float> scaled = x;
        for (float& value : scaled) value *= scale;
        const Array scaled_Ax = forward(*A, scaled);
        for (std::size_t i = 0; i < Ax.size(); ++i)
          QCOMPARE(scaled_Ax.host()[i], Ax.host()[i] * scale);
      }
    }
  }

  void notANumberIsPassedOn() {
    for (const ScanCase& c : {cases_.front(), cases_[cases_.size() - 2]}) {
      const auto A = branchless(c);
      for (const float bad :
           {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        std::vector<float> x(A->domain_size(), 1.0F);
        x[x.size() / 2] = bad;
        QVERIFY(!std::isfinite(largest_or_nan(forward(*A, x))));
      }
      // All zero is all zero.
      QCOMPARE(largest(forward(*A, std::vector<float>(A->domain_size(), 0.0F))), 0.0);
      QCOMPARE(largest(adjoint(*A, std::vector<float>(A->range_size(), 0.0F))), 0.0);
    }
  }

  void resultsDoNotDependOnThreads() {
    for (const ScanCase& c : cases_) expect_same_products_on_any_threads(*branchless(c));
  }

 private:
  static double largest_or_nan(const Array& values) {
    double sum = 0;
    for (const float value : values.host()) sum += value;
    return sum;
  }
};

GANTRY_TEST(TestBranchless)

#include "test_branchless.moc"
