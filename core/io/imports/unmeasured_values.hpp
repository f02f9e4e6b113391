#pragma once

#include "core/io/imports/raw_scan.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// The values of projections that are not finite (NaN or infinite): cells that a detector masks,
/// gaps between its modules, frames that were lost. A frame with more than a quarter of such values
/// is lost as a whole.
class UnmeasuredValues {
 public:
  /// `projections` must outlive this.
  explicit UnmeasuredValues(const FrameSource& projections);

  /// Reads a frame, [row][column] as in the file. A value that is not finite becomes that of the
  /// cell before it, in the first cells that of the first one that was measured, so that checks of
  /// counts see counts alone; a lost frame becomes 0. Several threads may read different frames at
  /// once. Throws InputError.
  void read(int frame, std::span<float> values);

  /// Whether most of a frame that was read is not there.
  bool is_lost(int frame) const { return of(frame).is_lost; }
  /// Gives the cells of a frame that were not measured the mean of their neighbours (CellRepair).
  void repair(int frame, std::span<float> line_integrals) const;

  /// Returns the indices of the lost frames, rising. Throws InputError where all are lost.
  std::vector<int> lost_frames() const;
  /// Returns what was replaced in the other frames; empty: nothing.
  std::string note() const;

 private:
  struct Frame {
    std::vector<std::size_t> cells;  // that are not finite, rising; none of a lost frame
    bool is_lost = false;
  };
  const Frame& of(int frame) const { return found_[static_cast<std::size_t>(frame)]; }

  const FrameSource& projections_;
  std::vector<Frame> found_;
};

}  // namespace gantry
