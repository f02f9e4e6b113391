#pragma once

#include "core/io/geometries/geometry_formats.hpp"

namespace gantry {

/// Vectors of the ASTRA Toolbox for an arc detector (cyl_cone_vec, from version 2.4), as a text
/// NAME.cyl_cone_vec.txt: of each view source, middle of the detector, step to the next column
/// along the tangent in the middle, step to the next row, and the radius of the cylinder. A
/// cylinder about the source that turns about the z axis, as Gantry exports it, becomes a circle or
/// a helix; others are refused.
GeometryFormat astra_arc_format();

}  // namespace gantry
