#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gantry {

/// Gives bad cells of a detector the mean of their living neighbours, view by view: of those at the
/// least distance, counted in rows or columns, at which there are any. A bad cell without a living
/// one within 8 rows and columns becomes 0.
class CellRepair {
 public:
  CellRepair() = default;  ///< no cell is bad
  /// `bad`: indices of cells, [row][column].
  CellRepair(int rows, int columns, const std::vector<std::size_t>& bad);

  /// Replaces the values of the bad cells in a view, [row][column]. Several threads may call it at
  /// once.
  void apply(std::span<float> view) const;

 private:
  struct Repaired {
    std::size_t cell, neighbours_end;  // its neighbours begin where those of the one before end
  };
  std::vector<Repaired> repaired_;
  std::vector<std::size_t> neighbours_;
};

}  // namespace gantry
