#pragma once

#include "core/io/files/text/number_table.hpp"
#include "core/io/geometries/geometry_formats.hpp"

#include <cstddef>
#include <string>

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

enum class AstraType { cone, fan, parallel };

/// Returns how many numbers a view has.
std::size_t numbers_of(AstraType type);

/// Returns the geometry that a table of vectors, a line for each view, stands for; `path` is named
/// by messages. Throws InputError.
StatedGeometry geometry_of_vectors(AstraType type, const NumberTable& table,
                                   const std::string& path, const KnownDetector& known);

/// Returns the cells that lines "# DetectorColCount = 512" of a table state, else the known ones.
/// Throws InputError for what is no count.
KnownDetector stated_cells(const NumberTable& table, const std::string& path,
                           const KnownDetector& known);
inline constexpr const char* cells_remedy =
    "state it in lines as \"# DetectorColCount = 512\" and \"# DetectorRowCount = 256\"";

}  // namespace gantry
