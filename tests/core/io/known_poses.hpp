#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "tests/support/expect.hpp"

#include <QByteArray>

#include <cmath>

namespace gantry::test {

/// Source and detector on a bent path, tilted: where they stand is a plain function of the view.
struct KnownPose {
  Vec3 source_mm, detector_mm;  ///< the second: the middle of the detector
  Vec3 u, v, normal;            ///< directions, of which `normal` points from the source on
  double distance_mm = 0;       ///< of the source from the plane of the detector

  explicit KnownPose(int view) {
    const double t = 0.4 * view, tilt = 0.1 * std::sin(t);
    normal = {-std::sin(t) * std::cos(tilt), std::cos(t) * std::cos(tilt), std::sin(tilt)};
    u = {std::cos(t), std::sin(t), 0};
    v = cross(u, normal);
    source_mm = -400.0 * normal + 12.0 * u + (3.0 * view) * Vec3{0, 0, 1};
    distance_mm = 650 + view;
    detector_mm = source_mm + distance_mm * normal + 4.0 * u - 7.0 * v;
  }
  View view(double column_mm, double row_mm) const {
    return {source_mm, detector_mm, column_mm * u, row_mm * v};
  }
};

constexpr int known_views = 7, known_columns = 40, known_rows = 30;

inline void expect_vector(Vec3 actual, Vec3 expected) {
  EXPECT_NEAR(actual.x, expected.x, 1e-6);
  EXPECT_NEAR(actual.y, expected.y, 1e-6);
  EXPECT_NEAR(actual.z, expected.z, 1e-6);
}

inline void expect_view(const View& actual, const View& expected) {
  expect_vector(actual.source_mm, expected.source_mm);
  expect_vector(actual.detector_mm, expected.detector_mm);
  expect_vector(actual.u_mm, expected.u_mm);
  expect_vector(actual.v_mm, expected.v_mm);
}

inline QByteArray number(double value) { return QByteArray::number(value, 'g', 15); }
inline QByteArray numbers(Vec3 p, const char* between = " ") {
  return number(p.x) + between + number(p.y) + between + number(p.z);
}

}  // namespace gantry::test
