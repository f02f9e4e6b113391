#pragma once

#include "core/io/geometries/geometry_formats.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace gantry {

/// The geometry of RTK, an XML file of version 2 or 3 (ThreeDCircularProjectionGeometry; S. Rit and
/// others, J. Phys.: Conf. Ser. 489, 2014, 012079). The axis of rotation, RTK's y, becomes z, and
/// RTK's z becomes -y, with which RTK's gantry angles are those of a scan here. A flat detector
/// gives free poses. A cylindrical one about the source gives a circle with an arc detector; other
/// cylinders are refused. Where source and detector stand follows from the parameters; a matrix in
/// the file that says something else is noted. Where a distance or the angle is missing, it follows
/// from the matrices. Elements that RTK does not know are noted, and refused where they may be a
/// missing parameter. Cells and their size are not in the file, nor is the
/// place of the point (0, 0) of the detector: without KnownDetector::zero it is the middle.
GeometryFormat rtk_geometry_format();

/// Whether the first bytes of a file are those of RTK's geometry.
bool is_rtk_geometry(std::string_view start);

/// Returns how many projections such a file lists. Throws InputError.
std::size_t projections_in_rtk(const std::string& path);

}  // namespace gantry
