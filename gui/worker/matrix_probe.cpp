#include "gui/worker/matrix_probe.hpp"

#include "core/backend/backend_list.hpp"
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/matrix/tiles/bsr.hpp"
#include "core/operator/row_norms.hpp"
#include "core/operator/slice_stack.hpp"

#include <algorithm>
#include <mutex>
#include <set>

namespace gantry {

namespace {

constexpr std::size_t mostSampledRays = 8192;
constexpr int mostBins = 60, mostProfiles = 6;
// Largest number of groups of rays in which nonzero blocks are counted.
constexpr std::size_t mostCountedGroups = 1000;

MatrixOverview overviewOf(const Catalog& catalog, const MatrixSource& source,
                          const Projector& weights, const Interrupt& interrupt) {
  MatrixOverview overview;
  overview.estimate = estimate_nonzeros(weights);
  interrupt.check();
  overview.sizes = format_sizes(catalog, source.backend_key, weights, overview.estimate,
                                source.format, source.format_params);
  overview.lengths = row_lengths(weights, mostSampledRays, mostBins, &interrupt);
  const ScanSymmetry symmetry(weights.geometry(), weights.grid());
  const std::vector<int>& stored = symmetry.stored_views();
  std::set<int> views;
  for (std::size_t i = 0; i < mostProfiles; ++i)
    views.insert(stored[i * (stored.size() - 1) / (mostProfiles - 1)]);
  for (const int view : views)
    overview.profiles.emplace_back(
        view, view_sparsity(weights, view, weights.geometry().rows() / 2, 0, 1, 1, &interrupt)
                  .row_nonzeros);
  return overview;
}

BlocksInOrder blocksOf(const Projector& slice, BlockOrderKind order, const BlockQuestion& asked) {
  const BlockOrder rays = ray_order(slice.geometry(), order);
  const std::size_t groups = rays.at.size() / group_rays;
  return {block_occupancy(slice, order, asked.block_rays, asked.dots.width(), asked.dots.height()),
          count_blocks(slice, rays, pixel_order(slice.grid(), order),
                       static_cast<int>(std::max<std::size_t>(1, groups / mostCountedGroups)))};
}

}  // namespace

/// The projector, which is made by the first thread that needs it.
class MatrixProbe::Weights {
 public:
  Weights(const Catalog& catalog, MatrixSource source)
      : catalog_(catalog), source_(std::move(source)) {}

  const Projector& get() {
    const std::lock_guard lock(mutex_);
    if (projector_ == nullptr) {
      if (!catalog_.projectors.has(source_.projector, host_key))
        throw UsageError("the projector " + source_.projector +
                             " does not run on the CPU, where single weights are computed",
                         "matrix", "choose one that runs on the CPU as well");
      projector_ = catalog_.projectors.make(source_.projector, host_key, backend_, source_.geometry,
                                            source_.grid, source_.projector_params);
      require_row_source(*projector_);
    }
    return *projector_;
  }
  const MatrixSource& source() const { return source_; }

 private:
  const Catalog& catalog_;
  const MatrixSource source_;
  std::mutex mutex_;
  CpuBackend backend_;
  std::unique_ptr<Projector> projector_;
};

MatrixProbe::MatrixProbe(const Catalog& catalog, QObject* parent)
    : QObject(parent), catalog_(catalog) {}

MatrixProbe::~MatrixProbe() = default;

bool MatrixProbe::setSource(const std::optional<MatrixSource>& source) {
  if (source == source_) return false;
  for (LatestJob* job : {&overviewJob_, &viewJob_, &rayJob_, &voxelJob_, &blocksJob_})
    job->cancel();
  source_ = source;
  weights_ = source ? std::make_shared<Weights>(catalog_, *source) : nullptr;
  overview_.reset();
  view_.reset();
  rays_.clear();
  column_.reset();
  blocks_.reset();
  return true;
}

bool MatrixProbe::isBusy() const {
  return overviewJob_.isBusy() || viewJob_.isBusy() || rayJob_.isBusy() || voxelJob_.isBusy() ||
         blocksJob_.isBusy();
}

template <class Result>
void MatrixProbe::ask(LatestJob& job,
                      std::function<Result(const Projector&, const Interrupt&)> work,
                      std::function<void(Result)> take, void (MatrixProbe::*fail)(const QString&)) {
  if (weights_ == nullptr) return;
  job.start<Result>(
      [weights = weights_, work = std::move(work)](const Interrupt& interrupt) {
        return work(weights->get(), interrupt);
      },
      std::move(take), [this, fail](const QString& message) { emit(this->*fail)(message); });
}

void MatrixProbe::askOverview() {
  ask<MatrixOverview>(
      overviewJob_,
      [weights = weights_, &catalog = catalog_](const Projector& A, const Interrupt& interrupt) {
        return overviewOf(catalog, weights->source(), A, interrupt);
      },
      [this](MatrixOverview overview) {
        overview_ = std::move(overview);
        emit overviewReady();
      });
}

void MatrixProbe::askView(int view, int detector_row, int slice, QSize dots) {
  ask<ViewSparsity>(
      viewJob_,
      [=](const Projector& A, const Interrupt& interrupt) {
        return view_sparsity(A, view, detector_row, slice, dots.width(), dots.height(), &interrupt);
      },
      [this](ViewSparsity sparsity) {
        view_ = std::move(sparsity);
        emit viewReady();
      });
}

void MatrixProbe::askRay(RayIndex ray) {
  ask<std::vector<RayCopy>>(
      rayJob_,
      [ray](const Projector& A, const Interrupt&) {
        return symmetric_copies(ScanSymmetry(A.geometry(), A.grid()), A.grid(), ray,
                                row_of(A, ray));
      },
      [this](std::vector<RayCopy> rays) {
        rays_ = std::move(rays);
        emit rayReady();
      });
}

void MatrixProbe::askVoxel(VoxelIndex voxel) {
  ask<std::vector<RayWeight>>(
      voxelJob_,
      [voxel](const Projector& A, const Interrupt& interrupt) {
        return voxel_column(A, voxel, &interrupt);
      },
      [this](std::vector<RayWeight> column) {
        column_ = std::move(column);
        emit voxelReady();
      });
}

void MatrixProbe::askBlocks(BlockQuestion question) {
  ask<MatrixBlocks>(
      blocksJob_,
      [question](const Projector& A, const Interrupt& interrupt) -> MatrixBlocks {
        require_shared_weights(A, "A matrix of blocks");
        const auto slice = slice_of_stack(A);
        slice->set_interrupt(&interrupt);
        return {question, blocksOf(*slice, BlockOrderKind::natural, question),
                blocksOf(*slice, question.order, question)};
      },
      [this](MatrixBlocks blocks) {
        blocks_ = std::move(blocks);
        emit blocksReady();
      },
      &MatrixProbe::blocksFailed);
}

}  // namespace gantry
