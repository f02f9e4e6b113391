#pragma once

#include "core/io/geometries/stated_geometry.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace gantry {

/// How many projections a scan has, and which ones by the numbers of their files.
struct CountedProjections {
  std::size_t count = 0;
  std::vector<int> positions;  ///< as RawScan has them
  int first_number = 0;        ///< likewise

  /// Returns the places from 0 to that of the last projection.
  std::size_t places() const;
};

/// Which views of a geometry are those of the projections of a scan.
struct ViewsOfProjections {
  std::vector<int> views;      ///< that of each projection, rising; empty: the counts do not fit
  bool is_by_numbers = false;  ///< the numbers of the files tell which projections are missing

  bool fit() const { return !views.empty(); }
};

/// Returns which of the `count` views of a geometry are those of the projections. There may be a
/// view for each projection; where some are missing by the numbers of their files, one for each
/// number; or a single one more: the numbers may tell that the first projection is missing, else
/// the last view, which often only closes the turn, is that without a projection.
ViewsOfProjections views_of_projections(std::size_t count, const CountedProjections& projections);

/// Leaves out the views of a geometry that have no projections by views_of_projections(), which is
/// added to its assumptions. Where the counts do not fit, all of them stay. `path`: the geometry.
void leave_out_views_without_projection(const CountedProjections& projections,
                                        const std::string& path, StatedGeometry& stated);

}  // namespace gantry
