#include "core/io/imports/formats/hdf5/hdf5_lengths.hpp"

#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/imports/formats/hdf5/hdf5_data_sets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// A length that a file states.
struct Length {
  const Hdf5Dataset* stated = nullptr;  ///< null: there is none
  double mm = 0;                        ///< its size, whatever its sign; 0: without a unit
  std::string without_unit = {};        ///< "3.5", where the file states no unit of length
};

std::string number_text(double value) { return format_param(to_digits(value, 6)); }

/// Returns the length in a data set. Of several values that differ, none is the length.
Length length_in(const Hdf5File& file, const Hdf5Dataset* stated) {
  if (stated == nullptr) return {};
  const std::vector<double> values = file.numbers(*stated);
  if (values.empty() || !std::isfinite(values[0]) || values[0] == 0 ||
      std::ranges::any_of(values, [&](double value) { return value != values[0]; }))
    return {};
  const double unit = mm_in(file.text_attribute(*stated, "units").value_or(""));
  return {stated, std::abs(values[0]) * unit, unit > 0 ? "" : number_text(values[0])};
}

/// Returns the numbers at a path that ends so, "/source/distance". What a sample states is its own
/// size, and not that of the detector.
const Hdf5Dataset* nearest(const Hdf5File& file, std::string_view end, const Hdf5Dataset& frames) {
  return nearest_numbers(file, frames, [&](const Hdf5Dataset& one) {
    constexpr std::string_view sample = "/sample/";
    const bool is_of_other =
        end.find(sample) == std::string_view::npos && one.path.find(sample) != std::string::npos;
    return one.path.ends_with(end) && !is_of_other && one.size.size() <= 1 && one.elements() > 0;
  });
}

/// Returns the first of these lengths that has a unit, else the first one.
Length first_length(const Hdf5File& file, const std::array<std::string_view, 2>& ends,
                    const Hdf5Dataset& frames) {
  Length first;
  for (const std::string_view end : ends) {
    const Length found = length_in(file, nearest(file, end, frames));
    if (found.mm > 0) return found;
    if (first.stated == nullptr) first = found;
  }
  return first;
}

bool is_other(double a, double b) { return std::abs(a - b) > 0.01 * b; }

std::string statement_of(const Length& length) {
  return length.stated->path + " states " + number_text(length.mm) + " mm";
}

/// Takes the size of a cell.
class CellSize {
 public:
  CellSize(const Hdf5File& file, const Hdf5Dataset& frames, bool is_given, RawScan& scan)
      : file_(file), frames_(frames), is_given_(is_given), scan_(scan) {}

  void take() {
    const Length column = of({"/x_pixel_size", "/pixel_size_x"}),
                 row = of({"/y_pixel_size", "/pixel_size_y"}),
                 both = of({"/detector/pixel_size", "/pixel_size"}),
                 resolution = of({"/objective/resolution", "/objective/resolution"}),
                 of_sample = of({"/sample/x_pixel_size", "/sample/pixel_size"}),
                 row_of_sample = of({"/sample/y_pixel_size", "/sample/pixel_size"});
    const Length& at_object = resolution.mm > 0 ? resolution : of_sample;
    const Length& of_detector = column.mm > 0 ? column : row.mm > 0 ? row : both;
    scan_.pixel_mm = of_detector.mm;
    if (column.mm > 0) scan_.row_pixel_mm = row.mm;
    if (&of_detector != &both && both.mm > 0 && is_other(both.mm, of_detector.mm))
      note(statement_of(both) + ", " + statement_of(of_detector) + ", which was taken");
    if (&of_detector == &both && both.mm > 0) say(both.stated->path);
    // Where the beam diverges, the size at the object is not that of the detector.
    if (at_object.mm > 0 && !scan_.has_near_source()) take_size_at_object(at_object, of_detector);
    if (of_sample.mm > 0 && scan_.has_near_source()) {
      compare_with_sample(of_sample, of_detector);
    } else if (resolution.mm <= 0 && of_sample.mm > 0 && row_of_sample.mm > 0) {
      scan_.row_pixel_mm = row_of_sample.mm;
    }
    if (scan_.pixel_mm > 0) return;
    for (const Length& one : {column, row, both, at_object})
      if (!one.without_unit.empty())
        note(one.stated->path + ", " + one.without_unit +
             ", has no unit of length and was left out; --pixel states the size of a cell");
  }

 private:
  Length of(const std::array<std::string_view, 2>& ends) const {
    return first_length(file_, ends, frames_);
  }
  void say(const std::string& why) {
    if (!is_given_)
      scan_.assumptions.push_back({"size of a cell", number_text(scan_.pixel_mm) + " mm", why});
  }
  void note(std::string text) {
    if (!is_given_) scan_.notes.push_back(std::move(text));
  }
  /// Notes a size at the object that is not that of the detector, made smaller by the distances;
  /// takes it where the detector has none.
  void compare_with_sample(const Length& of_sample, const Length& of_detector) {
    const double magnified = of_sample.mm * scan_.source_to_detector_mm / scan_.source_to_axis_mm;
    if (of_detector.mm <= 0) {
      scan_.pixel_mm = magnified;
      say(of_sample.stated->path + ", magnified by the distances");
    } else if (is_other(magnified, of_detector.mm)) {
      note(statement_of(of_sample) + ", which the distances magnify to " + number_text(magnified) +
           " mm; " + statement_of(of_detector) + ", which was taken: --pixel decides");
    }
  }
  /// Where light is magnified between scintillator and camera, the Advanced Photon Source states
  /// the size of a cell of the camera, and as resolution that at the object, which counts. So does
  /// the ESRF (NXtomo), as size of a cell of the sample.
  void take_size_at_object(const Length& at_object, const Length& of_detector) {
    if (of_detector.mm > 0 && !is_other(at_object.mm, of_detector.mm)) return;
    const double ratio = of_detector.mm / at_object.mm;
    scan_.pixel_mm = at_object.mm;
    if (scan_.row_pixel_mm > 0) scan_.row_pixel_mm /= ratio;
    std::erase_if(scan_.assumptions,
                  [](const Assumption& one) { return one.what == "size of a cell"; });
    say(at_object.stated->path);
    if (of_detector.mm <= 0) return;
    const Hdf5Dataset* stated = nearest(file_, "/objective/magnification", frames_);
    const double magnification = stated == nullptr ? 0 : file_.numbers(*stated)[0];
    if (std::abs(magnification - ratio) <= 0.05 * ratio) return;
    note(statement_of(at_object) + ", which was taken as the size of a cell; " +
         statement_of(of_detector) + ", and no magnification of " + number_text(ratio) +
         " says why: --pixel decides");
  }

  const Hdf5File& file_;
  const Hdf5Dataset& frames_;
  bool is_given_;
  RawScan& scan_;
};

}  // namespace

void take_lengths(const Hdf5File& file, const Hdf5Dataset& frames, bool has_given_cell,
                  RawScan& scan) {
  const double source = length_in(file, nearest(file, "/source/distance", frames)).mm,
               detector = length_in(file, nearest(file, "/detector/distance", frames)).mm;
  if (source > 0 && detector > 0) {
    scan.source_to_axis_mm = source;
    scan.source_to_detector_mm = source + detector;
  }
  CellSize(file, frames, has_given_cell, scan).take();
}

}  // namespace gantry
