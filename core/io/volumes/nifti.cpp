// NIfTI-1 (nifti.nimh.nih.gov/nifti-1): a header of 348 bytes, then the values.
#include "core/io/volumes/nifti.hpp"

#include "core/base/error.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/foreign_file.hpp"
#include "core/io/files/inflate.hpp"
#include "core/io/volumes/nifti_fields.hpp"
#include "core/io/volumes/nifti_writer.hpp"
#include "core/io/volumes/stored_volume.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

namespace gantry {

namespace {

using namespace nifti;

constexpr std::string_view gzip_mark = "\x1f\x8b";

/// The fields of a header, by their positions.
class Header {
 public:
  explicit Header(std::string bytes) : bytes_(std::move(bytes)) {
    is_big_ = bits(0, 4) != header_bytes;
  }
  bool is_big() const { return is_big_; }

  /// Returns the whole number of this many bytes at a position.
  std::uint64_t bits(std::size_t at, std::size_t bytes) const {
    return whole_number_in(std::as_bytes(std::span(bytes_)).subspan(at, bytes), is_big_);
  }
  double real(std::size_t at) const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits(at, 4)));
  }
  int whole(std::size_t at) const { return static_cast<std::int16_t>(bits(at, 2)); }
  std::string_view text(std::size_t at, std::size_t most) const {
    const std::string_view field = std::string_view(bytes_).substr(at, most);
    return field.substr(0, field.find('\0'));
  }

 private:
  std::string bytes_;
  bool is_big_ = false;
};

/// Returns the first bytes of a header, unpacked if they are packed; fewer where there are fewer.
std::string header_start(const ByteSource& bytes, bool is_packed, const std::string& where) {
  std::string header(header_bytes, '\0');
  const ByteSource unpacked = is_packed ? unpacking(bytes, where) : bytes;
  header.resize(unpacked(std::as_writable_bytes(std::span(header))));
  return header;
}

bool is_header(std::string_view start, std::string_view mark) {
  return start.size() >= header_bytes && start.substr(magic_at, mark.size()) == mark;
}

/// Judges a file by its first bytes, which may be packed.
Certainty certainty(std::string_view start, std::string_view mark) {
  if (!start.starts_with(gzip_mark))
    return is_header(start, mark) ? Certainty::certain : Certainty::none;
  try {
    bool is_given = false;
    const ByteSource once = [&](std::span<std::byte> out) {
      const std::size_t count =
          std::exchange(is_given, true) ? 0 : std::min(out.size(), start.size());
      std::memcpy(out.data(), start.data(), count);
      return count;
    };
    return is_header(header_start(once, true, {}), mark) ? Certainty::certain : Certainty::none;
  } catch (const InputError&) {  // damaged, or something else
    return Certainty::none;
  }
}

NumberType number_type(int code, const std::string& path) {
  static const std::map<int, NumberType> types = {
      {2, NumberType::uint8},    {4, NumberType::int16},    {8, NumberType::int32},
      {16, NumberType::float32}, {64, NumberType::float64}, {256, NumberType::int8},
      {512, NumberType::uint16}, {768, NumberType::uint32}, {1024, NumberType::int64},
      {1280, NumberType::uint64}};
  const auto found = types.find(code);
  if (found == types.end())
    throw InputError("is " + std::to_string(code), path + ": datatype",
                     "use one number per voxel, as 4 (int16) or 16 (float32)");
  return found->second;
}

/// Steps from a voxel to the next along each axis of the file, and the centre of the first one, mm.
struct Directions {
  std::array<Vec3, 3> steps;
  Vec3 origin;
};

Directions directions_of_sform(const Header& header, double unit) {
  std::array<std::array<double, 4>, 3> rows{};
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 4; ++c) rows[r][c] = unit * header.real(s_rows_at + 16 * r + 4 * c);
  Directions found;
  for (std::size_t i = 0; i < 3; ++i) found.steps[i] = {rows[0][i], rows[1][i], rows[2][i]};
  found.origin = {rows[0][3], rows[1][3], rows[2][3]};
  return found;
}

/// The rotation is that of the unit quaternion (a, b, c, d), of which the header holds b, c and d;
/// the third axis is turned over if pixdim[0] is negative.
Directions directions_of_qform(const Header& header, const std::array<double, 3>& spacing_mm,
                               double unit) {
  const double b = header.real(quaternion_at), c = header.real(quaternion_at + 4),
               d = header.real(quaternion_at + 8),
               a = std::sqrt(std::max(0.0, 1 - (b * b + c * c + d * d)));
  const double hand = header.real(pixdim_at) < 0 ? -1 : 1;
  Directions found;
  found.steps[0] =
      spacing_mm[0] * Vec3{a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c)};
  found.steps[1] =
      spacing_mm[1] * Vec3{2 * (b * c - a * d), a * a + c * c - b * b - d * d, 2 * (c * d + a * b)};
  found.steps[2] = hand * spacing_mm[2] *
                   Vec3{2 * (b * d + a * c), 2 * (c * d - a * b), a * a + d * d - b * b - c * c};
  found.origin = {unit * header.real(q_offset_at), unit * header.real(q_offset_at + 4),
                  unit * header.real(q_offset_at + 8)};
  return found;
}

bool differ(const Directions& one, const Directions& other) {
  constexpr double tolerance = 1e-3;
  double largest = norm(one.origin - other.origin);
  for (std::size_t i = 0; i < 3; ++i)
    largest = std::max(largest, norm(one.steps[i] - other.steps[i]));
  return largest > tolerance;
}

/// Gives an axis of a single voxel, of which no step is stated, the direction upright to the
/// others.
void stand_upright(Directions& found, const StoredVolume& stored) {
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 upright = cross(found.steps[(i + 1) % 3], found.steps[(i + 2) % 3]);
    if (stored.size[i] == 1 && norm(found.steps[i]) == 0 && norm(upright) > 0)
      found.steps[i] = stored.spacing_mm[i] / norm(upright) * upright;
  }
}

/// Takes the directions, whose x and y are turned to those of LPS; `is_stated` says of which axes
/// pixdim states the size of voxels.
void take(Directions found, const std::array<bool, 3>& is_stated, StoredVolume& stored,
          const std::string& path) {
  stand_upright(found, stored);
  const auto turned = [](const Vec3& v) { return Vec3{-v.x, -v.y, v.z}; };
  for (std::size_t i = 0; i < 3; ++i) {
    const double length = norm(found.steps[i]);
    if (!(length > 0) || !std::isfinite(length))
      throw InputError("holds a direction of no length", path + ": srow or quatern",
                       "correct the header");
    if (is_stated[i] && std::abs(length - stored.spacing_mm[i]) > 1e-3 * length)
      stored.notes.push_back("the file contradicts itself: its voxels are " +
                             format_param(stored.spacing_mm[i]) + " mm by pixdim and " +
                             format_param(length) +
                             " mm by their directions; the latter was taken");
    stored.spacing_mm[i] = length;
    stored.axes[i] = (1 / length) * turned(found.steps[i]);
  }
  stored.offset_mm = turned(found.origin);
  stored.notes.emplace_back(
      "the axes, which NIfTI states as right, anterior, superior, were turned to left, posterior, "
      "superior");
}

/// Returns the length in mm of the unit of lengths.
double unit_mm(const Header& header, StoredVolume& stored) {
  switch (header.bits(units_at, 1) & 7) {
    case 1:
      return 1000;
    case 2:
      return 1;
    case 3:
      return 1e-3;
    default:
      stored.notes.emplace_back("the file states no unit of lengths: mm");
      return 1;
  }
}

void read_directions(const Header& header, StoredVolume& stored, const std::string& path) {
  const double unit = unit_mm(header, stored);
  const bool has_sform = header.whole(sform_at) > 0;  // which states the sizes of voxels, too
  std::array<bool, 3> is_stated{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double size = std::abs(unit * header.real(pixdim_at + 4 * (i + 1)));
    is_stated[i] = size > 0 && std::isfinite(size);
    if (is_stated[i]) stored.spacing_mm[i] = size;
    if (!is_stated[i] && !has_sform && stored.size[i] > 1)
      stored.notes.push_back("the file states no size of voxels along axis " +
                             std::to_string(i + 1) + ": 1 mm");
  }
  std::optional<Directions> sform, qform;
  if (has_sform) sform = directions_of_sform(header, unit);
  if (header.whole(qform_at) > 0) qform = directions_of_qform(header, stored.spacing_mm, unit);
  if (sform && qform && differ(*sform, *qform))
    stored.notes.emplace_back(
        "the file contradicts itself: qform and sform differ; sform was taken");
  if (!sform && !qform)
    stored.notes.emplace_back(
        "the file states no orientation (qform and sform are 0): its axes were taken as x, y and "
        "z, and the volume was centred on the axis");
  else
    take(sform ? *sform : *qform, is_stated, stored, path);
}

/// Returns the words "key=value" of a text.
Description description_in(std::string_view text) {
  Description found;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;)
    if (const std::size_t sign = word.find('='); sign != std::string::npos)
      found[word.substr(0, sign)] = word.substr(sign + 1);
  return found;
}

bool is_packed_file(const std::string& path) { return file_start(path).starts_with(gzip_mark); }

/// Returns the first bytes of a file, unpacked. Throws InputError for an empty one.
std::string bytes_of_header(const std::string& path) {
  refuse_empty_file(path);
  return header_start(bytes_in({rest_of_file(path)}), is_packed_file(path), path);
}

/// Takes what a header says of the values that lie in the file `data`, from byte `least` on.
StoredVolume stored_in(const Header& header, const std::string& path, const std::string& data,
                       std::size_t least) {
  StoredVolume stored;
  stored.axes_field = "qform or sform";
  stored.offset_field = {};
  const int dimensions = header.whole(dim_at);
  for (int i = 1; i <= 7; ++i) {
    const int n = i <= dimensions ? header.whole(dim_at + 2 * static_cast<std::size_t>(i)) : 1;
    if (dimensions < 1 || dimensions > 7 || n < 1 || (i > 3 && n != 1))
      throw InputError("states " + std::to_string(dimensions) + " dimensions, of " +
                           std::to_string(n) + " elements along the one of number " +
                           std::to_string(i),
                       path + ": dim", "give a single volume of three dimensions");
    if (i <= 3) stored.size[static_cast<std::size_t>(i - 1)] = n;
  }
  stored.numbers = {number_type(header.whole(datatype_at), path), header.is_big()};
  stored.encoding = is_packed_file(data) ? ValueEncoding::deflated : ValueEncoding::raw;
  const double offset = header.real(vox_offset_at);
  if (!(offset >= 0 && offset < 1e9))
    throw InputError("is " + format_param(offset), path + ": vox_offset", "correct the header");
  stored.skipped_bytes = std::max<std::uintmax_t>(static_cast<std::uintmax_t>(offset), least);
  stored.parts = {rest_of_file(data)};
  const double slope = header.real(slope_at), intercept = header.real(intercept_at);
  if (slope != 0 && std::isfinite(slope) && std::isfinite(intercept)) {
    stored.slope = slope;
    stored.intercept = intercept;
  }
  stored.description = description_in(header.text(description_at, description_bytes));
  read_directions(header, stored, path);
  return stored;
}

StoredVolume read_header(const std::string& path) {
  std::string bytes = bytes_of_header(path);
  if (!is_header(bytes, magic))
    throw InputError("is no NIfTI-1 file with its values in it", path,
                     "convert it to .nii of version 1");
  return stored_in(Header(std::move(bytes)), path, path, least_offset);
}

/// Returns the other file of a pair: v.img of v.hdr, v.hdr.gz of v.img.gz.
std::string other_of_pair(const std::string& path, const std::string& ending,
                          const std::string& other) {
  const std::string lower = lower_case(path);
  const std::size_t at = lower.rfind(ending);
  if (at == std::string::npos) return path;
  for (const std::string& end :
       {path.substr(at + ending.size()), std::string(), std::string(".gz")})
    for (const std::string& name :
         {other, other == ".img" ? std::string(".IMG") : std::string(".HDR")})
      if (is_there(path.substr(0, at) + name + end)) return path.substr(0, at) + name + end;
  return path.substr(0, at) + other;
}

/// Reads a header whose values lie in a file beside it; `path` is either of them.
StoredVolume read_pair(const std::string& path) {
  refuse_empty_file(path);
  const bool is_data = has_extension(path, ".img") || has_extension(path, ".img.gz");
  const std::string where = is_data ? other_of_pair(path, ".img", ".hdr") : path,
                    data = is_data ? path : other_of_pair(path, ".hdr", ".img");
  if (!is_there(where) || !is_there(data))
    throw InputError("its " + std::string(is_data ? "header" : "values") +
                         " are missing: there is no " + (is_data ? where : data),
                     path, "put both files of the pair into one folder");
  std::string bytes = bytes_of_header(where);
  if (!is_header(bytes, magic_of_pair))
    throw InputError("is no header of NIfTI-1", where, "convert the volume to .nii of version 1");
  return stored_in(Header(std::move(bytes)), where, data, 0);
}

/// Returns what reads the files of a format.
VolumeFormat reading_by(StoredVolume (*header)(const std::string&)) {
  VolumeFormat format;
  format.read = [header](const std::string& path, const VolumeReadOptions& options) {
    return read_stored_volume(header(path), path, options);
  };
  format.slices = [header](const std::string& path) { return slices_of(header(path)); };
  format.open_slices = [header](const std::string& path, const VolumeReadOptions& options) {
    return stored_slices_of(header(path), path, options);
  };
  return format;
}

}  // namespace

VolumeFormat nifti_format() {
  VolumeFormat format = reading_by(read_header);
  format.key = "nifti";
  format.label = "NIfTI-1";
  format.extensions = {".nii", ".nii.gz"};
  format.magic = [](std::string_view start) { return certainty(start, magic); };
  format.write = write_nifti;
  return format;
}

VolumeFormat nifti_pair_format() {
  VolumeFormat format = reading_by(read_pair);
  format.key = "nifti_pair";
  format.label = "NIfTI-1 header and values";
  format.extensions = {".hdr", ".img", ".hdr.gz", ".img.gz"};
  format.magic = [](std::string_view start) { return certainty(start, magic_of_pair); };
  return format;
}

}  // namespace gantry
