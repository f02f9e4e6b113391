#pragma once

#include "core/geometry/scan_geometry.hpp"

namespace gantry {

/// Returns the angle of the first view, degrees; 0 without views.
double first_angle_deg(const ScanSpec& scan);
/// Returns the angle that the views cover, degrees, counting one step for each view; 360 for fewer
/// than two views.
double covered_angle_deg(const ScanSpec& scan);
/// Replaces the views by `count` at equal steps over so many degrees.
void set_views(ScanSpec& scan, double first_deg, double covered_deg, int count);

/// Returns the angle from 0 to `period` that differs from another one by whole periods; 0 included.
double wrapped(double angle, double period);

}  // namespace gantry
