#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gantry {

/// NUL, line ends, escape and the like: bytes below 32, and 127.
bool has_control_characters(std::string_view text);

/// Whether `path`, links resolved, lies in `folder` or below it.
bool lies_within(const std::filesystem::path& path, const std::filesystem::path& folder);

/// Whether a scan file may name data outside its folder: the environment variable
/// GANTRY_ALLOW_OUTSIDE is set, and not to 0.
bool allows_data_outside();

/// Throw UsageError for a path whose file name a header of the kind cannot hold so that it reads
/// back: JSON is UTF-8; a MetaImage header has lines without spaces at their ends, and reads % and
/// LIST as a pattern of slices.
void require_name_for_json(const std::string& path);
void require_name_for_metaimage(const std::string& path);

}  // namespace gantry
