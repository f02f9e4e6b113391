#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace gantry {

/// What the name of an image says of it, the least likely projections first.
enum class CalledImage : char { result, neither, scan, projection };

/// Returns what the path of an image within its folder says, without its extension: rec, volume,
/// mask, corrected and the like are results; proj, raw or radiograph are projections, and scan,
/// tomo or data most likely are. The name of the file counts before those of its folders.
CalledImage called_image(const std::filesystem::path& within);

/// So many images at least are a series whose names may say what it is.
inline constexpr std::size_t least_of_series = 4;

/// Returns whether images whose names say nothing may be the projections beside so many images
/// that are called results: if they are a series and not far fewer. Otherwise the scan may be
/// called as a result.
bool may_be_projections_beside(std::size_t results, std::size_t images);

/// Removes reconstructed slices from the images of a folder, and returns them. An image is a slice
/// if its name, or that of its folder, contains rec, recon or reconstruction, or slices where no
/// name contains projection or raw. Slices are removed only if the other images are likely the
/// projections: if their names contain proj, projections or raw, or if they are a series of at
/// least four files that is not far smaller. Otherwise nothing is removed, since a scan may have
/// the name slices.
std::vector<std::filesystem::path> take_slices(std::vector<std::filesystem::path>& images,
                                               const std::string& folder);

}  // namespace gantry
