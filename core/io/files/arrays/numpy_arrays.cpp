#include "core/io/files/arrays/numpy_arrays.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/io/files/arrays/npy_header.hpp"
#include "core/io/files/arrays/zip_file.hpp"
#include "core/io/files/foreign_file.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

namespace gantry {

namespace {

constexpr std::string_view npy = ".npy", zip_mark = "PK\3\4";

/// Makes an array of the numbers that follow their header in the bytes that `open` opens.
void read_behind(StoredArray& array, const NpyHeader& header, OpenBytes open) {
  read_array_from(
      array, header.numbers,
      [open = std::move(open), start = header.bytes, width = bytes_of(header.numbers.type)](
          std::uint64_t first) { return open(start + first * width); });
}

/// Throws InputError where so many bytes are fewer than the header and its numbers.
void require_numbers(const StoredArray& array, const NpyHeader& header, std::uintmax_t bytes) {
  const std::uintmax_t numbers =
      (bytes - std::min<std::uintmax_t>(bytes, header.bytes)) / bytes_of(header.numbers.type);
  if (array.count() > numbers)
    throw InputError(
        "ends after " + std::to_string(numbers) + " of " + array.size_text() + " numbers",
        array.where, "the file is cut short; fetch it again");
}

StoredArray described(const NpyHeader& header, std::string name, std::string where,
                      std::uintmax_t file_bytes) {
  StoredArray array;
  array.name = std::move(name);
  array.where = std::move(where);
  array.size = header.size;
  array.first_axis_is_fastest = header.first_axis_is_fastest;
  array.file_bytes = file_bytes;
  return array;
}

/// Lets the checksum of a file in an archive be compared once, before its first numbers are read:
/// parts of them could not be compared with it.
void require_sound_before_reading(StoredArray& array, const ZipEntry& entry,
                                  const OpenBytes& open) {
  const auto once = std::make_shared<std::once_flag>();
  const auto checked = [once, entry, open, where = array.where](auto read) {
    return [=](std::uint64_t first, auto values) {
      std::call_once(*once, [&] { require_sound(entry, open, where); });
      read(first, values);
    };
  };
  array.read = checked(array.read);
  array.read_doubles = checked(array.read_doubles);
}

/// Makes an array of a file in an archive, in which the numbers follow the header.
StoredArray array_in(const ZipEntry& entry, const NpyHeader& header, const std::string& name,
                     const std::string& where) {
  StoredArray array = described(header, name, where, entry.packed.bytes);
  if (!entry.is_deflated) require_numbers(array, header, entry.packed.bytes);
  const OpenBytes open = unpacked_from(entry, where);
  read_behind(array, header, open);
  require_sound_before_reading(array, entry, open);
  return array;
}

ArrayFile arrays_in_zip(const std::string& path) {
  ArrayFile file;
  for (const ZipEntry& entry : zip_entries(path)) {
    if (!entry.name.ends_with(npy)) continue;
    const std::string name = entry.name.substr(0, entry.name.size() - npy.size()),
                      where = path + ": " + name;
    NpyHeader header;
    try {
      header = read_npy_header(unpacked(entry, where), where);
    } catch (const InputError& error) {  // texts beside the numbers do not matter
      file.left_out.push_back(std::string(error.what()) + " (left out)");
      continue;
    }
    file.arrays.push_back(array_in(entry, header, name, where));
  }
  if (file.arrays.empty())
    throw InputError("holds no arrays of numbers" +
                         (file.left_out.empty() ? std::string() : ": " + joined(file.left_out)),
                     path, "write it by numpy.savez");
  return file;
}

}  // namespace

Certainty npy_certainty(std::string_view start) {
  return start.starts_with(npy_magic) ? Certainty::certain : Certainty::none;
}

Certainty npz_certainty(std::string_view start) {
  constexpr std::size_t length_at = 26, name_at = 30;
  if (!start.starts_with(zip_mark) || start.size() < name_at) return Certainty::none;
  const auto name = start.substr(name_at, static_cast<unsigned char>(start[length_at]));
  return name.ends_with(npy) ? Certainty::certain : Certainty::none;
}

ArrayFile open_numpy(const std::string& path) {
  refuse_empty_file(path);
  if (file_start(path).starts_with(zip_mark)) return arrays_in_zip(path);
  const FilePart whole = rest_of_file(path);
  const NpyHeader header = read_npy_header(bytes_in({whole}), path);
  StoredArray array = described(header, {}, path, whole.bytes);
  require_numbers(array, header, whole.bytes);
  read_behind(array, header, [whole](std::uint64_t first) { return bytes_in({whole}, first); });
  ArrayFile file;
  const std::uintmax_t used = header.bytes + array.count() * bytes_of(header.numbers.type);
  if (whole.bytes > used)
    file.left_out.push_back(std::to_string(whole.bytes - used) +
                            " bytes behind the numbers were left out");
  file.arrays.push_back(std::move(array));
  return file;
}

}  // namespace gantry
