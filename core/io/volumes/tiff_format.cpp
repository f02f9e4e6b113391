#include "core/io/volumes/tiff_format.hpp"

#include "core/base/error.hpp"
#include "core/io/files/tiff/tiff_pages.hpp"
#include "core/io/volumes/value_unit.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace gantry {

namespace {

static_assert(std::endian::native == std::endian::little, "the files are little-endian");

template <class Number>
void append(std::string& bytes, Number value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

/// The pages of a file, all of one size, in the order: header, description, resolutions, values,
/// directories. All positions are known before anything is written, so that nothing is written
/// twice.
class Pages {
 public:
  Pages(const VolumeGrid& grid, std::string description, unsigned value_bytes, bool big)
      : grid_(grid), description_(std::move(description)), value_bytes_(value_bytes) {
    const std::uint64_t values = grid.voxels() * value_bytes_;
    const std::uint64_t directories =
        static_cast<std::uint64_t>(grid.nz) * (tags + 1) * most_entry_bytes;
    big_ = big ||
           values + directories + description_.size() > std::numeric_limits<std::uint32_t>::max();
    if (description_.size() % 2 == 0) description_.push_back('\n');  // positions are even
    description_.push_back('\0');
  }

  /// Returns everything before the values.
  std::string head() const {
    std::string bytes = big_ ? std::string("II+\0\x08\0\0\0", 8) : std::string("II*\0", 4);
    position(bytes, directory_at(0));
    return bytes + description_ + resolutions();
  }

  /// Returns the pixels per mm along x and y, each as a quotient of whole numbers.
  std::string resolutions() const {
    std::string bytes;
    for (const double spacing : {grid_.spacing_mm.x, grid_.spacing_mm.y}) {
      constexpr double most = 4e9;
      const double scale = std::min(most * spacing, most);
      append(bytes, static_cast<std::uint32_t>(std::lround(scale / spacing)));
      append(bytes, static_cast<std::uint32_t>(std::lround(scale)));
    }
    return bytes;
  }

  std::string directory(int page) const {
    std::string bytes;
    const int entries = page == 0 ? tags + 1 : tags;
    big_ ? append(bytes, static_cast<std::uint64_t>(entries))
         : append(bytes, static_cast<std::uint16_t>(entries));
    const auto width = static_cast<std::uint64_t>(grid_.nx),
               height = static_cast<std::uint64_t>(grid_.ny);
    const std::uint64_t page_bytes = width * height * value_bytes_;
    entry(bytes, 256, type_long, 1, width);
    entry(bytes, 257, type_long, 1, height);
    entry(bytes, 258, type_short, 1, 8 * value_bytes_);  // bits
    entry(bytes, 259, type_short, 1, 1);                 // no compression
    entry(bytes, 262, type_short, 1, 1);                 // 0 is black
    if (page == 0) entry(bytes, 270, type_ascii, description_.size(), description_at());
    entry(bytes, 273, position_type(), 1,
          values_at() + static_cast<std::uint64_t>(page) * page_bytes);
    entry(bytes, 277, type_short, 1, 1);  // one value in each pixel
    entry(bytes, 278, type_long, 1, height);
    entry(bytes, 279, position_type(), 1, page_bytes);
    rational(bytes, 282, 0);
    rational(bytes, 283, 1);
    entry(bytes, 296, type_short, 1, 1);  // pixels per unit of the description
    constexpr int whole_numbers = 1, floating_point = 3;
    entry(bytes, 339, type_short, 1,
          value_bytes_ == sizeof(float) ? floating_point : whole_numbers);
    position(bytes, page + 1 < grid_.nz ? directory_at(page + 1) : 0);
    return bytes;
  }

 private:
  static constexpr int tags = 13;  // of each page; the first one also has the description
  static constexpr int most_entry_bytes = 20;
  static constexpr std::uint16_t type_ascii = 2, type_short = 3, type_long = 4, type_rational = 5,
                                 type_long8 = 16;

  std::uint64_t head_bytes() const { return big_ ? 16 : 8; }
  std::uint64_t description_at() const { return head_bytes(); }
  std::uint64_t resolutions_at() const { return description_at() + description_.size(); }
  std::uint64_t values_at() const { return resolutions_at() + 16; }
  std::uint64_t directory_bytes(int entries) const {
    return big_ ? 8 + 20 * static_cast<std::uint64_t>(entries) + 8
                : 2 + 12 * static_cast<std::uint64_t>(entries) + 4;
  }
  std::uint64_t directory_at(int page) const {
    const std::uint64_t first = values_at() + grid_.voxels() * value_bytes_;
    return page == 0 ? first
                     : first + directory_bytes(tags + 1) +
                           static_cast<std::uint64_t>(page - 1) * directory_bytes(tags);
  }
  std::uint16_t position_type() const { return big_ ? type_long8 : type_long; }
  void position(std::string& bytes, std::uint64_t at) const {
    big_ ? append(bytes, at) : append(bytes, static_cast<std::uint32_t>(at));
  }
  void entry(std::string& bytes, std::uint16_t tag, std::uint16_t type, std::uint64_t count,
             std::uint64_t value) const {
    append(bytes, tag);
    append(bytes, type);
    position(bytes, count);
    position(bytes, value);
  }
  /// A rational fits into the entry itself where positions have 8 bytes.
  void rational(std::string& bytes, std::uint16_t tag, int axis) const {
    if (!big_)
      return entry(bytes, tag, type_rational, 1,
                   resolutions_at() + static_cast<std::uint64_t>(axis) * 8);
    append(bytes, tag);
    append(bytes, type_rational);
    position(bytes, 1);
    bytes += resolutions().substr(static_cast<std::size_t>(axis) * 8, 8);
  }

  const VolumeGrid& grid_;
  std::string description_;
  unsigned value_bytes_;  // 4: floating point, 2: whole numbers
  bool big_ = false;
};

/// The line on which the values of whole numbers lie: value = low + step * number.
struct Line {
  double low = 0, step = 1;
};

/// Returns the line from the least value of all slices, 0, to the greatest, 65535, in the unit in
/// which the volume is written.
Line line_through(const VolumeToWrite& volume) {
  const auto [least, greatest] = std::ranges::minmax(volume.mu);
  const auto in_unit = [&](double mu) {
    return volume.as_hu ? hu_from_mu(mu, volume.mu_water) : mu;
  };
  constexpr double most = std::numeric_limits<std::uint16_t>::max();
  const double low = in_unit(least), step = (in_unit(greatest) - low) / most;
  return {low, step > 0 ? step : 1};
}

/// Returns a line as ImageJ states it.
std::string described(const Line& line, const VolumeToWrite& volume) {
  return "cf=0\nc0=" + format_param(line.low) + "\nc1=" + format_param(line.step) +
         "\nvunit=" + unit_of(volume) + "\n";
}

/// Writes the values as whole numbers.
void write_whole(const VolumeToWrite& volume, const Line& line, AtomicFile& file) {
  std::vector<std::uint16_t> numbers;
  write_values(volume, [&](std::span<const std::byte> bytes) {
    numbers.resize(bytes.size() / sizeof(float));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      float value = 0;
      std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
      const double number = (value - line.low) / line.step;
      constexpr double most = std::numeric_limits<std::uint16_t>::max();
      numbers[i] = static_cast<std::uint16_t>(std::lround(std::clamp(number, 0.0, most)));
    }
    file.write(std::as_bytes(std::span(numbers)));
  });
}

std::string description_of(const VolumeToWrite& volume) {
  const VolumeGrid& g = volume.grid;
  const auto three = [](const Vec3& v) {
    return format_param(v.x) + " " + format_param(v.y) + " " + format_param(v.z);
  };
  std::string text = "ImageJ=1.53t\nimages=" + std::to_string(g.nz) +
                     "\nslices=" + std::to_string(g.nz) +
                     "\nunit=mm\nspacing=" + format_param(g.spacing_mm.z) +
                     "\nloop=false\ngantry_spacing_mm=" + three(g.spacing_mm) +
                     "\ngantry_origin_mm=" + three(g.origin_mm);
  for (const auto& [key, value] : description_of_values(volume))
    text.append("\n").append(key).append("=").append(value);
  return text + "\n";
}

}  // namespace

void write_tiff(const std::string& path, const VolumeToWrite& volume, bool big) {
  const VolumeGrid& grid = volume.grid;
  const bool is_whole = volume.params.contains("bits") && volume.params.text("bits") == "16";
  const Line line = is_whole ? line_through(volume) : Line{};
  const Pages pages(grid, description_of(volume) + (is_whole ? described(line, volume) : ""),
                    is_whole ? sizeof(std::uint16_t) : sizeof(float), big);
  AtomicFile file(path, volume.access);
  file.write(pages.head());
  if (is_whole)
    write_whole(volume, line, file);
  else
    write_values(volume, [&](std::span<const std::byte> bytes) { file.write(bytes); });
  for (int page = 0; page < grid.nz; ++page) file.write(pages.directory(page));
  file.commit();
}

VolumeFormat tiff_format() {
  VolumeFormat format;
  format.key = "tiff";
  format.label = "TIFF";
  format.extensions = {".tif", ".tiff"};
  format.magic = tiff_certainty;
  format.options = {{.key = "bits",
                     .label = "Bits of a value",
                     .unit = "",
                     .fallback = std::string("32"),
                     .choices = {"32", "16"},
                     .help = "32: floating-point numbers. 16: whole numbers on one scale for all "
                             "slices, which ImageJ reads from the description"}};
  format.read = read_tiff;
  format.write = [](const std::string& path, const VolumeToWrite& volume) {
    write_tiff(path, volume);
  };
  return format;
}

}  // namespace gantry
