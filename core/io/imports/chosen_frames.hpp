#pragma once

#include "core/io/imports/raw_scan.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

/// Some frames of several sources, all of one size.
class ChosenFrames final : public FrameSource {
 public:
  using Choice = std::pair<std::shared_ptr<const FrameSource>, int>;  ///< a source, and a frame

  /// Takes at least one frame. Throws InputError for frames of different sizes.
  explicit ChosenFrames(std::vector<Choice> choices);

  int frames() const override { return static_cast<int>(choices_.size()); }
  int rows() const override { return choices_.front().first->rows(); }
  int columns() const override { return choices_.front().first->columns(); }
  std::string name(int frame) const override {
    const auto& [source, index] = choices_[static_cast<std::size_t>(frame)];
    return source->name(index);
  }
  int place(int frame) const override {
    const auto& [source, index] = choices_[static_cast<std::size_t>(frame)];
    return source->place(index);
  }
  void read(int frame, std::span<float> values) const override {
    const auto& [source, index] = choices_[static_cast<std::size_t>(frame)];
    source->read(index, values);
  }
  /// Where the sources can read such a part of their frames.
  std::shared_ptr<const FrameSource> part(const PartOfCells& part) const override;
  const FrameSource& first_source() const { return *choices_.front().first; }

 private:
  std::vector<Choice> choices_;
};

/// Returns all frames of a source.
std::vector<ChosenFrames::Choice> every_frame_of(const std::shared_ptr<const FrameSource>& source);

/// Returns the frames of both, one after the other; either may be null.
std::shared_ptr<const FrameSource> joined_frames(std::shared_ptr<const FrameSource> first,
                                                 std::shared_ptr<const FrameSource> second);

}  // namespace gantry
