#include "core/io/volumes/metaimage.hpp"

#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/io/files/atomic_pair.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/inflate.hpp"
#include "core/io/files/memory_allowance.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/volumes/metaimage_layout.hpp"
#include "core/io/volumes/value_unit.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace gantry {

namespace fs = std::filesystem;

namespace {

// ---- Values, in the order of the file

std::size_t read_compressed(const ByteSource& stored, const MetaExtent& extent, MetaHeader& header,
                            std::span<float> values) {
  Inflater inflater(stored, header.data_file);
  const std::size_t got = read_numbers(
      [&](std::span<std::byte> bytes) { return inflater.read(bytes); }, header.numbers, values);
  if (got < values.size()) return got;
  std::byte more{};
  if (inflater.read(std::span(&more, 1)) > 0)
    refuse_length(header, "unpacks to more data than there should be",
                  "DimSize or ElementType is wrong");
  if (!inflater.ended())
    throw InputError("the compressed data end before their checksum", header.data_file,
                     "the file is cut short; fetch it again");
  if (header.compressed_bytes && inflater.used() != *header.compressed_bytes)
    throw InputError("the compressed data end after " + std::to_string(inflater.used()) +
                         " bytes, CompressedDataSize says " +
                         std::to_string(*header.compressed_bytes),
                     header.data_file, "fetch the file again, or correct CompressedDataSize");
  require_no_surplus(header, extent.bytes(), inflater.used());
  return got;
}

std::vector<float> read_values(MetaHeader& header, const MetaExtent& extent,
                               const std::string& path, const Interrupt* interrupt) {
  const ByteSource stored = interruptible(bytes_in(extent.parts), interrupt);
  DataSeal seal;
  std::vector<float> values(voxels_of(header));
  // A file of numbers alone often has no line end behind the last one.
  const bool may_lack_end = header.data_file != path;
  bool lacks_end = false;
  const std::size_t got =
      header.is_text      ? read_text_numbers(sealed(stored, seal), values, header.data_file,
                                         may_lack_end ? &lacks_end : nullptr)
      : header.compressed ? read_compressed(sealed(stored, seal), extent, header, values)
                          : read_numbers(sealed(stored, seal), header.numbers, values);
  if (got < values.size())
    throw InputError(
        "ends after " + std::to_string(got) + " of " + std::to_string(values.size()) + " voxels",
        header.data_file, "the file is cut short; fetch it again");
  if (lacks_end)
    header.notes.push_back("no line end follows the last number in " + header.data_file +
                           ", of which digits are missing if the file was cut short");
  if (header.seal) require_seal(seal, *header.seal, header.data_file, path, seal_crc_key);
  return values;
}

/// Checks the memory for the values, or twice as much if they are to be reordered.
void require_memory(const MetaHeader& header, const MetaExtent& extent) {
  require_allowed_memory("claims " + std::to_string(voxels_of(header)) + " voxels in " +
                             format_bytes(extent.file_bytes),
                         copies_to_place(header) * voxels_of(header) * sizeof(float),
                         extent.file_bytes, header.data_file);
}

// ---- Writing

constexpr const char *water_words = ", water ", *cells_words = "; lengths in cells of unknown size";
constexpr const char* comment_of(bool hu) { return hu ? "values in HU" : "values in 1/mm"; }

/// Returns the comment of a header. HU are defined only together with the attenuation of water.
std::string full_comment(const MetaImageOptions& options) {
  if (!options.has_unit) return "values without a unit";
  const std::string comment = comment_of(options.hu);
  return options.hu ? comment + water_words + format_param(options.mu_water) + " 1/mm" : comment;
}

/// Adds a note if the comment of the file contradicts the options by which its values were read.
void note_contradicting_comment(LoadedVolume& volume, const std::string& comment,
                                const MetaImageOptions& options) {
  if (comment.starts_with(comment_of(!options.hu)))
    volume.notes.push_back("the file says \"" + comment + "\", but they were taken as " +
                           (options.hu ? "HU" : "1/mm"));
}

/// Returns a header; `seal` is that of a separate data file, else null.
std::string header_text(const VolumeGrid& grid, const MetaImageOptions& options,
                        const std::string& data_file, const DataSeal* seal) {
  const auto three = [](Vec3 v) {
    // Adding zero changes -0 to 0.
    return format_param(v.x + 0.0) + " " + format_param(v.y + 0.0) + " " + format_param(v.z + 0.0) +
           "\n";
  };
  std::string text = "ObjectType = Image\nNDims = 3\nComment = ";
  text += full_comment(options) + (options.lengths_are_known ? "" : cells_words) + "\n";
  text += "BinaryData = True\nBinaryDataByteOrderMSB = False\nCompressedData = False\n";
  text += "TransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = " + three(grid.origin_mm);
  text += "CenterOfRotation = 0 0 0\nElementSpacing = " + three(grid.spacing_mm);
  text += "DimSize = " + std::to_string(grid.nx) + " " + std::to_string(grid.ny) + " " +
          std::to_string(grid.nz) + "\n";
  if (seal != nullptr)
    text += std::string(seal_bytes_key) + " = " + std::to_string(seal->bytes) + "\n" +
            seal_crc_key + " = " + crc_text(*seal) + "\n";
  return text + "ElementType = MET_FLOAT\nElementDataFile = " + data_file + "\n";
}

/// Writes the values, converted to HU if required, to an AtomicFile or AtomicPair.
template <class File>
void write_to(File& file, const VolumeGrid& grid, std::span<const float> mu,
              const MetaImageOptions& options) {
  VolumeToWrite volume;
  volume.grid = grid;
  volume.mu = mu;
  volume.mu_water = options.mu_water;
  volume.as_hu = options.hu;
  write_values(volume, [&](std::span<const std::byte> bytes) { file.write(bytes); });
}

}  // namespace

MetaImageOptions as_stated(const std::string& comment, MetaImageOptions options) {
  const std::string start = std::string(comment_of(true)) + water_words;
  std::string_view rest = comment;
  if (!rest.starts_with(start)) return options;
  rest.remove_prefix(start.size());
  if (const auto water = take_number(rest); water && *water > 0) {
    options.hu = true;
    options.mu_water = *water;
  }
  return options;
}

LoadedVolume read_metaimage(const std::string& path, const MetaImageOptions& given) {
  MetaHeader header = read_meta_header(path);
  const MetaImageOptions options = as_stated(header.comment, given);
  LoadedVolume volume;
  volume.source = path;
  volume.mu_water = options.mu_water;
  volume.from_hu = options.hu;
  const MetaExtent extent = data_extent(header);
  require_memory(header, extent);
  volume.mu = read_values(header, extent, path, options.interrupt);
  volume.notes = header.notes;
  if (header.numbers.type == NumberType::float32 && !header.is_text && looks_swapped(volume.mu))
    throw InputError("the values make sense only in the other byte order",
                     path + ": BinaryDataByteOrderMSB",
                     std::string("set it to ") + (header.numbers.big_endian ? "False" : "True"));
  place(volume, header);
  to_attenuation(volume);
  if (header.comment.ends_with(cells_words)) {
    note_cells(volume);
    header.comment.resize(header.comment.size() - std::string_view(cells_words).size());
  }
  note_contradicting_comment(volume, header.comment, options);
  return volume;
}

std::string metaimage_data_path(const std::string& header) {
  return fs::path(header).replace_extension(".raw").string();
}

void write_metaimage_pair(const std::string& header, const std::string& data,
                          const VolumeGrid& grid, std::span<const float> mu,
                          const MetaImageOptions& options) {
  require_name_for_metaimage(data);
  AtomicPair pair(header, data, options.access);
  write_to(pair, grid, mu, options);
  pair.commit([&](const std::string& data_file, const DataSeal& seal) {
    return header_text(grid, options, data_file, &seal);
  });
}

void write_metaimage(const std::string& path, const VolumeGrid& grid, std::span<const float> mu,
                     const MetaImageOptions& options) {
  if (has_extension(path, ".mhd"))
    return write_metaimage_pair(path, metaimage_data_path(path), grid, mu, options);
  if (!has_extension(path, ".mha"))
    throw UsageError("is not a name for a MetaImage", path, "name it NAME.mha or NAME.mhd");
  AtomicFile file(path, options.access);
  file.write(header_text(grid, options, "LOCAL", nullptr));
  write_to(file, grid, mu, options);
  file.commit();
}

}  // namespace gantry
