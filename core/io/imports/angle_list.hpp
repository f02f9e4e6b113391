#pragma once

#include "core/base/error.hpp"
#include "core/io/imports/frame_angles.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace gantry {

struct ImportRequest;

/// Returns the angles of the projections, degrees: those of the file or of the arc that the request
/// gives, else `in_scan()`, those that the scan states. Nothing if the request gives a geometry,
/// which holds them. Frames that the request reverses get those of a file or an arc by
/// in_order_of_angles(). Throws InputError as angles_of_frames() does, and UsageError for an arc of
/// 0.
std::vector<double> angles_for(const ImportRequest& request, const FrameNumbers& frames,
                               std::vector<Assumption>& assumptions,
                               const std::function<std::vector<double>()>& in_scan = {});

/// Returns what is said of a table whose numbers have commas before their decimals.
Assumption decimals_behind_comma(const std::string& path);

/// Returns how many angles the list that the request names has, else `in_scan`, the count of those
/// that the scan states: so long is the axis of the views in an array. Throws InputError as
/// read_angle_lines() does.
std::size_t count_of_angles(const ImportRequest& request, std::size_t in_scan);

/// Returns the angles in an array of NumPy, or in a text, one per line: the first number of each
/// line. In a table of several columns, with blanks, commas or semicolons between them, it is that
/// of `column`, its name or number from 1; where that is empty, that of angle_columns(), and
/// several are refused. `assumptions`, if given, gets which column was taken, where it is not the
/// first. Lines before the numbers, empty ones and those that begin with #, %, ! or / are passed
/// over. Throws InputError if there is no number, or another line has none that is finite.
std::vector<double> read_angle_lines(const std::string& path,
                                     std::vector<Assumption>* assumptions = nullptr,
                                     const std::string& column = {});

/// Returns whether the line before the numbers of a text calls a column the angle, or states its
/// unit.
bool calls_angles(const std::string& path);

/// Several columns of a table may be the angles, of which none is called so, or none may be it.
class AngleColumnsError : public InputError {
  using InputError::InputError;
};

/// A table of angles, by the line before them, does not tell that of each frame: this line calls
/// several columns so, or the table names files of frames, but not each of them once.
class UnclearAnglesError : public InputError {
  using InputError::InputError;
};

/// Returns the angle of each frame in a text as read_angle_lines() reads it: of the line that names
/// the file of the frame, where a column holds the names of files, or its number, where a column of
/// numbers has gaps; else as angles_of_frames()
/// assigns the lines, in the order of a column that numbers the frames in another one. `column`: as
/// there. Throws InputError as these do and for a frame without a line.
std::vector<double> angles_in_file(const std::string& path, const FrameNumbers& numbers,
                                   std::vector<Assumption>& assumptions,
                                   const std::string& column = {});

}  // namespace gantry
