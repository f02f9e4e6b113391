// Forward, y_T = sum_s A_Ts x_s for a tile T of rays (a band of detector rows of some views),
// summed over the slabs s that the tile sees. Transpose, x_s = sum_T A_Ts^T y_T for a slab s,
// summed over tiles of the views that see the slab. A sum stays on a device until it is complete,
// so that no sum passes the bus twice. The published method for large volumes (Biguri et al., TIGRE
// on several GPUs, J. Parallel Distrib. Comput. 146 (2020) 52-61) splits in the same two ways, but
// without bands of rows.
#include "core/streaming/streamed_projector.hpp"

#include "core/base/error.hpp"
#include "core/streaming/stream_plan.hpp"
#include "core/streaming/worker_pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace gantry {

namespace {

/// Properties of the streamed projector, collected from the projectors of its parts.
struct PartTraits {
  bool matched = true, repeatable = true;
  double rounding = 0;
  void take(const Projector& part) {
    matched = matched && part.matched();
    repeatable = repeatable && part.repeatable();
    rounding = std::max(rounding, part.rounding());
  }
};

/// The detector rows that see each slab, for each view.
class Visibility {
 public:
  Visibility() = default;
  Visibility(const ScanGeometry& geometry, const Slabs& slabs)
      : Visibility(geometry, slabs, [&](int view, const VolumeGrid& part) {
          return rows_that_see(geometry, view, part);
        }) {}
  Visibility(const ScanGeometry& geometry, const Slabs& slabs,
             const decltype(SumOverTiles::rows)& rows)
      : views_(static_cast<std::size_t>(geometry.views())),
        rows_(views_ * static_cast<std::size_t>(slabs.count())) {
    for (int s = 0; s < slabs.count(); ++s) {
      const VolumeGrid part = slabs.grid(s);
      for (int v = 0; v < geometry.views(); ++v) rows_[at(s, v)] = rows(v, part);
    }
  }
  Range rows(int slab, int view) const { return rows_[at(slab, view)]; }

 private:
  std::size_t at(int slab, int view) const {
    return static_cast<std::size_t>(slab) * views_ + static_cast<std::size_t>(view);
  }

  std::size_t views_ = 0;
  std::vector<Range> rows_;
};

/// A volume cut into slabs for the transpose and other sums over the rays that see a slab.
struct SlabCut {
  StreamCut cut;
  Slabs slabs;
  Visibility sees;
  SlabCut(const ScanGeometry& geometry, const VolumeGrid& grid, const StreamCut& how)
      : cut(how), slabs(grid, how.slabs), sees(geometry, slabs) {}
  SlabCut(const ScanGeometry& geometry, const VolumeGrid& grid, const StreamCut& how,
          const decltype(SumOverTiles::rows)& rows)
      : cut(how), slabs(grid, how.slabs), sees(geometry, slabs, rows) {}
};

class StreamedProjector final : public Projector, public Streamed {
 public:
  StreamedProjector(Backend& host, std::shared_ptr<const ScanGeometry> geometry,
                    const VolumeGrid& grid, const StreamDevices& devices, MakePart make)
      : Projector(host, geometry, grid),
        make_(std::move(make)),
        device_(devices.name),
        team_(devices.workers()),
        parts_(make_parts(smallest_lane().free_bytes())) {}

  bool matched() const override { return traits_.matched; }
  bool repeatable() const override { return traits_.repeatable; }
  double rounding() const override {
    // Added in float32 are the slabs of a tile (forward) and the tiles of a slab (transpose).
    const int terms = std::max(plan().forward.slabs, chunks(plan().transpose, views()));
    return traits_.rounding + 6e-8 * std::sqrt(terms);
  }
  std::string note() const override { return describe_plan(); }
  std::vector<MemoryNeed> helpers() const override {
    const std::size_t workers = team_.workers().size();
    return {{device_,
             workers * std::max(plan().forward.worker_bytes, plan().transpose.worker_bytes),
             workers * parts_->budget}};
  }

  std::unique_ptr<StreamedSum> stream(SumOverTiles sum) const override;

 private:
  class Sum;

  // ---- The parts

  /// How the products are cut for workers that have `budget` bytes each.
  struct Parts {
    std::size_t budget;
    StreamPlan plan;
    Slabs forward_slabs;
    Visibility forward_sees;
    SlabCut transpose;
    Parts(const ScanGeometry& geometry, const VolumeGrid& grid, std::size_t bytes,
          const StreamPlan& how)
        : budget(bytes),
          plan(how),
          forward_slabs(grid, how.forward.slabs),
          forward_sees(geometry, forward_slabs),
          transpose(geometry, grid, how.transpose) {}
  };

  std::unique_ptr<const Parts> make_parts(std::size_t budget) const {
    Backend& least = smallest_lane();
    const StreamPlan plan =
        plan_stream(geometry(), grid(), team_.workers().size(), budget,
                    [&](std::shared_ptr<const ScanGeometry> part, const VolumeGrid& slab) {
                      const auto projector = make_(least, std::move(part), slab);
                      traits_.take(*projector);
                      return projector->workspace_bytes();
                    });
    return std::make_unique<const Parts>(geometry(), grid(), budget, plan);
  }
  const StreamPlan& plan() const { return parts_->plan; }

  /// Computes a product with the present parts. If it runs out of memory, since other programs use
  /// the device too, halves the budget once, makes smaller parts and repeats the product.
  template <class Product>
  void in_parts(const Product& product) const {
    try {
      return product();
    } catch (const OutOfMemory&) {
      if (shrunk_) throw;
    }
    shrunk_ = true;
    parts_ = make_parts(parts_->budget / 2);
    product();
  }

  Backend& smallest_lane() const {
    Backend* least = team_.workers().front();
    for (Backend* worker : team_.workers())
      if (worker->free_bytes() < least->free_bytes()) least = worker;
    return *least;
  }

  std::string describe_plan() const {
    const auto parts = [](int count, const char* one) {
      return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
    };
    const StreamCut &forward = plan().forward, &transpose = plan().transpose;
    const int tiles = forward.bands * chunks(forward, views());
    return "volume of " + format_bytes(domain_size() * sizeof(float)) + " and data of " +
           format_bytes(range_size() * sizeof(float)) + " are streamed from the host through " +
           device_ + ": " + parts(tiles, "part") + " of the data forward, " +
           parts(transpose.slabs, "slab") + " backward; " +
           format_bytes(static_cast<std::size_t>(forward.moved_bytes)) + " and " +
           format_bytes(static_cast<std::size_t>(transpose.moved_bytes)) +
           " pass for a product each" +
           (shrunk_ ? "; the parts were made smaller, since there was less memory than was said to "
                      "be free"
                    : "");
  }

  static int chunks(const StreamCut& cut, int views) { return (views + cut.views - 1) / cut.views; }

  // ---- Copies

  /// Calls copy(ray in the whole scan, ray in the tile, distance of two views in the whole scan,
  /// rays per view, number of views) for runs of evenly spaced views of a tile.
  template <class Copy>
  void for_runs(const Tile& tile, const Copy& copy) const {
    const auto columns = static_cast<std::size_t>(geometry().columns());
    const std::size_t held = columns * static_cast<std::size_t>(tile.rows.count());
    for (std::size_t first = 0, next = 0; first < tile.views.size(); first = next) {
      next = first + 1;
      const int stride =
          next < tile.views.size() ? std::max(1, tile.views[next] - tile.views[first]) : 1;
      while (next < tile.views.size() && tile.views[next] == tile.views[next - 1] + stride) ++next;
      copy(static_cast<std::size_t>(tile.views[first]) * cells_per_view() +
               columns * static_cast<std::size_t>(tile.rows.first),
           first * held, static_cast<std::size_t>(stride) * cells_per_view(), held, next - first);
    }
  }

  std::size_t rays_of(const Tile& tile) const {
    return tile.views.size() * static_cast<std::size_t>(tile.rows.count()) *
           static_cast<std::size_t>(geometry().columns());
  }

  void upload(Backend& worker, const Array& y, const Tile& tile, Array& rays) const {
    for_runs(tile, [&](std::size_t from, std::size_t to, std::size_t pitch, std::size_t count,
                       std::size_t lines) {
      worker.upload_lines(y.data() + from, pitch, rays.data() + to, count, lines);
    });
  }
  void download(const Backend& worker, const Array& rays, const Tile& tile, Array& y) const {
    for_runs(tile, [&](std::size_t to, std::size_t from, std::size_t pitch, std::size_t count,
                       std::size_t lines) {
      worker.download_lines(rays.data() + from, count, lines, y.data() + to, pitch);
    });
  }

  // ---- Products

  std::unique_ptr<Projector> part(Backend& worker, const Tile& tile, const VolumeGrid& slab,
                                  const Interrupt& stop) const {
    stop.check();
    auto projector = make_(worker, part_of_scan(geometry(), tile.views, tile.rows), slab);
    projector->set_interrupt(&stop);
    return projector;
  }

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    in_parts([&] { project_all(x, y, subset); });
  }

  void project_all(const Array& x, Array& y, ViewSubset subset) const {
    const int parts = chunks(plan().forward, subset.count), bands = plan().forward.bands;
    team_.run(
        parts * bands,
        [&](Backend& worker, int index, const Interrupt& stop) {
          Tile tile{{}, piece(geometry().rows(), bands, index % bands)};
          const Range chunk = piece(subset.count, parts, index / bands);
          for (int i = chunk.first; i < chunk.last; ++i) tile.views.push_back(subset.view(i));
          project(worker, x, tile, stop, y);
        },
        [this] { check_interrupt(); });
  }

  bool sees(const Tile& tile, int slab) const {
    return std::ranges::any_of(tile.views, [&](int view) {
      return parts_->forward_sees.rows(slab, view).meets(tile.rows);
    });
  }

  /// y_T = sum_s A_Ts x_s
  void project(Backend& worker, const Array& x, const Tile& tile, const Interrupt& stop,
               Array& y) const {
    Array sum(worker, rays_of(tile)), share;
    bool begun = false;
    const Slabs& slabs = parts_->forward_slabs;
    for (int s = 0; s < slabs.count(); ++s) {
      if (!sees(tile, s)) continue;
      const VolumeGrid slab = slabs.grid(s);
      const auto A = part(worker, tile, slab, stop);
      Array image(worker, slab.voxels());
      worker.upload(x.data() + slabs.offset(s), image.data(), image.size());
      if (begun && share.empty()) share = Array(worker, sum.size());
      A->forward(image, begun ? share : sum);
      if (begun) worker.axpby(1, share, 1, sum);
      begun = true;
    }
    if (!begun) worker.fill(sum, 0);
    download(worker, sum, tile, y);
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    in_parts([&] {
      sum_slabs(
          parts_->transpose,
          [](const Projector& A, const Tile&, const Array& rays, Array& image) {
            A.adjoint(rays, image);
          },
          y, subset, x);
    });
  }

  using Share = decltype(SumOverTiles::compute);

  void sum_slabs(const SlabCut& cut, const Share& of_tile, const Array& y, ViewSubset subset,
                 Array& x) const {
    team_.run(
        cut.slabs.count(),
        [&](Backend& worker, int slab, const Interrupt& stop) {
          sum_slab(worker, cut, of_tile, y, subset, slab, stop, x);
        },
        [this] { check_interrupt(); });
  }

  /// Returns the next tile of a slab: views of the subset that see the slab, from the subset's view
  /// `at` on, as many as fit into a worker. Advances `at`.
  Tile next_tile(const SlabCut& slabs, ViewSubset subset, int slab, int& at) const {
    const StreamCut& cut = slabs.cut;
    const auto room = static_cast<long long>(cut.views) * cut.rows;
    Tile tile;
    for (; at < subset.count; ++at) {
      const Range rows = slabs.sees.rows(slab, subset.view(at));
      if (rows.empty()) continue;
      Range both = rows;
      if (!tile.views.empty())
        both = {std::min(rows.first, tile.rows.first), std::max(rows.last, tile.rows.last)};
      const auto count = static_cast<long long>(tile.views.size()) + 1;
      // A cut that holds all views at a time has no memory for a second array of the slab's size,
      // so that its views must not be split.
      if (!tile.views.empty() && cut.views < views() &&
          (count > cut.views || count * both.count() > room))
        break;
      tile.views.push_back(subset.view(at));
      tile.rows = both;
    }
    return tile;
  }

  /// x_s = sum_T of_tile(y_T); for the transpose, of_tile(y_T) is A_Ts^T y_T.
  void sum_slab(Backend& worker, const SlabCut& cut, const Share& of_tile, const Array& y,
                ViewSubset subset, int s, const Interrupt& stop, Array& x) const {
    const VolumeGrid slab = cut.slabs.grid(s);
    Array sum(worker, slab.voxels()), share;
    bool begun = false;
    int at = 0;
    for (Tile tile = next_tile(cut, subset, s, at); !tile.views.empty();
         tile = next_tile(cut, subset, s, at)) {
      const auto A = part(worker, tile, slab, stop);
      Array rays(worker, rays_of(tile));
      upload(worker, y, tile, rays);
      if (begun && share.empty()) share = Array(worker, sum.size());
      of_tile(*A, tile, rays, begun ? share : sum);
      if (begun) worker.axpby(1, share, 1, sum);
      begun = true;
    }
    if (!begun) worker.fill(sum, 0);
    worker.download(sum.data(), x.data() + cut.slabs.offset(s), sum.size());
  }

  MakePart make_;
  std::string device_;
  WorkerPool team_;
  mutable PartTraits traits_;  // filled in by make_parts()
  mutable std::unique_ptr<const Parts> parts_;
  mutable bool shrunk_ = false;
};

/// A StreamedSum over the rays that see each slab, cut according to its own memory need.
class StreamedProjector::Sum final : public StreamedSum {
 public:
  Sum(const StreamedProjector& A, SumOverTiles sum) : A_(A), sum_(std::move(sum)) { cut_up(); }

  void compute(const Array& rays, Array& image) const override {
    A_.in_parts([&] {
      if (budget_ != A_.parts_->budget) cut_up();
      A_.sum_slabs(*cut_, sum_.compute, rays, A_.all(), image);
    });
  }

 private:
  void cut_up() const {
    budget_ = A_.parts_->budget;
    cut_.emplace(A_.geometry(), A_.grid(), plan(), sum_.rows);
  }

  StreamCut plan() const {
    Backend& worker = A_.smallest_lane();
    return plan_transpose(
        A_.geometry(), A_.grid(), A_.team_.workers().size(), budget_,
        [&](const std::shared_ptr<const ScanGeometry>& scan, const VolumeGrid& slab) {
          Tile tile{{}, {0, scan->rows()}};
          for (int v = 0; v < scan->views(); ++v) tile.views.push_back(v);
          try {
            const auto part = A_.make_(worker, scan, slab);
            return part->workspace_bytes() + sum_.workspace_bytes(*part, tile);
          } catch (const OutOfMemory&) {
            return budget_;  // no projector of such a part fits
          }
        });
  }

  const StreamedProjector& A_;
  SumOverTiles sum_;
  mutable std::size_t budget_ = 0;
  mutable std::optional<SlabCut> cut_;
};

std::unique_ptr<StreamedSum> StreamedProjector::stream(SumOverTiles sum) const {
  return std::make_unique<Sum>(*this, std::move(sum));
}

}  // namespace

std::unique_ptr<Projector> make_streamed_projector(Backend& host,
                                                   std::shared_ptr<const ScanGeometry> geometry,
                                                   const VolumeGrid& grid,
                                                   const StreamDevices& devices,
                                                   const MakePart& make) {
  return std::make_unique<StreamedProjector>(host, std::move(geometry), grid, devices, make);
}

}  // namespace gantry
