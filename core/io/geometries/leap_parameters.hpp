#pragma once

#include "core/io/geometries/geometry_formats.hpp"

namespace gantry {

/// The parameters of a geometry and a volume as LEAP writes them to a text (save_parameters()):
/// lines "key = value", of the geometry cone, fan, parallel or modular. Angles, columns and rows
/// are those of a scan here, as the export to LEAP has them. Evenly spaced angles are stated by
/// their range alone, so that they begin at 0. On a helix LEAP puts height 0 at the middle of the
/// scan, a scan here at angle 0, which is noted. Refused are geometries that no scan has:
/// cone_parallel, tilted detectors (tiltAngle, pitchAngle).
GeometryFormat leap_parameters_format();

}  // namespace gantry
