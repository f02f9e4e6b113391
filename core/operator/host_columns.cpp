#include "core/operator/host_columns.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/operator/row_norms.hpp"
#include "core/operator/slice_stack.hpp"

#include <algorithm>
#include <array>
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
        cells_(projector.cells_per_view()),
        is_stack_(is_stack(projector.geometry(), projector.grid())) {
    std::unique_ptr<Projector> slice;
    if (is_stack_) slice = slice_of_stack(projector);
    const Projector& source = is_stack_ ? *slice : projector;
    source_cells_ = source.cells_per_view();
    if (source.range_size() > std::numeric_limits<std::uint32_t>::max())
      throw UsageError("columns are stored for fewer than 2^32 rays", "format",
                       "compute the weights instead of storing them");
    store(source);
  }

  struct Scratch {};
  template <class Use>
  void visit(int ix, int iy, int iz, int first, int last, Scratch&, const Use& use) const {
    const std::size_t voxel = is_stack_ ? grid_.index(ix, iy, 0) : grid_.index(ix, iy, iz);
    const auto rays_before = [&](int view) {
      return static_cast<std::uint32_t>(static_cast<std::size_t>(view) * source_cells_);
    };
    const auto *begin = ray_.data() + start_[voxel], *end = ray_.data() + start_[voxel + 1];
    begin = std::lower_bound(begin, end, rays_before(first));
    end = std::lower_bound(begin, end, rays_before(last));
    const float* weight = weight_.data() + (begin - ray_.data());
    const std::size_t row = is_stack_ ? static_cast<std::size_t>(iz) * columns_ : 0;
    for (const auto* ray = begin; ray != end; ++ray, ++weight)
      use(is_stack_ ? *ray / columns_ * cells_ + row + *ray % columns_ : *ray,
          static_cast<double>(*weight));
  }

 private:
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
  std::size_t columns_, cells_, source_cells_ = 0;
  bool is_stack_;
  std::vector<std::size_t> start_;
  std::vector<std::uint32_t> ray_;
  std::vector<float> weight_;
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

 private:
  static double coordinate_change(const CoordinateStep& step, std::size_t j, double sum, double x) {
    double slope = sum, curvature = step.curvature.data()[j];
    if (step.slope != nullptr) {
      slope -= static_cast<double>(step.lambda) * step.slope->data()[j];
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

std::unique_ptr<ColumnAccess> make_columns(const LinearOperator& A) {
  require_columns(A);
  std::unique_ptr<ColumnAccess> columns;
  if (const auto* gives = dynamic_cast<const GivesColumns*>(&A)) columns = gives->make_columns();
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
