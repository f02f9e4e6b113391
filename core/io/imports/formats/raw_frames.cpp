#include "core/io/imports/formats/raw_frames.hpp"

#include "core/base/error.hpp"
#include "core/io/imports/file_frames.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace gantry {

namespace fs = std::filesystem;

namespace {

std::uint64_t frame_bytes(const RawLayout& layout) {
  return layout.frame_header_bytes + static_cast<std::uint64_t>(layout.columns) *
                                         static_cast<std::uint64_t>(layout.rows) *
                                         bytes_of(layout.numbers.type);
}

std::uintmax_t size_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    throw InputError("there is no such file of frames", path, "put it there");
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) throw InputError("cannot be read: " + error.message(), path, "check the permissions");
  return size;
}

/// Returns how many frames are read of a file of so many bytes, one at least: a file that is
/// shorter is refused, not read as nothing.
int frames_in(std::uintmax_t size, int in_each, const RawLayout& layout) {
  if (in_each > 0) return in_each;
  const std::uintmax_t held =
      (size - std::min<std::uintmax_t>(size, layout.file_header_bytes)) / frame_bytes(layout);
  return static_cast<int>(std::clamp<std::uintmax_t>(held, 1, FrameSource::most_frames));
}

/// Returns an empty text for a file of just so many frames; else what is there and what should be.
std::string contradiction(std::uintmax_t size, int count, const RawLayout& layout) {
  const std::uint64_t expected =
      layout.file_header_bytes + static_cast<std::uint64_t>(count) * frame_bytes(layout);
  if (size == expected) return {};
  return "holds " + std::to_string(size) + " bytes, but " + std::to_string(count) +
         (count == 1 ? " frame is " : " frames are ") + std::to_string(expected);
}

void read_raw_frame(const std::string& path, int frame, const RawLayout& layout,
                    std::span<float> values) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(layout.file_header_bytes +
                                         static_cast<std::uint64_t>(frame) * frame_bytes(layout) +
                                         layout.frame_header_bytes));
  const ByteSource source = [&](std::span<std::byte> bytes) {
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return static_cast<std::size_t>(file.gcount());
  };
  if (!file || read_numbers(source, layout.numbers, values) != values.size())
    throw InputError("frame " + std::to_string(frame + 1) + " cannot be read", path,
                     "check the disk and the permissions");
}

}  // namespace

std::shared_ptr<const FrameSource> raw_frames_of(const std::vector<std::string>& paths, int in_each,
                                                 const RawLayout& layout,
                                                 std::vector<std::string>& notes) {
  PageReader reader;
  reader.look = [layout, in_each](const std::string& path) {
    const std::uintmax_t size = size_of(path);
    const int count = frames_in(size, in_each, layout);
    if (size < layout.file_header_bytes + static_cast<std::uint64_t>(count) * frame_bytes(layout))
      throw InputError(contradiction(size, count, layout), path,
                       "the file is cut short, or what is said of its frames is wrong");
    return PageSize{layout.columns, layout.rows, count};
  };
  reader.read = [layout](const std::string& path, int page, const PageSize&,
                         std::span<float> values) { read_raw_frame(path, page, layout, values); };
  auto frames = frames_in_files(paths, reader, notes);
  for (const std::string& path : paths) {
    const std::uintmax_t size = size_of(path);
    const std::string more = contradiction(size, frames_in(size, in_each, layout), layout);
    if (!more.empty())
      notes.push_back(fs::path(path).filename().string() + " " + more + ": the end was left out");
  }
  return frames;
}

}  // namespace gantry
