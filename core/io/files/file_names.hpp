#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gantry {

/// Returns a text with the letters A to Z replaced by a to z, whatever the locale.
std::string lower_case(std::string text);

/// Returns a text without blanks, tabs and carriage returns at its ends.
std::string_view trimmed_blanks(std::string_view text);

/// Returns whether the name of a file ends in `extension` (lower case, with its dot) in upper or
/// lower case, and holds more than that.
bool has_extension(const std::filesystem::path& file, std::string_view extension);

/// Returns the folder of a file; "." for a bare file name.
std::filesystem::path folder_of(const std::filesystem::path& file);

/// Returns whether a text holds control characters: bytes below 32 (NUL, line ends, escape, ...) or
/// 127.
bool has_control_characters(std::string_view text);

/// Returns whether `path` lies in `folder` or below, after links are resolved.
bool lies_within(const std::filesystem::path& path, const std::filesystem::path& folder);

/// Returns whether a scan file may name data outside its folder: whether the environment variable
/// GANTRY_ALLOW_OUTSIDE is set, and not to 0.
bool allows_data_outside();

/// Throw UsageError for a path whose file name cannot be stored in a header and read back: JSON is
/// UTF-8; a MetaImage header loses a space before the name, and reads % and LIST as a pattern of
/// slice files; neither takes control characters.
void require_name_for_json(const std::string& path);
void require_name_for_metaimage(const std::string& path);

}  // namespace gantry
