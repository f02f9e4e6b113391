#pragma once

#include "core/base/error.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace gantry {

struct ImportRequest;

/// Assumption::what of the unit of angles.
inline constexpr const char* unit_of_angles = "unit of the angles";

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

  /// Returns the places from 0 to that of the last projection.
  int all() const;
  /// Returns the place of a frame.
  int position(int frame) const;
};

/// Returns the place of each frame, in the largest step that all frames share: of the numbers 10,
/// 14 and 16 alone, 0, 2 and 3. Where the number of projections is stated, a step is a projection.
FrameNumbers in_steps(FrameNumbers numbers);

/// Returns the angles of the projections, degrees: those of the file or of the arc that the request
/// gives, else `in_scan()`, those that the scan states. Nothing if the request gives a geometry,
/// which holds them. Throws InputError as angles_of_frames() does, and UsageError for an arc of 0.
std::vector<double> angles_for(const ImportRequest& request, const FrameNumbers& numbers,
                               std::vector<Assumption>& assumptions,
                               const std::function<std::vector<double>()>& in_scan = {});

/// Returns how many angles the list that the request names has, else `in_scan`, the count of those
/// that the scan states: so long is the axis of the views in an array. Throws InputError as
/// read_angle_lines() does.
std::size_t count_of_angles(const ImportRequest& request, std::size_t in_scan);

/// Returns the angles in an array of NumPy, or in a text, one per line: the first number of each
/// line. In a table of several columns, with blanks, commas or semicolons between them, it is that
/// of angle_columns(), and several are refused. `assumptions`, if given, gets which column was
/// taken, where it is not the first. Lines before the numbers, empty ones and those that begin with
/// #, %, ! or / are passed over. Throws InputError if there is no number, or another line has none
/// that is finite.
std::vector<double> read_angle_lines(const std::string& path,
                                     std::vector<Assumption>* assumptions = nullptr);

/// Returns whether the line before the numbers of a text calls a column the angle, or states its
/// unit.
bool calls_angles(const std::string& path);

/// A table of angles, by the line before them, does not tell that of each frame: this line calls
/// several columns so, or the table names files of frames, but not each of them once.
class UnclearAnglesError : public InputError {
  using InputError::InputError;
};

/// Returns the angle of each frame in a text as read_angle_lines() reads it: of the line that names
/// the file of the frame, where a column holds the names of files, or its number, where a column of
/// numbers has gaps; else as angles_of_frames()
/// assigns the lines, in the order of a column that numbers the frames in another one. Throws
/// InputError as these do and for a frame without a line.
std::vector<double> angles_in_file(const std::string& path, const FrameNumbers& numbers,
                                   std::vector<Assumption>& assumptions);

/// Returns the angle of each frame, degrees. There may be one angle for each frame; where frames
/// are missing, one for each projection of the scan, or for each from the first frame to the last;
/// or more because the first and the last angle stand there again for flats and darks. Angles over
/// less than 6.4 are radians, unless they are known to be degrees (`are_degrees`). What was
/// concluded is added to `assumptions`. Throws InputError, naming `where`, if the numbers do not
/// fit.
std::vector<double> angles_of_frames(const std::vector<double>& lines, const FrameNumbers& numbers,
                                     const std::string& where, std::vector<Assumption>& assumptions,
                                     bool are_degrees = false);

/// Returns the angles of the frames of a scan whose projections go from 0 to `arc_deg`; `closed`:
/// the last projection was taken at `arc_deg` itself. Frames are in_steps().
std::vector<double> angles_over_arc(double arc_deg, bool closed, const FrameNumbers& numbers);

}  // namespace gantry
