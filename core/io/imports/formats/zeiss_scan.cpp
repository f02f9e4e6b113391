#include "core/io/imports/formats/zeiss_scan.hpp"

#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/io/files/containers/ole_file.hpp"
#include "core/io/files/memory_allowance.hpp"
#include "core/io/files/raw_numbers.hpp"
#include "core/io/geometries/geometry_formats.hpp"
#include "core/io/imports/tiff_frames.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace gantry {

namespace {

constexpr int most_cells = 65535, images_in_folder = 100, type_uint16 = 5, type_float32 = 10;
constexpr int cone_geometry = 1;  // ImageInfo/XrayGeometry
using File = std::shared_ptr<const OleFile>;

/// Reads numbers of four bytes: the streams hold nothing but numbers, little endian.
template <class Number>
std::vector<Number> numbers_in(const OleFile& file, const std::string& stream, std::size_t count) {
  static_assert(sizeof(Number) == 4 && std::endian::native == std::endian::little);
  std::vector<Number> numbers(count);
  file.read(stream, std::as_writable_bytes(std::span(numbers)));
  return numbers;
}

int whole_in(const OleFile& file, const std::string& stream, int least, int most) {
  const int value = numbers_in<std::int32_t>(file, stream, 1)[0];
  if (value < least || value > most)
    throw InputError(stream + " is " + std::to_string(value) + ", not " + std::to_string(least) +
                         " to " + std::to_string(most),
                     file.path(), "choose an undamaged file");
  return value;
}

/// Returns finite numbers, one per view; nothing where the stream is missing or shorter.
std::vector<double> listed(const OleFile& file, const std::string& stream, int views) {
  const auto count = static_cast<std::size_t>(views);
  if (file.bytes_of(stream).value_or(0) < count * sizeof(float)) return {};
  std::vector<double> all;
  for (const float value : numbers_in<float>(file, stream, count)) {
    if (!std::isfinite(value))
      throw InputError(stream + " holds a number that is not finite", file.path(),
                       "choose an undamaged file");
    all.push_back(value);
  }
  return all;
}

NumberFormat format_in(const OleFile& file, const std::string& stream) {
  const int type = numbers_in<std::int32_t>(file, stream, 1)[0];
  if (type != type_uint16 && type != type_float32)
    throw InputError(
        stream + " is " + std::to_string(type) + ", neither 16-bit numbers (5) nor floats (10)",
        file.path(), "export the projections as TIFF");
  return {type == type_uint16 ? NumberType::uint16 : NumberType::float32};
}

/// The images of a file, or its flat image.
class ZeissFrames final : public FrameSource {
 public:
  ZeissFrames(File file, int columns, int rows, NumberFormat numbers,
              std::vector<std::string> streams)
      : file_(std::move(file)),
        columns_(columns),
        rows_(rows),
        numbers_(numbers),
        streams_(std::move(streams)) {}

  int frames() const override { return static_cast<int>(streams_.size()); }
  int rows() const override { return rows_; }
  int columns() const override { return columns_; }
  std::string name(int frame) const override {
    return file_->path() + ":" + streams_[static_cast<std::size_t>(frame)];
  }
  void read(int frame, std::span<float> values) const override {
    const std::string& stream = streams_[static_cast<std::size_t>(frame)];
    std::vector<std::byte> bytes(values.size() * bytes_of(numbers_.type));
    if (const std::uint64_t stored = file_->bytes_of(stream).value_or(0); stored > bytes.size())
      throw InputError(stream + " has " + std::to_string(stored) + " bytes, not the " +
                           std::to_string(bytes.size()) + " of " + std::to_string(columns_) +
                           " x " + std::to_string(rows_) +
                           " values: width, height or number "
                           "format are wrong",
                       file_->path(), "choose an undamaged file, or export TIFF");
    file_->read(stream, bytes);
    std::size_t at = 0;
    read_numbers(
        [&](std::span<std::byte> out) {
          const std::size_t count = std::min(out.size(), bytes.size() - at);
          std::memcpy(out.data(), bytes.data() + at, count);
          at += count;
          return count;
        },
        numbers_, values);
  }

 private:
  File file_;
  int columns_, rows_;
  NumberFormat numbers_;
  std::vector<std::string> streams_;
};

/// Returns the names of the images: a hundred stand in each of the folders ImageData1, ImageData2.
std::vector<std::string> image_streams(int images) {
  std::vector<std::string> streams;
  for (int i = 0; i < images; ++i)
    streams.push_back("ImageData" + std::to_string(i / images_in_folder + 1) + "/Image" +
                      std::to_string(i + 1));
  return streams;
}

/// Returns how many images a scan was planned to have; lists are as long, also where it was
/// stopped.
int planned_images(const OleFile& file) {
  return whole_in(file, "ImageInfo/NoOfImages", 1, FrameSource::most_frames);
}

/// Returns how many images to take: those that were taken of a scan that was stopped, with a note.
int images_of(const OleFile& file, std::vector<std::string>& notes) {
  constexpr const char* name = "ImageInfo/ImagesTaken";
  const int planned = planned_images(file);
  if (file.bytes_of(name).value_or(0) < sizeof(std::int32_t)) return planned;
  const int taken = numbers_in<std::int32_t>(file, name, 1)[0];
  if (taken < 1 || taken >= planned) return planned;
  const std::string counts = std::to_string(taken) + " of " + std::to_string(planned) + " images";
  if (file.bytes_of(image_streams(taken + 1).back()).value_or(0) > 0) {
    notes.push_back(std::string(name) + " says that " + counts +
                    " were taken, but the file holds more, and all were imported");
    return planned;
  }
  notes.push_back("the scan was stopped after " + counts + " (" + name + "), which were imported");
  return taken;
}

/// Says that a list has another length than the scan has images, which `taken` follows: "the first
/// 7 were taken".
void note_length(const OleFile& file, const std::string& stream, int views,
                 const std::string& taken, std::vector<std::string>& notes) {
  notes.push_back(stream + " lists " +
                  std::to_string(file.bytes_of(stream).value_or(0) / sizeof(float)) +
                  " numbers for " + std::to_string(views) + " images: " + taken);
}

/// Says where a list has more numbers than images were taken or planned.
void note_surplus(const OleFile& file, const std::string& stream, int views,
                  std::vector<std::string>& notes) {
  const auto stated = file.bytes_of(stream).value_or(0) / sizeof(float);
  if (stated > static_cast<std::uint64_t>(planned_images(file)))
    note_length(file, stream, views, "the first " + std::to_string(views) + " were taken", notes);
}

/// Returns the first of a list of equal distances, or the only one; its sign tells a direction that
/// the circle does not need.
std::optional<double> distance_in(const OleFile& file, const std::string& stream, int views,
                                  std::vector<std::string>& notes) {
  const auto stated = file.bytes_of(stream).value_or(0) / sizeof(float);
  if (stated == 0) return std::nullopt;
  const auto of_views = static_cast<int>(std::min<std::uint64_t>(stated, views));
  const std::vector<double> all = listed(file, stream, of_views);
  if (all.front() == 0) return std::nullopt;
  const double first = std::abs(all.front());
  double furthest = 0;
  for (const double one : all) furthest = std::max(furthest, std::abs(std::abs(one) - first));
  if (furthest > 1e-4 * first)
    notes.push_back(stream + " differs between the views by up to " +
                    format_param(to_digits(furthest, 4)) + " mm; that of the first one was taken");
  return first;
}

/// Returns a circle. The size of a cell that the file states is that of its image at the object.
ScanSpec circle_in(const OleFile& file, int views, int columns, int rows, RawScan& scan) {
  ScanSpec spec;
  spec.detector_columns = columns;
  spec.detector_rows = rows;
  spec.central_column = 0.5 * (columns - 1);
  spec.central_row = 0.5 * (rows - 1);
  double pixel_mm = numbers_in<float>(file, "ImageInfo/PixelSize", 1)[0] / 1000.0;
  if (!(pixel_mm > 0) || !std::isfinite(pixel_mm))
    throw InputError("ImageInfo/PixelSize is " + format_param(1000 * pixel_mm), file.path(),
                     "choose an undamaged file");
  const bool diverges =
      file.bytes_of("ImageInfo/XrayGeometry").value_or(0) >= 4 &&
      numbers_in<std::int32_t>(file, "ImageInfo/XrayGeometry", 1)[0] == cone_geometry;
  const auto to_source = distance_in(file, "ImageInfo/StoRADistance", views, scan.notes),
             to_detector = distance_in(file, "ImageInfo/DtoRADistance", views, scan.notes);
  spec.beam = Beam::parallel;
  if (diverges && to_source && to_detector) {
    spec.beam = beam_onto_rows(rows);
    spec.source_to_isocenter_mm = *to_source;
    spec.source_to_detector_mm = *to_source + *to_detector;
    pixel_mm *= spec.source_to_detector_mm / spec.source_to_isocenter_mm;
    scan.assumptions.push_back({"size of a cell", format_param(to_digits(pixel_mm, 7)) + " mm",
                                "ImageInfo/PixelSize is taken as that at the axis"});
  } else {
    scan.assumptions.push_back({"beam", "parallel",
                                diverges ? "the distances of source and detector are not stated"
                                         : "ImageInfo/XrayGeometry states no cone"});
  }
  spec.column_pitch_mm = spec.row_pitch_mm = pixel_mm;
  const std::vector<double> angles = listed(file, "ImageInfo/Angles", views);
  if (angles.empty())
    throw InputError("ImageInfo/Angles does not list " + std::to_string(views) + " angles",
                     file.path(), "choose a file of projections, not of slices");
  note_surplus(file, "ImageInfo/Angles", views, scan.notes);
  for (const double angle : angles) spec.view_angles_rad.push_back(radians(angle));
  scan.assumptions.push_back({"sense of rotation", "the source goes counter-clockwise",
                              "as other readers of these files take it"});
  return spec;
}

/// Returns the shifts of the images along an axis; nothing where there are none, or, with a note,
/// where they are not as many as the images.
std::vector<double> shifts_along(const OleFile& file, const std::string& stream, int views,
                                 std::vector<std::string>& notes) {
  std::vector<double> shifts = listed(file, stream, views);
  if (!shifts.empty())
    note_surplus(file, stream, views, notes);
  else if (file.bytes_of(stream).value_or(0) > 0)
    note_length(file, stream, views, "these shifts were left out", notes);
  return shifts;
}

/// Returns where the detector lies beside the circle by the shifts of the images: an image with the
/// shift (x, y) is to be moved by x cells to the right and y cells down.
OffCircle shifts_in(const OleFile& file, int views, std::vector<std::string>& notes) {
  const std::vector<double> x = shifts_along(file, "Alignment/X-Shifts", views, notes),
                            y = shifts_along(file, "Alignment/Y-Shifts", views, notes);
  OffCircle shifted;
  shifted.shifts.resize(static_cast<std::size_t>(views));
  for (std::size_t i = 0; i < shifted.shifts.size(); ++i)
    shifted.shifts[i] = {x.empty() ? 0 : x[i], y.empty() ? 0 : -y[i]};
  if (std::ranges::all_of(shifted.shifts, [](const CellShift& shift) {
        return shift.columns == 0 && shift.rows == 0;
      }))
    return {};
  shifted.assumptions.push_back(
      {"detector",
       "shifted in each view by Alignment/" + std::string(y.empty()   ? "X-Shifts"
                                                          : x.empty() ? "Y-Shifts"
                                                                      : "X-Shifts and Y-Shifts"),
       "the images would be moved so to lie above each other; the axis is at its column in an "
       "image with the shift 0"});
  return shifted;
}

RawScan read_zeiss(const ImportRequest& request) {
  const auto file = std::make_shared<const OleFile>(request.path);
  RawScan scan;
  const int columns = whole_in(*file, "ImageInfo/ImageWidth", 1, most_cells),
            rows = whole_in(*file, "ImageInfo/ImageHeight", 1, most_cells),
            views = images_of(*file, scan.notes);
  std::error_code ignored;
  require_allowed_memory(
      "claims " + std::to_string(views) + " images of " + std::to_string(columns) + " x " +
          std::to_string(rows),
      static_cast<std::size_t>(views) * static_cast<std::size_t>(columns) *
          static_cast<std::size_t>(rows) * sizeof(float),
      static_cast<std::size_t>(std::filesystem::file_size(request.path, ignored)), request.path);
  scan.projections = std::make_shared<const ZeissFrames>(
      file, columns, rows, format_in(*file, "ImageInfo/DataType"), image_streams(views));
  scan.flats = given_frames_of(request.flats, FrameRole::flats, request, scan.notes);
  scan.darks = given_frames_of(request.darks, FrameRole::darks, request, scan.notes);
  if (scan.flats == nullptr && file->bytes_of("ReferenceData/Image").value_or(0) > 0)
    scan.flats = std::make_shared<const ZeissFrames>(
        file, columns, rows,
        file->bytes_of("ReferenceData/DataType").value_or(0) >= 4
            ? format_in(*file, "ReferenceData/DataType")
            : NumberFormat{NumberType::float32},
        std::vector<std::string>{"ReferenceData/Image"});
  scan.geometry = circle_in(*file, views, columns, rows, scan);
  scan.is_centre_open = true;
  scan.off_circle = shifts_in(*file, views, scan.notes);
  return scan;
}

}  // namespace

ImportFormat zeiss_scan_format() {
  ImportFormat format;
  format.key = "zeiss_scan";
  format.label = "Zeiss scan";
  format.extensions = {".txrm", ".xrm"};
  format.magic = [](std::string_view start) {
    return begins_ole(start) ? Certainty::possible : Certainty::none;
  };
  format.read = read_zeiss;
  return format;
}

}  // namespace gantry
