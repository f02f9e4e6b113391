// The separable footprint in the plane: products against the single weights in float64, on slices
// long enough for several chunks of the kernel, seen from the side, askew and from nearby.
#include "core/backend/cpu_backend.hpp"
#include "core/projectors/separable_footprint/separable_footprint.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

ScanSpec fan(DetectorShape shape) {
  ScanSpec spec;
  spec.beam = Beam::fan;
  spec.detector = shape;
  spec.source_to_isocenter_mm = 900;
  spec.source_to_detector_mm = 1400;
  spec.detector_columns = 300;
  spec.column_pitch_mm = 2.1;
  spec.row_pitch_mm = 1;
  spec.central_column = 140.2;
  spec.view_angles_rad = {radians(0), radians(13.7), radians(44.9), radians(91.2), radians(197)};
  return spec;
}

std::vector<ScanCase> long_slices() {
  ScanSpec parallel = fan(DetectorShape::flat);
  parallel.beam = Beam::parallel;
  parallel.column_pitch_mm = 1.3;
  ScanSpec near = fan(DetectorShape::flat);  // footprints of several cells: no pair of slices
  near.column_pitch_mm = 0.35;
  const VolumeGrid wide = VolumeGrid::centered(601, 5, 1, {0.9, 1.1, 1}),
                   tall = VolumeGrid::centered(6, 540, 1, {1, 0.8, 1});
  return {{"flat", share(fan(DetectorShape::flat)), wide},
          {"arc", share(fan(DetectorShape::arc)), wide},
          {"flat, tall", share(fan(DetectorShape::flat)), tall},
          {"parallel", share(parallel), wide},
          {"fine cells", share(near), tall}};
}

/// Every third run of 16 pixels is empty, so that some rays meet nothing but zeros.
std::vector<float> with_holes(std::size_t count) {
  std::vector<float> values = random_values(count, 5);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = (i / 16) % 3 == 0 ? 0.0F : std::abs(values[i]);
  return values;
}

}  // namespace

class TestSeparableFootprint : public QObject {
  Q_OBJECT

  CpuBackend backend_;

 private slots:
  void forwardIsThatOfTheWeights() {
    for (const ScanCase& c : long_slices()) {
      const auto A = make_separable_footprint(backend_, c.geometry, c.grid, {});
      const std::vector<float> image = with_holes(A->domain_size());
      Array y(backend_, A->range_size());
      A->forward(Array::from(backend_, image), y);
      double largest = 0, worst = 0;
      RowWeights row;
      std::size_t ray = 0, seen = 0;
      for (int v = 0; v < A->views(); ++v) {
        const auto view = A->row_source()->view_rows(v);
        int missed = 0;  // rays one beside the other that meet nothing
        for (int column = 0; column < c.geometry->columns(); ++column, ++ray) {
          view->weights(column, 0, row);
          double sum = 0;
          for (std::size_t i = 0; i < row.size(); ++i)
            sum += static_cast<double>(row.weight[i]) * image[row.voxel[i]];
          const float value = y.host()[ray];
          QVERIFY2(value >= 0, c.name.c_str());
          // The first and the last may graze a footprint, to rounding.
          missed = sum == 0 ? missed + 1 : 0;
          if (missed > 2) QCOMPARE(y.host()[ray - 1], 0.0F);
          if (sum > 0) ++seen;
          largest = std::max(largest, sum);
          worst = std::max(worst, std::abs(sum - value));
        }
      }
      QVERIFY2(seen > ray / 50, c.name.c_str());
      // A float32 coordinate of some hundred cells is good to 3e-5 of a cell.
      QVERIFY2(worst <= 6e-5 * largest, qPrintable(QStringLiteral("%1: off by %2 of %3")
                                                       .arg(QString::fromStdString(c.name))
                                                       .arg(worst)
                                                       .arg(largest)));
    }
  }

  void emptyAndFaintImages() {
    const ScanCase c = long_slices().front();
    const auto A = make_separable_footprint(backend_, c.geometry, c.grid, {});
    Array one(backend_, A->range_size()), faint(backend_, A->range_size());
    A->forward(Array::filled(backend_, A->domain_size(), 0), one);
    for (const float value : one.host()) QCOMPARE(value, 0.0F);
    A->forward(Array::filled(backend_, A->domain_size(), 1), one);
    A->forward(Array::filled(backend_, A->domain_size(), 1e-20F), faint);
    for (std::size_t i = 0; i < one.size(); ++i)
      EXPECT_NEAR(faint.host()[i] * 1e20, one.host()[i], 1e-5 * (1 + one.host()[i]));
    // Far below what is counted: nothing, but a number.
    A->forward(Array::filled(backend_, A->domain_size(), 1e-38F), faint);
    for (const float value : faint.host()) QVERIFY(std::isfinite(value) && value >= 0);
  }
};

GANTRY_TEST(TestSeparableFootprint)
#include "test_separable_footprint.moc"
