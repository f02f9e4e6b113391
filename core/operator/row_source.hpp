#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace gantry {

/// The nonzero weights of one row of A, in the projector's unit (mostly mm). Every voxel occurs at
/// most once and every weight is positive; the order is the projector's.
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

/// The rows of A that belong to one view, computed in float64 from the projector's definition. The
/// constructor prepares what all rays of the view need. Several threads may call weights() at once.
class ViewRows {
 public:
  virtual ~ViewRows() = default;
  ViewRows() = default;
  ViewRows(const ViewRows&) = delete;
  ViewRows& operator=(const ViewRows&) = delete;

  /// Replaces the contents of `out` by the weights of the ray to cell (column, row). `out` stays
  /// empty for a ray that misses the volume.
  virtual void weights(int column, int row, RowWeights& out) const = 0;
};

/// Access to the weights of any ray, for row-action methods and for building matrices.
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual std::unique_ptr<ViewRows> view_rows(int view) const = 0;
};

/// The definitions of weights that are also implemented elsewhere: code that builds matrix rows on
/// a device chooses its kernel by them.
enum class RowDefinition { other, area, area_length, siddon, distance_driven };

/// Interface of a RowSource whose rows follow one of these definitions.
class DefinedRows {
 public:
  virtual ~DefinedRows() = default;
  virtual RowDefinition definition() const = 0;
};

inline RowDefinition definition_of(const RowSource& rows) {
  const auto* defined = dynamic_cast<const DefinedRows*>(&rows);
  return defined != nullptr ? defined->definition() : RowDefinition::other;
}

}  // namespace gantry
