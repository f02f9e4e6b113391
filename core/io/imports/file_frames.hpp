#pragma once

#include "core/io/imports/import_scan.hpp"
#include "core/io/imports/paged_frames.hpp"

#include <functional>
#include <string>
#include <vector>

namespace gantry {

/// Returns the angles that the files of projections themselves state, degrees; nothing where they
/// state none.
using AnglesInFrames = std::function<std::vector<double>(const std::vector<std::string>& paths)>;

/// What a file beside the frames says of a scan.
struct StatedFrames {
  std::string file = {};  ///< its name, for messages
  int projections = 0;    ///< frames of higher numbers, from 0, are none; 0: not stated
  double arc_deg = 0;     ///< from the first projection to a step after the last; 0: not stated
};

/// What a format adds to the reading of its files.
struct FrameCustom {
  AnglesInFrames angles = {};  ///< asked where no text beside the frames lists their angles
  StatedFrames stated = {};    ///< of a folder; its arc counts where nothing else tells the angles
};

/// Reads a folder of files with these extensions: projections, flats and darks told apart by their
/// names, angles in a text beside them (list_frame_files()); or a file of projections, with the
/// flats and darks of the request. Images that are sinograms, by the request, by their names or
/// because there is only one, are turned into views. Throws InputError.
RawScan read_frames(const ImportRequest& request, const std::vector<std::string>& extensions,
                    const PageReader& reader, const FrameCustom& custom = {});

/// Returns a format of images with these extensions, a file or a folder of files, that lacks how it
/// is recognised by its first bytes and read.
ImportFormat format_of_images(const std::string& key, const std::string& label,
                              const std::vector<std::string>& extensions);

}  // namespace gantry
