#include "core/io/files/arrays/zip_file.hpp"

#include "core/base/error.hpp"
#include "core/io/files/data_seal.hpp"
#include "core/io/files/inflate.hpp"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>

namespace gantry {

namespace {

constexpr std::string_view end_mark = "PK\5\6", end64_mark = "PK\6\6", locator_mark = "PK\6\7",
                           entry_mark = "PK\1\2", local_mark = "PK\3\4";
constexpr std::size_t end_bytes = 22, locator_bytes = 20, end64_bytes = 56, entry_bytes = 46,
                      local_bytes = 30, longest_comment = 65535;
constexpr std::uint64_t in_zip64 = 0xFFFFFFFF, largest_directory = 100'000'000;

[[noreturn]] void refuse(const std::string& path) {
  throw InputError("is no complete zip archive", path, "the file is cut short; fetch it again");
}

/// Returns bytes of the archive. Throws InputError where it has fewer.
std::string bytes_at(const std::string& path, std::uint64_t at, std::uint64_t count) {
  std::string bytes(static_cast<std::size_t>(count), '\0');
  if (bytes_in({{path, at, count}})(std::as_writable_bytes(std::span(bytes))) < count) refuse(path);
  return bytes;
}

std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t count) {
  return whole_number_in(std::as_bytes(std::span(bytes.substr(at, count))), false);
}

/// Where the directory of an archive lies.
struct Directory {
  std::uint64_t at = 0, bytes = 0;
};

Directory directory_of(const std::string& path) {
  const std::uint64_t length = length_of_file(path),
                      tail_bytes = std::min<std::uint64_t>(length, end_bytes + longest_comment);
  const std::string tail = bytes_at(path, length - tail_bytes, tail_bytes);
  const std::size_t end = tail.rfind(end_mark);
  if (end == std::string::npos || tail.size() - end < end_bytes) refuse(path);
  Directory directory{number_at(tail, end + 16, 4), number_at(tail, end + 12, 4)};
  if ((directory.at == in_zip64 || directory.bytes == in_zip64) && end >= locator_bytes &&
      tail.substr(end - locator_bytes).starts_with(locator_mark)) {
    const std::uint64_t end64 = number_at(tail, end - locator_bytes + 8, 8);
    if (end64 > length - std::min<std::uint64_t>(length, end64_bytes)) refuse(path);
    const std::string record = bytes_at(path, end64, end64_bytes);
    if (!record.starts_with(end64_mark)) refuse(path);
    directory = {number_at(record, 48, 8), number_at(record, 40, 8)};
  }
  if (directory.bytes > largest_directory || directory.at > length ||
      directory.bytes > length - directory.at)
    refuse(path);
  return directory;
}

/// Replaces sizes and position that do not fit into 32 bits by those of the field for Zip64.
void take_zip64(std::string_view extra, std::initializer_list<std::uint64_t*> numbers,
                const std::string& path) {
  while (extra.size() >= 4) {
    const std::uint64_t kind = number_at(extra, 0, 2);
    std::string_view field = extra.substr(4);
    const auto bytes = static_cast<std::size_t>(number_at(extra, 2, 2));
    if (bytes > field.size()) refuse(path);
    extra = field.substr(bytes);
    if (kind != 1) continue;
    field = field.substr(0, bytes);
    for (std::uint64_t* number : numbers) {
      if (*number != in_zip64) continue;
      if (field.size() < 8) refuse(path);
      *number = number_at(field, 0, 8);
      field.remove_prefix(8);
    }
  }
}

/// Sets where the bytes of a file lie, which its local header at `local` precedes.
void place(ZipEntry& entry, std::uint64_t local, std::uint64_t packed_bytes,
           const std::string& path) {
  const std::uint64_t length = length_of_file(path);
  if (local > length - std::min<std::uint64_t>(length, local_bytes)) refuse(path);
  const std::string header = bytes_at(path, local, local_bytes);
  if (!header.starts_with(local_mark)) refuse(path);
  const std::uint64_t start =
      local + local_bytes + number_at(header, 26, 2) + number_at(header, 28, 2);
  if (start > length || packed_bytes > length - start) refuse(path);
  entry.packed = {path, start, packed_bytes};
}

}  // namespace

std::vector<ZipEntry> zip_entries(const std::string& path) {
  const Directory found = directory_of(path);
  const std::string directory = bytes_at(path, found.at, found.bytes);
  std::vector<ZipEntry> entries;
  for (std::string_view rest = directory; rest.size() >= entry_bytes;) {
    if (!rest.starts_with(entry_mark)) refuse(path);
    const auto name_bytes = static_cast<std::size_t>(number_at(rest, 28, 2)),
               extra_bytes = static_cast<std::size_t>(number_at(rest, 30, 2)),
               comment_bytes = static_cast<std::size_t>(number_at(rest, 32, 2));
    if (rest.size() < entry_bytes + name_bytes + extra_bytes + comment_bytes) refuse(path);
    ZipEntry entry;
    entry.name = rest.substr(entry_bytes, name_bytes);
    const bool is_encrypted = (number_at(rest, 8, 2) & 1) != 0;
    const std::uint64_t method = number_at(rest, 10, 2);
    if (is_encrypted)
      entry.obstacle = "is encrypted";
    else if (method != 0 && method != 8)
      entry.obstacle = "is packed by method " + std::to_string(method);
    entry.is_deflated = method == 8;
    entry.crc32 = static_cast<std::uint32_t>(number_at(rest, 16, 4));
    entry.bytes = number_at(rest, 24, 4);
    std::uint64_t packed_bytes = number_at(rest, 20, 4), local = number_at(rest, 42, 4);
    take_zip64(rest.substr(entry_bytes + name_bytes, extra_bytes),
               {&entry.bytes, &packed_bytes, &local}, path);
    place(entry, local, packed_bytes, path);
    entries.push_back(std::move(entry));
    rest.remove_prefix(entry_bytes + name_bytes + extra_bytes + comment_bytes);
  }
  return entries;
}

namespace {

void require_unpackable(const ZipEntry& entry, const std::string& where) {
  if (!entry.obstacle.empty())
    throw InputError(entry.obstacle, where, "pack it anew without encryption, by deflate");
}

/// Returns a source that compares the checksum of the unpacked bytes once all were read.
ByteSource compared(ByteSource bytes_of_file, const ZipEntry& entry, const std::string& where) {
  const auto seal = std::make_shared<DataSeal>();
  return [source = sealed(std::move(bytes_of_file), *seal), seal, stated = entry.crc32,
          bytes = entry.bytes, where](std::span<std::byte> out) {
    const std::size_t got = source(out);
    if (seal->bytes == bytes && seal->crc32 != stated)
      throw InputError("the data do not have their checksum", where,
                       "the file is damaged; fetch it again");
    return got;
  };
}

}  // namespace

ByteSource unpacked(const ZipEntry& entry, const std::string& where) {
  require_unpackable(entry, where);
  ByteSource stored = bytes_in({entry.packed});
  if (entry.is_deflated) stored = unpacking(std::move(stored), where, Wrapper::none);
  return compared(std::move(stored), entry, where);
}

OpenBytes unpacked_from(const ZipEntry& entry, const std::string& where) {
  require_unpackable(entry, where);
  if (!entry.is_deflated)
    return [part = entry.packed](std::uint64_t first) { return bytes_in({part}, first); };
  return [bytes = InflatedBytes({entry.packed}, where, Wrapper::none)](std::uint64_t first) {
    return bytes.from(first);
  };
}

void require_sound(const ZipEntry& entry, const OpenBytes& open, const std::string& where) {
  if (!skip_bytes(compared(open(0), entry, where), entry.bytes))
    throw InputError("holds fewer bytes than its archive says", where,
                     "the file is damaged; fetch it again");
}

}  // namespace gantry
