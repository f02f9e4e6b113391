#include "core/operator/host_columns.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/operator/row_norms.hpp"
#include "core/operator/slice_stack.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace gantry {

namespace {

/// Returns the views that a task of add() owns, so that every thread has two tasks: a task looks
/// for the beginning of its views in every column. Every ray belongs to one task, which adds the
/// voxels in the order of the lattice, so that sums depend neither on the tasks nor on the number
/// of threads.
int views_per_task(int views) { return std::max(1, views / (2 * cpu_threads())); }

/// Computes the weights of a voxel from the definition of the projector.
class ComputedColumns {
 public:
  explicit ComputedColumns(const Projector& projector) : cells_(projector.cells_per_view()) {
    for (int v = 0; v < projector.views(); ++v)
      views_.push_back(require_row_source(projector).view_rows(v));
  }

  struct Scratch {
    CellWeights weights;
  };
  /// Calls use(ray, weight) for the rays of views first .. last - 1 that weigh a voxel.
  template <class Use>
  void visit(int ix, int iy, int iz, int first, int last, Scratch& scratch, const Use& use) const {
    for (int v = first; v < last; ++v) {
      views_[static_cast<std::size_t>(v)]->voxel_weights(ix, iy, iz, scratch.weights);
      const std::size_t ray = static_cast<std::size_t>(v) * cells_;
      for (std::size_t k = 0; k < scratch.weights.size(); ++k)
        use(ray + scratch.weights.cell[k], scratch.weights.weight[k]);
    }
  }
  /// Returns the sum of weight x term(ray) over the rays that weigh a voxel.
  template <class Term>
  double sum(int ix, int iy, int iz, Scratch& scratch, const Term& term) const {
    double sum = 0;
    visit(ix, iy, iz, 0, static_cast<int>(views_.size()), scratch,
          [&sum, &term](std::size_t ray, double weight) { sum += weight * term(ray); });
    return sum;
  }

 private:
  std::size_t cells_;
  std::vector<std::unique_ptr<ViewRows>> views_;
};

/// Reads the weights of a voxel from memory. The entries of a voxel ascend by ray.
class StoredColumns {
 public:
  explicit StoredColumns(const Projector& projector)
      : grid_(projector.grid()),
        columns_(static_cast<std::size_t>(projector.geometry().columns())),
        is_stack_(is_stack(projector.geometry(), projector.grid())) {
    std::unique_ptr<Projector> slice;
    if (is_stack_) slice = slice_of_stack(projector);
    const Projector& source = is_stack_ ? *slice : projector;
    source_cells_ = source.cells_per_view();
    if (source.range_size() > std::numeric_limits<std::uint32_t>::max())
      throw UsageError("columns are stored for fewer than 2^32 rays", "format",
                       "compute the weights instead of storing them");
    store(source);
    if (is_stack_ && source.cells_per_view() != projector.cells_per_view())
      for (std::size_t ray = 0; ray < source.range_size(); ++ray)
        first_row_ray_.push_back(ray / columns_ * projector.cells_per_view() + ray % columns_);
  }

  struct Scratch {};
  template <class Use>
  void visit(int ix, int iy, int iz, int first, int last, Scratch&, const Use& use) const {
    const auto rays_before = [&](int view) {
      return static_cast<std::uint32_t>(static_cast<std::size_t>(view) * source_cells_);
    };
    const auto [first_ray, last_ray] = rays_of(ix, iy, iz);
    const auto* begin = std::lower_bound(first_ray, last_ray, rays_before(first));
    const auto* end = std::lower_bound(begin, last_ray, rays_before(last));
    const float* weight = weight_.data() + (begin - ray_.data());
    if (first_row_ray_.empty()) {
      for (const auto* ray = begin; ray != end; ++ray, ++weight) use(std::size_t{*ray}, *weight);
    } else {
      const std::size_t row = static_cast<std::size_t>(iz) * columns_;
      for (const auto* ray = begin; ray != end; ++ray, ++weight)
        use(first_row_ray_[*ray] + row, *weight);
    }
  }
  /// Returns the sum of weight x term(ray) over the rays that weigh a voxel. Four partial sums
  /// keep an addition from waiting for the one before.
  template <class Term>
  double sum(int ix, int iy, int iz, Scratch&, const Term& term) const {
    const auto [ray, last] = rays_of(ix, iy, iz);
    const float* weight = weight_.data() + (ray - ray_.data());
    const auto count = static_cast<std::size_t>(last - ray);
    const std::size_t row = static_cast<std::size_t>(iz) * columns_;
    const auto sum_over = [&, ray = ray](const auto& ray_of) {
      std::array<double, 4> sums{};
      std::size_t k = 0;
      for (; k + sums.size() <= count; k += sums.size())
        for (std::size_t part = 0; part < sums.size(); ++part)
          sums[part] += static_cast<double>(weight[k + part] * term(ray_of(ray[k + part])));
      for (; k < count; ++k) sums[0] += static_cast<double>(weight[k] * term(ray_of(ray[k])));
      return (sums[0] + sums[1]) + (sums[2] + sums[3]);
    };
    if (first_row_ray_.empty()) return sum_over([](std::uint32_t of_slice) { return of_slice; });
    return sum_over([&](std::uint32_t of_slice) { return first_row_ray_[of_slice] + row; });
  }

 private:
  /// Returns the first ray of the slice that weighs a voxel, and the one after the last.
  std::pair<const std::uint32_t*, const std::uint32_t*> rays_of(int ix, int iy, int iz) const {
    const std::size_t voxel = is_stack_ ? grid_.index(ix, iy, 0) : grid_.index(ix, iy, iz);
    return {ray_.data() + start_[voxel], ray_.data() + start_[voxel + 1]};
  }
  /// Projects every voxel, line after line, and joins the columns of the lines.
  void store(const Projector& source) {
    struct Line {
      std::vector<std::uint32_t> ray;
      std::vector<float> weight;
      std::vector<std::size_t> end;  // of each voxel's entries in the line
    };
    const VolumeGrid& grid = source.grid();
    const ComputedColumns computed(source);
    std::vector<Line> lines(source.domain_size() / static_cast<std::size_t>(grid.nx));
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (std::size_t n = 0; n < lines.size(); ++n)
      errors.run([&] {
        if (source.interrupted()) return;
        const int iy = static_cast<int>(n) % grid.ny, iz = static_cast<int>(n) / grid.ny;
        ComputedColumns::Scratch scratch;
        for (int ix = 0; ix < grid.nx; ++ix) {
          computed.visit(ix, iy, iz, 0, source.views(), scratch,
                         [&](std::size_t ray, double weight) {
                           lines[n].ray.push_back(static_cast<std::uint32_t>(ray));
                           lines[n].weight.push_back(static_cast<float>(weight));
                         });
          lines[n].end.push_back(lines[n].ray.size());
        }
      });
    errors.rethrow();
    source.check_interrupt();
    start_.reserve(source.domain_size() + 1);
    start_.push_back(0);
    std::size_t nonzeros = 0;
    for (const Line& line : lines) nonzeros += line.ray.size();
    ray_.reserve(nonzeros);
    weight_.reserve(nonzeros);
    for (Line& line : lines) {
      for (const std::size_t end : line.end) start_.push_back(ray_.size() + end);
      ray_.insert(ray_.end(), line.ray.begin(), line.ray.end());
      weight_.insert(weight_.end(), line.weight.begin(), line.weight.end());
      line = {};
    }
  }

  VolumeGrid grid_;
  std::size_t columns_, source_cells_ = 0;
  bool is_stack_;
  std::vector<std::size_t> first_row_ray_;  // of a slice's ray in a stack; empty: the ray itself
  std::vector<std::size_t> start_;
  std::vector<std::uint32_t> ray_;
  std::vector<float> weight_;
};

/// What the steps of a super-voxel add to the residual.
class RayChanges {
 public:
  using List = std::vector<std::pair<std::size_t, float>>;
  explicit RayChanges(std::size_t rays) : change_(rays) {}
  float* data() { return change_.data(); }
  /// To be called before the change of a ray stops being 0.
  [[gnu::noinline]] void touch(std::size_t ray) { touched_.push_back(ray); }
  /// Returns the changes and forgets them.
  List take() {
    List list;
    list.reserve(touched_.size());
    for (const std::size_t ray : touched_) {
      if (change_[ray] != 0) list.emplace_back(ray, change_[ray]);
      change_[ray] = 0;  // a ray whose change was 0 in between is touched twice
    }
    touched_.clear();
    return list;
  }

 private:
  std::vector<float> change_;
  std::vector<std::size_t> touched_;
};

template <class Source>
class HostColumns final : public ColumnAccess {
 public:
  explicit HostColumns(const Projector& projector)
      : grid_(projector.grid()), views_(projector.views()), source_(projector) {}

  const VolumeGrid& grid() const override { return grid_; }

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
    const float *r = step.residual.data(),
                *w = step.weights != nullptr ? step.weights->data() : nullptr;
    const auto first_of = [&](std::size_t axis) {  // the first of the lattice in the box
      const int behind = box.first[axis] - voxels.first[axis], stride = voxels.stride[axis];
      return voxels.first[axis] + std::max(0, (behind + stride - 1) / stride) * stride;
    };
    float* const changed = changes.data();
    typename Source::Scratch scratch;
    double square = 0;
    for (int iz = first_of(2); iz < box.last[2]; iz += voxels.stride[2])
      for (int iy = first_of(1); iy < box.last[1]; iy += voxels.stride[1])
        for (int ix = first_of(0); ix < box.last[0]; ix += voxels.stride[0]) {
          const std::size_t j = grid_.index(ix, iy, iz);
          float& value = x.data()[j];
          if (parts.skip_zeros && step.slope != nullptr && value == 0 && step.slope->data()[j] == 0)
            continue;
          const auto held = [r, changed](std::size_t ray) { return r[ray] + changed[ray]; };
          const double sum =
              w != nullptr ? source_.sum(ix, iy, iz, scratch,
                                         [held, w](std::size_t ray) { return held(ray) * w[ray]; })
                           : source_.sum(ix, iy, iz, scratch, held);
          const auto next = static_cast<float>(value + coordinate_change(step, j, sum, value));
          const float change = next - value;
          if (change == 0) continue;
          value = next;
          square += static_cast<double>(change) * change;
          source_.visit(ix, iy, iz, 0, views_, scratch,
                        [changed, change, &changes](std::size_t ray, auto weight) {
                          if (changed[ray] == 0) [[unlikely]]
                            changes.touch(ray);
                          changed[ray] -= static_cast<float>(weight) * change;
                        });
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
