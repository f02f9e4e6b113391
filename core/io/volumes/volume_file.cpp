#include "core/io/volumes/volume_file.hpp"

#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/read_text.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/scans/projection_formats.hpp"
#include "core/io/volumes/volume_formats.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

namespace gantry {

namespace fs = std::filesystem;

namespace {

/// Returns the format that is written as a folder.
const VolumeFormat& folder_format(const std::string& path) {
  for (const VolumeFormat& format : volume_formats().entries())
    if (format.is_folder && format.write) return format;
  throw UsageError("this build writes no folders of images", path,
                   "use " + volume_names_to_write());
}

/// Returns the format in which a volume is written to this path. Throws UsageError for an extension
/// that stands for no format.
const VolumeFormat& format_to_write(const std::string& path) {
  if (path.empty())
    throw UsageError("no file name is given", "volume", "use " + volume_names_to_write());
  const std::string extension = fs::path(path).extension().string();
  if (extension.empty() || fs::is_directory(path)) return folder_format(path);
  if (const VolumeFormat* format = volume_formats().to_write(path)) return *format;
  throw UsageError("the extension " + extension + " is not known", path,
                   "use " + volume_names_to_write());
}

void require_mu_water(double mu_water) {
  if (!std::isfinite(mu_water) || mu_water <= 0)
    throw UsageError("attenuation of water is " + format_param(mu_water), "mu_water",
                     "give a positive number in 1/mm");
}

std::string size_text(const Vec3& mm) {
  return format_param(to_digits(mm.x, 6)) + " x " + format_param(to_digits(mm.y, 6)) + " x " +
         format_param(to_digits(mm.z, 6)) + " mm";
}

/// Gives the voxels of a volume a size where its file states none. Throws UsageError where the file
/// states another one.
void take_voxel_size(LoadedVolume& volume, const Vec3& voxel_mm, const std::string& path) {
  constexpr double tolerance = 1e-4;  // sizes are rounded in headers
  VolumeGrid& grid = volume.grid;
  const auto differs = [&](std::size_t axis, double stated, double given) {
    return !volume.is_size_assumed[axis] && std::abs(given - stated) > tolerance * stated;
  };
  const Vec3 stated = grid.spacing_mm;
  if (differs(0, stated.x, voxel_mm.x) || differs(1, stated.y, voxel_mm.y) ||
      differs(2, stated.z, voxel_mm.z))
    throw UsageError(
        "states voxels of " + size_text(stated) + ", and " + size_text(voxel_mm) + " are given",
        path, "a size is given only for files that state none: leave it out");
  const auto taken = [&](std::size_t axis, double of_file, double given) {
    return volume.is_size_assumed[axis] ? given : of_file;
  };
  // A grid that was put on the axis stays there; else the first voxel keeps the place it has.
  const bool is_centred = norm(grid.center_mm()) < tolerance * norm(stated);
  grid.spacing_mm = {taken(0, stated.x, voxel_mm.x), taken(1, stated.y, voxel_mm.y),
                     taken(2, stated.z, voxel_mm.z)};
  if (is_centred)
    grid.origin_mm = VolumeGrid::centered(grid.nx, grid.ny, grid.nz, grid.spacing_mm).origin_mm;
  std::erase_if(volume.notes, [&](const std::string& note) {
    return std::ranges::find(volume.notes_of_size, note) != volume.notes_of_size.end();
  });
}

bool is_experiment(const std::string& path) {
  const std::string start = file_start(path);
  return (has_extension(path, ".json") || begins_json_object(start)) &&
         start.find("gantry-experiment") != std::string::npos;
}

}  // namespace

LoadedVolume load_volume(const std::string& path, const VolumeReadOptions& options) {
  require_mu_water(options.mu_water);
  const VolumeFormat& format = volume_formats().to_read(path);
  VolumeReadOptions completed = options;
  completed.params = resolve_params(options.params, format.options, format.key);
  LoadedVolume volume = format.read(path, completed);
  if (options.voxel_mm) take_voxel_size(volume, *options.voxel_mm, path);
  volume.grid.validate(path);
  return volume;
}

std::optional<VolumeSlices> open_slices(const std::string& path, const VolumeReadOptions& options) {
  const VolumeFormat& format = volume_formats().to_read(path);
  if (!format.open_slices) return std::nullopt;
  require_mu_water(options.mu_water);
  std::optional<VolumeSlices> slices = format.open_slices(path, options);
  if (slices) slices->grid.validate(path);
  return slices;
}

int stored_slices(const std::string& path) {
  const VolumeFormat* format = volume_formats().recognise(path).format;
  return format != nullptr && format->slices ? format->slices(path) : 0;
}

bool may_hold_series(const std::string& path) {
  return volume_formats().to_read(path).holds_series;
}

FileAccess access_for_volume(const std::string& path) {
  const VolumeFormat* format = volume_formats().recognise(path).format;
  if (format == nullptr || format->is_of_patients) return FileAccess::owner;
  FileAccess access = access_of(path);
  for (const std::string& data : data_paths_in_volume(path))
    access = stricter(access, access_of(data));
  return access;
}

void require_writable_volume(const std::string& path) {
  const VolumeFormat& format = format_to_write(path);
  if (format.require_writable) return format.require_writable(path);
  const AtomicFile probe(path);
}

std::vector<std::string> files_of_volume(const std::string& path) {
  const VolumeFormat& format = format_to_write(path);
  return format.files ? format.files(path) : std::vector<std::string>{path};
}

std::string volume_names_to_write() { return names_for(volume_formats().writable()); }

std::vector<std::string> data_paths_in_volume(const std::string& path) {
  const VolumeFormat* format = volume_formats().recognise(path).format;
  if (format == nullptr || !format->data_paths) return {};
  try {
    return format->data_paths(path);
  } catch (const InputError&) {  // reading the volume will report the error
    return {};
  }
}

std::string source_name(const LoadedVolume& volume) {
  if (!volume.study) return fs::path(volume.source).filename().string();
  const auto found = volume.study->attributes.find("SeriesDescription");
  if (found == volume.study->attributes.end()) return "DICOM series";
  return "DICOM series \"" + found->second + "\"";
}

bool writes_hu(const std::string& path, const VolumeToWrite& volume) {
  return volume.as_hu || format_to_write(path).holds_hu;
}

std::string place_in_patient(const std::string& path, VolumeToWrite& volume) {
  const VolumeFormat& format = format_to_write(path);
  if (!volume.frame || format.is_of_patients) return {};
  const PatientFrame& frame = *volume.frame;
  constexpr double tolerance = 1e-4;
  const bool is_upright = norm(frame.x_axis - Vec3{1, 0, 0}) < tolerance &&
                          norm(frame.y_axis - Vec3{0, 1, 0}) < tolerance &&
                          norm(frame.z_axis - Vec3{0, 0, 1}) < tolerance;
  if (format.states_place && is_upright) {
    const Vec3 place = frame.to_patient(volume.grid.origin_mm);
    constexpr int digits = 12;  // without what rounding adds to those of the series
    volume.grid.origin_mm = {to_digits(place.x, digits), to_digits(place.y, digits),
                             to_digits(place.z, digits)};
    volume.frame = PatientFrame{};
    volume.is_in_patient = true;
    return {};
  }
  const Vec3 first = frame.to_patient(volume.grid.origin_mm);
  const auto text = [](double mm) { return format_param(to_digits(mm, 6)); };
  return "the place in the patient was left out, where the first voxel lies at (LPS) " +
         text(first.x) + ", " + text(first.y) + ", " + text(first.z) + " mm: " +
         (format.states_place ? "the slices are not upright to the axes of the patient; "
                              : format.label + " states no place; ") +
         "a DICOM series keeps it";
}

void require_known_lengths(const std::string& path, bool lengths_are_known) {
  const VolumeFormat& format = format_to_write(path);
  if (lengths_are_known || !format.holds_hu) return;
  throw UsageError(
      format.label + " states mm and HU, and the size of the scan's cells is not known", path,
      "state the size of the cells, or save MetaImage, NRRD, NIfTI or TIFF");
}

bool can_deidentify(const std::string& path) { return format_to_write(path).is_of_patients; }

void require_deidentifiable(const std::string& path) {
  if (can_deidentify(path)) return;
  throw UsageError("only DICOM is de-identified", path,
                   "name a folder for a DICOM series, or leave out the de-identification");
}

void write_volume(const std::string& path, const VolumeToWrite& volume) {
  const VolumeFormat& format = format_to_write(path);
  if (volume.deidentify) require_deidentifiable(path);
  require_known_lengths(path, volume.lengths_are_known);
  require_mu_water(volume.mu_water);
  volume.grid.validate(path);
  if (volume.mu.size() != volume.grid.voxels())
    throw ShapeError("a volume to write does not have its grid's size");
  VolumeToWrite completed = volume;
  completed.params = resolve_params(volume.params, format.options, format.key);
  if (volume.study) completed.access = FileAccess::owner;
  format.write(path, completed);
}

FileKind identify_file(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error))
    throw InputError("there is no such file or folder", path, "check the name");
  if (!fs::is_directory(path, error) && !fs::is_regular_file(path, error))
    throw InputError("is neither a file nor a folder", path, "choose a file or a folder");
  const Certainty volume = volume_formats().recognise(path).certainty;
  const Certainty scan = projection_formats().recognise(path).certainty;
  if (volume < Certainty::named && is_experiment(path)) return FileKind::experiment;
  const Certainty projections = import_formats().recognise(path).certainty;
  // A folder of images may hold the slices of a volume as well; whoever means them converts it.
  const bool may_be_slices = volume == Certainty::named && fs::is_directory(path, error);
  if (projections > std::max(scan, may_be_slices ? Certainty::possible : volume))
    return FileKind::projections;
  return scan > volume ? FileKind::scan : FileKind::volume;
}

}  // namespace gantry
