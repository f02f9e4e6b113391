// A product moves every voxel over the bus at least once in one direction, and every ray at least
// once in the other. Let V be the bytes of the volume and D those of the data, which are cut into
// bands of rows and portions of views. The forward product moves D and, for every band of every
// portion, the slabs that the band sees. In a cone beam, a band of rows sees only a part of the
// volume, somewhat widened by the cone: bands of all views move little more than V + D in total,
// whereas every portion of all rows moves V. The transpose moves V and, for every slab, the rows
// that see the slab.
#include "core/streaming/stream_plan.hpp"

#include "core/base/error.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

namespace gantry {

namespace {

constexpr int most_samples = 48;     // views for which the cost of a cut is computed
constexpr int most_pieces = 1024;    // largest number of slabs or bands that is tried
constexpr double part_bytes = 64e6;  // cost of a part (launches, tables, thin slabs) in bytes
constexpr int most_attempts = 12;

std::size_t float_bytes(std::size_t count) { return count * sizeof(float); }
int ceil_of(int a, int b) { return (a + b - 1) / b; }

std::size_t band_bytes(const ScanGeometry& geometry, int rows) {
  return float_bytes(static_cast<std::size_t>(geometry.columns()) * static_cast<std::size_t>(rows));
}

/// Returns 1, 2, 3, 4, 6, 8, 12, ... and `most`.
std::vector<int> piece_counts(int most) {
  most = std::min(most, most_pieces);
  std::vector<int> counts;
  for (int n = 1; n < most; n *= 2) {
    counts.push_back(n);
    if (n >= 2 && n / 2 * 3 < most) counts.push_back(n / 2 * 3);
  }
  counts.push_back(most);
  return counts;
}

/// Estimate of a projector's workspace, as a fraction (`share`) of the bytes of slab and rays. The
/// first value is a guess; settle() corrects it by the workspace of a projector of the chosen
/// parts.
struct Need {
  double share = 0.5;
  std::size_t of(std::size_t slab, std::size_t rays) const {
    return static_cast<std::size_t>(share * static_cast<double>(slab + rays));
  }
};

class StreamPlanner {
 public:
  StreamPlanner(const ScanGeometry& geometry, const VolumeGrid& grid, std::size_t workers,
                std::size_t budget)
      : geometry_(geometry), grid_(grid), workers_(static_cast<double>(workers)), budget_(budget) {
    const int samples = std::min(geometry.views(), most_samples);
    for (int i = 0; i < samples; ++i)
      samples_.push_back(static_cast<int>(static_cast<long long>(geometry.views()) * i / samples));
  }

  std::optional<StreamCut> forward(const Need& need) const {
    Choice choice;
    for (const int slabs : piece_counts(Slabs::most(geometry_, grid_))) {
      const Seen seen = see(slabs);
      const int most_bands = std::max(1, geometry_.rows() / fewest_rows(geometry_, grid_));
      for (const int bands : piece_counts(most_bands)) forward_of(slabs, bands, seen, need, choice);
    }
    return choice.cut;
  }

  std::optional<StreamCut> transpose(const Need& need) const {
    Choice choice;
    for (const int slabs : piece_counts(Slabs::most(geometry_, grid_)))
      transpose_of(slabs, see(slabs), need, choice);
    return choice.cut;
  }

 private:
  using Seen = std::vector<std::vector<Range>>;  // [slab][sample]

  struct Choice {
    std::optional<StreamCut> cut;
    double cost = std::numeric_limits<double>::infinity();
    void take(const StreamCut& other, double other_cost) {
      if (other_cost < cost) {
        cost = other_cost;
        cut = other;
      }
    }
  };

  Seen see(int slabs) const {
    const Slabs cut(grid_, slabs);
    Seen seen(static_cast<std::size_t>(slabs));
    for (int s = 0; s < slabs; ++s)
      for (const int view : samples_)
        seen[static_cast<std::size_t>(s)].push_back(rows_that_see(geometry_, view, cut.grid(s)));
    return seen;
  }

  /// Returns the factor by which a product takes longer because workers idle during the last tasks.
  double idling(int tasks) const { return std::ceil(tasks / workers_) * workers_ / tasks; }

  /// Returns the largest number of views, of `bytes` each, that fit into `free_bytes` bytes,
  /// lowered so that all portions of views are of nearly equal size; 0 if no view fits.
  int views_in(std::size_t free_bytes, std::size_t bytes) const {
    const int most = static_cast<int>(
        std::min<std::size_t>(free_bytes / bytes, static_cast<std::size_t>(geometry_.views())));
    return most == 0 ? 0 : ceil_of(geometry_.views(), ceil_of(geometry_.views(), most));
  }

  void forward_of(int slabs, int bands, const Seen& seen, const Need& need, Choice& choice) const {
    const std::size_t slab = float_bytes(Slabs(grid_, slabs).largest_voxels()),
                      view = band_bytes(geometry_, ceil_of(geometry_.rows(), bands));
    const std::size_t fixed = slab + need.of(slab, 0);
    if (fixed >= budget_) return;
    const auto per_view =
        static_cast<std::size_t>(static_cast<double>(view) * ((slabs > 1 ? 2 : 1) + need.share)) +
        1;
    const int views = views_in(budget_ - fixed, per_view);
    if (views == 0) return;
    // Up to two more portions are tried, since fewer views per task may keep all workers busy.
    for (int chunks = ceil_of(geometry_.views(), views), more = 0; more < 3; ++more, ++chunks) {
      if (chunks > geometry_.views()) break;
      judge_forward({slabs, bands, ceil_of(geometry_.views(), chunks),
                     ceil_of(geometry_.rows(), bands), 0, 0},
                    seen, choice);
    }
  }

  void judge_forward(StreamCut cut, const Seen& seen, Choice& choice) const {
    const int chunks = ceil_of(geometry_.views(), cut.views);
    const int judged = std::min<int>(chunks, static_cast<int>(samples_.size()));
    const Slabs slabs(grid_, cut.slabs);
    double moved = 0, parts = 0;
    for (int chunk = 0; chunk < judged; ++chunk) {
      const Range samples = piece(static_cast<int>(samples_.size()), judged, chunk);
      for (int b = 0; b < cut.bands; ++b) {
        const Range band = piece(geometry_.rows(), cut.bands, b);
        for (int s = 0; s < cut.slabs; ++s) {
          bool meets = false;
          for (int i = samples.first; i < samples.last && !meets; ++i)
            meets = seen[static_cast<std::size_t>(s)][static_cast<std::size_t>(i)].meets(band);
          if (!meets) continue;
          moved += static_cast<double>(float_bytes(slabs.grid(s).voxels()));
          parts += 1;
        }
      }
    }
    const double all = static_cast<double>(chunks) / judged;
    cut.moved_bytes = moved * all + static_cast<double>(float_bytes(geometry_.rays()));
    choice.take(cut, (cut.moved_bytes + parts * all * part_bytes) * idling(chunks * cut.bands));
  }

  void transpose_of(int slabs, const Seen& seen, const Need& need, Choice& choice) const {
    const std::size_t slab = float_bytes(Slabs(grid_, slabs).largest_voxels());
    int tallest = 1, together = 1;  // most rows that one view, or all views together, see of a slab
    double moved = static_cast<double>(float_bytes(grid_.voxels()));
    const double all =
        static_cast<double>(geometry_.views()) / static_cast<double>(samples_.size());
    for (const auto& of_slab : seen) {
      Range both{geometry_.rows(), 0};
      for (const Range range : of_slab) {
        if (range.empty()) continue;
        tallest = std::max(tallest, range.count());
        both = {std::min(both.first, range.first), std::max(both.last, range.last)};
        moved += all * static_cast<double>(band_bytes(geometry_, range.count()));
      }
      together = std::max(together, both.count());
    }
    for (const bool whole : {true, false}) {
      // Views that are not among the samples may see one row more.
      const int rows = std::min(geometry_.rows(), (whole ? together : tallest) + 1);
      const std::size_t fixed = (whole ? 1 : 2) * slab + need.of(slab, 0);
      if (fixed >= budget_) continue;
      const auto per_view =
          static_cast<std::size_t>(static_cast<double>(band_bytes(geometry_, rows)) *
                                   (1 + need.share)) +
          1;
      const int views = views_in(budget_ - fixed, per_view);
      if (views == 0 || (whole && views < geometry_.views())) continue;
      const double parts = 1.0 * slabs * ceil_of(geometry_.views(), views);
      choice.take({slabs, 1, views, rows, 0, moved}, (moved + parts * part_bytes) * idling(slabs));
    }
  }

  const ScanGeometry& geometry_;
  VolumeGrid grid_;
  double workers_;
  std::size_t budget_;
  std::vector<int> samples_;
};

/// Chooses a cut, measures the workspace of a projector of its parts, and chooses again with the
/// corrected estimate, until the cut fits into `budget` bytes. measure(cut) sets cut.worker_bytes
/// and returns the projector's workspace as a fraction of slab and rays. Throws OutOfMemory if no
/// cut fits; `smallest` is the need that is reported if none could be measured.
template <class Choose, class Measure>
StreamCut settle(std::size_t budget, std::size_t smallest, const Choose& choose,
                 const Measure& measure) {
  Need need;
  std::optional<StreamCut> best;
  std::size_t least = std::numeric_limits<std::size_t>::max();  // smallest worker_bytes measured
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    std::optional<StreamCut> cut = choose(need);
    if (!cut) {
      if (best || need.share < 0.01) break;
      need.share /= 2;
      continue;
    }
    const double share = measure(*cut);
    least = std::min(least, cut->worker_bytes);
    const bool fits = cut->worker_bytes <= budget;
    if (fits && (!best || cut->moved_bytes < best->moved_bytes)) best = cut;
    const double next = 1.05 * share;
    if (fits && (attempt > 2 || next > 0.8 * need.share)) break;
    need.share = fits ? next : std::max(next, 1.25 * need.share);
  }
  if (best) return *best;
  const bool tried = least < std::numeric_limits<std::size_t>::max();
  throw OutOfMemory("the smallest part of this run that can pass through a device",
                    tried ? least : smallest, budget);
}

std::vector<int> first_views(int count) {
  std::vector<int> views(static_cast<std::size_t>(count));
  std::iota(views.begin(), views.end(), 0);
  return views;
}

/// Returns the memory of a task besides its projector's workspace: slab, rays and, if the result is
/// a sum of several parts, a second array of its size in which the next part is computed before it
/// is added.
std::size_t operand_bytes(const ScanGeometry& geometry, const VolumeGrid& grid,
                          const StreamCut& cut, bool forward) {
  const std::size_t slab = float_bytes(Slabs(grid, cut.slabs).largest_voxels()),
                    rays = static_cast<std::size_t>(cut.views) * band_bytes(geometry, cut.rows);
  return forward ? slab + (cut.slabs > 1 ? 2 : 1) * rays
                 : (cut.views < geometry.views() ? 2 : 1) * slab + rays;
}

/// Returns the largest slab: of nearly equal pieces, the last is one of the largest.
VolumeGrid largest_slab(const VolumeGrid& grid, int slabs) {
  return Slabs(grid, slabs).grid(slabs - 1);
}

/// Returns the cut of the forward product or of the transpose.
StreamCut plan_cut(const ScanGeometry& geometry, const VolumeGrid& grid, std::size_t workers,
                   std::size_t bytes_per_worker, const PartWorkspace& workspace, bool forward) {
  const StreamPlanner planner(geometry, grid, workers, bytes_per_worker);
  const auto measure = [&](StreamCut& cut) {
    const VolumeGrid slab = largest_slab(grid, cut.slabs);
    const std::size_t needed =
        workspace(part_of_scan(geometry, first_views(cut.views), {0, cut.rows}), slab);
    cut.worker_bytes = operand_bytes(geometry, grid, cut, forward) + needed;
    const std::size_t one_of_each =
        float_bytes(slab.voxels()) +
        static_cast<std::size_t>(cut.views) * band_bytes(geometry, cut.rows);
    return static_cast<double>(needed) / static_cast<double>(one_of_each);
  };
  const int rows = fewest_rows(geometry, grid);
  const StreamCut smallest{Slabs::most(geometry, grid), geometry.rows() / rows, 1, rows, 0, 0};
  return settle(
      bytes_per_worker, operand_bytes(geometry, grid, smallest, forward),
      [&](const Need& need) { return forward ? planner.forward(need) : planner.transpose(need); },
      measure);
}

}  // namespace

StreamPlan plan_stream(const ScanGeometry& geometry, const VolumeGrid& grid, std::size_t workers,
                       std::size_t bytes_per_worker, const PartWorkspace& workspace) {
  return {plan_cut(geometry, grid, workers, bytes_per_worker, workspace, true),
          plan_transpose(geometry, grid, workers, bytes_per_worker, workspace)};
}

StreamCut plan_transpose(const ScanGeometry& geometry, const VolumeGrid& grid, std::size_t workers,
                         std::size_t bytes_per_worker, const PartWorkspace& workspace) {
  return plan_cut(geometry, grid, workers, bytes_per_worker, workspace, false);
}

}  // namespace gantry
