#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
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

/// The weights of one voxel in the cells of one view, in the projector's unit: the part of a column
/// of A that belongs to the view. A cell has the index row * columns + column; every cell occurs at
/// most once and every weight is positive.
struct CellWeights {
  std::vector<std::size_t> cell;
  std::vector<double> weight;

  std::size_t size() const { return cell.size(); }
  void clear() {
    cell.clear();
    weight.clear();
  }
  void add(std::size_t i, double w) {
    cell.push_back(i);
    weight.push_back(w);
  }
};

/// The columns of A in one view: for each voxel its cells, ascending, and their weights, computed
/// in float64 and rounded once.
struct ViewColumns {
  std::vector<std::size_t> start;   ///< first weight of each voxel, voxels + 1 values
  std::vector<std::uint32_t> cell;  ///< row * columns + column
  std::vector<float> weight;
};

/// The columns of all voxels of a view, slice by slice, from what the voxels have in common. The
/// ViewRows that made it must outlive it.
class SliceColumns {
 public:
  virtual ~SliceColumns() = default;
  /// Appends the columns of the voxels of slice iz. Those of the slices before, and a first start
  /// of 0, must be there.
  virtual void append(int iz, ViewColumns& out) const = 0;
};

/// The rows of A that belong to one view, computed in float64 from the projector's definition,
/// and the columns of these rows. The constructor prepares what all rays of the view need. Several
/// threads may call the functions at once.
class ViewRows {
 public:
  virtual ~ViewRows() = default;
  ViewRows() = default;
  ViewRows(const ViewRows&) = delete;
  ViewRows& operator=(const ViewRows&) = delete;

  /// Replaces the contents of `out` by the weights of the ray to cell (column, row). `out` stays
  /// empty for a ray that misses the volume.
  virtual void weights(int column, int row, RowWeights& out) const = 0;

  /// Replaces the contents of `out` by the weights of voxel (ix, iy, iz) in the cells of the view.
  /// The weights are found by projecting the voxel, and are those of weights() except for rounding;
  /// of two weights that differ by rounding from zero, one may be left out.
  virtual void voxel_weights(int ix, int iy, int iz, CellWeights& out) const = 0;

  /// Returns the columns of all voxels where they take less time than weights() of all rays, else
  /// null. They are those of voxel_weights().
  virtual std::unique_ptr<SliceColumns> slice_columns() const { return nullptr; }
};

/// Access to the weights of any ray and any voxel, for methods that use rows or columns one by one
/// and for building matrices.
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual std::unique_ptr<ViewRows> view_rows(int view) const = 0;

  /// Returns the name of the definition that the weights follow, "siddon", for files that hold what
  /// was computed from them: sources of one name, scan and grid have the same weights. Empty:
  /// nothing is promised.
  virtual std::string_view weights_name() const { return {}; }
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
