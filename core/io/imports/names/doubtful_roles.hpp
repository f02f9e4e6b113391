#pragma once

#include "core/io/imports/names/file_groups.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Flats and darks by names that others may have as well.
struct DoubtfulRoles {
  std::vector<std::string> flats, darks;  ///< paths, in the order of their numbers
};

/// Returns them among the images of a `folder` that are no projections: by may_name_flat() and
/// may_name_dark(), also behind the name of the projections, of which one is given, where plain
/// names count too: rockbak_0000.tif and rock_air_0.tif beside rock_0000.tif. Nothing where another
/// image is left, since the folder may then hold several scans.
DoubtfulRoles doubtful_roles(const Groups& left, const std::string& folder,
                             const std::string& projection);

}  // namespace gantry
