#pragma once

#include <filesystem>

namespace gantry {

// Files and folders that are being written under another name: whoever ends the program at once
// takes them away. From any thread.

void note_temporary(const std::filesystem::path& path);
void forget_temporary(const std::filesystem::path& path) noexcept;
/// Removes all that are noted. No other can be noted or forgotten from then on: the program ends.
void remove_temporaries() noexcept;

}  // namespace gantry
