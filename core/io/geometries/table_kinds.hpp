#pragma once

#include "core/io/files/text/number_table.hpp"
#include "core/io/geometries/stated_geometry.hpp"

#include <string>

namespace gantry {

/// What the 12 numbers of a view in a table may be.
enum class TableKind {
  cone_vectors,      ///< source, middle of the detector and steps between cells (ASTRA's cone_vec)
  parallel_vectors,  ///< direction of the rays, middle and steps (ASTRA's parallel3d_vec)
  matrices           ///< a projection matrix of 3 x 4, row after row
};

/// Returns what the rows of 12 numbers of a table make sense as, all of them; where they may be
/// vectors and matrices, or rays from a source and parallel ones, the name of the file decides.
/// Rays of length 1 onto a detector that does not lie behind the origin as seen from their start
/// are parallel, unless the name says "cone". Throws InputError where neither tells, and for
/// numbers that make no sense.
TableKind kind_of_table(const NumberTable& table, const std::string& path,
                        const KnownDetector& known);

/// Returns whether the name of a file says that it holds a geometry: it speaks of vectors, a
/// geometry or matrices.
bool names_geometry(const std::string& path);

}  // namespace gantry
