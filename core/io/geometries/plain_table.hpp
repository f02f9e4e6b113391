#pragma once

#include "core/io/geometries/geometry_formats.hpp"

namespace gantry {

/// Vectors of ASTRA or projection matrices as an array of NumPy, NAME.npy, or as a text NAME.txt
/// whose name does not tell which of them: a row of 12 numbers for each view (6: fanflat_vec), or a
/// matrix of 3 x 4. Rows of 12 are what they make sense as; a name that ends in ".cone_vec.npy",
/// ".parallel3d_vec.npy" or ".matrices.npy" says what they are. Throws InputError for numbers that
/// may be either.
GeometryFormat plain_table_format();

}  // namespace gantry
