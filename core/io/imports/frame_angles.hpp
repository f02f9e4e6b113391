#pragma once

#include "core/base/params.hpp"
#include "core/io/geometries/stated_geometry.hpp"
#include "core/io/imports/names/angle_names.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Assumption::what of the unit of angles.
inline constexpr const char* unit_of_angles = "unit of the angles";

/// A list of angles, as messages speak of it.
struct ListOfAngles {
  std::string where;  ///< "angles.txt", "scan.h5:/exchange/theta"
  /// What is known of its unit where it states none of a known size.
  std::string unit = "nothing states it";
  /// How a user states that the angles are degrees.
  std::string remedy = "write \"deg\" in a line before them";
};

/// Returns how far the angles that are finite go from the least to the largest one.
double span_of(const std::vector<double>& angles);

/// Which of the projections of a scan its frames are; some may be missing.
struct FrameNumbers {
  int frames = 0;
  /// The place of each frame among the projections, rising from 0; empty: 0, 1, 2 and so on.
  std::vector<int> positions = {};
  /// Projections of the whole scan; 0: not stated, so that the last frame counts as the last one.
  int projections = 0;
  /// The file of each frame, by which a table may name it; empty: frames have no files of their
  /// own.
  std::vector<std::string> files = {};
  int first_number = 0;  ///< of the place 0, by the names of the files
  /// Where flats or darks lie among the frames of the projections' files: the place of each
  /// projection among all of them, which are `all_places`; empty: there are none.
  std::vector<int> places = {};
  int all_places = 0;

  /// Returns the places from 0 to that of the last projection.
  int all() const;
  /// Returns the place of a frame.
  int position(int frame) const;
  /// Returns the place of a frame among those of the files.
  int place(int frame) const;
};

/// Returns the place of each frame, in the largest step that all frames share: of the numbers 10,
/// 14 and 16 alone, 0, 2 and 3. Where the number of projections is stated, a step is a projection.
FrameNumbers in_steps(FrameNumbers numbers);

/// Returns the angle of each frame, degrees. There may be one angle for each frame; where frames
/// are missing, one for each projection of the scan, or for each from the first frame to the last;
/// or more because the first and the last angle stand there again for flats and darks, because the
/// last line closes a turn of even steps of the projections, or repeated ones at the end do, or
/// because the last lines hold one angle to which the object turned back. Angles over less than 6.4 are radians, unless they are
/// known to be degrees (`are_degrees`). What was concluded is added to `assumptions`. Throws
/// InputError, naming the list, if the numbers do not fit.
std::vector<double> angles_of_frames(const std::vector<double>& lines, const FrameNumbers& numbers,
                                     const ListOfAngles& list, std::vector<Assumption>& assumptions,
                                     bool are_degrees = false);

/// Returns whether angles_of_frames() takes a list of these numbers.
bool fit_frames(const std::vector<double>& lines, const FrameNumbers& numbers);

/// Returns the angles of the frames of a scan whose projections go from 0 to `arc_deg`; `closed`:
/// the last projection was taken at `arc_deg` itself. Frames are in_steps().
std::vector<double> angles_over_arc(double arc_deg, bool closed, const FrameNumbers& numbers);

/// Takes angles as radians where these are likely; says that a small arc is taken as degrees.
/// Values that are not finite do not count.
void take_radians(std::vector<double>& angles, const ListOfAngles& list,
                  std::vector<Assumption>& assumptions);

/// Makes degrees of angles in a unit that `where` states. Throws InputError for angles of many
/// turns, of which the unit is wrong.
void in_degrees(std::vector<double>& angles, const AngleUnit& unit, const std::string& where);

}  // namespace gantry
