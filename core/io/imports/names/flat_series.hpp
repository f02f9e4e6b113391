#pragma once

#include "core/io/geometries/stated_geometry.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gantry {

/// Returns when the flats in files were taken, as indices of projections (RawScan::flat_views), by
/// their names; empty where these do not tell it, and then nothing is known:
/// - words for both times in the names or in those of their folders, but for a folder of all of
/// them
///   that is not called as one of flats: flat_before_3.tif and flats_after/1.tif; pre and post,
///   start and end, first and last, begin, initial and final;
/// - two folders side by side, one called as flats, the other so too with a 2 behind it, as
/// programs
///   at KIT call them: flats/1.tif, flats2/1.tif;
/// - two series whose names differ in a number, 0 and 1 or 1 and 2: flat_0_001.tif, flat_1/001.tif;
///   or the two files flat_0.tif and flat_1.tif;
/// - the number of the projection that follows, as ESRF writes it: refHST0000.edf, refHST1500.edf;
///   ref0000_1500.edf and ref0001_1500.edf; or that of the projection beside it, where such numbers
///   go from 0 to the last projection with wide gaps: flat_0000.tif, flat_0090.tif, flat_0180.tif.
std::vector<double> views_of_flats(const std::vector<std::string>& paths, int projections);

/// Returns whether a word in lower case says that flats were taken before or after the projections.
bool says_time_of_flats(std::string_view word);

/// Says how many flats were taken before, after and between the projections, by their names.
Assumption time_of_flats(const std::vector<double>& views, int projections);

}  // namespace gantry
