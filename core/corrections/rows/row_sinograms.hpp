#pragma once

#include "core/base/cpu_threads.hpp"
#include "core/base/error.hpp"
#include "core/base/for_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// The sinograms of the detector rows of a scan, whose values lie as [view][row][column].
struct RowSinograms {
  int views, rows, columns;

  std::size_t values() const {
    return static_cast<std::size_t>(views) * static_cast<std::size_t>(columns);
  }
  /// Returns the memory of one sinogram, bytes.
  std::size_t bytes() const { return values() * sizeof(float); }
  /// Returns how many of them change() works on at the same time.
  std::size_t at_once() const { return static_cast<std::size_t>(std::min(cpu_threads(), rows)); }

  /// Throws InputError if there are too few views to tell stripes from the object.
  void require_views(const std::string& correction) const {
    constexpr int fewest_views = 16;
    if (views < fewest_views)
      throw InputError("needs " + std::to_string(fewest_views) + " views, and the scan has " +
                           std::to_string(views),
                       correction, "leave this correction out");
  }

  /// Calls change(row, sinogram) for each row, in parallel unless there are many more threads
  /// than rows, with a copy of its sinogram, [view][column], which is written back afterwards.
  /// Throws Interrupted.
  template <class Change>
  void change(std::span<float> scan, const Interrupt* interrupt, const Change& change) const {
    constexpr std::size_t values_between_checks = std::size_t{1} << 21;  // some tenths of a second
    constexpr int together = 3;  // threads on a row take about so many times less
    if (together * rows <= cpu_threads() || rows == 1) {  // all threads work on each row
      for (std::ptrdiff_t row = 0; row < rows; ++row) {
        if (interrupt != nullptr) interrupt->check();
        change_one(scan, row, change);
      }
      return;
    }
    for_lines(
        rows, interrupt, [&](std::ptrdiff_t row) { change_one(scan, row, change); },
        static_cast<std::ptrdiff_t>(
            std::max(static_cast<std::size_t>(cpu_threads()), values_between_checks / values())));
  }

 private:
  template <class Change>
  void change_one(std::span<float> scan, std::ptrdiff_t row, const Change& change) const {
    const auto width = static_cast<std::size_t>(columns), height = static_cast<std::size_t>(rows),
               first = static_cast<std::size_t>(row), count = static_cast<std::size_t>(views);
    std::vector<float> sinogram(values());
    const auto line = [&](std::size_t view) {
      return scan.subspan((view * height + first) * width, width);
    };
    const auto own = [&](std::size_t view) {
      return std::span(sinogram).subspan(view * width, width);
    };
    for (std::size_t v = 0; v < count; ++v) std::ranges::copy(line(v), own(v).begin());
    change(first, std::span<float>(sinogram));
    for (std::size_t v = 0; v < count; ++v) std::ranges::copy(own(v), line(v).begin());
  }
};

}  // namespace gantry
