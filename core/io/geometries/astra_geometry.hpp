#pragma once

#include "core/io/geometries/geometry_formats.hpp"

namespace gantry {

// Projection geometries of the ASTRA Toolbox with a vector for each view, which become free poses:
//
//   cone_vec        source, middle of the detector, step to the next column, to the next row
//   parallel3d_vec  direction of the rays, middle, step to the next column, to the next row
//   fanflat_vec     source, middle, step to the next column; x and y of each
//
// 12 numbers a view, 6 for fanflat_vec. Coordinates are taken as mm, and column and row of a
// detector cell are those of a scan.

/// The geometry as ASTRA's Python interface holds it, written as JSON: an object with "type",
/// "DetectorRowCount", "DetectorColCount" ("DetectorCount" for fanflat_vec) and "Vectors", a list
/// of rows. The types of a circle about the origin are read, too: "cone", "parallel3d", "fanflat"
/// and "parallel", with "ProjectionAngles" in radians, "DistanceOriginSource",
/// "DistanceOriginDetector" and "DetectorSpacingX", "DetectorSpacingY" ("DetectorWidth" of the
/// latter two), as astra.geom_2vec turns them to vectors.
GeometryFormat astra_json_format();

/// Texts with the numbers of a view in each line, whose type their names tell: NAME.cone_vec.txt,
/// NAME.fanflat_vec.txt, NAME.parallel3d_vec.txt; NAME.geom is a cone_vec. Lines "#
/// DetectorColCount = 512" and
/// "# DetectorRowCount = 256" state the cells; without them the projections do.
GeometryFormat astra_cone_format();
GeometryFormat astra_fan_format();
GeometryFormat astra_parallel_format();

}  // namespace gantry
