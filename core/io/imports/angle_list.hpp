#pragma once

#include "core/io/imports/raw_scan.hpp"

#include <functional>
#include <string>
#include <vector>

namespace gantry {

struct ImportRequest;

/// Assumption::what of the unit of angles.
inline constexpr const char* unit_of_angles = "unit of the angles";

/// Returns the angles of the projections, degrees: those of the file or of the arc that the request
/// gives, else `in_scan()`, those that the scan states. Nothing if the request gives a geometry,
/// which holds them. `positions` as in angles_of_frames(). Throws InputError as that does.
std::vector<double> angles_for(const ImportRequest& request, int frames,
                               const std::vector<int>& positions,
                               std::vector<Assumption>& assumptions,
                               const std::function<std::vector<double>()>& in_scan = {});

/// Returns the first number of every line of a text; lines that begin with none are passed over.
/// Throws InputError if there is no number, or one is not finite.
std::vector<double> read_angle_lines(const std::string& path);

/// Returns the angle of each frame, degrees. `positions` are the numbers of the frames as in
/// FrameFiles (empty: frames follow each other). There may be one angle for each frame, one for
/// each number where frames are missing, or more because the first and the last angle stand there
/// again for flats and darks; angles over less than 6.4 are radians, unless they are known to be
/// degrees (`are_degrees`). What was concluded is added to `assumptions`. Throws InputError, naming
/// `where`, if the numbers do not fit.
std::vector<double> angles_of_frames(const std::vector<double>& lines, int frames,
                                     const std::vector<int>& positions, const std::string& where,
                                     std::vector<Assumption>& assumptions,
                                     bool are_degrees = false);

/// Returns angles from 0 to `arc_deg` for the numbers of the frames; `closed`: the last frame was
/// taken at `arc_deg` itself.
std::vector<double> angles_over_arc(double arc_deg, bool closed, int frames,
                                    const std::vector<int>& positions);

}  // namespace gantry
