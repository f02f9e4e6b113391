#include "core/io/imports/chosen_frames.hpp"

#include "core/base/error.hpp"

namespace gantry {

ChosenFrames::ChosenFrames(std::vector<Choice> choices) : choices_(std::move(choices)) {
  for (const auto& [source, index] : choices_)
    if (source->rows() != rows() || source->columns() != columns())
      throw InputError("has " + std::to_string(source->columns()) + " x " +
                           std::to_string(source->rows()) + " cells instead of " +
                           std::to_string(columns()) + " x " + std::to_string(rows()),
                       source->name(index), "give frames of one size");
}

std::vector<ChosenFrames::Choice> every_frame_of(const std::shared_ptr<const FrameSource>& source) {
  std::vector<ChosenFrames::Choice> all;
  for (int i = 0; i < source->frames(); ++i) all.emplace_back(source, i);
  return all;
}

std::shared_ptr<const FrameSource> joined_frames(std::shared_ptr<const FrameSource> first,
                                                 std::shared_ptr<const FrameSource> second) {
  if (first == nullptr || second == nullptr) return first != nullptr ? first : second;
  std::vector<ChosenFrames::Choice> all = every_frame_of(first), more = every_frame_of(second);
  all.insert(all.end(), more.begin(), more.end());
  return std::make_shared<const ChosenFrames>(std::move(all));
}

}  // namespace gantry
