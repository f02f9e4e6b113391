#pragma once

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
};

/// Reads the pages of files of one format. Several threads may call the functions at once, which
/// throw InputError.
struct PageReader {
  /// Returns what a file claims to hold, with the size of its first page.
  std::function<PageSize(const std::string& path)> look;
  /// Reads a page, [row][column]; refuses one of another size than `size`.
  std::function<void(const std::string& path, int page, const PageSize& size, std::span<float>)>
      read;
};

/// Throws InputError if a small file claims far more values than it can hold.
void require_memory_for_pages(const PageSize& size, const std::string& path);

/// Returns the frames in the pages of files, of the size of the first one; null without files.
/// `notes` gets the names of files of other sizes, which are left out, and `kept` (if given) the
/// indices of the others. Throws InputError as the reader does, and for a small file that claims
/// far more values than it can hold.
std::shared_ptr<const FrameSource> frames_in_files(const std::vector<std::string>& paths,
                                                   const PageReader& reader,
                                                   std::vector<std::string>& notes,
                                                   std::vector<std::size_t>* kept = nullptr);

/// Returns the angles that the files of projections themselves state, degrees; nothing where they
/// state none.
using AnglesInFrames = std::function<std::vector<double>(const std::vector<std::string>& paths)>;

/// Reads a folder of files with these extensions: projections, flats and darks told apart by their
/// names, angles in a text beside them (list_frame_files()); or a file of projections, with the
/// flats and darks of the request. Images that are sinograms, by the request, by their names or
/// because there is only one, are turned into views. `in_frames`, which may be empty, is asked
/// where there is no such text. Throws InputError.
RawScan read_frames(const ImportRequest& request, const std::vector<std::string>& extensions,
                    const PageReader& reader, const AnglesInFrames& in_frames = {});

/// Returns a format of images with these extensions, a file or a folder of files, that lacks how it
/// is recognised by its first bytes and read.
ImportFormat format_of_images(const std::string& key, const std::string& label,
                              const std::vector<std::string>& extensions);

}  // namespace gantry
