#pragma once

#include "core/io/imports/import_settings.hpp"
#include "core/io/imports/raw_scan.hpp"
#include "core/io/scans/projection_format.hpp"

namespace gantry {

/// Restricts frames to a part of their cells, joined in groups whose mean is the new cell, and
/// projections to every n-th of them. Frames are still read one at a time, so that only the part is
/// held in memory. Throws InputError, naming the range, for a part that lies outside the frames or
/// holds no whole group of cells.
void take_part(RawScan& scan, const FramePart& part);

/// Restricts a scan that has been read to the views that are marked by other than 0.
void keep_views(const std::vector<char>& is_kept, LoadedScan& scan);

/// Returns the range of cells that is written "100:899", "100:", ":899" or, of all, "". Throws
/// UsageError, naming `where`.
CellRange range_from(const std::string& text, const std::string& where);
std::string text_of(const CellRange& range);
/// Does the same with several ranges, "0:9,100:109", of which one may be a single number, "5".
std::vector<CellRange> ranges_from(const std::string& text, const std::string& where);
std::string text_of(const std::vector<CellRange>& ranges);

/// Returns the geometry of the part of a scan; `begins_lowest` as RawScan has it, since rows of a
/// part are counted as in the images.
ScanSpec part_of(ScanSpec spec, const FramePart& part, bool begins_lowest);

}  // namespace gantry
