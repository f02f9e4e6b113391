#pragma once

#include "core/io/geometries/stated_geometry.hpp"
#include "core/io/imports/checks/geometry_views.hpp"
#include "core/io/imports/folders/frame_files.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Returns whether the first bytes or the name of a file tell that it is a geometry of another
/// program (geometry_formats()). A table of numbers is one by a name that says so, and where its
/// numbers make sense as a geometry (may_be_plain_table()), unless it is called a list of angles.
/// What it does not state of the detector comes from `known`.
bool is_geometry_file(const std::string& path, const KnownDetector& known);

/// Geometries of other programs beside the images of a scan, sorted.
struct GeometriesBeside {
  /// Those with a view for each projection, as views_of_projections() finds them. Where there are
  /// some without a view too many, these alone.
  std::vector<std::string> fitting;
  /// "geometry.xml, beside them, states 90 views for 45 projections", of the others, and why those
  /// that cannot be read are none; empty: there are none.
  std::string unfit;
};

/// Returns the geometries beside the images of a scan with these projections. What they do not
/// state of the detector comes from `known`.
GeometriesBeside geometries_beside(const FrameFiles& files, const KnownDetector& known,
                                   const CountedProjections& projections);

}  // namespace gantry
