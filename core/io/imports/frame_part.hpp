#pragma once

#include "core/io/imports/frame_angles.hpp"
#include "core/io/imports/import_settings.hpp"
#include "core/io/imports/raw_scan.hpp"
#include "core/io/scans/projection_format.hpp"

#include <optional>

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

/// Frames that are turned clockwise by a multiple of 90 degrees, then mirrored. Their order stays.
class TurnedFrames final : public FrameSource {
 public:
  TurnedFrames(std::shared_ptr<const FrameSource> frames, const FrameTurn& turn);

  int frames() const override { return frames_->frames(); }
  int rows() const override { return lies_down_ ? frames_->columns() : frames_->rows(); }
  int columns() const override { return lies_down_ ? frames_->rows() : frames_->columns(); }
  std::string name(int frame) const override { return frames_->name(frame); }
  int place(int frame) const override { return frames_->place(frame); }
  void read(int frame, std::span<float> values) const override;
  /// Where the frames can read such a part, which lies elsewhere in them.
  std::shared_ptr<const FrameSource> part(const PartOfCells& part) const override;

  /// Returns the frames as they are to be taken; the same ones where nothing is to be done, null
  /// for null.
  static std::shared_ptr<const FrameSource> of(std::shared_ptr<const FrameSource> frames,
                                               const FrameTurn& turn);

 private:
  std::shared_ptr<const FrameSource> frames_;
  FrameTurn turn_;
  bool lies_down_;  ///< rows become columns
  /// The value in row r and column c is that of the original with this index, plus r and c times
  /// the steps.
  std::ptrdiff_t first_ = 0, row_step_ = 0, column_step_ = 0;
};

/// Returns the numbers of frames in the order of their angles, in which turn_frames() will bring
/// them: where they are to be reversed, a missing projection lacks an angle counted from the end.
/// Flats and darks among them keep their places.
FrameNumbers in_order_of_angles(FrameNumbers numbers, const std::optional<FrameTurn>& turn);

/// Turns projections, flats and darks, and reverses the projections with what the files say of each
/// of them, but not their angles: the last frame gets the first one. The sizes of a cell that the
/// files state turn with the images. Images of sinograms were turned before they became
/// projections. Throws UsageError for turned images of which the files state the geometry.
void turn_frames(const FrameTurn& turn, RawScan& scan);

}  // namespace gantry
