#pragma once

#include <functional>
#include <string>

namespace gantry {

/// Returns the texts of the items, one after the other: "tv, huber". `text` gives the text of an
/// item, and may be a pointer to a member.
template <class Range, class Text = std::identity>
std::string joined(const Range& items, const Text& text = {}) {
  std::string all;
  for (const auto& item : items) {
    if (!all.empty()) all += ", ";
    all += std::invoke(text, item);
  }
  return all;
}

}  // namespace gantry
