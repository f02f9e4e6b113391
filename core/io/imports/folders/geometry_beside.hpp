#pragma once

#include "core/io/geometries/stated_geometry.hpp"
#include "core/io/imports/checks/geometry_views.hpp"
#include "core/io/imports/folders/frame_files.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Returns whether the first bytes or the name of a file tell that it is a geometry of another
/// program (geometry_formats()); a table of any numbers is none.
bool is_geometry_file(const std::string& path);

/// Geometries of other programs beside the images of a scan, sorted.
struct GeometriesBeside {
  /// Those with a view for each projection, as views_of_projections() finds them. Where there are
  /// some without a view too many, these alone.
  std::vector<std::string> fitting;
  /// "geometry.xml, beside them, states 90 views for 45 projections", of the others; empty: none.
  std::string unfit;
};

/// Returns the geometries beside the images of a scan with these projections. What they do not
/// state of the detector comes from `known`.
GeometriesBeside geometries_beside(const FrameFiles& files, const KnownDetector& known,
                                   const CountedProjections& projections);

}  // namespace gantry
