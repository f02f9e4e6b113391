#pragma once

#include "core/io/imports/folders/frame_files.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// The places of the frames in numbered files among all frames that these files and the missing
/// ones hold.
struct FramePlaces {
  std::vector<int> positions;  ///< of each frame, rising; empty: without numbers, or none missing
  int all = 0;                 ///< frames of the whole series; 0: the last one that is read ends it
  std::vector<std::string> notes;  ///< which files or frames are missing
  /// Why the places are not known, though files are missing; empty: they are.
  std::string problem;
};

/// Returns the places of frames by the numbers of their files. `file_of_frame`: the index of the
/// file of each frame, rising; files without one were left out. The numbers count the frames where
/// each file holds one; also in files of several, where they are those of their first frames. Else
/// they count the files, of which a missing one held as many frames as each of the others.
FramePlaces places_of_frames(const FrameFiles& files, std::span<const std::size_t> file_of_frame);

/// Returns the note that numbers are missing between those of the projections, of which each file
/// holds one: "frames 0042 and 0045 to 0047 are missing between p_0041.tif and p_0048.tif";
/// nothing without any.
std::vector<std::string> missing_frames(const FrameFiles& files);

}  // namespace gantry
