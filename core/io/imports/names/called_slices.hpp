#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gantry {

/// Takes those images of a folder out, and returns them, that are reconstructed slices by their
/// names or by those of their folders (rec, recon, reconstruction; slices, where no name says
/// projection or raw): if other images are likely the projections, since a name says so (proj,
/// projections, raw), or since a series of four files or more is not far smaller. Takes none
/// otherwise: a scan may be called slices.
std::vector<std::filesystem::path> take_slices(std::vector<std::filesystem::path>& images,
                                               const std::string& folder);

}  // namespace gantry
