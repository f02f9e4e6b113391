#pragma once

#include "core/io/imports/raw_scan.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Returns the first number of every line of a text; lines that begin with none are passed over.
/// Throws InputError if there is no number, or one is not finite.
std::vector<double> read_angle_lines(const std::string& path);

/// Returns the angle of each frame, degrees. `positions` are the numbers of the frames as in
/// FrameFiles (empty: frames follow each other). There may be one angle for each frame, one for
/// each number where frames are missing, or more because the first and the last angle stand there
/// again for flats and darks; angles over less than 6.4 are radians. What was concluded is added
/// to `assumptions`. Throws InputError, naming `where`, if the numbers do not fit.
std::vector<double> angles_of_frames(const std::vector<double>& lines, int frames,
                                     const std::vector<int>& positions, const std::string& where,
                                     std::vector<Assumption>& assumptions);

/// Returns angles from 0 to `arc_deg` for the numbers of the frames; `closed`: the last frame was
/// taken at `arc_deg` itself.
std::vector<double> angles_over_arc(double arc_deg, bool closed, int frames,
                                    const std::vector<int>& positions);

}  // namespace gantry
