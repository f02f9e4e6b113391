#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "tests/support/expect.hpp"

#include <cmath>
#include <vector>

namespace gantry::test {

/// A ball of attenuation 0.02 / mm beside the axis, above the middle, so that an image that is
/// turned over, mirrored or in another order shows another scan.
struct OffCentreBall {
  static constexpr double radius_mm = 6, mu = 0.02;

  static float integral(const Ray& ray) {
    const Vec3 middle{9, -5, 7}, from = middle - ray.origin_mm;
    const double along = dot(from, ray.direction),
                 half_2 = radius_mm * radius_mm - dot(from, from) + along * along;
    return static_cast<float>(half_2 > 0 ? 2 * mu * std::sqrt(half_2) : 0);
  }
  /// Returns its line integrals, [view][row][column].
  static std::vector<float> integrals(const ScanGeometry& geometry) {
    std::vector<float> values;
    for (int view = 0; view < geometry.views(); ++view)
      for (int row = 0; row < geometry.rows(); ++row)
        for (int column = 0; column < geometry.columns(); ++column)
          values.push_back(integral(geometry.ray(view, column, row)));
    return values;
  }
  /// Checks that the values of an imported scan are those of its own rays.
  static void expect_in(const ScanGeometry& geometry, const std::vector<float>& values,
                        double tolerance = 1e-5) {
    const std::vector<float> expected = integrals(geometry);
    QCOMPARE(values.size(), expected.size());
    double most = 0;
    float largest = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      most = std::max(most, std::abs(double{values[i]} - double{expected[i]}));
      largest = std::max(largest, expected[i]);
    }
    QVERIFY(largest > 0.1F);  // the ball is seen
    EXPECT_NEAR(most, 0, tolerance);
  }
};

/// A cone beam of a few views, whose axis is beside the middle of the detector; cells are not
/// square.
inline ScanSpec cone_of_ball() {
  ScanSpec spec;
  spec.beam = Beam::cone;
  spec.source_to_isocenter_mm = 200;
  spec.source_to_detector_mm = 300;
  spec.detector_columns = 28;
  spec.detector_rows = 22;
  spec.column_pitch_mm = 2;
  spec.row_pitch_mm = 2.5;
  spec.central_column = 12.25;
  spec.central_row = 9.5;
  for (int i = 0; i < 12; ++i) spec.view_angles_rad.push_back(0.3 + 2 * pi * i / 12);
  return spec;
}

}  // namespace gantry::test
