#include "core/io/volumes/nifti_writer.hpp"

#include "core/base/error.hpp"
#include "core/io/files/deflate.hpp"
#include "core/io/volumes/nifti_fields.hpp"
#include "core/io/volumes/value_unit.hpp"

#include <array>
#include <bit>
#include <limits>
#include <string_view>
#include <type_traits>

namespace gantry {

namespace {

/// The bytes of a header, little-endian.
class HeaderBytes {
 public:
  void put(std::size_t at, std::int16_t value) { put_bits(at, static_cast<std::uint16_t>(value)); }
  void put(std::size_t at, double value) {
    put_bits(at, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  }
  void put(std::size_t at, std::string_view text, std::size_t most) {
    bytes_.replace(at, std::min(text.size(), most), text.substr(0, most));
  }
  template <class Bits>
  void put_bits(std::size_t at, Bits bits) {
    for (std::size_t i = 0; i < sizeof(Bits); ++i)
      bytes_[at + i] = static_cast<char>((bits >> (8 * i)) & 0xFF);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  // No extension follows the header, which four more bytes of 0 say.
  std::string bytes_ = std::string(nifti::least_offset, '\0');
};

std::string header_of(const VolumeToWrite& volume) {
  using namespace nifti;
  const VolumeGrid& grid = volume.grid;
  const std::array size = {grid.nx, grid.ny, grid.nz};
  const std::array spacing = {grid.spacing_mm.x, grid.spacing_mm.y, grid.spacing_mm.z};
  const std::array origin = {-grid.origin_mm.x, -grid.origin_mm.y, grid.origin_mm.z};
  const std::array turn = {-1.0, -1.0, 1.0};  // from LPS to RAS
  HeaderBytes header;
  header.put_bits(0, static_cast<std::uint32_t>(header_bytes));
  header.put(dim_at, std::int16_t{3});
  for (std::size_t i = 0; i < 7; ++i)
    header.put(dim_at + 2 * (i + 1), static_cast<std::int16_t>(i < 3 ? size[i] : 1));
  header.put(datatype_at, std::int16_t{16});  // float32
  header.put(bitpix_at, std::int16_t{32});
  header.put(pixdim_at, 1.0);  // no axis is mirrored
  header.put(vox_offset_at, static_cast<double>(least_offset));
  header.put(slope_at, 1.0);
  header.put_bits(units_at, std::uint8_t{2});  // mm
  std::string description;
  for (const auto& [key, value] : description_of_values(volume))
    description.append(description.empty() ? "" : " ").append(key).append("=").append(value);
  header.put(description_at, description, description_bytes);
  // By 1 the place is that in the scanner; by 2 it is one that was agreed upon.
  const auto space = static_cast<std::int16_t>(volume.is_in_patient ? 1 : 2);
  header.put(qform_at, space);
  header.put(sform_at, space);
  header.put(quaternion_at + 8, 1.0);  // half a turn about z
  for (std::size_t i = 0; i < 3; ++i) {
    header.put(pixdim_at + 4 * (i + 1), spacing[i]);
    header.put(q_offset_at + 4 * i, origin[i]);
    header.put(s_rows_at + 20 * i, turn[i] * spacing[i]);
    header.put(s_rows_at + 16 * i + 12, origin[i]);
  }
  header.put(magic_at, magic, magic.size());
  return header.bytes();
}

}  // namespace

void write_nifti(const std::string& path, const VolumeToWrite& volume) {
  constexpr int most = std::numeric_limits<std::int16_t>::max();
  const VolumeGrid& grid = volume.grid;
  if (std::max({grid.nx, grid.ny, grid.nz}) > most)
    throw OutputError("NIfTI-1 holds at most 32767 voxels along an axis", path,
                      "write a .mha or .nrrd file");
  AtomicFile file(path, volume.access);
  const auto write_to = [&](const auto& sink) {
    const std::string header = header_of(volume);
    sink(std::as_bytes(std::span(header)));
    write_values(volume, sink);
  };
  if (path.ends_with(".gz") || path.ends_with(".GZ")) {
    GzipPacker packer([&](std::span<const std::byte> bytes) { file.write(bytes); });
    write_to([&](std::span<const std::byte> bytes) { packer.write(bytes); });
    packer.finish();
  } else {
    write_to([&](std::span<const std::byte> bytes) { file.write(bytes); });
  }
  file.commit();
}

}  // namespace gantry
