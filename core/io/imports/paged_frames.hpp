#pragma once

#include "core/base/error.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
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
  /// Returns how many pages a file holds that may be none of the scan; empty: look() does.
  std::function<int(const std::string& path)> count = {};
  /// What the files hold, "flats", where those of other types of number than most are taken, too.
  std::string of_any_type = {};
  /// The type of number of the projections beside these, which may be another one; empty: not known
  std::string type_of_projections = {};
};

/// Returns how many pages a file holds; 0 of one that the reader refuses.
int count_pages(const PageReader& reader, const std::string& path);
/// Returns the columns and rows of the first page of a file; 0 and 0 of one that the reader
/// refuses.
std::pair<int, int> cells_of_pages(const PageReader& reader, const std::string& path);
/// Returns their type as PageSize::numbers; nothing of a file that the reader refuses.
std::string numbers_of_pages(const PageReader& reader, const std::string& path);

/// Returns the note about a damaged file that was left out.
std::string left_out_note(const InputError& error);

/// Throws InputError if a small file claims far more values than it can hold.
void require_memory_for_pages(const PageSize& size, const std::string& path);

/// Returns the frames in the pages of files, of the size and the type of number that most of them
/// have, where the reader tells the type; null without files. `notes` gets the names of the others,
/// which are left out, but those of another type are not where the reader takes any, and
/// `file_of_frame` (if given) the index of the file of each frame. Throws InputError as the reader
/// does, and for a small file that claims far more values than it can hold. With
/// `leaves_out_damaged` each file is read, and those of which the reader throws are left out as
/// well, unless it throws of all.
std::shared_ptr<const FrameSource> frames_in_files(
    const std::vector<std::string>& paths, const PageReader& reader,
    std::vector<std::string>& notes, std::vector<std::size_t>* file_of_frame = nullptr,
    bool leaves_out_damaged = false);

}  // namespace gantry
