#pragma once

#include <filesystem>

namespace gantry {

// Register of the files and folders that are being written under another name. Code that ends the
// program at once removes them. All functions may be called from any thread.

void note_temporary(const std::filesystem::path& path);
void forget_temporary(const std::filesystem::path& path) noexcept;
/// Returns whether a file or folder of this name, in whichever folder, is in the register.
bool is_temporary_of_this_program(const std::filesystem::path& path);
/// Removes all files and folders in the register. Every later call of these functions blocks, since
/// the program is about to end.
void remove_temporaries() noexcept;

}  // namespace gantry
