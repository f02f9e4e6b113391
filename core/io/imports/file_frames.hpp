#pragma once

#include "core/base/error.hpp"
#include "core/io/imports/import_scan.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// Size of the pages of a file of images, and their number.
struct PageSize {
  int columns = 0, rows = 0, count = 0;
  std::string numbers = {};  ///< their type for messages, "16-bit whole numbers"; empty: always one
};

/// Reads the pages of files of one format. Several threads may call the functions at once, which
/// throw InputError.
struct PageReader {
  /// Returns what a file claims to hold, with the size of its first page.
  std::function<PageSize(const std::string& path)> look;
  /// Reads a page, [row][column]; refuses one of another size than `size`.
  std::function<void(const std::string& path, int page, const PageSize& size, std::span<float>)>
      read;
  std::string format = {};  ///< the key of the format of these files
};

/// Returns the note about a damaged file that was left out.
std::string left_out_note(const InputError& error);

/// Throws InputError if a small file claims far more values than it can hold.
void require_memory_for_pages(const PageSize& size, const std::string& path);

/// Returns the frames in the pages of files, of the size and the type of number that most of them
/// have, where the reader tells the type; null without files. `notes` gets the names of the others,
/// which are left out, and `file_of_frame` (if given) the index of the file of each frame. Throws
/// InputError as the reader does, and for a small file that claims far more values than it can
/// hold. With `leaves_out_damaged` each file is read, and those of which the reader throws are left
/// out as well, unless it throws of all.
std::shared_ptr<const FrameSource> frames_in_files(
    const std::vector<std::string>& paths, const PageReader& reader,
    std::vector<std::string>& notes, std::vector<std::size_t>* file_of_frame = nullptr,
    bool leaves_out_damaged = false);

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
