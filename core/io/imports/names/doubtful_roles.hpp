#pragma once

#include "core/io/imports/names/file_groups.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Flats and darks whose names could also be those of projections.
struct DoubtfulRoles {
  std::vector<std::vector<std::string>> flats;  ///< paths of each series, by their numbers
  std::vector<std::string> darks;               ///< paths, in the order of their numbers
};

/// Returns the flats and darks among the groups of images of a `folder` that are `left` beside its
/// projections. A name counts as may_name_flat() and may_name_dark() say. A name that begins with
/// that of the projections (`projection` is the path of one of them) counts without this beginning,
/// and then also as names_flat() and names_dark() say: rockbak_0000.tif and rock_air_0.tif are
/// flats beside rock_0000.tif. Where the projections themselves are called as flats or darks, only
/// what follows this beginning counts: dark_chocolate_flat_0.tif beside dark_chocolate_0000.tif is
/// a flat. Returns none if any group is neither, since the folder may then hold several scans.
DoubtfulRoles doubtful_roles(const Groups& left, const std::string& folder,
                             const std::string& projection);

/// Returns the note that files were taken as `role`, "flats", by a doubtful name. `why`: what else
/// tells it, behind a comma; empty: nothing.
std::string doubtful_note(const std::vector<std::string>& paths, const std::string& role,
                          const std::string& why = {});

}  // namespace gantry
