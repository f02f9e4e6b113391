#include "core/io/dicom/series/uneven_slices.hpp"

#include <utility>

namespace gantry {

namespace {

using Outcomes = std::array<std::string, uneven_words.size()>;

Outcomes outcomes_of(int kept, int slices) {
  return {"refused", "interpolated onto an even grid",
          std::to_string(kept) + " of its " + std::to_string(slices) + " slices"};
}

/// Returns an option and its effect: "--uneven resample (interpolated onto an even grid)".
std::string option_for(UnevenSlices way, const Outcomes& outcomes) {
  const auto index = static_cast<std::size_t>(way);
  return std::string("--uneven ") + uneven_words[index] + " (" + outcomes[index] + ")";
}

}  // namespace

UnevenSeries::UnevenSeries(const std::string& problem, const std::string& where, int kept,
                           int slices)
    : UnevenSeries(problem, where, kept, outcomes_of(kept, slices)) {}

UnevenSeries::UnevenSeries(const std::string& problem, const std::string& where, int kept,
                           Outcomes outcomes)
    : InputError(problem, where,
                 "add what is missing, or open it with " +
                     option_for(UnevenSlices::resample, outcomes) + " or " +
                     option_for(UnevenSlices::largest_part, outcomes)),
      reason_(problem),
      where_(where),
      problem_(InputError(problem, where).what()),
      outcomes_(std::move(outcomes)),
      kept_(kept) {}

}  // namespace gantry
