#include "core/operator/host_columns.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/operator/column_sources.hpp"
#include "core/operator/ray_changes.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace gantry {

namespace {

/// Returns the views that a task of add() owns, so that every thread has two tasks: a task looks
/// for the beginning of its views in every column. Every ray belongs to one task, which adds the
/// voxels in the order of the lattice, so that sums depend neither on the tasks nor on the number
/// of threads.
int views_per_task(int views) { return std::max(1, views / (2 * cpu_threads())); }

template <class Source>
class HostColumns final : public ColumnAccess {
 public:
  explicit HostColumns(const Projector& projector)
      : grid_(projector.grid()), views_(projector.views()), source_(projector) {}

  const VolumeGrid& grid() const override { return grid_; }
  bool gains_from_storing() const override { return std::is_same_v<Source, ComputedColumns>; }

  void sums(const Array& y, const VoxelLattice& voxels, Array& out) const override {
    const float* rays = y.data();
    reduce(voxels, out, [&](std::size_t ray, double weight) { return weight * rays[ray]; });
  }

  void squares(const Array* weights, const VoxelLattice& voxels, Array& out) const override {
    const float* w = weights != nullptr ? weights->data() : nullptr;
    reduce(voxels, out, [&](std::size_t ray, double weight) {
      return weight * weight * (w != nullptr ? static_cast<double>(w[ray]) : 1.0);
    });
  }

  void add(const Array& x, float factor, const VoxelLattice& voxels, Array& y) const override {
    const float* image = x.data();
    float* rays = y.data();
    const int owned = views_per_task(views_);
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (int first = 0; first < views_; first += owned)
      errors.run([&] {
        const int last = std::min(views_, first + owned);
        typename Source::Scratch scratch;
        for_voxels(voxels, 0, lines(voxels), [&](int ix, int iy, int iz) {
          const double value = static_cast<double>(factor) * image[grid_.index(ix, iy, iz)];
          if (value == 0) return;
          source_.visit(ix, iy, iz, first, last, scratch, [&](std::size_t ray, double weight) {
            rays[ray] = static_cast<float>(rays[ray] + weight * value);
          });
        });
      });
    errors.rethrow();
  }

  double update(const CoordinateStep& step, const VoxelLattice& voxels, Array& x,
                Array& change) const override {
    const float *r = step.residual.data(),
                *w = step.weights != nullptr ? step.weights->data() : nullptr;
    reduce(voxels, change, [&](std::size_t ray, double weight) {
      return weight * r[ray] * (w != nullptr ? static_cast<double>(w[ray]) : 1.0);
    });
    double square = 0;
    for_voxels(voxels, 0, lines(voxels), [&](int ix, int iy, int iz) {
      const std::size_t j = grid_.index(ix, iy, iz);
      const double change_j = coordinate_change(step, j, change.data()[j], x.data()[j]);
      const auto next = static_cast<float>(x.data()[j] + change_j);
      change.data()[j] = next - x.data()[j];
      x.data()[j] = next;
      square += static_cast<double>(change.data()[j]) * change.data()[j];
    });
    return square;
  }

  double descend(const CoordinateStep& step, const VoxelLattice& voxels, const SuperVoxels& parts,
                 Array& x, Array& residual) const override {
    const std::size_t at_once =
        std::min(static_cast<std::size_t>(parts.at_once), parts.order.size());
    std::vector<RayChanges> changes;
    for (std::size_t k = 0; k < std::min(at_once, static_cast<std::size_t>(cpu_threads())); ++k)
      changes.emplace_back(residual.size());
    double square = 0;
    for (std::size_t first = 0; first < parts.order.size(); first += at_once) {
      const std::size_t count = std::min(at_once, parts.order.size() - first);
      std::vector<RayChanges::List> of_part(count);
      std::vector<double> squares(count);
      ParallelErrors errors;
      std::atomic<std::size_t> next{0};  // which worker takes a super-voxel changes no result
#pragma omp parallel for schedule(static, 1)
      for (std::size_t worker = 0; worker < changes.size(); ++worker)
        errors.run([&] {
          for (std::size_t k = next++; k < count; k = next++) {
            squares[k] = descend_within(box_of(parts, parts.order[first + k]), step, voxels, parts,
                                        x, changes[worker]);
            of_part[k] = changes[worker].take();
          }
        });
      errors.rethrow();
      for (std::size_t k = 0; k < count; ++k) {
        for (const auto& [ray, change] : of_part[k]) residual.data()[ray] += change;
        square += squares[k];
        if (!parts.squares.empty()) parts.squares[first + k] = squares[k];
      }
    }
    return square;
  }

 private:
  struct Box {
    std::array<int, 3> first, last;  // the last excluded
  };
  Box box_of(const SuperVoxels& parts, std::uint32_t number) const {
    const std::array<int, 3> size = {grid_.nx, grid_.ny, grid_.nz};
    Box box{};
    auto rest = static_cast<int>(number);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const int along = (size[axis] + parts.side[axis] - 1) / parts.side[axis];
      box.first[axis] = rest % along * parts.side[axis];
      box.last[axis] = std::min(size[axis], box.first[axis] + parts.side[axis]);
      rest /= along;
    }
    return box;
  }

  double descend_within(const Box& box, const CoordinateStep& step, const VoxelLattice& voxels,
                        const SuperVoxels& parts, Array& x, RayChanges& changes) const {
    const auto first_of = [&](std::size_t axis) {  // the first of the lattice in the box
      const int behind = box.first[axis] - voxels.first[axis], stride = voxels.stride[axis];
      return voxels.first[axis] + std::max(0, (behind + stride - 1) / stride) * stride;
    };
    const auto is_passed_over = [&](std::size_t j) {
      return parts.skip_zeros && step.slope != nullptr && x.data()[j] == 0 &&
             step.slope->data()[j] == 0;
    };
    std::vector<VoxelIndex> visited;
    for (int iz = first_of(2); iz < box.last[2]; iz += voxels.stride[2])
      for (int iy = first_of(1); iy < box.last[1]; iy += voxels.stride[1])
        for (int ix = first_of(0); ix < box.last[0]; ix += voxels.stride[0])
          if (!is_passed_over(grid_.index(ix, iy, iz))) visited.push_back({ix, iy, iz});
    return make_steps(visited, step, x, changes);
  }

  /// Makes the steps of voxels one after another. Returns the sum of the squared changes.
  double make_steps(const std::vector<VoxelIndex>& voxels, const CoordinateStep& step, Array& x,
                    RayChanges& changes) const {
    const RayVectors rays{step.residual.data(), changes.data(),
                          step.weights != nullptr ? step.weights->data() : nullptr,
                          step.residual.size()};
    typename Source::Scratch scratch;
    double square = 0;
    for (std::size_t k = 0; k < voxels.size(); ++k) {
      if (k + 1 < voxels.size()) source_.prefetch(voxels[k + 1]);
      const VoxelIndex& at = voxels[k];
      const std::size_t j = grid_.index(at.x, at.y, at.z);
      float& value = x.data()[j];
      const double sum = source_.slope(at, scratch, rays);
      const auto next = static_cast<float>(value + coordinate_change(step, j, sum, value));
      const float change = next - value;
      if (change == 0) continue;
      value = next;
      square += static_cast<double>(change) * change;
      source_.subtract(at, scratch, change, changes);
    }
    return square;
  }

  static double coordinate_change(const CoordinateStep& step, std::size_t j, double sum, double x) {
    double slope = sum, curvature = step.curvature.data()[j];
    if (step.slope != nullptr) {
      slope -= static_cast<double>(step.lambda) * step.slope->data()[j];
      if (step.bend != nullptr)
        curvature += static_cast<double>(step.lambda) * step.bend->data()[j];
    }
    if (!(curvature > 0)) return 0;
    return std::max(x + step.relaxation * slope / curvature, static_cast<double>(step.low)) - x;
  }

  int lines(const VoxelLattice& voxels) const {
    return voxels.count(1, grid_.ny) * voxels.count(2, grid_.nz);
  }
  /// Calls body(ix, iy, iz) for the voxels of lines first .. last - 1 of a lattice.
  template <class Body>
  void for_voxels(const VoxelLattice& voxels, int first, int last, const Body& body) const {
    const int across = std::max(1, voxels.count(1, grid_.ny));
    for (int line = first; line < last; ++line) {
      const int iy = voxels.first[1] + line % across * voxels.stride[1],
                iz = voxels.first[2] + line / across * voxels.stride[2];
      for (int ix = voxels.first[0]; ix < grid_.nx; ix += voxels.stride[0]) body(ix, iy, iz);
    }
  }

  /// Sets out_j = sum of term(ray, weight) over the rays that weigh voxel j.
  template <class Term>
  void reduce(const VoxelLattice& voxels, Array& out, const Term& term) const {
    float* image = out.data();
    const int count = lines(voxels);
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (int line = 0; line < count; ++line)
      errors.run([&] {
        typename Source::Scratch scratch;
        for_voxels(voxels, line, line + 1, [&](int ix, int iy, int iz) {
          double sum = 0;
          source_.visit(ix, iy, iz, 0, views_, scratch,
                        [&](std::size_t ray, double weight) { sum += term(ray, weight); });
          image[grid_.index(ix, iy, iz)] = static_cast<float>(sum);
        });
      });
    errors.rethrow();
  }

  VolumeGrid grid_;
  int views_;
  Source source_;
};

}  // namespace

std::unique_ptr<ColumnAccess> computed_columns(const Projector& projector) {
  return std::make_unique<HostColumns<ComputedColumns>>(projector);
}

std::unique_ptr<ColumnAccess> stored_columns(const Projector& projector) {
  return std::make_unique<HostColumns<StoredColumns>>(projector);
}

namespace {

bool has_host_columns(const LinearOperator& A) {
  return A.has_single_weights() && A.matched() && dynamic_cast<const Projector*>(&A) != nullptr;
}

}  // namespace

std::uint32_t SuperVoxels::count(const VolumeGrid& grid, const std::array<int, 3>& side) {
  const auto parts = [](int size, int of) {
    return static_cast<std::uint32_t>((size + of - 1) / of);
  };
  return parts(grid.nx, side[0]) * parts(grid.ny, side[1]) * parts(grid.nz, side[2]);
}

std::unique_ptr<ColumnAccess> make_columns(const LinearOperator& A, ColumnWorker worker) {
  require_columns(A);
  std::unique_ptr<ColumnAccess> columns;
  if (const auto* gives = dynamic_cast<const GivesColumns*>(&A))
    columns = gives->make_columns(worker);
  if (columns == nullptr && has_host_columns(A))
    columns = computed_columns(dynamic_cast<const Projector&>(A));
  return columns;
}

bool gives_columns(const LinearOperator& A) {
  return dynamic_cast<const GivesColumns*>(&A) != nullptr || has_host_columns(A);
}

void require_columns(const LinearOperator& A) {
  if (gives_columns(A)) return;
  throw UsageError(
      "this solver needs the single columns of the matrix, which this projector does "
      "not give on this device",
      "projector", "use a projector that gives them, or backend cpu");
}

}  // namespace gantry
