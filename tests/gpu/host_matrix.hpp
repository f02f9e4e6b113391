#pragma once

#include "core/matrix/rows/view_csr.hpp"

#include <vector>

namespace gantry::test {

/// A in float32 entries, from the host's rows.
struct HostMatrix {
  std::vector<ViewCsr> views;
  std::size_t cells, voxels;

  explicit HostMatrix(const Projector& A) : cells(A.cells_per_view()), voxels(A.domain_size()) {
    for (int v = 0; v < A.views(); ++v) views.push_back(view_csr(A, v));
  }
  template <class Visit>
  void visit(ViewSubset subset, const Visit& on_entry) const {
    for (int i = 0; i < subset.count; ++i) {
      const auto v = static_cast<std::size_t>(subset.view(i));
      for (std::size_t cell = 0; cell < cells; ++cell)
        for (std::size_t k = views[v].row_start[cell]; k < views[v].row_start[cell + 1]; ++k)
          on_entry(v * cells + cell, std::size_t{views[v].column[k]}, double{views[v].weight[k]});
    }
  }
  std::vector<float> forward(const std::vector<float>& x, ViewSubset subset) const {
    std::vector<double> y(views.size() * cells, 0.5);
    for (int i = 0; i < subset.count; ++i)
      for (std::size_t cell = 0; cell < cells; ++cell)
        y[static_cast<std::size_t>(subset.view(i)) * cells + cell] = 0;
    visit(subset, [&](std::size_t i, std::size_t j, double w) { y[i] += w * x[j]; });
    return {y.begin(), y.end()};
  }
  std::vector<float> adjoint(const std::vector<float>& y, ViewSubset subset) const {
    std::vector<double> x(voxels, 0);
    visit(subset, [&](std::size_t i, std::size_t j, double w) { x[j] += w * y[i]; });
    return {x.begin(), x.end()};
  }
};

}  // namespace gantry::test
