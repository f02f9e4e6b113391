#pragma once

#include "core/io/imports/frame_angles.hpp"
#include "core/io/imports/import_scan.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace gantry {

/// Which of the frames of a scan's files are its projections, where the user marks flats or darks
/// among them.
struct ProjectionsAmong {
  std::vector<int> kept;  ///< their indices, rising; empty: all of them
  int frames = 0;         ///< of the files

  /// Returns the values of the projections, of one for each frame; other numbers of values stay.
  std::vector<double> of(std::vector<double> values) const;
  /// Returns what tells the projections of what tells the frames.
  FrameNumbers of(const FrameNumbers& numbers) const;
};

/// Takes the frames that the request marks as flats and darks out of the projections of a scan, to
/// which join_marked_frames() adds them. Formats that do not tell themselves which of their frames
/// are projections call this. Marks count the frames by FrameSource::place(). `counted`: all that
/// they count, where files that are given as flats or darks lie among those of the projections;
/// null: the projections. Throws UsageError: there are no such frames, one is both, or no
/// projection is left.
ProjectionsAmong take_marked_frames(const ImportRequest& request, RawScan& scan,
                                    const FrameSource* counted = nullptr);

/// Adds the flats and darks that were marked to the others of the scan. Throws UsageError, naming
/// the format, if it does not take marks, but the request has some.
void join_marked_frames(const ImportRequest& request, const std::string& format, RawScan& scan);

}  // namespace gantry
