#include "core/operator/row_norms.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/geometry/symmetry.hpp"

#include <algorithm>

namespace gantry {

namespace {

/// Calls visit(i, cell, weights) for every ray of views[i], from several threads, each with views
/// of its own.
template <class Visit>
void for_each_row(const Projector& A, const std::vector<int>& views, const Visit& visit) {
  const int columns = A.geometry().columns(), rows = A.geometry().rows();
  const auto at_once = static_cast<std::size_t>(cpu_threads());
  for (std::size_t first = 0; first < views.size(); first += at_once) {
    A.check_interrupt();
    const std::size_t last = std::min(views.size(), first + at_once);
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = first; i < last; ++i)
      errors.run([&] {
        const auto view_rows = A.row_source()->view_rows(views[i]);
        RowWeights weights;
        std::size_t cell = 0;
        for (int row = 0; row < rows; ++row)
          for (int column = 0; column < columns; ++column, ++cell) {
            view_rows->weights(column, row, weights);
            visit(i, cell, weights);
          }
      });
    errors.rethrow();
  }
}

std::vector<int> views_of(ViewSubset subset) {
  std::vector<int> views;
  for (int i = 0; i < subset.count; ++i) views.push_back(subset.view(i));
  return views;
}

double sum_of_squares(const RowWeights& row) {
  double sum = 0;
  for (const double weight : row.weight) sum += weight * weight;
  return sum;
}

double sum_of_squares(const RowWeights& row, std::span<const std::uint32_t> counts) {
  double sum = 0;
  for (std::size_t k = 0; k < row.size(); ++k)
    sum += counts[row.voxel[k]] * row.weight[k] * row.weight[k];
  return sum;
}

/// Returns ||a_i||^2 of every ray. Norms are computed for the stored views alone and copied to the
/// views that are their images by symmetry.
std::vector<float> squared_row_norms(const Projector& A, const RowNormMaker& norms) {
  const ScanSymmetry symmetry(A.geometry(), A.grid());
  const std::size_t columns = static_cast<std::size_t>(A.geometry().columns()),
                    cells = A.cells_per_view();
  std::vector<float> out(A.range_size());
  const std::vector<float> found = norms(A, symmetry.stored_views());
  for (std::size_t i = 0; i < symmetry.stored_views().size(); ++i)
    std::copy_n(found.begin() + static_cast<std::ptrdiff_t>(i * cells), cells,
                out.begin() + static_cast<std::ptrdiff_t>(
                                  static_cast<std::size_t>(symmetry.stored_views()[i]) * cells));
  for (int view = 0; view < A.views(); ++view) {
    const auto& [stored, element] = symmetry.images()[static_cast<std::size_t>(view)];
    if (stored == view) continue;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const RayIndex to = symmetry.ray(
          element, {stored, static_cast<int>(cell % columns), static_cast<int>(cell / columns)});
      out[static_cast<std::size_t>(view) * cells + static_cast<std::size_t>(to.row) * columns +
          static_cast<std::size_t>(to.column)] =
          out[static_cast<std::size_t>(stored) * cells + cell];
    }
  }
  return out;
}

/// Returns 1 / sum for each ray; 0 if the sum is zero or negligible.
Array inverse_of(const Projector& A, const std::vector<float>& sums) {
  double sum = 0, hits = 0;
  for (const float norm : sums) {
    sum += norm;
    hits += norm > 0 ? 1 : 0;
  }
  const double mean = hits > 0 ? sum / hits : 0;
  Array norms = Array::from(A.backend(), sums);
  A.backend().safe_reciprocal(norms, static_cast<float>(negligible_squared_norm * mean));
  return norms;
}

}  // namespace

const Projector& require_row_norms(const LinearOperator& A) {
  const auto* projector = dynamic_cast<const Projector*>(&A);
  if (projector != nullptr && projector->row_source() != nullptr) return *projector;
  throw UsageError(
      "this solver needs the norms of the rows, and the projector does not give its "
      "single weights",
      "projector", "use one that does");
}

const RowSource& require_row_source(const Projector& projector) {
  const RowSource* rows = projector.row_source();
  if (rows != nullptr && projector.matched()) return *rows;
  throw UsageError(
      rows == nullptr
          ? "this projector does not provide single weights, which a matrix is built from"
          : "this projector's backprojection is not the transpose of its forward product, so that "
            "no matrix describes both",
      "projector", "use an exact pair that gives its single weights");
}

double mean_squared_row_norm(const Projector& A, ViewSubset views) {
  struct Part {
    double sum = 0, rows = 0;
  };
  std::vector<Part> parts(static_cast<std::size_t>(views.count));
  for_each_row(A, views_of(views), [&](std::size_t i, std::size_t, const RowWeights& row) {
    parts[i].sum += sum_of_squares(row);
    parts[i].rows += row.size() > 0 ? 1 : 0;
  });
  Part all;
  for (const Part& part : parts) all = {all.sum + part.sum, all.rows + part.rows};
  return all.rows > 0 ? all.sum / all.rows : 0;
}

std::vector<std::uint32_t> column_counts(const Projector& A) {
  std::vector<std::uint32_t> counts(A.domain_size(), 0);
  for_each_row(A, views_of(A.all()), [&](std::size_t, std::size_t, const RowWeights& row) {
    for (const std::size_t voxel : row.voxel) {
#pragma omp atomic
      ++counts[voxel];
    }
  });
  return counts;
}

std::vector<float> squared_row_norms_on_host(const Projector& A, const std::vector<int>& views) {
  std::vector<float> out(views.size() * A.cells_per_view());
  for_each_row(A, views, [&](std::size_t i, std::size_t cell, const RowWeights& row) {
    out[i * A.cells_per_view() + cell] = static_cast<float>(sum_of_squares(row));
  });
  return out;
}

Array inverse_squared_row_norms_by(const Projector& A, const RowNormMaker& norms) {
  return inverse_of(A, squared_row_norms(A, norms));
}

Array inverse_squared_row_norms(const Projector& A, std::span<const std::uint32_t> counts) {
  if (counts.empty()) return inverse_squared_row_norms_by(A, squared_row_norms_on_host);
  std::vector<float> out(A.range_size());
  for_each_row(
      A, views_of(A.all()), [&](std::size_t view, std::size_t cell, const RowWeights& row) {
        out[view * A.cells_per_view() + cell] = static_cast<float>(sum_of_squares(row, counts));
      });
  return inverse_of(A, out);
}

}  // namespace gantry
