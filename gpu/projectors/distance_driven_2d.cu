// Launches of the 2D distance-driven kernels. A single slice goes float by float, or under the
// symmetries of its scan as eight images of which one view in eight is left; a stack goes by quads
// of slices, two at a time where there are two, and forward by 32 slices while there are so many.
#include "core/projectors/dd_rows.hpp"
#include "gpu/base/pinned_buffer.hpp"
#include "gpu/base/recorded_calls.hpp"
#include "gpu/kernels/dd_fan_adjoint.cuh"
#include "gpu/kernels/dd_fan_fold.cuh"
#include "gpu/kernels/dd_fan_forward.cuh"
#include "gpu/kernels/dd_fan_prefix.cuh"
#include "gpu/kernels/dd_fan_wide.cuh"
#include "gpu/kernels/elementwise.cuh"
#include "gpu/projectors/dd_fan_tables.hpp"
#include "gpu/projectors/distance_driven_2d.hpp"
#include "gpu/projectors/launch.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace gantry {

namespace {

using device::DdFanScan;
using KindsSeen = DdFanTables::KindsSeen;
using device::FanKind;
using device::StackLayout;
using device::SymmetricLayout;

constexpr std::size_t workspace_aim_bytes = std::size_t{1} << 30U;  // stacks go in passes within it
constexpr int longest_line = 1 << 20;  // pixels or cells whose place a float tells well
constexpr int prefix_warps = 4;
constexpr int warps_per_multiprocessor = 192;  // of the transpose: fewer, and views are shared out
constexpr int most_shares = device::most_fold_shares, fewest_views_of_share = 24;
constexpr double swept_voxels = 1e9;  // times views, of a sweep: some hundredths of a second

/// How many values of width Value go together, and by how many a lane of either product goes.
struct Bundle {
  int values;  ///< of width Value
  int width;   ///< of a Value, floats
  bool both_kinds;

  std::size_t floats() const {
    return static_cast<std::size_t>(values) * static_cast<std::size_t>(width);
  }
};

class CudaDistanceDriven2d final : public Projector {
 public:
  CudaDistanceDriven2d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                       const VolumeGrid& grid)
      : Projector(backend, geometry, grid),
        cuda_(cuda_backend(backend)),
        rows_(make_dd_rows(geometry, grid)),
        tables_(cuda_, *geometry, grid),
        symmetry_(cuda_, *geometry, grid) {}

  const RowSource* row_source() const override { return rows_.get(); }
  /// Of differences of prefix sums, where a cell is narrower than a pixel most.
  double rounding() const override { return 1e-5; }
  std::size_t workspace_bytes() const override {
    return tables_.bytes() + symmetry_.bytes() + buffer_bytes() +
           (residual_room() + update_partials()) * sizeof(double);
  }

 private:
  // ---- Sizes

  std::size_t pixels() const {
    return static_cast<std::size_t>(grid().nx) * static_cast<std::size_t>(grid().ny);
  }
  int slices() const { return grid().nz; }
  bool symmetric(ViewSubset subset) const { return symmetry_.holds() && subset == all(); }

  /// Shares of the views that blocks of the transpose take, so that there are enough blocks.
  int shares(const Bundle& bundle, int quads, int views) const {
    const DdFanScan scan = tables_.scan(views);
    const auto warps = [](const device::SlicePlane& plane) {
      return static_cast<double>(plane.count) * blocks(plane.width, device::per_warp);
    };
    // Each kind of slices has a launch of its own.
    const double at_once =
        std::max(warps(scan.along_y), warps(scan.along_x)) * bundle.values / quads;
    const double wanted = static_cast<double>(warps_per_multiprocessor) * cuda_.multiprocessors();
    return std::clamp(static_cast<int>(std::lround(wanted / at_once)), 1,
                      std::clamp(views / fewest_views_of_share, 1, most_shares));
  }

  /// Prefix sums of an image, floats.
  std::size_t image_sums(const Bundle& bundle) const {
    const DdFanScan scan = tables_.scan(1);
    return bundle.floats() * (scan.along_y.size + (bundle.both_kinds ? scan.along_x.size : 0));
  }
  /// Prefix sums of views, floats.
  std::size_t view_sums(const Bundle& bundle, int views) const {
    return bundle.floats() * static_cast<std::size_t>(views) *
           static_cast<std::size_t>(tables_.scan(1).row_stride);
  }
  /// Partial images, floats.
  std::size_t parts(const Bundle& bundle, int shares) const {
    return bundle.floats() * pixels() * static_cast<std::size_t>(shares) *
           (bundle.both_kinds ? 2 : 1);
  }
  std::size_t floats_of(const Bundle& bundle, int views, int shares) const {
    return std::max(image_sums(bundle), view_sums(bundle, views) + parts(bundle, shares));
  }

  Bundle single() const { return {1, 1, true}; }
  Bundle symmetric_bundle() const { return {2, 4, false}; }
  Bundle wide_pass() const { return {1, device::wide_slices, true}; }
  /// Slices that go by 32. The last pass may have fewer, where quads would take longer; where there
  /// are few views, the lines have to be shared out among the warps, which quads do.
  int wide_slices(int views) const {
    constexpr int worth_a_pass = 28, enough_warps = 4;  // of a multiprocessor
    const std::int64_t warps = std::int64_t{views} * blocks(geometry().columns(), device::per_warp);
    if (warps < std::int64_t{enough_warps} * cuda_.multiprocessors() ||
        image_sums(wide_pass()) * sizeof(float) > workspace_aim_bytes)
      return 0;
    const int passes = (slices() + device::wide_slices - worth_a_pass) / device::wide_slices;
    return std::min(passes * device::wide_slices, slices());
  }
  /// Quads of one pass through so many slices.
  Bundle stack_pass(int slices) const {
    const int quads = static_cast<int>(blocks(slices, 4));
    const auto each = floats_of({1, 4, true}, views(), 1) * sizeof(float);
    const auto most = static_cast<int>(std::min<std::size_t>(workspace_aim_bytes / each, 32768));
    return {quads == 1 ? 1 : std::clamp(most / 2 * 2, 2, (quads + 1) / 2 * 2), 4, true};
  }
  std::size_t buffer_bytes() const {
    const Bundle plain = slices() == 1 ? single() : stack_pass(slices());
    std::size_t floats = floats_of(plain, views(), most_shares_of(plain));
    if (wide_slices(views()) > 0) floats = std::max(floats, image_sums(wide_pass()));
    if (symmetry_.holds())
      floats = std::max(floats, floats_of(symmetric_bundle(), symmetry_.stored_views(),
                                          most_shares_of(symmetric_bundle())));
    return floats * sizeof(float);
  }
  int most_shares_of(const Bundle& bundle) const {
    return shares(bundle, bundle.values > 1 ? 2 : 1, views());
  }

  /// Kept from call to call: what is recorded of a call works on it.
  float* buffer() const {
    if (buffer_.empty())
      buffer_ = DeviceBuffer<float4>(cuda_, buffer_bytes() / sizeof(float4) + 1,
                                     "the distance-driven projector");
    return reinterpret_cast<float*>(buffer_.data());
  }

  DdFanScan scan_of(const Bundle& bundle, int views) const {
    DdFanScan scan = tables_.scan(views);
    scan.along_x.first = static_cast<std::size_t>(bundle.values) * scan.along_y.size;
    return scan;
  }
  StackLayout stack_layout(ViewSubset subset, int first_slice) const {
    return {grid().nx,   grid().ny,    slices(),     geometry().columns(),
            first_slice, subset.first, subset.stride};
  }

  // ---- Forward

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    if (symmetric(subset))
      return forward<float4, 1, 4>(symmetric_bundle(), symmetry_.layout(), {true, false},
                                   symmetry_.stored_views(), x.data(), y.data());
    const KindsSeen kinds = tables_.kinds_seen(subset);
    if (slices() == 1)
      return forward<float, 1, 8>(single(), stack_layout(subset, 0), kinds, subset.count, x.data(),
                                  y.data());
    const int wide = wide_slices(subset.count);
    for (int first = 0; first < wide; first += device::wide_slices)
      forward_wide(stack_layout(subset, first), kinds, subset.count, x.data(), y.data());
    if (wide == slices()) return;
    const Bundle pass = stack_pass(slices() - wide);
    const auto run = pass.values == 1 ? &CudaDistanceDriven2d::forward<float4, 1, 8, StackLayout>
                                      : &CudaDistanceDriven2d::forward<float4, 2, 4, StackLayout>;
    for (int first = wide; first < slices(); first += 4 * pass.values)
      (this->*run)(pass, stack_layout(subset, first), kinds, subset.count, x.data(), y.data());
  }

  /// Groups of lines that blocks sum up, by the kinds there are.
  static dim3 line_blocks(const DdFanScan& scan, KindsSeen kinds, int lines, int values) {
    const int most =
        std::max(kinds.along_y ? scan.along_y.padded : 0, kinds.along_x ? scan.along_x.padded : 0);
    return {blocks(most, lines), static_cast<unsigned>(values),
            kinds.along_y && kinds.along_x ? 2U : 1U};
  }

  void forward_wide(const StackLayout& layout, KindsSeen kinds, int views, const float* image,
                    float* rays) const {
    const DdFanScan scan = scan_of(wide_pass(), views);
    device::dd_fan_sum_image_wide<<<line_blocks(scan, kinds, device::wide_sum_lines,
                                                device::wide_slices / device::wide_sum_slices),
                                    32 * device::wide_sum_warps, 0, cuda_.stream()>>>(
        scan, layout, kinds.along_y, image, buffer());
    check_launch("dd_fan_sum_image_wide");
    constexpr int warps = 8;
    device::dd_fan_forward_wide<warps>
        <<<blocks(scan.views, warps) * blocks(scan.columns, device::wide_edges - 1), 32 * warps, 0,
           cuda_.stream()>>>(scan, layout, reinterpret_cast<const float4*>(buffer()), rays);
    check_launch("dd_fan_forward_wide");
  }

  template <class Value, int Quads, int Warps, class Layout>
  void forward(const Bundle& bundle, const Layout& layout, KindsSeen kinds, int views,
               const float* image, float* rays) const {
    const DdFanScan scan = scan_of(bundle, views);
    auto* sums = reinterpret_cast<Value*>(buffer());
    const auto values = static_cast<unsigned>(bundle.values);
    device::dd_fan_sum_image<Value, Layout>
        <<<line_blocks(scan, kinds, prefix_warps, bundle.values), 32 * prefix_warps, 0,
           cuda_.stream()>>>(scan, layout, kinds.along_y, image, sums);
    check_launch("dd_fan_sum_image");
    const unsigned cell_groups = blocks(scan.columns, device::per_warp);
    const std::size_t warps = std::size_t{values} * cell_groups * static_cast<unsigned>(views);
    const auto fewer_than = [&](int per_multiprocessor) {
      return warps < static_cast<std::size_t>(per_multiprocessor * cuda_.multiprocessors());
    };
    if (fewer_than(4)) return forward_shared<Value, 1, 16>(scan, layout, views, values, sums, rays);
    if (fewer_than(device::width_of<Value> == 1 ? 32 : 16))
      return forward_shared<Value, 1, 4>(scan, layout, views, values, sums, rays);
    // Two warps share a view where a lane has one value: the more are at work.
    if constexpr (device::width_of<Value> == 1)
      return forward_shared<Value, Warps, 2>(scan, layout, views, values, sums, rays);
    else
      forward_whole<Value, Quads, Warps>(scan, layout, views, values, sums, rays);
  }

  template <class Value, int Quads, int Warps, class Layout>
  void forward_whole(const DdFanScan& scan, const Layout& layout, int views, unsigned values,
                     const Value* sums, float* rays) const {
    const unsigned cell_groups = blocks(scan.columns, device::per_warp);
    const dim3 view_blocks(blocks(views, Warps) * cell_groups, values / Quads);
    device::dd_fan_forward<Value, Quads, Warps, Layout>
        <<<view_blocks, 32 * Warps, 0, cuda_.stream()>>>(scan, layout, sums, rays);
    check_launch("dd_fan_forward");
  }

  template <class Value, int Views, int Shares, class Layout>
  void forward_shared(const DdFanScan& scan, const Layout& layout, int views, unsigned values,
                      const Value* sums, float* rays) const {
    const dim3 view_blocks(blocks(views, Views) * blocks(scan.columns, device::per_warp), values);
    device::dd_fan_forward_shared<Value, Views, Shares, Layout>
        <<<view_blocks, 32 * Views * Shares, 0, cuda_.stream()>>>(scan, layout, sums, rays);
    check_launch("dd_fan_forward_shared");
  }

  // ---- Transpose

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    transpose(device::PlainRays{y.data()}, device::StoreSum{x.data()}, subset);
  }

  /// The residual is made where the transpose reads it.
  double do_residual_adjoint(const Array& x, const Array& b, const Array* row_weight, Array& r,
                             Array& out, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    do_forward(x, r, subset);
    give_way();
    transpose(residual_rays(b, row_weight, r), device::StoreSum{out.data()}, subset);
    add_up(residual_partials(subset), norms_on_device() + residual_square);
    return norm(residual_square);
  }

  UpdateNorms do_weighted_update(Array& x, const Array& b, const Array& row_weight,
                                 const WeightedUpdate& update, UpdateScratch& scratch,
                                 ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    give_way();
    queue_update(x, b, row_weight, update, scratch, subset, norms_on_device());
    return update_norms();
  }

  /// Updates by a few views are shorter than the wait for their norms.
  int updates_at_once() const override {
    return std::clamp(static_cast<int>(swept_voxels / static_cast<double>(domain_size())), 1,
                      views());
  }

  UpdateNorms do_weighted_sweep(Array& x, const Array& b, const Array& row_weight,
                                const WeightedUpdate& update, UpdateScratch& scratch,
                                std::span<const ViewSubset> subsets) const override {
    const DeviceScope scope(cuda_.device());
    double swept_views = 0;
    for (const ViewSubset& subset : subsets) swept_views += subset.count;
    if (subsets.size() == 1 || swept_views * static_cast<double>(domain_size()) > swept_voxels)
      return LinearOperator::do_weighted_sweep(x, b, row_weight, update, scratch, subsets);
    give_way();
    const std::size_t count = norms * subsets.size();
    if (count > swept_norms_.size()) {
      recorded_sweeps_.clear();
      step_norms_ = DeviceBuffer<double>(cuda_, count, "norms on the GPU");
      swept_norms_ = PinnedBuffer<double>(count);
    }
    const SweepCall call{x.data(),
                         b.data(),
                         row_weight.data(),
                         scratch.column_weight.data(),
                         scratch.rays.data(),
                         update.relaxation,
                         update.low,
                         update.smallest_column_sum,
                         {subsets.begin(), subsets.end()}};
    recorded_sweeps_.run(cuda_.stream(), call, [&] {
      for (std::size_t i = 0; i < subsets.size(); ++i)
        queue_update(x, b, row_weight, update, scratch, subsets[i], step_norms_.data() + norms * i);
      gantry::check(cudaMemcpyAsync(swept_norms_.data(), step_norms_.data(), count * sizeof(double),
                                    cudaMemcpyDeviceToHost, cuda_.stream()),
                    "a sweep on the GPU");
    });
    cuda_.synchronize();
    UpdateNorms sum;
    for (std::size_t i = 0; i < count; i += norms) {
      sum.residual_square += swept_norms_.data()[i + residual_square];
      sum.update_square += swept_norms_.data()[i + update_square];
    }
    return sum;
  }

  /// Where a sweep finds its operands, and its views in their order.
  struct SweepCall {
    const float *x, *b, *row_weight, *column_weight, *r;
    float relaxation, low, smallest_column_sum;
    std::vector<ViewSubset> subsets;
    bool operator==(const SweepCall&) const = default;
  };

  /// Its column sums, then its step.
  void queue_update(Array& x, const Array& b, const Array& row_weight, const WeightedUpdate& update,
                    UpdateScratch& scratch, ViewSubset subset, double* norms_there) const {
    transpose(device::OnesRays{},
              device::StoreReciprocal{scratch.column_weight.data(), update.smallest_column_sum},
              subset);
    queue_step(x, b, {&row_weight, scratch.column_weight, update.relaxation, update.low},
               scratch.rays, subset, norms_there);
  }

  /// Iterations are alike, and recorded.
  UpdateNorms do_gradient_update(Array& x, const Array& b, const GradientStep& step, Array& r,
                                 Array&) const override {
    const DeviceScope scope(cuda_.device());
    give_way();
    const StepCall call{x.data(),
                        b.data(),
                        step.row_weight != nullptr ? step.row_weight->data() : nullptr,
                        step.column_weight.data(),
                        r.data(),
                        step.relaxation,
                        step.low};
    recorded_steps_.run(cuda_.stream(), call,
                        [&] { queue_step(x, b, step, r, all(), norms_on_device()); });
    return update_norms();
  }

  /// Where a step of all views finds its operands.
  struct StepCall {
    const float *x, *b, *row_weight, *column_weight, *r;
    float relaxation, low;
    bool operator==(const StepCall&) const = default;
  };

  /// The image is updated where the sums of the transpose come together, and by nothing before.
  void queue_step(Array& x, const Array& b, const GradientStep& step, Array& r, ViewSubset subset,
                  double* norms_there) const {
    do_forward(x, r, subset);
    transpose(residual_rays(b, step.row_weight, r),
              device::UpdateImage{x.data(), step.column_weight.data(), step.relaxation, step.low,
                                  partials() + residual_room()},
              subset);
    add_up(residual_partials(subset), norms_there + residual_square);
    add_up(update_partials(), norms_there + update_square, residual_room());
  }

  // ---- Norms: partial sums of warps, added up in one order

  enum Norm { residual_square, update_square, norms };
  static constexpr int sum_threads = 256;

  device::ResidualRays residual_rays(const Array& b, const Array* row_weight, Array& r) const {
    return {b.data(), row_weight != nullptr ? row_weight->data() : nullptr, r.data(), partials()};
  }
  std::size_t residual_partials(ViewSubset subset) const {
    if (symmetric(subset)) return 2 * static_cast<std::size_t>(symmetry_.stored_views());
    const int values = slices() == 1 ? 1 : stack_pass(slices()).values,
              passes = static_cast<int>(blocks(slices(), values * (slices() == 1 ? 1 : 4)));
    return static_cast<std::size_t>(values) * static_cast<std::size_t>(passes) *
           static_cast<std::size_t>(subset.count);
  }
  /// What any subset needs.
  std::size_t residual_room() const {
    return static_cast<std::size_t>(views()) * static_cast<std::size_t>(4 + slices());
  }
  std::size_t update_partials() const {
    return static_cast<std::size_t>(blocks(grid().nx, device::fold_tile)) *
           blocks(grid().ny, device::fold_tile) * static_cast<std::size_t>(slices()) *
           device::fold_rows;
  }
  /// Those of the residual, then those of the update.
  double* partials() const {
    if (partials_.empty()) {
      partials_ =
          DeviceBuffer<double>(cuda_, residual_room() + update_partials(), "norms on the GPU");
      norms_ = PinnedBuffer<double>(norms);
    }
    return partials_.data();
  }
  /// Page-locked memory as the device sees it.
  double* norms_on_device() const {
    partials();
    return norms_.device_data();
  }
  void add_up(std::size_t count, double* result, std::size_t first = 0) const {
    kernels::add_partials<sum_threads><<<1, sum_threads, 0, cuda_.stream()>>>(
        partials() + first, static_cast<int>(count), result);
    check_launch("add_partials");
  }
  double norm(Norm which) const {
    cuda_.synchronize();
    return *(norms_.data() + which);
  }
  UpdateNorms update_norms() const {
    const double residual = norm(residual_square);
    return {residual, *(norms_.data() + update_square)};
  }

  /// From rays (what `rays` makes of them) to an image (what `sink` makes of its sums).
  template <class Rays, class Sink>
  void transpose(const Rays& rays, const Sink& sink, ViewSubset subset) const {
    if (symmetric(subset)) {
      const int share = shares(symmetric_bundle(), 2, symmetry_.stored_views());
      const DdFanTables::Kinds kinds = tables_.kinds(symmetry_.stored());
      transpose<float4, 2>(symmetric_bundle(), symmetry_.layout(), kinds, share, rays);
      return fold<4>(symmetry_.fold(share), symmetric_bundle(), symmetry_.stored_views(), 0, 1,
                     sink);
    }
    const DdFanTables::Kinds kinds = tables_.kinds(subset);
    if (slices() == 1) {
      const int share = shares(single(), 1, subset.count);
      transpose<float, 1>(single(), stack_layout(subset, 0), kinds, share, rays);
      return fold<1>(stack_fold(single(), kinds, share), single(), subset.count, 0, 1, sink);
    }
    const Bundle pass = stack_pass(slices());
    const int quads = pass.values == 1 ? 1 : 2, share = shares(pass, quads, subset.count),
              at_once = 4 * pass.values;
    for (int first = 0; first < slices(); first += at_once) {
      const StackLayout layout = stack_layout(subset, first);
      if (quads == 1)
        transpose<float4, 1>(pass, layout, kinds, share, rays);
      else
        transpose<float4, 2>(pass, layout, kinds, share, rays);
      fold<1>(stack_fold(pass, kinds, share), pass, subset.count, first,
              std::min(at_once, slices() - first), sink);
    }
  }

  template <class Value, int Quads, class Layout, class Rays>
  void transpose(const Bundle& bundle, const Layout& layout, const DdFanTables::Kinds& kinds,
                 int shares, const Rays& rays) const {
    const DdFanScan scan = scan_of(bundle, kinds.count());
    auto* sums = reinterpret_cast<Value*>(buffer());
    const dim3 view_blocks(blocks(scan.views, prefix_warps), static_cast<unsigned>(bundle.values));
    device::dd_fan_sum_views<Value, Layout, Rays>
        <<<view_blocks, 32 * prefix_warps, 0, cuda_.stream()>>>(scan, layout, rays, sums);
    check_launch("dd_fan_sum_views");
    walk_kinds<Value, Quads>(bundle, scan, kinds, shares);
  }

  template <class Value, int Quads>
  void walk_kinds(const Bundle& bundle, const DdFanScan& scan, const DdFanTables::Kinds& kinds,
                  int shares) const {
    switch (tables_.kind()) {
      case FanKind::flat:
        return walk_kinds<Value, Quads, FanKind::flat>(bundle, scan, kinds, shares);
      case FanKind::arc:
        return walk_kinds<Value, Quads, FanKind::arc>(bundle, scan, kinds, shares);
      case FanKind::parallel:
        return walk_kinds<Value, Quads, FanKind::parallel>(bundle, scan, kinds, shares);
    }
  }

  template <class Value, int Quads, FanKind kind>
  void walk_kinds(const Bundle& bundle, const DdFanScan& scan, const DdFanTables::Kinds& kinds,
                  int shares) const {
    float* parts = buffer() + view_sums(bundle, scan.views);
    walk_views<Value, Quads, kind>(bundle, scan, kinds.along_y, {parts, 1, shares, 0});
    parts += bundle.floats() * pixels() * static_cast<std::size_t>(shares);
    if (bundle.both_kinds)
      walk_views<Value, Quads, kind>(bundle, scan, kinds.along_x, {parts, 0, shares, 0});
  }

  template <class Value, int Quads, FanKind kind>
  void walk_views(const Bundle& bundle, const DdFanScan& scan,
                  std::span<const device::FanViewAt> views, device::Parts parts) const {
    while (!views.empty()) {
      const auto some = views.first(std::min<std::size_t>(views.size(), device::FanViews::most));
      device::FanViews taken{.count = static_cast<int>(some.size()), .view = {}};
      std::ranges::copy(some, taken.view);
      launch_transpose<Value, Quads, kind>(bundle, scan, taken, parts);
      parts.add = 1;
      views = views.subspan(some.size());
    }
  }

  /// Grid: groups of slices and of pixels, values, shares.
  template <class Value, int Quads, FanKind kind>
  void launch_transpose(const Bundle& bundle, const DdFanScan& scan, const device::FanViews& views,
                        const device::Parts& parts) const {
    const device::SlicePlane plane = scan.plane(parts.along_y != 0);
    const auto* sums = reinterpret_cast<const Value*>(buffer());
    constexpr bool single = device::width_of<Value> == 1;
    constexpr int warps = single ? 4 : 8, rows = single ? 4 : 1;
    const dim3 grid(blocks(plane.count, warps * rows) * blocks(plane.width, device::per_warp),
                    static_cast<unsigned>(bundle.values / Quads),
                    static_cast<unsigned>(parts.shares));
    if constexpr (single)
      device::dd_fan_adjoint_rows<kind, warps, rows>
          <<<grid, 32 * warps, 0, cuda_.stream()>>>(scan, views, sums, parts);
    else
      device::dd_fan_adjoint<Value, Quads, kind, warps>
          <<<grid, 32 * warps, 0, cuda_.stream()>>>(scan, views, sums, parts);
    check_launch("dd_fan_adjoint");
  }

  /// Of kinds that have views; the others have no sums.
  device::Fold stack_fold(const Bundle& bundle, const DdFanTables::Kinds& kinds, int shares) const {
    const auto plane = static_cast<std::ptrdiff_t>(pixels()),
               share = plane * static_cast<std::ptrdiff_t>(bundle.floats());
    device::Fold fold{};
    fold.direct[0] = {0, 1, grid().nx};
    fold.turned[0] = {share * shares, grid().ny, 1};
    fold.has_direct = kinds.along_y.empty() ? 0 : 1;
    fold.has_turned = kinds.along_x.empty() ? 0 : 1;
    fold.shares = shares;
    fold.share_stride = share;
    fold.slice_stride = plane;
    fold.nx = grid().nx;
    fold.ny = grid().ny;
    return fold;
  }

  /// Slices first_slice .. first_slice + count - 1 of what the transpose left.
  template <int Terms, class Sink>
  void fold(const device::Fold& terms, const Bundle& bundle, int views, int first_slice, int count,
            const Sink& sink) const {
    const dim3 tiles(blocks(terms.nx, device::fold_tile), blocks(terms.ny, device::fold_tile),
                     static_cast<unsigned>(count));
    device::dd_fan_fold<Terms, Sink>
        <<<tiles, dim3(device::fold_tile, device::fold_rows), 0, cuda_.stream()>>>(
            terms, buffer() + view_sums(bundle, views), first_slice, sink);
    check_launch("dd_fan_fold");
  }

  const CudaBackend& cuda_;
  std::unique_ptr<RowSource> rows_;
  DdFanTables tables_;
  DdFanSymmetry symmetry_;
  // Made when first needed.
  mutable DeviceBuffer<float4> buffer_;
  mutable DeviceBuffer<double> partials_;
  mutable PinnedBuffer<double> norms_;
  mutable DeviceBuffer<double> step_norms_;   // of a sweep's updates
  mutable PinnedBuffer<double> swept_norms_;  // the same
  mutable RecordedCalls<StepCall> recorded_steps_{1};
  mutable RecordedCalls<SweepCall> recorded_sweeps_{4};  // in parts: some of it, and the rest
};

void require_countable_lines(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const int longest = std::max({geometry.columns(), grid.nx, grid.ny});
  if (longest > longest_line)
    throw UsageError("lines of " + std::to_string(longest) +
                         " pixels or detector cells are too long for the GPU",
                     "projector", "use at most " + std::to_string(longest_line));
}

}  // namespace

std::unique_ptr<Projector> make_cuda_dd_2d(Backend& backend,
                                           std::shared_ptr<const ScanGeometry> geometry,
                                           const VolumeGrid& grid) {
  require_countable_lines(*geometry, grid);
  return std::make_unique<CudaDistanceDriven2d>(backend, std::move(geometry), grid);
}

}  // namespace gantry
