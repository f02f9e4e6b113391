#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gantry {

/// Unfinished files and folders carry a random name and the lock of their writer. The lock ends
/// with the writer, however that ends, so that the next writer knows what nobody will finish.

/// "gantry-" and 16 random hexadecimal digits.
std::string random_mark();
/// Whether a text is such a mark.
bool is_random_mark(std::string_view text);

/// A hidden name for what is not finished. Its length does not depend on the target's.
std::string unfinished_name();
/// Whether a name is such a name.
bool is_unfinished_name(std::string_view name);

/// Locks a new file or folder for its writer, until the descriptor is closed. False where a sweep
/// took it first: another name is needed.
bool claim(int descriptor);

/// Removes a file or folder unless its writer lives.
void remove_abandoned(const std::filesystem::path& path);

/// Where a folder stands while another takes its name, on a file system that cannot exchange two.
std::filesystem::path set_aside_name(const std::filesystem::path& folder);

/// Removes the unfinished files and folders in `folder` whose writers are gone, and data under the
/// unique names of AtomicPair that no header there names although one of their name is there; a
/// folder that was set aside gets its name back where nothing else has taken it. Never throws.
void sweep_leftovers(const std::filesystem::path& folder) noexcept;

}  // namespace gantry
