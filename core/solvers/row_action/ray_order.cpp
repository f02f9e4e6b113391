#include "core/solvers/row_action/ray_order.hpp"

#include "core/base/error.hpp"
#include "core/operator/projector.hpp"

#include <algorithm>
#include <limits>

namespace gantry {

namespace {

constexpr std::size_t rays_of_class = 128;  // between two looks at the interrupt

void require_numbers(const LinearOperator& A) {
  if (A.range_size() > std::numeric_limits<std::uint32_t>::max())
    throw UsageError("methods that correct by single rays take fewer than 2^32 rays", "solver",
                     "use another solver, or fewer views");
}

}  // namespace

RayClasses rays_of_views(const LinearOperator& A) {
  require_numbers(A);
  RayClasses classes;
  classes.first_of_view.push_back(0);
  classes.first_ray.push_back(0);
  for (std::size_t i = 0; i < A.range_size(); ++i)
    classes.rays.push_back(static_cast<std::uint32_t>(i));
  const std::size_t cells = A.cells_per_view();
  for (std::size_t view = 0; view < static_cast<std::size_t>(A.views()); ++view) {
    for (std::size_t end = 0; end < cells;) {
      end = std::min(cells, end + rays_of_class);
      classes.first_ray.push_back(view * cells + end);
    }
    classes.first_of_view.push_back(classes.first_ray.size() - 1);
  }
  return classes;
}

RayClasses classes_without_common_voxels(const LinearOperator& A, const RowAccess& rows) {
  require_numbers(A);
  const auto& projector = dynamic_cast<const Projector&>(A);  // as RowAccess requires
  const int columns = projector.geometry().columns(), detector_rows = projector.geometry().rows();
  const RowAccess::Reach reach = rows.reach();
  RayClasses classes;
  classes.rays.reserve(A.range_size());
  classes.first_ray.push_back(0);
  classes.first_of_view.push_back(0);
  for (int view = 0; view < A.views(); ++view) {
    const std::size_t first = static_cast<std::size_t>(view) * A.cells_per_view();
    for (int r = 0; r < std::min(reach.rows, detector_rows); ++r)
      for (int c = 0; c < std::min(reach.columns, columns); ++c) {
        for (int row = r; row < detector_rows; row += reach.rows)
          for (int column = c; column < columns; column += reach.columns)
            classes.rays.push_back(
                static_cast<std::uint32_t>(first + cell_index(projector.geometry(), column, row)));
        classes.first_ray.push_back(classes.rays.size());
      }
    classes.first_of_view.push_back(classes.first_ray.size() - 1);
  }
  return classes;
}

std::vector<std::uint32_t> rays_by_patches(int columns, int rows) {
  const int high = rows < 4 ? 1 : 4, wide = 32 / high;
  std::vector<std::uint32_t> rays, rest;
  for (int row = 0; row < rows; row += high)
    for (int column = 0; column < columns; column += wide) {
      auto& to = row + high <= rows && column + wide <= columns ? rays : rest;
      for (int r = row; r < std::min(rows, row + high); ++r)
        for (int c = column; c < std::min(columns, column + wide); ++c)
          to.push_back(static_cast<std::uint32_t>(r * columns + c));
    }
  rays.insert(rays.end(), rest.begin(), rest.end());
  return rays;
}

}  // namespace gantry
