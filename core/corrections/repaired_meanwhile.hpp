#pragma once

#include "core/base/interrupt.hpp"
#include "core/corrections/obvious_bad_cells.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gantry {

/// Gives the obvious bad cells of a scan the values of their neighbours (CellRepair) for as long as
/// it lives, and then their own again: what is estimated from the views meanwhile, such as the
/// axis, is not drawn towards what stands still on the detector, while the data stay as measured.
class RepairedMeanwhile {
 public:
  /// `line_integrals`: [view][row][column], which must outlive this. Throws Interrupted.
  RepairedMeanwhile(const ScanSize& size, std::span<float> line_integrals,
                    const Interrupt* interrupt);
  ~RepairedMeanwhile();
  RepairedMeanwhile(const RepairedMeanwhile&) = delete;
  RepairedMeanwhile& operator=(const RepairedMeanwhile&) = delete;

  std::size_t bad_cells() const { return bad_.size(); }

 private:
  std::size_t cells_;
  std::span<float> line_integrals_;
  std::vector<std::size_t> bad_;
  std::vector<float> measured_;  // of the bad cells, [view][bad cell]
};

/// Line integrals that nobody may change, with the bad cells repaired for the same purpose: the
/// values themselves where there are none, else a copy.
class RepairedView {
 public:
  /// The values must outlive this. Throws Interrupted, and OutOfMemory where `free_bytes` do not
  /// hold the copy.
  RepairedView(const ScanSize& size, std::span<const float> line_integrals,
               const Interrupt* interrupt, std::size_t free_bytes = SIZE_MAX);

  std::span<const float> line_integrals() const { return copy_.empty() ? values_ : copy_; }

 private:
  std::span<const float> values_;
  std::vector<float> copy_;
};

}  // namespace gantry
