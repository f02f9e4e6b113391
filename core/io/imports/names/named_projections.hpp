#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gantry {

/// Removes the projections of a folder from its `flats` and `darks`, and returns them, where the
/// names of all its images are those of flats or darks: a sample may have such a name. The
/// projections are all images, if all are flats or all are darks; else a series whose names say
/// more (names_more()) and that has at least four times as many files as all others. A note is
/// added to `notes`. Throws InputError for other images and without any.
std::vector<std::filesystem::path> take_named_projections(std::vector<std::string>& flats,
                                                          std::vector<std::string>& darks,
                                                          const std::string& folder,
                                                          std::vector<std::string>& notes);

}  // namespace gantry
