#pragma once

#include "core/io/imports/import_scan.hpp"

namespace gantry {

/// TIFF as projections: a folder of files with one frame each, a file with a frame per page, or
/// sinograms [view][column], as a single image is one. Flats, darks and a list of angles
/// are found by their names (frame_files.hpp).
ImportFormat tiff_frames_format();

/// Returns the pages of these files as frames, of the size of the first; null without files.
/// `notes` gets the names of files of other sizes, which are left out, and `file_of_frame` (if
/// given) the index of the file of each frame; damaged ones are left out too if asked
/// (frames_in_files()). Throws InputError.
std::shared_ptr<const FrameSource> tiff_frames_of(const std::vector<std::string>& paths,
                                                  std::vector<std::string>& notes,
                                                  std::vector<std::size_t>* file_of_frame = nullptr,
                                                  bool leaves_out_damaged = false,
                                                  const Interrupt* interrupt = nullptr);

/// Returns the flats or darks in these files, which are TIFF, as above, or of any other format that
/// holds frames alone (with_other_formats()); null without files.
std::shared_ptr<const FrameSource> given_frames_of(const std::vector<std::string>& paths,
                                                   FrameRole role, const ImportRequest& request,
                                                   std::vector<std::string>& notes);

}  // namespace gantry
