#include "core/io/imports/formats/skyscan_log.hpp"

#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/ini_text.hpp"
#include "core/io/geometries/geometry_formats.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

namespace gantry {

namespace {

constexpr const char *system_section = "System", *acquisition = "Acquisition";
constexpr int most_cells = 65535, most_files = 1'000'000;

/// Returns 2 for "2x2". Throws InputError for different numbers, which make cells that are not
/// square.
int binning(const IniText& ini) {
  constexpr const char* key = "Camera binning";
  const std::string text = ini.text(acquisition, key).value_or("1x1");
  int across = 0, along = 0;
  const char* last = text.data() + text.size();
  const auto [x, error] = std::from_chars(text.data(), last, across);
  if (error != std::errc{} || x == last || std::from_chars(x + 1, last, along).ec != std::errc{} ||
      across != along || across < 1 || across > 64)
    ini.fail(acquisition, key, "is \"" + text.substr(0, 40) + "\"", "give it as in 2x2");
  return across;
}

/// Returns half a unit of the last digit that a number is written with.
double rounding_of(const std::string& text) {
  const std::size_t point = text.find('.');
  const std::size_t digits = point == std::string::npos ? 0 : text.size() - point - 1;
  return 0.5 * std::pow(10.0, -static_cast<double>(std::min<std::size_t>(digits, 15)));
}

/// Computes the distance of detector cells from that of the camera's, and compares it with the
/// pixel size of images, which is that of the cells at the object and often rounded.
double pitch_mm(const IniText& ini, const ScanSpec& spec, std::vector<std::string>& notes) {
  constexpr const char *at_object = "Image Pixel Size (um)", *of_camera = "Camera Pixel Size (um)";
  const double demagnified = spec.source_to_isocenter_mm / spec.source_to_detector_mm,
               image_um = ini.positive(acquisition, at_object);
  const char* section = ini.has(system_section, of_camera) ? system_section : acquisition;
  if (!ini.has(section, of_camera)) return 1e-3 * image_um / demagnified;
  const double camera_um = ini.positive(section, of_camera) * binning(ini),
               expected_um = camera_um * demagnified,
               slack_um = rounding_of(*ini.text(acquisition, at_object)) + 2e-4 * expected_um;
  if (std::abs(expected_um - image_um) <= slack_um) return 1e-3 * camera_um;
  notes.push_back("Image Pixel Size is " + format_param(to_digits(image_um, 6)) +
                  " um, but the camera's cells are " + format_param(to_digits(expected_um, 6)) +
                  " um wide at the object: the image pixel size was taken");
  return 1e-3 * image_um / demagnified;
}

void compare_turn(const IniText& ini, int files, double step_deg, std::vector<std::string>& notes) {
  const bool is_turn =
      lower_case(ini.text(acquisition, "Use 360 Rotation").value_or("no")) == "yes";
  const double arc = files * step_deg, last = arc - step_deg;
  const auto is_whole = [&](double angle) { return std::abs(angle - 360) <= 0.5 * step_deg; };
  if (is_turn && !is_whole(arc) && !is_whole(last))
    notes.push_back("Use 360 Rotation is YES, but " + std::to_string(files) + " steps of " +
                    format_param(step_deg) + " degrees are " + format_param(to_digits(arc, 6)) +
                    " degrees; the step was taken as it is");
  if (!is_turn && last < 180)
    notes.push_back("the projections span " + format_param(to_digits(last, 6)) +
                    " degrees, less than half a turn");
}

/// Returns 1 for a source that goes counter-clockwise about the object as seen from above, else -1.
int sense_of(const IniText& ini, StatedGeometry& stated) {
  const auto gantry = ini.text(acquisition, "Gantry direction"),
             stage = ini.text(acquisition, "Rotation Direction");
  if (gantry && stage && *gantry != *stage)
    stated.notes.push_back("Gantry direction is " + *gantry + ", but Rotation Direction is " +
                           *stage + "; the first was taken");
  const std::string direction = gantry ? *gantry : stage.value_or("CC");
  const bool is_clockwise = lower_case(direction) == "cw";
  stated.assumptions.push_back(
      {"sense of rotation",
       std::string("the source goes ") + (is_clockwise ? "clockwise" : "counter-clockwise") +
           " as seen from above",
       (gantry || stage ? "the log says " : "the log does not say; as with ") + direction});
  return is_clockwise ? -1 : 1;
}

/// Throws InputError for scans that are no circle, or whose frames are put together of several.
void require_circle(const IniText& ini) {
  const std::string trajectory = ini.text(acquisition, "Scanning Trajectory").value_or("ROUND");
  if (lower_case(trajectory) != "round")
    ini.fail(acquisition, "Scanning Trajectory", "is " + trajectory, "only ROUND can be imported");
  if (lower_case(ini.text(acquisition, "Camera Offset").value_or("off")) == "on")
    ini.fail(acquisition, "Camera Offset", "is ON: frames are put together of several",
             "export them with the scanner's program");
  constexpr const char* positions = "Number Of Horizontal Offset Positions";
  if (const double count = ini.number_if_stated(acquisition, positions).value_or(1); count > 1)
    ini.fail(acquisition, positions, "is " + format_param(count) + ": frames are put together",
             "export them with the scanner's program");
}

/// Notes what the log says of corrections that are not made.
void note_corrections(const IniText& ini, std::vector<std::string>& notes) {
  const auto note = [&](const char* key, double none, const char* unit) {
    const double value = ini.number_if_stated(acquisition, key).value_or(none);
    if (value != none)
      notes.push_back(std::string(key) + ", " + format_param(value) + unit + ", was left out");
  };
  note("Image Rotation", 0, " degrees");
  note("Image crop origin X", 0, " columns");
  note("Image crop origin Y", 0, " lines");
  const double across = ini.number_if_stated(acquisition, "Maximum horizontal TS").value_or(0),
               along = ini.number_if_stated(acquisition, "Maximum vertical TS").value_or(0);
  if (across != 0 || along != 0)
    notes.push_back("thermal drift of up to " + format_param(across) + " columns and " +
                    format_param(along) + " lines was left out");
}

ScanSpec circle_in(const IniText& ini, std::vector<std::string>& notes) {
  ScanSpec spec;
  spec.detector = DetectorShape::flat;
  spec.detector_columns = ini.whole(acquisition, "Number of Columns", 1, most_cells);
  spec.detector_rows = ini.whole(acquisition, "Number of Rows", 1, most_cells);
  spec.beam = beam_onto_rows(spec.detector_rows);
  spec.source_to_isocenter_mm = ini.positive(acquisition, "Object to Source (mm)");
  spec.source_to_detector_mm = ini.positive(acquisition, "Camera to Source (mm)");
  spec.column_pitch_mm = spec.row_pitch_mm = pitch_mm(ini, spec, notes);
  spec.central_column = 0.5 * (spec.detector_columns - 1);
  return spec;
}

void place_optical_axis(const IniText& ini, StatedGeometry& stated) {
  const auto line = ini.number_if_stated(acquisition, "Optical Axis (line)");
  stated.spec.central_row = line.value_or(0.5 * (stated.spec.detector_rows - 1));
  stated.assumptions.push_back(
      {"optical axis",
       line ? "line " + format_param(*line) + ", counted from the lowest" : "the middle line",
       line ? "the log does not say where it begins to count" : "the log does not state it"});
}

}  // namespace

SkyscanLog read_skyscan_log(const std::string& path) {
  const IniText ini = read_ini(path);
  SkyscanLog log;
  StatedGeometry& stated = log.settings.stated;
  require_circle(ini);
  ini.require(acquisition, {"Number of Columns", "Number of Rows", "Object to Source (mm)",
                            "Camera to Source (mm)", "Number of Files", "Rotation Step (deg)"});
  stated.spec = circle_in(ini, stated.notes);
  place_optical_axis(ini, stated);
  if (const double ratio =
          ini.number_if_stated(system_section, "Camera X/Y Ratio")
              .value_or(ini.number_if_stated(system_section, "CameraXYRatio").value_or(1));
      ratio != 1)
    stated.assumptions.push_back({"height of a cell", "equal to its width",
                                  "the camera's X/Y ratio, " + format_param(ratio) +
                                      ", counts as corrected by the scanner"});
  const int files = ini.whole(acquisition, "Number of Files", 1, most_files);
  const double step_deg = ini.positive(acquisition, "Rotation Step (deg)");
  compare_turn(ini, files, step_deg, stated.notes);
  const int sense = sense_of(ini, stated);
  stated.spec.view_angles_rad = angles_from_degrees(0, sense * step_deg, files);
  for (const auto& doubt : {ini.contradictions(), ini.decimal_commas()})
    if (doubt) stated.notes.push_back(*doubt);
  note_corrections(ini, stated.notes);
  // Readers of other programs do not agree on its sign.
  log.axis_shift = {ini.number_if_stated("Reconstruction", "Postalignment").value_or(0),
                    "the shift of the axis by NRecon (Postalignment)"};
  log.settings.folder = folder_of(path).string();
  log.settings.prefix = ini.text(acquisition, "Filename Prefix").value_or("");
  log.settings.white_level_field = "Reference Intensity";
  log.settings.white_level = ini.number_if_stated(acquisition, "Reference Intensity").value_or(0);
  if (lower_case(ini.text(acquisition, "Flat Field Correction").value_or("on")) == "off")
    log.settings.uncorrected = "Flat Field Correction is OFF";
  log.parts = ini.has(acquisition, "Number of connected scans")
                  ? ini.whole(acquisition, "Number of connected scans", 1, 1000)
                  : 1;
  // The machine writes NAME~00.log, NAME~01.log and so on for scans at several heights, and
  // NAME.log for all of them together. Both kinds state how many scans there are; only the name
  // differs.
  log.is_summary = log.parts > 1 &&
                   std::filesystem::path(path).filename().string().find('~') == std::string::npos;
  if (log.parts > 1 && !log.is_summary)
    stated.notes.push_back(
        "is part " + ini.text(acquisition, "Current scan number").value_or("?") + " of " +
        std::to_string(log.parts) + " connected scans, at " +
        ini.text(acquisition, "Scanning position").value_or("an unknown height") +
        "; each is a scan of its own");
  // ScanGeometry checks whether the fields fit together.
  stated.spec = ScanGeometry(std::move(stated.spec), path).spec();
  return log;
}

}  // namespace gantry
