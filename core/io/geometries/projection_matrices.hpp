#pragma once

#include "core/io/files/text/number_table.hpp"
#include "core/io/geometries/geometry_formats.hpp"

#include <span>
#include <string>

namespace gantry {

/// Returns the pose of source and detector that a projection matrix of 12 numbers stands for, row
/// after row, of cells that are `pixel_mm` wide. Throws InputError, naming `place`, for a matrix
/// that no source and detector have.
View pose_of_matrix(std::span<const double> matrix, const ScanSpec& detector, double pixel_mm,
                    const std::string& place);

/// Returns the geometry that a table of matrices, 12 numbers a line, stands for; `path` is named by
/// messages. Throws InputError.
StatedGeometry geometry_of_matrices(const NumberTable& table, const std::string& path,
                                    const KnownDetector& known);

/// Projection matrices P, 3 x 4, from a point (x, y, z, 1) in mm to (column w, row w, w) of the
/// detector cell that it is seen in, as a text NAME.matrices.txt with the 12 numbers of a view,
/// row after row, in each line or on three lines. Lines "# columns = 512" and "# rows = 256" state
/// the detector; without them the projections do. "# pixel_mm = 0.2" counts where neither the user
/// nor the projections state the size of a cell; where they state another one, a note says so.
///
/// With P = (M | p), as M = K R, K upper triangular, R a rotation: the source stands at -M^-1 p,
/// and a cell is seen from it along M^-1 (column, row, 1). A matrix leaves open how far away the
/// detector is; the size of a cell tells it.
GeometryFormat projection_matrices_format();

}  // namespace gantry
