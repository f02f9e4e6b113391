#include "studies/row_matrix.hpp"

#include "core/base/error.hpp"

namespace gantry {

RowMatrix::RowMatrix(const Projector& projector) : columns_(projector.domain_size()), start_{0} {
  if (projector.row_source() == nullptr)
    throw ShapeError("the projector does not give single weights");
  RowWeights row;
  for (int view = 0; view < projector.views(); ++view) {
    const auto rows = projector.row_source()->view_rows(view);
    for (int r = 0; r < projector.geometry().rows(); ++r)
      for (int c = 0; c < projector.geometry().columns(); ++c) {
        rows->weights(c, r, row);
        double square = 0;
        for (std::size_t k = 0; k < row.size(); ++k) {
          column_.push_back(static_cast<std::uint32_t>(row.voxel[k]));
          weight_.push_back(row.weight[k]);
          square += row.weight[k] * row.weight[k];
        }
        start_.push_back(weight_.size());
        square_.push_back(square);
      }
  }
}

}  // namespace gantry
