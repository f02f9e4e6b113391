#include "core/io/volumes/metaimage_layout.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace gantry {

namespace fs = std::filesystem;

void refuse_length(const MetaHeader& header, const std::string& holds, const std::string& remedy) {
  throw InputError(holds + " for " + std::to_string(voxels_of(header)) + " voxels of " +
                       std::to_string(bytes_of(header.numbers.type)) + " bytes",
                   header.data_file, remedy);
}

void require_no_surplus(const MetaHeader& header, std::uintmax_t bytes, std::uintmax_t used) {
  if (bytes != used)
    refuse_length(header, "holds " + std::to_string(bytes) + " bytes of data, too many",
                  "DimSize, ElementType or HeaderSize is wrong, or the file was changed");
}

namespace {

/// Returns the extent of a volume whose slices lie in several files, each as long as the others.
MetaExtent extent_of_files(const MetaHeader& header) {
  const std::size_t files = header.data_files.size(), voxels = voxels_of(header);
  const std::uintmax_t bytes = voxels * bytes_of(header.numbers.type) / files;
  MetaExtent extent;
  for (const std::string& file : header.data_files) {
    const std::uintmax_t length = length_of_file(file);
    if (length < header.data_start || length - header.data_start < bytes ||
        (length - header.data_start > bytes && !header.data_at_end))
      throw InputError("holds " + std::to_string(length - std::min(length, header.data_start)) +
                           " bytes of data for " + std::to_string(voxels / files) + " voxels of " +
                           std::to_string(bytes_of(header.numbers.type)) + " bytes",
                       file, "the file is cut short, or DimSize or ElementType is wrong");
    extent.parts.push_back({file, header.data_at_end ? length - bytes : header.data_start, bytes});
    extent.file_bytes += length;
  }
  return extent;
}

/// Returns the extent of numbers that are written as text, of at least two characters each.
MetaExtent extent_of_text(const MetaHeader& header) {
  const FilePart part = rest_of_file(header.data_file, header.data_start);
  if (part.bytes + 1 < 2 * voxels_of(header))
    throw InputError("holds " + std::to_string(part.bytes) + " characters for " +
                         std::to_string(voxels_of(header)) + " numbers",
                     header.data_file, "the file is cut short, or DimSize is wrong");
  return {{part}, part.start + part.bytes};
}

}  // namespace

std::uintmax_t MetaExtent::bytes() const {
  std::uintmax_t sum = 0;
  for (const FilePart& part : parts) sum += part.bytes;
  return sum;
}

MetaExtent data_extent(const MetaHeader& header) {
  if (header.data_files.size() > 1) return extent_of_files(header);
  std::error_code error;
  if (!fs::is_regular_file(header.data_file, error))
    throw InputError("there is no such data file", header.data_file,
                     "put it there or correct ElementDataFile");
  const std::uintmax_t length = fs::file_size(header.data_file, error);
  if (error) throw InputError("cannot be read", header.data_file, error.message());
  if (header.is_text) return extent_of_text(header);
  const std::uintmax_t unpacked = voxels_of(header) * bytes_of(header.numbers.type);
  const std::uintmax_t stored = header.compressed ? header.compressed_bytes.value_or(0) : unpacked;
  const std::uintmax_t first = header.data_at_end ? header.header_end : header.data_start;
  const std::uintmax_t bytes = length - std::min(length, first);
  constexpr std::uintmax_t most_per_byte = 1032;  // highest ratio of deflate
  const std::uintmax_t possible = header.compressed ? bytes * most_per_byte : bytes;
  if (possible < unpacked || bytes < stored)
    refuse_length(header, "holds " + std::to_string(bytes) + " bytes of data, too few",
                  "the file is cut short, or DimSize or ElementType is wrong");
  // A separate file whose data are its last bytes (HeaderSize = -1) begins with an unknown number
  // of bytes of another program, so a surplus cannot be detected.
  const bool all_known = !header.data_at_end || header.header_end > 0;
  if (stored > 0 && all_known) require_no_surplus(header, bytes, stored);
  return {{{header.data_file, header.data_at_end ? length - stored : first,
            stored > 0 ? stored : bytes}},
          length};
}

}  // namespace gantry
