#pragma once

#include "core/base/interrupt.hpp"
#include "core/corrections/obvious_bad_cells.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gantry {

/// While an object of this class exists, the obvious bad cells of a scan have the values of their
/// neighbours (CellRepair); its destructor restores the measured values. Estimates from the views,
/// such as the axis, are then not biased by cells that never change, and the data stay as measured.
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

/// The same for line integrals that must not be changed: refers to the values themselves where
/// there are no obvious bad cells, else to a repaired copy.
class RepairedView {
 public:
  /// The values must outlive this object. Throws Interrupted, and OutOfMemory where the copy takes
  /// more than `free_bytes`.
  RepairedView(const ScanSize& size, std::span<const float> line_integrals,
               const Interrupt* interrupt, std::size_t free_bytes = SIZE_MAX);

  std::span<const float> line_integrals() const { return copy_.empty() ? values_ : copy_; }

 private:
  std::span<const float> values_;
  std::vector<float> copy_;
};

}  // namespace gantry
