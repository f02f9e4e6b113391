#include "core/io/dicom/writer/dicom_writer.hpp"

#include "core/base/error.hpp"
#include "core/io/dicom/file/dicom_uid.hpp"
#include "core/io/dicom/writer/deidentify.hpp"
#include "core/io/dicom/writer/dicom_derived.hpp"
#include "core/io/dicom/writer/dicom_encode.hpp"
#include "core/io/files/atomic_folder.hpp"
#include "core/io/files/disk.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

void check_request(const DicomWriteRequest& request) {
  const VolumeGrid& grid = request.grid;
  grid.validate("the volume to write");
  if (request.mu.size() != grid.voxels())
    throw ShapeError(std::to_string(request.mu.size()) + " values for " +
                     std::to_string(grid.voxels()) + " voxels");
  if (!(request.mu_water > 0) || !std::isfinite(request.mu_water))
    throw UsageError("the attenuation of water must be positive", "mu_water", "give it in 1/mm");
  if (grid.nx > 65535 || grid.ny > 65535)
    throw UsageError("an image of " + std::to_string(grid.nx) + " x " + std::to_string(grid.ny) +
                         " pixels is larger than DICOM allows",
                     "grid", "use at most 65535 x 65535");
}

/// Returns the number that a reader gets from the decimal string of `value`. (std::stod would
/// depend on the locale.)
double as_written(double value) {
  const std::string text = decimal_string(value);
  double written = value;
  std::from_chars(text.data(), text.data() + text.size(), written);
  return written;
}

HuScale scale_for(const DicomWriteRequest& request, const std::string& folder) {
  HuScale scale{1, -1024, INFINITY, -INFINITY};
  for (std::size_t i = 0; i < request.mu.size(); ++i) {
    if (!std::isfinite(request.mu[i])) {
      const auto nx = static_cast<std::size_t>(request.grid.nx);
      const auto ny = static_cast<std::size_t>(request.grid.ny);
      throw OutputError("voxel (" + std::to_string(i % nx) + ", " + std::to_string(i / nx % ny) +
                            ", " + std::to_string(i / nx / ny) + ") is not a finite number",
                        folder, "DICOM cannot hold it; check the reconstruction");
    }
    const double hu = hu_from_mu(request.mu[i], request.mu_water);
    scale.lowest_hu = std::min(scale.lowest_hu, hu);
    scale.highest_hu = std::max(scale.highest_hu, hu);
  }
  if (scale.lowest_hu >= -32768 - 1024 && scale.highest_hu <= 32767 - 1024) return scale;
  // Readers multiply by the decimal strings, so values are divided by these rounded numbers.
  const double range = scale.highest_hu - scale.lowest_hu;
  scale.slope = as_written(std::max(range, 1.0) / 65000);
  scale.intercept = as_written((scale.lowest_hu + scale.highest_hu) / 2);
  return scale;
}

std::vector<std::int16_t> stored_values(std::span<const float> mu, double mu_water,
                                        const HuScale& scale) {
  std::vector<std::int16_t> stored(mu.size());
  for (std::size_t i = 0; i < mu.size(); ++i) {
    const double hu = hu_from_mu(mu[i], mu_water);
    const double value = std::round((hu - scale.intercept) / scale.slope);
    stored[i] = static_cast<std::int16_t>(std::clamp(value, -32768.0, 32767.0));
  }
  return stored;
}

/// Throws OutputError unless the target may be written: it does not exist, is empty, or holds only
/// a series that Gantry wrote and `overwrite` is set.
void check_target(const fs::path& folder, bool overwrite) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status))
    throw OutputError("is not a folder", folder.string(), "choose another name");
  std::vector<std::string> names;
  try {
    names = names_in(folder);
  } catch (const fs::filesystem_error& failure) {
    throw OutputError("the folder cannot be read (" + failure.code().message() + ")",
                      folder.string(), "choose another folder");
  }
  if (names.empty()) return;
  if (!overwrite)
    throw OutputError("the folder is not empty", folder.string(),
                      "choose a new folder, or allow overwriting a series written earlier");
  for (const std::string& name : names) {
    const fs::path path = folder / name;
    if (!fs::is_regular_file(fs::symlink_status(path, error)) ||
        !is_written_by_gantry(path.string()))
      throw OutputError("the folder holds more than a series written by Gantry (" + name + ")",
                        folder.string(), "choose a new folder");
  }
}

std::string file_name(int iz) {
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "slice_%04d.dcm", iz + 1);
  return name.data();
}

}  // namespace

void require_writable_dicom(const std::string& folder, bool overwrite) {
  check_target(folder, overwrite);
  const AtomicFolder probe(folder);
}

void write_dicom_series(const std::string& folder, const DicomWriteRequest& request) {
  check_request(request);
  const HuScale scale = scale_for(request, folder);
  const DerivedSeries series(request, scale);
  check_target(folder, request.overwrite);
  AtomicFolder output(folder, request.study ? FileAccess::owner : request.access);
  const std::size_t size = static_cast<std::size_t>(request.grid.nx) * request.grid.ny;
  for (int iz = 0; iz < request.grid.nz; ++iz) {
    const auto pixels = stored_values(request.mu.subspan(static_cast<std::size_t>(iz) * size, size),
                                      request.mu_water, scale);
    DicomImageFile image{.sop_instance_uid = new_dicom_uid(),
                         .attributes = series.slice(iz),
                         .source_class_uid = series.source_class(),
                         .source_uids = series.sources(iz),
                         .derivation_code = request.derivation_code,
                         .rows = request.grid.ny,
                         .columns = request.grid.nx,
                         .pixels = pixels};
    if (request.deidentify) image = deidentified(std::move(image), request.study.get());
    output.write_file(file_name(iz), encode_dicom_image(image));
    if (request.progress) request.progress(iz + 1, request.grid.nz);
  }
  output.commit();
}

}  // namespace gantry
