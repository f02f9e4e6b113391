#include "core/io/dicom/series/dicom_copies.hpp"

#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/data/volume.hpp"
#include "core/io/dicom/series/dicom_slices.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>

namespace gantry {

namespace {

using File = std::vector<const DicomFrame*>;  // the images of one file

std::string name_of(const File& file) {
  return std::filesystem::path(file.front()->path).filename().string();
}

/// Returns whether two images have the same position, orientation and spacing.
bool lie_alike(const DicomFrame& a, const DicomFrame& b) {
  constexpr double same = 1e-6;  // mm, or length of a difference of unit vectors; for rounding
  if (a.position_mm.has_value() != b.position_mm.has_value() ||
      a.directions.has_value() != b.directions.has_value() || a.spacing_mm != b.spacing_mm)
    return false;
  if (a.position_mm && norm(*a.position_mm - *b.position_mm) > same) return false;
  return !a.directions || (norm((*a.directions)[0] - (*b.directions)[0]) <= same &&
                           norm((*a.directions)[1] - (*b.directions)[1]) <= same);
}

/// Returns in what two undamaged files that should be the same image differ; empty where they are
/// equal.
std::string difference(const File& a, const File& b) {
  if (a.size() != b.size()) return "the number of images";
  SliceSource source_a, source_b;
  std::vector<std::int32_t> stored_a, stored_b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const DicomFrame &one = *a[i], &other = *b[i];
    if (one.rows != other.rows || one.columns != other.columns) return "their size";
    if (!lie_alike(one, other)) return "their position";
    if (one.slope != other.slope || one.intercept != other.intercept)
      return "RescaleSlope or RescaleIntercept";
    if (one.padding != other.padding) return "PixelPaddingValue";
    source_a.read(one, stored_a);
    source_b.read(other, stored_b);
    if (stored_a != stored_b) return "their pixels";
  }
  return {};
}

std::string damage_of(const File& file, bool region_matters) {
  for (const DicomFrame* image : file) {
    if (region_matters)
      if (std::string flaw = flaw_of_position(*image); !flaw.empty()) return flaw;
    try {
      require_usable_pixels(*image);
    } catch (const InputError& error) {
      return error.what();
    }
  }
  return {};
}

/// Chooses one of the files of one image: the first undamaged one. Adds the paths of the other
/// undamaged files to `dropped`, and a report on all files to `copies`.
void choose(const std::vector<File>& files, DicomCopies& copies, std::set<std::string>& dropped) {
  const auto is_placed = [](const File& file) {
    return std::ranges::all_of(file, [](const auto* i) { return flaw_of_position(*i).empty(); });
  };
  const bool region_matters = std::ranges::any_of(files, is_placed);
  const File* taken = nullptr;
  for (const File& file : files) {
    const std::string& path = file.front()->path;
    if (std::string damage = damage_of(file, region_matters); !damage.empty()) {
      copies.bad.emplace(path, std::move(damage));
      continue;
    }
    if (taken == nullptr) {
      taken = &file;
      continue;
    }
    dropped.insert(path);
    const std::string what = difference(*taken, file);
    if (what.empty())
      ++copies.equal;
    else
      copies.different.push_back(name_of(*taken) + " and " + name_of(file) +
                                 " are the same image by their SOPInstanceUID, but differ in " +
                                 what + ": " + name_of(*taken) + " is used");
  }
}

}  // namespace

std::string flaw_of_position(const DicomFrame& image) {
  const auto reason = [&](const std::string& what) -> std::string {
    return InputError(what, image.path, "export the image again").what();
  };
  const auto missing = [&](DicomTag tag) { return reason(describe(tag) + " is missing"); };
  if (image.rows == 0) return missing(dicom::rows);
  if (image.columns == 0) return missing(dicom::columns);
  if (!image.spacing_mm) return missing(dicom::pixel_spacing);
  try {
    VolumeGrid::centered(1, 1, 1, {(*image.spacing_mm)[0], (*image.spacing_mm)[1], 1}).validate("");
  } catch (const InputError&) {
    return reason(describe(dicom::pixel_spacing) + " is " + format_param((*image.spacing_mm)[1]) +
                  " and " + format_param((*image.spacing_mm)[0]) + " mm");
  }
  if (!image.position_mm) return missing(dicom::image_position);
  if (!image.directions) return missing(dicom::image_orientation);
  return {};
}

DicomCopies drop_copies(std::vector<DicomFrame>& images) {
  std::map<std::string, std::vector<File>> by_uid;  // in the order of `images`
  for (const DicomFrame& image : images) {
    if (image.sop_instance_uid.empty()) continue;
    std::vector<File>& files = by_uid[image.sop_instance_uid];
    if (files.empty() || files.back().front()->path != image.path) files.emplace_back();
    files.back().push_back(&image);
  }
  DicomCopies copies;
  std::set<std::string> dropped;
  for (const auto& [uid, files] : by_uid)
    if (files.size() > 1) choose(files, copies, dropped);
  std::erase_if(images, [&](const DicomFrame& image) { return dropped.contains(image.path); });
  return copies;
}

}  // namespace gantry
