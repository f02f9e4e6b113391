#pragma once

#include "core/io/geometries/stated_geometry.hpp"

#include <string>

namespace gantry {

/// Reads a scenario of CTSimU (file format 1.x, JSON), as it was planned for a simulated or a real
/// scan: places and directions of source, stage and detector, the arc, the detector.
///
/// The volume is that of the stage: its coordinates u, v, w, turned back to the angle 0, are x, y,
/// z here; so places that the scenario gives for the object are places in the volume. The scan is a
/// circle where it can be (make_circle()), else it has free poses. Deviations and drifts of
/// parts, which are not read, are refused. Throws InputError.
StatedGeometry read_ctsimu_scenario(const std::string& path);

}  // namespace gantry
