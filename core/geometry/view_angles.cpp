#include "core/geometry/view_angles.hpp"

#include <cmath>
#include <cstddef>

namespace gantry {

double first_angle_deg(const ScanSpec& scan) {
  return scan.view_angles_rad.empty() ? 0 : degrees(scan.view_angles_rad.front());
}

double covered_angle_deg(const ScanSpec& scan) {
  const std::size_t n = scan.view_angles_rad.size();
  if (n < 2) return 360;
  return degrees(scan.view_angles_rad.back() - scan.view_angles_rad.front()) *
         static_cast<double>(n) / static_cast<double>(n - 1);
}

void set_views(ScanSpec& scan, double first_deg, double covered_deg, int count) {
  scan.view_angles_rad = angles_from_degrees(first_deg, covered_deg / count, count);
}

double wrapped(double angle, double period) {
  const double rest = std::fmod(angle, period);
  return rest < 0 ? rest + period : rest;
}

}  // namespace gantry
