#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gantry {

/// Gives bad cells of a detector the mean of their nearest sound neighbours, view by view. Distance
/// is the larger one of the distances in rows and in columns. A bad cell without a sound one within
/// 8 rows and columns becomes 0.
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
    std::size_t cell, neighbours_end;  // neighbours begin at neighbours_end of the bad cell before
  };
  std::vector<Repaired> repaired_;
  std::vector<std::size_t> neighbours_;
};

}  // namespace gantry
