#pragma once

#include "core/io/imports/raw_scan.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gantry {

/// One projection of a DICOM-CT-PD series. Positions are cylindrical coordinates of the format,
/// whose frame is left-handed: x = -distance sin(angle), y = distance cos(angle), z = height.
struct CtPdView {
  std::string path;
  int frame = 0;     ///< index of the image in its file
  int instance = 0;  ///< InstanceNumber, which orders the projections
  /// Where the detector's focal centre stands, about which the cells of an arc lie.
  double angle_rad = 0, height_mm = 0, distance_mm = 0;
  /// The focal spot less the focal centre (flying focal spot).
  double angle_shift_rad = 0, height_shift_mm = 0, distance_shift_mm = 0;
  double slope = 1, intercept = 0;  ///< line integral = slope * stored + intercept

  bool is_shifted() const {
    return angle_shift_rad != 0 || height_shift_mm != 0 || distance_shift_mm != 0;
  }
};

/// What the first file says besides the positions of the projections, which follow from them; as it
/// is stated, empty or 0 where it is missing.
struct CtPdStatements {
  std::string orbit, beam, focal_spot;
  double steps_per_turn = 0, pitch = 0, spectra = 0;

  bool has_flying_spot() const { return !focal_spot.empty() && focal_spot != "FFSNONE"; }
};

/// The projections that lack an attribute.
struct CtPdGap {
  std::size_t views = 0;
  std::string first_path;  ///< file of the first of them
};

/// The headers of a DICOM-CT-PD series.
struct CtPdSeries {
  int columns = 0, rows = 0;         ///< of the detector
  bool is_transposed = false;        ///< the images hold [column][row]
  bool is_arc = true;                ///< the cells lie on an arc about the focal centre; else flat
  double column_mm = 0, row_mm = 0;  ///< pitches at the detector, along the arc
  double detector_mm = 0;            ///< from the focal centre to the detector
  /// Fractional index, from 0 in the order of the files, of the ray from the focal centre through
  /// the isocentre.
  double central_column = 0, central_row = 0;
  double mu_water = 0;   ///< 1/mm; 0: not stated
  std::string log_flag;  ///< as it is stated; empty: it is missing
  bool are_line_integrals = true;
  CtPdStatements stated;
  std::vector<CtPdView> views;            ///< in the order of InstanceNumber
  std::map<std::uint32_t, CtPdGap> gaps;  ///< by the number of the attribute
  std::vector<Assumption> assumptions;
  std::vector<std::string> notes;
};

/// Returns whether the first DICOM file of a folder that can be read, by the order of names, holds
/// projections of DICOM-CT-PD.
bool holds_ct_pd(const std::string& folder);

/// Reads the headers of a folder, or of the series in whose folder a file lies. Throws InputError:
/// several series or spectra in a folder, fields that are missing, out of range or differ
/// between the files. With `leaves_out_damaged` the images are read, too, and a note names the
/// files that cannot be, which are left out.
CtPdSeries read_ct_pd_series(const std::string& path, bool leaves_out_damaged);

}  // namespace gantry
