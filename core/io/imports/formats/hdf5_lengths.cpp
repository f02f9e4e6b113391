#include "core/io/imports/formats/hdf5_lengths.hpp"

#include "core/io/imports/formats/hdf5_data_sets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace gantry {

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

namespace {

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

}  // namespace gantry
