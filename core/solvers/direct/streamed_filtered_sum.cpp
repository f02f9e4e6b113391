// f_s = sum over tiles T of rays of what filtered backprojection makes of T in slab s: the weights
// of rays and the filter, which goes along rows, are those of the whole scan.
#include "core/solvers/direct/streamed_filtered_sum.hpp"

#include "core/base/error.hpp"
#include "core/streaming/streamed_projector.hpp"

#include <utility>

namespace gantry {

namespace {

class StreamedFilteredSum final : public FilteredSum {
 public:
  StreamedFilteredSum(const Streamed& streamed, FilteringPlan plan, FilteredSumMaker on_lane)
      : plan_(std::move(plan)), on_lane_(std::move(on_lane)), sum_(streamed.stream(of_tiles())) {}

 private:
  SumOverTiles of_tiles() const {
    return {[this](const Projector& part, const Tile& tile) {
              return of_tile(part, tile)->workspace_bytes();
            },
            [this](const Projector& part, const Tile& tile, const Array& rays, Array& image) {
              of_tile(part, tile)->compute(rays, image);
            }};
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

FilteredSumMaker make_streamed_filtered_sum(FilteredSumMaker on_lane) {
  return [on_lane = std::move(on_lane)](const Projector& projector, FilteringPlan plan) {
    const auto* streamed = dynamic_cast<const Streamed*>(&projector);
    if (streamed == nullptr) throw ShapeError("a sum in parts needs a streamed projector");
    return std::make_unique<StreamedFilteredSum>(*streamed, std::move(plan), on_lane);
  };
}

}  // namespace gantry
