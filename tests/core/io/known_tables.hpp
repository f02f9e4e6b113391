#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "tests/core/io/known_poses.hpp"

#include <QByteArray>

#include <cstddef>
#include <functional>
#include <vector>

namespace gantry::test {

/// Returns the 12 numbers of a pose as vectors of ASTRA.
inline std::vector<double> vectors_of(const View& pose) {
  std::vector<double> all;
  for (const Vec3& v : {pose.source_mm, pose.detector_mm, pose.u_mm, pose.v_mm})
    all.insert(all.end(), {v.x, v.y, v.z});
  return all;
}

/// Returns the matrix of a known pose with square cells, row after row: of a point p, (column w,
/// row w, w) with w its distance from the source along the normal.
inline std::vector<double> known_matrix(int index, double cell_mm, int columns, int rows) {
  const KnownPose pose(index);
  const Vec3 away = pose.detector_mm - pose.source_mm;
  const double f = pose.distance_mm / cell_mm,
               column = 0.5 * (columns - 1) - dot(away, pose.u) / cell_mm,
               row = 0.5 * (rows - 1) - dot(away, pose.v) / cell_mm;
  std::vector<double> all;
  for (const Vec3& line :
       {f * pose.u + column * pose.normal, f * pose.v + row * pose.normal, pose.normal})
    all.insert(all.end(), {line.x, line.y, line.z, -dot(line, pose.source_mm)});
  return all;
}

/// Returns the numbers of so many views, one after the other.
inline std::vector<double> numbers_of_views(
    int views, const std::function<std::vector<double>(int view)>& numbers) {
  std::vector<double> all;
  for (int i = 0; i < views; ++i) {
    const std::vector<double> one = numbers(i);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

/// Returns numbers as a text, so many in a line.
inline QByteArray table_text(const std::vector<double>& numbers, std::size_t in_a_line,
                             const char* between = " ") {
  QByteArray text;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += number(numbers[i]) + ((i + 1) % in_a_line == 0 ? "\n" : between);
  return text;
}

}  // namespace gantry::test
