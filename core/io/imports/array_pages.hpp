#pragma once

#include "core/io/imports/file_frames.hpp"

namespace gantry {

/// Returns whether a file holds arrays of NumPy, by its first bytes.
bool is_numpy(const std::string& path);

/// Returns a reader that also takes arrays of NumPy as flats and darks beside files of another
/// format: frames [frame][row][column], or a single one [row][column].
PageReader with_arrays(PageReader reader);

}  // namespace gantry
