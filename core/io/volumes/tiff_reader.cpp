// Reading of TIFF by libtiff.
#include "core/base/error.hpp"
#include "core/io/files/memory_allowance.hpp"
#include "core/io/files/raw_numbers.hpp"
#include "core/io/volumes/tiff_format.hpp"

#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <tiffio.h>

namespace gantry {

namespace {

constexpr tmsize_t most_at_once = tmsize_t{1} << 30;  // of a single strip, bytes

int keep_message(TIFF*, void* user, const char*, const char* format, va_list arguments) {
  char text[300];
  std::vsnprintf(text, sizeof text, format, arguments);
  auto& kept = *static_cast<std::string*>(user);
  if (kept.empty()) kept = text;
  return 1;
}

/// An open file, with the first message of libtiff about it.
class OpenTiff {
 public:
  explicit OpenTiff(const std::string& path) : path_(path) {
    TIFFOpenOptions* options = TIFFOpenOptionsAlloc();
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, most_at_once);
    TIFFOpenOptionsSetErrorHandlerExtR(options, keep_message, &message_);
    TIFFOpenOptionsSetWarningHandlerExtR(options, keep_message, &warning_);
    tiff_ = TIFFOpenExt(path.c_str(), "rm", options);  // "m": not mapped into memory
    TIFFOpenOptionsFree(options);
    if (tiff_ == nullptr) fail("cannot be read as TIFF");
  }
  ~OpenTiff() {
    if (tiff_ != nullptr) TIFFClose(tiff_);
  }
  OpenTiff(const OpenTiff&) = delete;
  OpenTiff& operator=(const OpenTiff&) = delete;

  TIFF* get() const { return tiff_; }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(
        what, path_,
        message_.empty() ? "save it as a stack of grey values without compression" : message_);
  }

  void require_no_message(const std::string& what) const {
    if (!message_.empty()) fail(what);
  }

  template <class Number>
  Number number(std::uint32_t tag, Number otherwise) const {
    Number value = otherwise;
    return TIFFGetFieldDefaulted(tiff_, tag, &value) == 1 ? value : otherwise;
  }

 private:
  std::string path_, message_, warning_;
  TIFF* tiff_ = nullptr;
};

/// Size and type of a page.
struct Page {
  std::uint32_t width = 0, height = 0;
  std::uint16_t bits = 0, type = 0;
  friend bool operator==(const Page&, const Page&) = default;
};

Page page_of(const OpenTiff& tiff) {
  const Page page{tiff.number(TIFFTAG_IMAGEWIDTH, std::uint32_t{0}),
                  tiff.number(TIFFTAG_IMAGELENGTH, std::uint32_t{0}),
                  tiff.number(TIFFTAG_BITSPERSAMPLE, std::uint16_t{1}),
                  tiff.number(TIFFTAG_SAMPLEFORMAT, std::uint16_t{SAMPLEFORMAT_UINT})};
  if (page.width == 0 || page.height == 0 || page.width > 65535 || page.height > 65535)
    tiff.fail("has pages of " + std::to_string(page.width) + " x " + std::to_string(page.height) +
              " pixels");
  if (tiff.number(TIFFTAG_SAMPLESPERPIXEL, std::uint16_t{1}) != 1 || TIFFIsTiled(tiff.get()) != 0 ||
      tiff.number(TIFFTAG_PHOTOMETRIC, std::uint16_t{PHOTOMETRIC_MINISBLACK}) !=
          PHOTOMETRIC_MINISBLACK)
    tiff.fail("holds colours, inverted greys or tiles, not a stack of grey values");
  const bool whole = page.type == SAMPLEFORMAT_UINT || page.type == SAMPLEFORMAT_INT;
  const bool is_known = (whole && (page.bits == 8 || page.bits == 16 || page.bits == 32)) ||
                        (page.type == SAMPLEFORMAT_IEEEFP && (page.bits == 32 || page.bits == 64));
  if (!is_known) tiff.fail("has pixels of " + std::to_string(page.bits) + " bits of another type");
  return page;
}

template <class Number>
void convert(const std::vector<std::byte>& line, float* into, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    Number value;
    std::memcpy(&value, line.data() + i * sizeof value, sizeof value);
    into[i] = static_cast<float>(value);
  }
}

void convert(const Page& page, const std::vector<std::byte>& line, float* into) {
  const bool is_signed = page.type == SAMPLEFORMAT_INT;
  if (page.type == SAMPLEFORMAT_IEEEFP)
    return page.bits == 32 ? convert<float>(line, into, page.width)
                           : convert<double>(line, into, page.width);
  if (page.bits == 8)
    return is_signed ? convert<std::int8_t>(line, into, page.width)
                     : convert<std::uint8_t>(line, into, page.width);
  if (page.bits == 16)
    return is_signed ? convert<std::int16_t>(line, into, page.width)
                     : convert<std::uint16_t>(line, into, page.width);
  return is_signed ? convert<std::int32_t>(line, into, page.width)
                   : convert<std::uint32_t>(line, into, page.width);
}

/// Returns the lines "key=value" of the description.
std::map<std::string, std::string> description_of(const OpenTiff& tiff) {
  std::map<std::string, std::string> lines;
  const char* text = nullptr;
  if (TIFFGetField(tiff.get(), TIFFTAG_IMAGEDESCRIPTION, &text) != 1 || text == nullptr)
    return lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);)
    if (const std::size_t equals = line.find('='); equals != std::string::npos)
      lines[line.substr(0, equals)] = line.substr(equals + 1);
  return lines;
}

/// Returns the length of a unit of resolution in mm; 0 where the file states none.
double unit_mm(const OpenTiff& tiff, const std::map<std::string, std::string>& description) {
  switch (tiff.number(TIFFTAG_RESOLUTIONUNIT, std::uint16_t{RESUNIT_NONE})) {
    case RESUNIT_CENTIMETER:
      return 10;
    case RESUNIT_INCH:
      // Programs write 72 or 96 dots an inch into pictures without a scale.
      return description.contains("ImageJ") ? 25.4 : 0;
    default:
      break;
  }
  const auto unit = description.find("unit");
  if (unit == description.end()) return 0;
  static const std::map<std::string, double> units = {
      {"mm", 1}, {"cm", 10}, {"m", 1000}, {"micron", 1e-3}, {"um", 1e-3}, {"\\u00B5m", 1e-3}};
  const auto known = units.find(unit->second);
  return known == units.end() ? 0 : known->second;
}

std::optional<Vec3> three_numbers(const std::map<std::string, std::string>& description,
                                  const std::string& key) {
  const auto found = description.find(key);
  if (found == description.end()) return std::nullopt;
  std::istringstream text(found->second);
  text.imbue(std::locale::classic());
  Vec3 v;
  if (!(text >> v.x >> v.y >> v.z)) return std::nullopt;
  return v;
}

VolumeGrid grid_of(const OpenTiff& tiff, const Page& page, int pages, LoadedVolume& volume) {
  const auto description = description_of(tiff);
  Vec3 spacing{1, 1, 1};
  if (const auto exact = three_numbers(description, "gantry_spacing_mm")) {
    spacing = *exact;
  } else {
    const double unit = unit_mm(tiff, description), x = tiff.number(TIFFTAG_XRESOLUTION, 0.0F),
                 y = tiff.number(TIFFTAG_YRESOLUTION, 0.0F);
    if (unit > 0 && x > 0 && y > 0)
      spacing = {unit / x, unit / y, unit / x};
    else
      volume.notes.push_back("the file states no size of pixels: they were taken as 1 mm");
    const auto distance = description.find("spacing");
    if (unit > 0 && distance != description.end())
      spacing.z = unit * std::abs(std::atof(distance->second.c_str()));
    else if (pages > 1)
      volume.notes.push_back("the file states no distance of slices: it was taken as " +
                             format_param(spacing.z) + " mm");
  }
  VolumeGrid grid = VolumeGrid::centered(static_cast<int>(page.width),
                                         static_cast<int>(page.height), pages, spacing);
  if (const auto origin = three_numbers(description, "gantry_origin_mm")) grid.origin_mm = *origin;
  return grid;
}

void to_attenuation(LoadedVolume& volume, const OpenTiff& tiff, const VolumeReadOptions& options) {
  const auto description = description_of(tiff);
  const auto values = description.find("gantry_values");
  volume.mu_water = options.mu_water;
  volume.from_hu = values != description.end() ? values->second == "HU" : options.values_are_hu;
  if (const auto water = description.find("gantry_mu_water_per_mm"); water != description.end())
    if (const double mu = std::atof(water->second.c_str()); mu > 0) volume.mu_water = mu;
  if (volume.from_hu)
    for (float& value : volume.mu) value = static_cast<float>(mu_from_hu(value, volume.mu_water));
  const BadValues bad = find_bad_values(volume.mu);
  if (bad.count == 0) return;
  volume.notes.push_back(describe(bad) +
                         "; set to air, and excluded from comparisons with a reference");
  volume.unknown.resize(volume.mu.size());
  for (std::size_t i = 0; i < volume.mu.size(); ++i) {
    if (std::isfinite(volume.mu[i])) continue;
    volume.mu[i] = 0;
    volume.unknown[i] = 1;
  }
}

}  // namespace

LoadedVolume read_tiff(const std::string& path, const VolumeReadOptions& options) {
  const OpenTiff tiff(path);
  const Page first = page_of(tiff);
  const auto pages = static_cast<int>(TIFFNumberOfDirectories(tiff.get()));
  tiff.require_no_message("is damaged after " + std::to_string(pages) + " pages");
  if (const auto lines = description_of(tiff); lines.contains("images"))
    if (const int all = std::atoi(lines.at("images").c_str()); all > pages)
      tiff.fail("ends after " + std::to_string(pages) + " of " + std::to_string(all) + " pages");
  const std::size_t slice = static_cast<std::size_t>(first.width) * first.height;
  const std::size_t voxels = slice * static_cast<std::size_t>(pages);
  require_allowed_memory("claims " + std::to_string(voxels) + " voxels", voxels * sizeof(float),
                         std::filesystem::file_size(path), path);
  LoadedVolume volume;
  volume.source = path;
  volume.grid = grid_of(tiff, first, pages, volume);
  volume.grid.validate(path);
  volume.mu.resize(voxels);
  std::vector<std::byte> line(static_cast<std::size_t>(TIFFScanlineSize(tiff.get())));
  for (int page = 0; page < pages; ++page) {
    if (TIFFSetDirectory(tiff.get(), static_cast<tdir_t>(page)) != 1)
      tiff.fail("ends after " + std::to_string(page) + " of " + std::to_string(pages) + " pages");
    if (page_of(tiff) != first)
      tiff.fail("has pages of different sizes or types: page " + std::to_string(page + 1));
    for (std::uint32_t row = 0; row < first.height; ++row) {
      if (TIFFReadScanline(tiff.get(), line.data(), row) != 1)
        tiff.fail("cannot be read in page " + std::to_string(page + 1) + ", row " +
                  std::to_string(row));
      convert(first, line,
              volume.mu.data() + static_cast<std::size_t>(page) * slice +
                  static_cast<std::size_t>(row) * first.width);
    }
  }
  TIFFSetDirectory(tiff.get(), 0);
  to_attenuation(volume, tiff, options);
  return volume;
}

}  // namespace gantry
