#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gantry {

// Unfinished files and folders have a random name and are locked by their writer. The lock ends
// with the process of the writer, so that the next writer recognises files that nobody will finish.

/// Returns a mark: "gantry-" and 16 random hexadecimal digits.
std::string random_mark();
/// Returns whether a text has the form of a mark.
bool is_random_mark(std::string_view text);

/// Returns a hidden name for an unfinished file or folder. Its length does not depend on the
/// target's.
std::string unfinished_name();
/// Returns whether a name has the form of such a hidden name.
bool is_unfinished_name(std::string_view name);

/// Locks a new file or folder for its writer until the descriptor is closed. Returns false if
/// another writer has locked or removed it meanwhile; the caller then needs another name. Returns
/// true on file systems without locks.
bool claim(int descriptor);

/// Removes a file or folder unless its writer is alive.
void remove_abandoned(const std::filesystem::path& path);

/// Returns a hidden name for the old folder while a new one takes its name, on a file system that
/// cannot exchange two names.
std::filesystem::path set_aside_name(const std::filesystem::path& folder);

/// Cleans up `folder` after writers that were killed. Removes unfinished files and folders, and
/// data under a unique name of AtomicPair that no header in the folder names although a header for
/// their plain name exists. Gives a folder that was set aside its name back, or removes the folder
/// if the name is taken. Never throws.
void sweep_leftovers(const std::filesystem::path& folder) noexcept;

}  // namespace gantry
