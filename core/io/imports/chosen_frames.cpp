#include "core/io/imports/chosen_frames.hpp"

#include "core/base/error.hpp"

#include <cstddef>
#include <map>

namespace gantry {

ChosenFrames::ChosenFrames(std::vector<Choice> choices) : choices_(std::move(choices)) {
  for (const auto& [source, index] : choices_)
    if (source->rows() != rows() || source->columns() != columns())
      throw InputError("has " + std::to_string(source->columns()) + " x " +
                           std::to_string(source->rows()) + " cells instead of " +
                           std::to_string(columns()) + " x " + std::to_string(rows()),
                       source->name(index), "give frames of one size");
}

std::shared_ptr<const FrameSource> ChosenFrames::part(const PartOfCells& part) const {
  std::map<const FrameSource*, std::shared_ptr<const FrameSource>> parts;
  std::vector<Choice> chosen;
  for (std::size_t i = 0; i < choices_.size(); i += static_cast<std::size_t>(part.every)) {
    const auto& [source, index] = choices_[i];
    auto& of_source = parts[source.get()];
    if (of_source == nullptr) of_source = source->part({part.columns, part.rows, 1});
    if (of_source == nullptr) return nullptr;
    chosen.emplace_back(of_source, index);
  }
  return std::make_shared<const ChosenFrames>(std::move(chosen));
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
