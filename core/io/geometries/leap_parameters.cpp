#include "core/io/geometries/leap_parameters.hpp"

#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/ini_text.hpp"
#include "core/io/files/text/number_table.hpp"
#include "core/io/files/text_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

namespace gantry {

namespace {

constexpr int most_cells = 65536, most_views = 10'000'000;

/// Reads the fields of such a text, which has no sections.
class LeapFields {
 public:
  explicit LeapFields(const std::string& path) : text_(read_ini(path)) {}

  double number(const char* key) const { return text_.number({}, key); }
  double number_or(const char* key, double otherwise) const {
    return text_.number_if_stated({}, key).value_or(otherwise);
  }
  double positive(const char* key) const { return text_.positive({}, key); }
  int whole(const char* key, int most) const { return text_.whole({}, key, 1, most); }
  std::string word(const char* key) const { return text_.text({}, key).value_or(""); }
  bool has(const char* key) const { return text_.has({}, key); }

  /// Returns a list of numbers between commas or blanks, which has so many.
  std::vector<double> numbers(const char* key, std::size_t count) const {
    const std::string list = word(key);
    std::vector<double> numbers;
    for (std::string_view one : words_of_line(list)) {
      const std::optional<double> number = take_number(one);
      if (!number || !one.empty() || !std::isfinite(*number))
        fail(key, "holds what is no number", "copy the file again from where it came");
      numbers.push_back(*number);
    }
    if (numbers.size() != count)
      fail(key, "holds " + std::to_string(numbers.size()) + " numbers",
           "it should hold " + std::to_string(count) + ", by numAngles");
    return numbers;
  }
  [[noreturn]] void fail(const char* key, const std::string& what,
                         const std::string& remedy) const {
    text_.fail({}, key, what, remedy);
  }

 private:
  IniText text_;
};

/// Throws InputError for what a scan cannot be.
void require_upright(const LeapFields& fields) {
  for (const char* key : {"tiltAngle", "pitchAngle"})
    if (fields.number_or(key, 0) != 0)
      fields.fail(key, "tilts the detector", "convert it in LEAP by convert_to_modularbeam()");
}

std::vector<double> angles_in(const LeapFields& fields, std::size_t views,
                              std::vector<Assumption>& assumptions) {
  std::vector<double> angles_rad;
  if (fields.has("phis")) {
    for (const double phi : fields.numbers("phis", views)) angles_rad.push_back(radians(phi));
    return angles_rad;
  }
  const double range = fields.number("angularRange");
  for (std::size_t i = 0; i < views; ++i)
    angles_rad.push_back(radians(range) * static_cast<double>(i) / static_cast<double>(views));
  assumptions.push_back({"first angle", "0 degrees",
                         "LEAP's file states angularRange alone where angles are evenly spaced"});
  return angles_rad;
}

/// Makes poses of a circle whose source and detector stand tau beside it, against the columns.
void set_beside(double tau_mm, ScanSpec& spec) {
  for (const double angle : spec.view_angles_rad) {
    const Vec3 towards{std::sin(angle), -std::cos(angle), 0},
        across{std::cos(angle), std::sin(angle), 0};
    const Vec3 aside = -tau_mm * across;
    spec.poses.push_back(
        {spec.source_to_isocenter_mm * towards + aside,
         (spec.source_to_isocenter_mm - spec.source_to_detector_mm) * towards + aside,
         spec.column_pitch_mm * across,
         {0, 0, spec.row_pitch_mm}});
  }
  spec.view_angles_rad.clear();
  spec.trajectory = Trajectory::poses;
}

void set_helix(double rise_mm_per_rad, ScanSpec& spec, std::vector<std::string>& notes) {
  if (rise_mm_per_rad == 0) return;
  spec.trajectory = Trajectory::helical;
  spec.helical_feed_mm_per_turn = 2 * pi * rise_mm_per_rad;
  const double middle_mm =
      0.5 * rise_mm_per_rad * (spec.view_angles_rad.front() + spec.view_angles_rad.back());
  notes.push_back(
      "the source is at height 0 at angle 0, in LEAP in the middle of the scan, which is " +
      format_param(to_digits(middle_mm, 6)) + " mm high here: volumes lie as much higher");
}

/// Poses of a modular beam: the middle of each detector, and unit vectors along rows and columns.
void set_modules(const LeapFields& fields, std::size_t views, ScanSpec& spec) {
  std::array<std::vector<double>, 4> lists;
  constexpr std::array<const char*, 4> keys = {"sourcePositions", "moduleCenters", "colVectors",
                                               "rowVectors"};
  for (std::size_t i = 0; i < keys.size(); ++i) lists[i] = fields.numbers(keys[i], 3 * views);
  for (std::size_t view = 0; view < views; ++view) {
    const auto at = [&](std::size_t list) {
      return Vec3{lists[list][3 * view], lists[list][3 * view + 1], lists[list][3 * view + 2]};
    };
    spec.poses.push_back({at(0), at(1), spec.column_pitch_mm * at(2), spec.row_pitch_mm * at(3)});
  }
  spec.trajectory = Trajectory::poses;
}

StatedGeometry read_leap(const std::string& path, const KnownDetector&) {
  const LeapFields fields(path);
  StatedGeometry stated;
  ScanSpec& spec = stated.spec;
  spec = poses_on_detector(
      {fields.whole("numCols", most_cells), fields.whole("numRows", most_cells)}, path, {});
  spec.column_pitch_mm = fields.positive("pixelWidth");
  spec.row_pitch_mm = fields.positive("pixelHeight");
  const auto views = static_cast<std::size_t>(fields.whole("numAngles", most_views));
  require_upright(fields);
  const std::string geometry = fields.word("geometry");
  if (geometry == "modular") {
    set_modules(fields, views, spec);
    return stated;
  }
  spec.trajectory = Trajectory::circular;
  spec.central_column = fields.number_or("centerCol", spec.central_column);
  spec.central_row = fields.number_or("centerRow", spec.central_row);
  spec.view_angles_rad = angles_in(fields, views, stated.assumptions);
  if (geometry == "parallel") {
    spec.beam = Beam::parallel;
    return stated;
  }
  if (geometry != "cone" && geometry != "fan")
    fields.fail("geometry", "is \"" + geometry.substr(0, 40) + "\"",
                "cone, fan, parallel and modular can be taken");
  spec.beam = geometry == "fan" ? Beam::fan : Beam::cone;
  spec.source_to_isocenter_mm = fields.positive("sod");
  spec.source_to_detector_mm = fields.positive("sdd");
  const bool is_curved = fields.word("detectorType") == "curved";
  if (is_curved) spec.detector = DetectorShape::arc;
  set_helix(fields.number_or("helicalPitch", 0), spec, stated.notes);
  const double tau_mm = fields.number_or("tau", 0);
  if (tau_mm == 0) return stated;
  if (is_curved || spec.trajectory == Trajectory::helical || spec.beam == Beam::fan)
    fields.fail("tau",
                "sets the source beside the axis on a helix, in a fan, or before a curved detector",
                "convert it in LEAP by convert_to_modularbeam()");
  set_beside(tau_mm, spec);
  return stated;
}

}  // namespace

GeometryFormat leap_parameters_format() {
  GeometryFormat format;
  format.key = "leap_parameters";
  format.label = "LEAP parameters";
  format.extensions = {".leap.txt"};
  format.magic = [](std::string_view start) {
    constexpr std::array<std::string_view, 5> keys = {"numAngles", "numCols", "pixelWidth",
                                                      "geometry", "numX"};
    return std::ranges::all_of(keys,
                               [&](std::string_view key) {
                                 return start.find("\n" + std::string(key) + " = ") !=
                                        std::string_view::npos;
                               })
               ? Certainty::certain
               : Certainty::none;
  };
  format.read = read_leap;
  return format;
}

}  // namespace gantry
