#include "core/io/dicom/series/dicom_frame.hpp"

#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/io/dicom/series/dicom_study.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace gantry {

namespace {

/// Finds the attributes of one image: in a classic file in the data set itself, in a multi-frame
/// file in the functional groups of the image, then in the shared functional groups.
class FrameSource {
 public:
  FrameSource(const DicomHeader& header, int index, bool groups)
      : header_(header), where_(header.path) {
    if (!groups) return;
    per_frame_ = header.data.item(dicom::per_frame_groups, static_cast<std::size_t>(index));
    shared_ = header.data.item(dicom::shared_groups);
    where_ += ", image " + std::to_string(index + 1);
  }

  const std::string& where() const { return where_; }
  const DicomAttributes& data() const { return header_.data; }

  /// Returns the functional group of the image; the data set where the group is missing, because
  /// some writers put all attributes there.
  const DicomAttributes& group(DicomTag sequence) const {
    for (const DicomAttributes* groups : {per_frame_, shared_})
      if (groups != nullptr)
        if (const DicomAttributes* item = groups->item(sequence)) return *item;
    return header_.data;
  }

  /// Returns the `count` numbers of an attribute, or none. Throws InputError for any other count.
  std::vector<double> numbers(DicomTag sequence, DicomTag tag, std::size_t count) const {
    const DicomAttributes& from = group(sequence);
    std::vector<double> values = from.numbers(tag, where_);
    if (!values.empty() && values.size() != count)
      throw InputError(describe(tag) + " has " + std::to_string(values.size()) +
                           " numbers instead of " + std::to_string(count),
                       where_, "export the image again");
    return values;
  }

  std::optional<double> number(DicomTag sequence, DicomTag tag) const {
    return group(sequence).number(tag, where_);
  }

 private:
  const DicomHeader& header_;
  const DicomAttributes *per_frame_ = nullptr, *shared_ = nullptr;
  std::string where_;
};

std::array<Vec3, 2> unit_directions(const std::vector<double>& v, const std::string& where) {
  const Vec3 along_row{v[0], v[1], v[2]}, along_column{v[3], v[4], v[5]};
  const double row = norm(along_row), column = norm(along_column);
  constexpr double tolerance = 0.01;  // files round to as little as three digits
  if (!(std::abs(row - 1) < tolerance) || !(std::abs(column - 1) < tolerance) ||
      !(std::abs(dot(along_row, along_column)) < tolerance))
    throw InputError(
        describe(dicom::image_orientation) + " is not a pair of perpendicular unit vectors", where,
        "export the image again");
  return {normalized(along_row), normalized(along_column)};
}

void read_place(const FrameSource& source, DicomFrame& frame) {
  const auto position = source.numbers(dicom::plane_position_sequence, dicom::image_position, 3);
  constexpr double farthest_mm = 1e9;  // beyond this, differences of positions are not accurate
  for (const double p : position)
    if (std::abs(p) > farthest_mm)
      throw InputError(describe(dicom::image_position) + " is " + format_param(p) + " mm",
                       source.where(), "export the image again");
  if (!position.empty()) frame.position_mm = Vec3{position[0], position[1], position[2]};
  const auto angles =
      source.numbers(dicom::plane_orientation_sequence, dicom::image_orientation, 6);
  if (!angles.empty()) frame.directions = unit_directions(angles, source.where());
  const auto spacing = source.numbers(dicom::pixel_measures_sequence, dicom::pixel_spacing, 2);
  if (!spacing.empty()) {
    for (const double s : spacing)
      if (!(s > 0))
        throw InputError(describe(dicom::pixel_spacing) + " is not positive", source.where(),
                         "export the image again");
    frame.spacing_mm = {spacing[1], spacing[0]};  // DICOM gives y first: from row to row
  }
  const auto length = [&](DicomTag tag) {
    const double value = source.number(dicom::pixel_measures_sequence, tag).value_or(0);
    return value > 0 ? value : 0.0;
  };
  frame.thickness_mm = length(dicom::slice_thickness);
  frame.spacing_between_mm = length(dicom::spacing_between_slices);
}

/// Returns the padding value with the sign convention of the pixels. Writers store the value signed
/// or unsigned regardless of that convention, so only its bits count.
int padding_number(double value, bool is_signed, int bits_allocated) {
  const double range = std::ldexp(1.0, bits_allocated);
  if (is_signed && value >= range / 2) value -= range;
  if (!is_signed && value < 0) value += range;
  return static_cast<int>(std::clamp(value, -1e6, 1e6));
}

void read_padding(const FrameSource& source, DicomFrame& frame) {
  const DicomAttributes& data = source.data();
  const auto first = data.number(dicom::pixel_padding_value, source.where());
  if (!first) return;
  const auto second = data.number(dicom::pixel_padding_range_limit, source.where());
  const bool is_signed = data.text(dicom::pixel_representation) == "1";
  const int bits = data.integer(dicom::bits_allocated, source.where(), 1, 64).value_or(16);
  const int a = padding_number(*first, is_signed, bits);
  const int b = padding_number(second.value_or(*first), is_signed, bits);
  frame.padding = {std::min(a, b), std::max(a, b)};
}

/// Returns the unit of the values; empty for HU. "US" means unspecified; CT writers use "US", or no
/// unit at all, for HU.
std::string unit_of(const FrameSource& source) {
  const DicomAttributes* mapping =
      source.group(dicom::real_world_value_sequence).item(dicom::measurement_units_sequence);
  std::string code = mapping == nullptr ? "" : mapping->text(dicom::code_value);
  if (!code.empty() && code != "[hnsf'U]" && code != "1") return code;
  const std::string type =
      source.group(dicom::pixel_transformation_sequence).text(dicom::rescale_type);
  return type == "HU" || type == "US" ? std::string() : type;
}

void read_values(const FrameSource& source, DicomFrame& frame) {
  const DicomTag group = dicom::pixel_transformation_sequence;
  frame.slope = source.number(group, dicom::rescale_slope);
  frame.intercept = source.number(group, dicom::rescale_intercept);
  if (frame.slope && *frame.slope == 0)
    throw InputError(describe(dicom::rescale_slope) + " is 0", source.where(),
                     "export the image again");
  if (!frame.slope && source.data().item(dicom::modality_lut_sequence) != nullptr)
    throw InputError("its values are given by a table, " + describe(dicom::modality_lut_sequence) +
                         ", instead of a line",
                     source.where(), "export it with RescaleSlope and RescaleIntercept");
  frame.value_unit = unit_of(source);
  frame.inverted = source.data().text(dicom::photometric) == "MONOCHROME1";
  frame.lossy = source.data().text(dicom::lossy_compression) == "01";
  read_padding(source, frame);
}

/// Returns whether the file has functional groups. Throws InputError when a file of several images
/// does not have a functional group for each of them.
bool has_groups(const DicomHeader& header, int count) {
  const auto found = header.data.sequences.find(dicom::per_frame_groups.number());
  const std::size_t items = found == header.data.sequences.end() ? 0 : found->second.size();
  if (count > 1 && items != static_cast<std::size_t>(count))
    throw InputError("holds " + std::to_string(count) + " images, but " +
                         describe(dicom::per_frame_groups) + " places " + std::to_string(items),
                     header.path, "export it as Enhanced CT or as single images");
  return items > 0 || header.data.item(dicom::shared_groups) != nullptr;
}

}  // namespace

std::string DicomFrame::label() const {
  const std::string name = std::filesystem::path(path).filename().string();
  return count > 1 ? name + ", image " + std::to_string(index + 1) : name;
}

int frame_count(const DicomHeader& header) {
  return std::max(
      1, header.data.integer(dicom::number_of_frames, header.path, 0, 1 << 24).value_or(1));
}

bool is_localizer(const std::string& image_type) {
  return ("\\" + image_type + "\\").find("\\LOCALIZER\\") != std::string::npos;
}

std::vector<DicomFrame> read_frames(const DicomHeader& header) {
  const int count = frame_count(header);
  const bool groups = has_groups(header, count);
  std::vector<DicomFrame> frames;
  for (int i = 0; i < count; ++i) {
    const FrameSource source(header, i, groups);
    DicomFrame frame;
    frame.path = header.path;
    frame.index = i;
    frame.count = count;
    frame.sop_instance_uid = header.data.text(dicom::sop_instance_uid);
    frame.rows = header.data.integer(dicom::rows, header.path, 1, 65535).value_or(0);
    frame.columns = header.data.integer(dicom::columns, header.path, 1, 65535).value_or(0);
    frame.localizer =
        is_localizer(header.data.text(dicom::image_type)) ||
        is_localizer(source.group(dicom::ct_frame_type_sequence).text(dicom::frame_type));
    if (count == 1) frame.taken = read_slice(header);
    read_place(source, frame);
    read_values(source, frame);
    frames.push_back(std::move(frame));
  }
  return frames;
}

}  // namespace gantry
