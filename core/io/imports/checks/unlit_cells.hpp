#pragma once

#include "core/io/imports/checks/frame_checks.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// Cells of a detector that the beam of the flats hardly reaches: the flat less the dark is below
/// 5 % of that of bright cells. Indices of cells, [row][column].
struct DimCells {
  struct Kind {
    std::vector<std::size_t> weak;  ///< with some beam
    std::vector<std::size_t> dead;  ///< without any
  };
  /// Behind a slit or a collimator or beside a round screen: most cells within 2 rows and columns
  /// are dim, too, and there are no bright ones at both sides within 8 cells.
  Kind margin;
  Kind inner;  ///< between bright cells, as in the gap between two modules
};

/// Finds them; `beam`: flat less dark of each cell, [row][column], 0 where it shows none.
DimCells dim_cells(std::span<const float> beam, int rows, int columns);

/// Returns the noise of a camera in these cells as its standard deviation, from the difference of
/// two frames; 0 without cells.
double noise_in(const DimCells& cells, std::span<const float> one, std::span<const float> other);

/// Leaves out the weak cells whose beam is several times the noise: what these show behind a thick
/// object is little, but measured.
void leave_out_measured(std::span<const float> beam, double noise, DimCells& cells);

/// Returns the same cells of a detector whose rows are counted from its other end.
DimCells turned_over(DimCells cells, int rows, int columns);

/// How many dim cells show no more than noise.
struct UnlitCells {
  std::size_t of_margin = 0, inner = 0;
  std::size_t clipped = 0;  ///< of the values of weak ones, in the frames that are kept
};

/// Mends the dim cells that show no more than noise: those without any beam, and those of whose
/// line integrals a hundredth or more are those of the least transmission. Those of the margin
/// become 0; inner ones get the mean of the cells around them that measure. `values`: line
/// integrals, [frame][row][column], in the order of rows of `dim`; `left_out`: frames that do not
/// count, rising; `clipped`: the line integral of the least transmission.
UnlitCells mend_unlit(const DimCells& dim, const FrameSizes& sizes, std::span<const int> left_out,
                      float clipped, std::span<float> values);

/// Returns a note of each kind of these cells for the user.
std::vector<std::string> unlit_notes(const UnlitCells& unlit, const FrameSizes& sizes);

}  // namespace gantry
