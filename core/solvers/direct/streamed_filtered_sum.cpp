// For a slab s, f_s is the sum over tiles T of rays of the filtered backprojection of T in s. The
// weights of the rays are those of the whole scan; the filter works along rows, which no tile cuts.
#include "core/solvers/direct/streamed_filtered_sum.hpp"

#include "core/base/error.hpp"
#include "core/streaming/streamed_projector.hpp"

#include <utility>

namespace gantry {

namespace {

class StreamedFilteredSum final : public FilteredSum {
 public:
  StreamedFilteredSum(const Streamed& streamed, FilteringPlan plan, FilteredSumMaker on_worker)
      : plan_(std::move(plan)), on_lane_(std::move(on_worker)), sum_(streamed.stream(of_tiles())) {}

 private:
  SumOverTiles of_tiles() const {
    return {[this](const Projector& part, const Tile& tile) {
              return of_tile(part, tile)->workspace_bytes();
            },
            [this](const Projector& part, const Tile& tile, const Array& rays, Array& image) {
              of_tile(part, tile)->compute(rays, image);
            },
            [this](int view, const VolumeGrid& slab) { return plan_.rows_that_see(view, slab); }};
  }
  std::unique_ptr<FilteredSum> of_tile(const Projector& part, const Tile& tile) const {
    return on_lane_(part, plan_.part(tile.views, tile.rows));
  }
  void do_compute(const Array& rays, Array& mu) const override { sum_->compute(rays, mu); }

  FilteringPlan plan_;
  FilteredSumMaker on_lane_;
  std::unique_ptr<StreamedSum> sum_;
};

}  // namespace

FilteredSumMaker make_streamed_filtered_sum(FilteredSumMaker on_worker) {
  return [on_worker = std::move(on_worker)](const Projector& projector, FilteringPlan plan) {
    const auto* streamed = dynamic_cast<const Streamed*>(&projector);
    if (streamed == nullptr) throw ShapeError("a sum in parts needs a streamed projector");
    return std::make_unique<StreamedFilteredSum>(*streamed, std::move(plan), on_worker);
  };
}

}  // namespace gantry
