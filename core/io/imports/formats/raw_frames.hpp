#pragma once

#include "core/io/files/raw_numbers.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gantry {

/// How frames lie in files without a header that a program could understand: numbers, row after
/// row, frame after frame.
struct RawLayout {
  int columns = 0, rows = 0;
  NumberFormat numbers;
  std::uint64_t file_header_bytes = 0, frame_header_bytes = 0;
};

/// Returns `in_each` frames of each file, or all that it holds where that is 0; null without files.
/// Throws InputError for a file that does not exist, or is shorter than that; `notes` gets the
/// names of longer ones.
std::shared_ptr<const FrameSource> raw_frames_of(const std::vector<std::string>& paths, int in_each,
                                                 const RawLayout& layout,
                                                 std::vector<std::string>& notes);

}  // namespace gantry
