#pragma once

#include <span>
#include <string>
#include <vector>

namespace gantry {

/// Files whose names hold the time at which each was taken, in the order of these.
struct TimedNames {
  std::vector<std::string> paths;
  std::vector<double> seconds;  ///< since an arbitrary time, rising
};

/// Returns the largest group of files whose paths are equal but for the numbers in their names,
/// where these are times of day: 10-00-07.tif, img_20240331_100007.tif, 20240331T100007_250.tif.
/// Without a date, they may go beyond midnight, and only those are taken as times that go on evenly
/// where a minute begins, or are apart by separators and at most two in a minute on average.
/// Numbers of six digits that may count frames are such only where the steps of the times are more
/// even than those of the numbers. Nothing for others, and where another number counts the files or
/// a decimal one may be the angle.
TimedNames named_by_time(const std::vector<std::string>& paths);

/// Returns whether rising values go on evenly where a multiple of a unit begins, as times do at a
/// minute and angles at a degree; numbers of scans and frames do not. False where none begins.
bool go_on_evenly(std::span<const double> values, double unit);

/// Returns notes on the order by time, and on steps of time that are longer than the others.
std::vector<std::string> notes_on_times(const TimedNames& names);

}  // namespace gantry
