#pragma once

#include "core/io/imports/raw_scan.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gantry::test {

/// Frames, of two rows unless stated, that are held in memory.
class HeldFrames final : public FrameSource {
 public:
  explicit HeldFrames(std::vector<std::vector<float>> frames, int rows = 2)
      : frames_(std::move(frames)), rows_(rows) {}
  int frames() const override { return static_cast<int>(frames_.size()); }
  int rows() const override { return rows_; }
  int columns() const override { return static_cast<int>(frames_.front().size()) / rows_; }
  void read(int frame, std::span<float> values) const override {
    std::ranges::copy(frames_[static_cast<std::size_t>(frame)], values.begin());
  }
  std::string name(int frame) const override { return "frame " + std::to_string(frame); }

 private:
  std::vector<std::vector<float>> frames_;
  int rows_;
};

using Frames = std::vector<std::vector<float>>;

inline RawScan scan_of(Frames projections, Frames flats = {}, Frames darks = {}, int rows = 2) {
  RawScan scan;
  scan.projections = std::make_shared<HeldFrames>(std::move(projections), rows);
  if (!flats.empty()) scan.flats = std::make_shared<HeldFrames>(std::move(flats), rows);
  if (!darks.empty()) scan.darks = std::make_shared<HeldFrames>(std::move(darks), rows);
  return scan;
}

}  // namespace gantry::test
