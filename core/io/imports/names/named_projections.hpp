#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gantry {

/// Returns how many frames files hold.
using FramesOf = std::function<std::size_t(const std::vector<std::string>& paths)>;

/// Moves the projections of a folder from its `flats` and `darks` to the `others`, where a sample
/// has such a name: dark_chocolate. They are a series whose names say more (names_more()) and that
/// has at least four times as many frames as all other images; where there are no others, also the
/// only one whose names say more behind the word of the role, if it is the longest one; or all
/// images, if all are flats or all are darks. A note is added to `notes`. Throws InputError where
/// no others are left.
void take_named_projections(std::vector<std::string>& flats, std::vector<std::string>& darks,
                            std::vector<std::filesystem::path>& others, const std::string& folder,
                            const FramesOf& frames_of, std::vector<std::string>& notes);

}  // namespace gantry
