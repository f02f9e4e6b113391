#pragma once

#include "core/io/imports/raw_scan.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace gantry {

/// Frames whose columns run from right to left as seen from the source, turned over.
class MirroredFrames final : public FrameSource {
 public:
  explicit MirroredFrames(std::shared_ptr<const FrameSource> frames) : frames_(std::move(frames)) {}

  int frames() const override { return frames_->frames(); }
  int rows() const override { return frames_->rows(); }
  int columns() const override { return frames_->columns(); }
  std::string name(int frame) const override { return frames_->name(frame); }
  void read(int frame, std::span<float> values) const override {
    frames_->read(frame, values);
    for (auto line = values.begin(); line != values.end(); line += columns())
      std::reverse(line, line + columns());
  }

  /// Returns the frames turned over; null for null.
  static std::shared_ptr<const FrameSource> of(std::shared_ptr<const FrameSource> frames) {
    return frames == nullptr ? nullptr : std::make_shared<const MirroredFrames>(std::move(frames));
  }

 private:
  std::shared_ptr<const FrameSource> frames_;
};

}  // namespace gantry
