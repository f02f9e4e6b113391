#include "core/io/imports/formats/nikon_settings.hpp"

#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/ini_text.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/geometries/geometry_formats.hpp"
#include "core/io/imports/folders/frame_files.hpp"
#include "core/io/imports/formats/nikon_angles.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <system_error>

namespace gantry {

namespace fs = std::filesystem;

namespace {

constexpr const char* section = "XTekCT";
constexpr int most_cells = 65535, most_projections = 1'000'000;

// ---- Contradictions

void compare_voxel(const IniText& ini, const ScanSpec& spec, std::vector<std::string>& notes) {
  const std::optional<double> voxel = ini.number_if_stated(section, "VoxelSizeX");
  const double expected =
      spec.column_pitch_mm * spec.source_to_isocenter_mm / spec.source_to_detector_mm;
  if (voxel && std::abs(*voxel - expected) > 1e-4 * expected)
    notes.push_back("VoxelSizeX is " + format_param(to_digits(*voxel, 6)) +
                    " mm, but a detector cell is " + format_param(to_digits(expected, 6)) +
                    " mm wide at the axis: the distances were taken as they are");
}

void compare_turn(int projections, double step_deg, std::vector<std::string>& notes) {
  const double arc = projections * step_deg;
  if (std::abs(std::abs(arc) - 360) > 0.5 * std::abs(step_deg))
    notes.push_back("Projections x AngularStep is " + format_param(to_digits(arc, 6)) +
                    " degrees, no whole turn; AngularStep was taken as it is");
}

/// Notes what Nikon's program does to the values by these settings, and this import does not.
void note_unapplied(const IniText& ini, std::vector<std::string>& notes) {
  const auto differs = [&](const std::string& key, double none) {
    auto text = ini.text(section, key);
    if (text) std::ranges::replace(*text, ',', '.');
    return text && number_of_word(*text) != none;
  };
  std::string values;
  bool is_any = false, is_cubic = true;
  for (int power = 4; power >= 0; --power) {
    const std::string key = "CoefX" + std::to_string(power);
    const bool is_here = differs(key, power == 1 ? 1 : 0);
    is_any = is_any || is_here;
    is_cubic = is_cubic && !(is_here && (power == 4 || power == 0));
    values += (values.empty() ? "" : ", ") + ini.text(section, key).value_or("not stated");
  }
  if (is_any)
    notes.push_back("CoefX4 to CoefX0 (" + values +
                    "), the polynomial of Nikon's program against beam hardening, were not "
                    "applied; --correct beam_hardening applies a polynomial to the line integrals" +
                    (is_cubic ? " (a1 is CoefX1, a2 CoefX2, a3 CoefX3)"
                              : ", which has no terms of CoefX4 and CoefX0"));
  if (differs("Scattering", 0))
    notes.push_back("Scattering (" + *ini.text(section, "Scattering") +
                    "), a correction by Nikon's program, was not applied; --correct scatter "
                    "subtracts scatter");
}

/// Returns how the axis leans: ObjectTilt about the columns of the detector and ObjectRoll about
/// the beam, both in degrees; without ObjectRoll, by the places of the axis at the upper and the
/// lower edge of the detector. The signs are those of CIL's reader, which was tried with tilted and
/// rolled scans; that of the places is also that of ObjectOffsetX, which moves the axis to the left
/// as seen from the source.
OffCircle lean_of(const IniText& ini, const ScanSpec& spec) {
  const double tilt_deg = ini.number_if_stated(section, "ObjectTilt").value_or(0);
  const auto roll_deg = ini.number_if_stated(section, "ObjectRoll");
  const double places_mm = ini.number_if_stated(section, "CentreOfRotationTop").value_or(0) -
                           ini.number_if_stated(section, "CentreOfRotationBottom").value_or(0);
  OffCircle leaning;
  leaning.lean = {radians(tilt_deg),
                  roll_deg ? radians(*roll_deg)
                           : -std::atan2(places_mm, spec.detector_rows * spec.row_pitch_mm)};
  const auto say = [&](double angle_rad, const char* to, const char* why) {
    if (angle_rad != 0)
      leaning.assumptions.push_back(
          {"lean of the axis",
           format_param(to_digits(degrees(angle_rad), 6)) + " degrees, the upper end " + to, why});
  };
  say(leaning.lean.tilt_rad, "away from the source", "ObjectTilt, as CIL takes it");
  say(leaning.lean.roll_rad, "to the right as seen from the source",
      roll_deg ? "ObjectRoll, as CIL takes it" : "CentreOfRotationTop and CentreOfRotationBottom");
  return leaning;
}

// ---- Geometry

/// Places the axis and the central ray on the detector.
void place_centre(const IniText& ini, ScanSpec& spec, StatedGeometry& stated) {
  const auto top = ini.number_if_stated(section, "CentreOfRotationTop"),
             bottom = ini.number_if_stated(section, "CentreOfRotationBottom"),
             offset = ini.number_if_stated(section, "ObjectOffsetX");
  const double magnification = spec.source_to_detector_mm / spec.source_to_isocenter_mm,
               x_mm = ini.number_if_stated(section, "DetectorOffsetX").value_or(0),
               y_mm = ini.number_if_stated(section, "DetectorOffsetY").value_or(0),
               // Where the axis passes the row of the central ray, y_mm below the middle.
      part = 0.5 - y_mm / (spec.detector_rows * spec.row_pitch_mm),
               places_mm = std::lerp(bottom.value_or(0), top.value_or(0), part),
               // On the detector, as the places are.
      axis_mm = offset ? *offset * magnification : places_mm;
  constexpr double alike_cells = 0.5;
  if (offset && (top || bottom) &&
      std::abs(axis_mm - places_mm) > alike_cells * spec.column_pitch_mm)
    stated.notes.push_back(
        "ObjectOffsetX, " + format_param(to_digits(*offset, 6)) + " mm, places the axis " +
        format_param(to_digits(axis_mm, 6)) + " mm off the middle of the detector, " +
        "CentreOfRotationTop and CentreOfRotationBottom " + format_param(to_digits(places_mm, 6)) +
        " mm: the first was taken; --centre states the column of the axis");
  spec.central_column = 0.5 * (spec.detector_columns - 1) + (x_mm - axis_mm) / spec.column_pitch_mm;
  spec.central_row = 0.5 * (spec.detector_rows - 1) - y_mm / spec.row_pitch_mm;
  if (axis_mm != 0) {
    // The ray through a displaced axis does not land at right angles; a circle says that it does.
    const double edge_mm = 0.5 * spec.detector_columns * spec.column_pitch_mm,
                 error = edge_mm * edge_mm * std::abs(axis_mm) /
                         (spec.source_to_detector_mm * spec.source_to_detector_mm) /
                         spec.column_pitch_mm;
    stated.assumptions.push_back(
        {"axis beside the central ray",
         "a shift of the detector by " + format_param(to_digits(axis_mm, 6)) +
             " mm along its columns",
         "the two differ by at most " + format_param(to_digits(error, 3)) + " cells, at the edge"});
  }
  if (x_mm != 0 || y_mm != 0)
    stated.assumptions.push_back({"DetectorOffsetX and DetectorOffsetY",
                                  "along the columns of the files and upwards",
                                  "the file does not state their direction"});
}

ScanSpec circle_in(const IniText& ini) {
  ScanSpec spec;
  spec.detector = DetectorShape::flat;
  spec.detector_columns = ini.whole(section, "DetectorPixelsX", 1, most_cells);
  spec.detector_rows = ini.whole(section, "DetectorPixelsY", 1, most_cells);
  spec.beam = beam_onto_rows(spec.detector_rows);
  spec.column_pitch_mm = ini.positive(section, "DetectorPixelSizeX");
  spec.row_pitch_mm = ini.positive(section, "DetectorPixelSizeY");
  spec.source_to_isocenter_mm = ini.positive(section, "SrcToObject");
  spec.source_to_detector_mm = ini.positive(section, "SrcToDetector");
  return spec;
}

/// Returns the folder of the projections: the one that the settings name, else their own.
std::string folder_in(const IniText& ini, std::vector<std::string>& notes) {
  const fs::path own = folder_of(ini.where());
  const std::string name = ini.text(section, "InputFolderName").value_or("");
  std::error_code error;
  if (fs::is_directory(own / name, error)) return (own / name).string();
  notes.push_back("the folder " + name +
                  " (InputFolderName) is not there: the projections are those beside the file");
  return own.string();
}

/// Returns how the names of the projections begin: the name of the scan and InputSeparator; where
/// that fits no file, with the underscore or without it, whichever does.
std::string prefix_in(const IniText& ini, const std::string& folder, const std::string& name,
                      std::vector<std::string>& notes) {
  const std::string stated = ini.text(section, "InputSeparator").value_or("");
  const auto fits = [&](const std::string& separator) {
    return !list_numbered_files(folder, name + separator, {".tif", ".tiff"}).projections.empty();
  };
  if (fits(stated)) return name + stated;
  for (const char* other : {"_", ""}) {
    if (!fits(other)) continue;
    if (ini.text(section, "InputSeparator"))
      notes.push_back("InputSeparator is \"" + stated + "\", but the files are called " + name +
                      other + "0001.tif or the like; these were taken");
    return name + other;
  }
  return name + stated;
}

}  // namespace

NikonSettings read_nikon_settings(const std::string& path) {
  const IniText ini = read_ini(path);
  ini.require(section,
              {"DetectorPixelsX", "DetectorPixelsY", "DetectorPixelSizeX", "DetectorPixelSizeY",
               "SrcToObject", "SrcToDetector", "Projections", "AngularStep"});
  NikonSettings settings;
  StatedGeometry& stated = settings.stated;
  if (const auto units = ini.text(section, "Units"); units && lower_case(*units) != "mm")
    ini.fail(section, "Units", "is " + *units, "write lengths in mm");
  stated.spec = circle_in(ini);
  place_centre(ini, stated.spec, stated);
  settings.leaning = lean_of(ini, stated.spec);
  compare_voxel(ini, stated.spec, stated.notes);
  const int projections = ini.whole(section, "Projections", 1, most_projections);
  const double initial_deg = ini.number_if_stated(section, "InitialAngle").value_or(0),
               step_deg = ini.number(section, "AngularStep");
  compare_turn(projections, step_deg, stated.notes);
  std::vector<double> angles_deg;
  for (int i = 0; i < projections; ++i) angles_deg.push_back(initial_deg + i * step_deg);
  const std::string name = ini.text(section, "Name").value_or(fs::path(path).stem().string());
  for (const double angle : angles_deg) stated.spec.view_angles_rad.push_back(radians(angle));
  settings.measured_angles = nikon_angles(path, name, angles_deg);
  note_unapplied(ini, stated.notes);
  stated.assumptions.push_back({"sense of rotation", "the source goes counter-clockwise",
                                "as other readers of Nikon's files take it"});
  for (const auto& doubt : {ini.contradictions(), ini.decimal_commas()})
    if (doubt) stated.notes.push_back(*doubt);
  settings.folder = folder_in(ini, stated.notes);
  settings.prefix = prefix_in(ini, settings.folder, name, stated.notes);
  settings.first_number = 1;
  settings.white_level_field = "WhiteLevel";
  settings.white_level = ini.number_if_stated(section, "WhiteLevel").value_or(0);
  // ScanGeometry checks whether the fields fit together.
  stated.spec = ScanGeometry(std::move(stated.spec), path).spec();
  return settings;
}

}  // namespace gantry
