#pragma once

#include "core/io/geometries/geometry_formats.hpp"

namespace gantry {

/// Vectors of ASTRA or projection matrices as an array of NumPy, NAME.npy, or as a text NAME.txt
/// or NAME.csv whose name does not tell which of them: a row of 12 numbers for each view (6:
/// fanflat_vec), or a matrix of 3 x 4. Rows of 12 are what they make sense as (kind_of_table()); a
/// name that ends in ".cone_vec.npy", ".parallel3d_vec.npy" or ".matrices.npy" says what they are.
/// Throws InputError for numbers that may be either.
GeometryFormat plain_table_format();

/// Returns whether a file begins as such a table does: an array with 12 numbers or a matrix of 3 x
/// 4 for each view, or a text with 12 numbers in its first line. Rows of 6, and lines of 4, which
/// tables of other things have as well, do only where the name says that it is a geometry.
bool may_be_plain_table(const std::string& path);

/// Returns whether a file is an array with a matrix of 3 x 4 for each view, by its shape.
bool has_shape_of_matrices(const std::string& path);

}  // namespace gantry
