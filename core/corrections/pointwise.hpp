#pragma once

#include "core/base/for_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace gantry {

/// Replaces each value by change(value), in parallel. Throws Interrupted.
template <class Change>
void change_values(std::span<float> values, const Interrupt* interrupt, const Change& change) {
  constexpr std::size_t part = std::size_t{1} << 16;  // values; 64 parts take a few milliseconds
  for_lines(static_cast<std::ptrdiff_t>((values.size() + part - 1) / part), interrupt,
            [&](std::ptrdiff_t index) {
              const std::size_t first = static_cast<std::size_t>(index) * part;
              const auto some = values.subspan(first, std::min(part, values.size() - first));
              std::ranges::transform(some, some.begin(), change);
            });
}

}  // namespace gantry
