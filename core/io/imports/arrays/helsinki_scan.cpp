#include "core/io/imports/arrays/helsinki_scan.hpp"

#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/array_frames.hpp"
#include "core/io/imports/arrays/array_axes.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr const char *sinogram_name = "sinogram", *parameters_name = "parameters/",
                     *source_to_detector = "distanceSourceDetector",
                     *source_to_axis = "distanceSourceOrigin";

/// A sinogram and the numbers that belong to it.
struct Found {
  const ArrayFile& file;
  const StoredArray& sinogram;
  std::string parameters;  ///< what their names begin with

  const StoredArray* array(const std::string& name) const {
    const auto found = std::ranges::find(file.arrays, parameters + name, &StoredArray::name);
    return found == file.arrays.end() ? nullptr : &*found;
  }
  /// Returns the first of these numbers that the file has and that is positive; 0: none.
  double number(const std::vector<std::string>& names) const {
    for (const std::string& name : names)
      if (const StoredArray* one = array(name); one != nullptr && one->count() == 1)
        if (const double value = numbers_of(*one)[0]; std::isfinite(value) && value > 0)
          return value;
    return 0;
  }
};

/// Finds a sinogram beside whose parameters a distance is.
std::optional<Found> find(const ArrayFile& file) {
  for (const StoredArray& one : file.arrays) {
    if (!one.name.ends_with(sinogram_name) || one.size.size() != 2) continue;
    const std::string folder =
        one.name.substr(0, one.name.size() - std::string(sinogram_name).size());
    if (!folder.empty() && !folder.ends_with('/')) continue;
    for (const std::string& prefix : {folder + parameters_name, folder}) {
      Found found{file, one, prefix};
      if (found.array(source_to_detector) != nullptr) return found;
    }
  }
  return std::nullopt;
}

/// Adds a note where two statements differ by more than their rounding.
void compare(RawScan& scan, const std::string& what, double stated, double computed,
             const std::string& how) {
  constexpr double rounding = 1e-3;
  if (stated == 0 || std::abs(stated - computed) <= rounding * computed) return;
  scan.notes.push_back("the file contradicts itself: " + what + " is " + format_param(stated) +
                       ", but " + how + " " + format_param(computed) + "; the latter was taken");
}

ScanSpec spec_of(const Found& found, RawScan& scan, const std::string& path) {
  ScanSpec spec;
  spec.beam = Beam::fan;
  spec.detector = DetectorShape::flat;
  spec.source_to_isocenter_mm = found.number({source_to_axis});
  spec.source_to_detector_mm = found.number({source_to_detector});
  spec.detector_columns = scan.projections->columns();
  spec.detector_rows = 1;
  if (spec.source_to_isocenter_mm == 0 || spec.source_to_detector_mm <= spec.source_to_isocenter_mm)
    throw InputError("states no distances of source, axis and detector",
                     path + ": " + found.parameters + source_to_axis,
                     "give a file with the geometry");
  const double magnification = spec.source_to_detector_mm / spec.source_to_isocenter_mm,
               effective = found.number({"effectivePixelSizePost", "effectivePixelSize"}),
               stated = found.number({"pixelSizePost", "pixelSize"});
  const double pixel_mm = stated > 0 ? stated : effective * magnification;
  if (pixel_mm == 0)
    throw InputError("states no size of the detector's cells",
                     path + ": " + found.parameters + "pixelSizePost",
                     "give a file with the geometry");
  spec.column_pitch_mm = spec.row_pitch_mm = pixel_mm;
  spec.central_column = (spec.detector_columns - 1) / 2.0;
  compare(scan, "geometricMagnification", found.number({"geometricMagnification"}), magnification,
          "the distances give");
  compare(scan, "effectivePixelSize", effective, pixel_mm / magnification,
          "the size of a cell and the distances give");
  compare(scan, "numDetectors", found.number({"numDetectorsPost", "numDetectors"}),
          spec.detector_columns, "the columns of the sinogram are");
  return spec;
}

}  // namespace

std::optional<RawScan> helsinki_scan(const ArrayFile& file, const ImportRequest& request) {
  const std::optional<Found> found = find(file);
  if (!found) return std::nullopt;
  if (!request.flats.empty() || !request.darks.empty())
    throw InputError("holds line integrals, which need neither flats nor darks", request.path,
                     "leave out the files of flats and darks");
  RawScan scan;
  scan.notes = file.left_out;
  const StoredArray* in_file = found->array("angles");
  const std::size_t angles = count_of_angles(request, in_file == nullptr ? 0 : in_file->count());
  scan.projections = frames_of_array(
      found->sinogram, axes_of_projections(found->sinogram, angles, request, {}, scan.assumptions));
  scan.are_line_integrals = true;
  const int frames = scan.projections->frames();
  scan.assumptions.push_back(
      {"projections", found->sinogram.name, "a scan as the University of Helsinki publishes them"});
  scan.assumptions.push_back({"values", "line integrals", "as in all of these files"});
  scan.angles_deg = angles_for(request, {frames}, scan.assumptions, [&]() -> std::vector<double> {
    if (in_file == nullptr) return {};
    return angles_of_frames(numbers_of(*in_file), {frames}, {in_file->where}, scan.assumptions,
                            true);
  });
  if (!request.geometry.empty()) return scan;
  scan.geometry = spec_of(*found, scan, request.path);
  scan.assumptions.push_back(
      {"centre of rotation",
       "column " + format_param(scan.geometry->central_column) + ", the middle",
       "the file states no other"});
  scan.assumptions.push_back({"sense of rotation",
                              "counter-clockwise, columns along (cos t, sin t)",
                              "as the HelTomo toolbox takes these files"});
  for (const StoredArray& other : file.arrays)
    if (other.name.ends_with(sinogram_name) && &other != &found->sinogram)
      scan.notes.push_back(other.name + " (" + other.size_text() + ") was left out");
  return scan;
}

}  // namespace gantry
