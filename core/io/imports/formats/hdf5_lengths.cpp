#include "core/io/imports/formats/hdf5_lengths.hpp"

#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/imports/formats/hdf5_data_sets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace gantry {

namespace {

/// Returns how many mm a unit is; 0: no unit of length.
double mm_in(std::string_view unit) {
  using Entry = std::pair<std::string_view, double>;
  constexpr std::array<Entry, 17> units = {{{"m", 1e3},
                                            {"meter", 1e3},
                                            {"metre", 1e3},
                                            {"meters", 1e3},
                                            {"cm", 10},
                                            {"mm", 1},
                                            {"millimeter", 1},
                                            {"millimetre", 1},
                                            {"um", 1e-3},
                                            {"micron", 1e-3},
                                            {"microns", 1e-3},
                                            {"\u00b5m", 1e-3},
                                            {"micrometer", 1e-3},
                                            {"micrometers", 1e-3},
                                            {"\u03bcm", 1e-3},
                                            {"nm", 1e-6},
                                            {"nanometer", 1e-6}}};
  const auto found = std::ranges::find(units, unit, &Entry::first);
  return found != units.end() ? found->second : 0;
}

/// Returns the size of a length, mm, whatever its sign; 0 without a unit, or where there is none.
double length_mm(const Hdf5File& file, const Hdf5Dataset* list) {
  if (list == nullptr) return 0;
  const std::vector<double> values = file.numbers(*list);
  const double mm = mm_in(file.text_attribute(*list, "units").value_or(""));
  return values.empty() || !std::isfinite(values[0]) ? 0 : std::abs(values[0]) * mm;
}

/// Returns the numbers at a path that ends so, "/source/distance".
const Hdf5Dataset* nearest(const Hdf5File& file, std::string_view end, const Hdf5Dataset& frames) {
  return nearest_numbers(file, frames, [&](const Hdf5Dataset& one) {
    return one.path.ends_with(end) && one.size.size() <= 1 && one.elements() > 0;
  });
}

double first_length(const Hdf5File& file, const std::array<std::string_view, 2>& ends,
                    const Hdf5Dataset& frames) {
  for (const std::string_view end : ends)
    if (const double length = length_mm(file, nearest(file, end, frames)); length > 0)
      return length;
  return 0;
}

}  // namespace

void take_lengths(const Hdf5File& file, const Hdf5Dataset& frames, RawScan& scan) {
  scan.pixel_mm = first_length(file, {"/x_pixel_size", "/pixel_size_x"}, frames);
  scan.row_pixel_mm = first_length(file, {"/y_pixel_size", "/pixel_size_y"}, frames);
  if (scan.pixel_mm <= 0) scan.pixel_mm = std::exchange(scan.row_pixel_mm, 0);
  const double source = length_mm(file, nearest(file, "/source/distance", frames)),
               detector = length_mm(file, nearest(file, "/detector/distance", frames));
  if (source <= 0 || detector <= 0) return;
  scan.source_to_axis_mm = source;
  scan.source_to_detector_mm = source + detector;
}

void note_translations(const Hdf5File& file, const Hdf5Dataset& frames,
                       std::span<const std::uint64_t> projections, RawScan& scan) {
  for (const char* name : {"x_translation", "y_translation", "z_translation"}) {
    const Hdf5Dataset* list = list_for(file, name, frames, frames.size[0]);
    if (list == nullptr) continue;
    const std::vector<double> values = file.numbers(*list);
    const std::string unit = file.text_attribute(*list, "units").value_or("");
    double low = values[projections[0]], high = low;
    for (const std::uint64_t index : projections) {
      low = std::min(low, values[index]);
      high = std::max(high, values[index]);
    }
    constexpr double least_mm = 1e-4;  // below what a stage holds
    const double range = high - low;
    if (!(range > 0) || (mm_in(unit) > 0 && range * mm_in(unit) < least_mm)) continue;
    scan.notes.push_back(list->path + " changes by " + format_param(to_digits(range, 4)) +
                         (unit.empty() ? "" : " " + unit) +
                         " over the projections and was left out, as if the object only turned; a "
                         "file of the geometry (--geometry) can state the pose of each view");
  }
}

}  // namespace gantry
