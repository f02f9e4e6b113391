#pragma once

#include "core/io/geometries/geometry_formats.hpp"

namespace gantry {

/// The geometry of RTK, an XML file of version 2 or 3 (ThreeDCircularProjectionGeometry; S. Rit and
/// others, J. Phys.: Conf. Ser. 489, 2014, 012079). The axis of rotation, RTK's y, becomes z, and
/// RTK's z becomes -y, with which RTK's gantry angles are those of a scan here. A flat detector
/// gives free poses. A cylindrical one about the source gives a circle with an arc detector; other
/// cylinders are refused. Where source and detector stand follows from the parameters; a matrix in
/// the file that says something else is noted. Where a distance or the angle is missing, it follows
/// from the matrices. Elements that RTK does not know are noted, and refused where they may be a
/// missing parameter. Cells and their size are not in the file.
GeometryFormat rtk_geometry_format();

}  // namespace gantry
