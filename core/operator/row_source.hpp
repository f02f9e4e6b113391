#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace gantry {

/// The nonzeros of one row of A: voxel j counts by `weight` (the projector's unit, mostly mm).
/// Every voxel comes at most once, every weight is positive; the order is the projector's.
struct RowWeights {
  std::vector<std::size_t> voxel;
  std::vector<double> weight;

  std::size_t size() const { return voxel.size(); }
  void clear() {
    voxel.clear();
    weight.clear();
  }
  void add(std::size_t j, double w) {
    voxel.push_back(j);
    weight.push_back(w);
  }
};

/// The rows of A that belong to one view, computed in float64 from the projector's definition, not
/// read off its products. An object of its own, so that what a view needs is prepared once. May be
/// used by several threads at once.
class ViewRows {
 public:
  virtual ~ViewRows() = default;
  ViewRows() = default;
  ViewRows(const ViewRows&) = delete;
  ViewRows& operator=(const ViewRows&) = delete;

  /// The weights of the ray to cell (column, row); replaces what is in `out`. A ray that misses has
  /// none.
  virtual void weights(int column, int row, RowWeights& out) const = 0;
};

/// Gives the weights of any ray of any view: what row-action methods use and matrices are built of.
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual std::unique_ptr<ViewRows> view_rows(int view) const = 0;
};

}  // namespace gantry
