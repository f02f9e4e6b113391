#pragma once

#include "core/io/imports/file_frames.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gantry {

/// Returns whether a file, or a data set of HDF5 in it, is of a format that holds frames alone
/// (ImportFormat::frames).
bool holds_frames(const std::string& path);

/// Returns a reader of the files that `open` opens, of the format with this key.
PageReader reader_of_frames(
    const std::function<std::shared_ptr<const FrameSource>(const std::string& path)>& open,
    const std::string& format);

/// Returns a reader of flats or darks that also takes files of every other format that holds frames
/// alone, data sets of HDF5, "a.h5:/flats", and files of any type of number. The notes on such a
/// file are added to `notes` when the reader first looks at it.
PageReader with_other_formats(PageReader reader, FrameRole role, const Interrupt* interrupt,
                              std::vector<std::string>& notes);

}  // namespace gantry
