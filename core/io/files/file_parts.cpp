#include "core/io/files/file_parts.hpp"

#include "core/base/error.hpp"
#include "core/io/files/read_text.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

/// Where a source of bytes stands.
struct Place {
  std::vector<FilePart> parts;
  std::size_t part = 0;
  std::uintmax_t at = 0;  // within the part
  std::ifstream file;     // of the part; not open: not begun

  std::uintmax_t left() const { return parts[part].bytes - at; }

  /// Reads bytes of the present part. Returns their number.
  std::size_t read(std::span<std::byte> out) {
    if (!file.is_open()) {
      file = open_file(parts[part].path);
      file.seekg(static_cast<std::streamoff>(parts[part].start + at));
    }
    errno = 0;
    file.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
    if (file.bad())
      throw InputError("cannot be read (" + std::generic_category().message(errno) + ")",
                       parts[part].path, "check the disk or the network");
    const auto got = static_cast<std::size_t>(file.gcount());
    at += got;
    return got;
  }

  void go_to_next_part() {
    file = std::ifstream();
    at = 0;
    ++part;
  }
};

}  // namespace

ByteSource bytes_in(std::vector<FilePart> parts, std::uintmax_t first) {
  const auto place = std::make_shared<Place>();
  place->parts = std::move(parts);
  while (place->part < place->parts.size() && first >= place->left()) {
    first -= place->left();
    place->go_to_next_part();
  }
  place->at = first;
  return [place](std::span<std::byte> out) {
    std::size_t done = 0;
    while (done < out.size() && place->part < place->parts.size()) {
      const auto wanted =
          static_cast<std::size_t>(std::min<std::uintmax_t>(out.size() - done, place->left()));
      const std::size_t got = place->read(out.subspan(done, wanted));
      done += got;
      if (got < wanted) break;
      if (place->left() == 0) place->go_to_next_part();
    }
    return done;
  };
}

std::vector<FilePart> parts_within(const std::vector<FilePart>& parts, std::uintmax_t first,
                                   std::uintmax_t bytes) {
  std::vector<FilePart> within;
  for (const FilePart& part : parts) {
    const std::uintmax_t before = std::min(first, part.bytes),
                         taken = std::min(bytes, part.bytes - before);
    if (taken > 0) within.push_back({part.path, part.start + before, taken});
    first -= before;
    bytes -= taken;
  }
  return within;
}

std::uintmax_t length_of_file(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))  // reading from a pipe would wait for ever
    throw InputError("there is no such file", path, "check the name");
  const std::uintmax_t length = fs::file_size(path, error);
  if (error) throw InputError("cannot be read", path, error.message());
  return length;
}

FilePart rest_of_file(const std::string& path, std::uintmax_t start) {
  const std::uintmax_t length = length_of_file(path);
  return {path, std::min(start, length), length - std::min(start, length)};
}

ByteSource interruptible(ByteSource source, const Interrupt* interrupt) {
  if (interrupt == nullptr) return source;
  return [source = std::move(source), interrupt](std::span<std::byte> out) {
    interrupt->check();
    return source(out);
  };
}

}  // namespace gantry
