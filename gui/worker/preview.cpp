#include "gui/worker/preview.hpp"

#include "core/base/error.hpp"
#include "core/job/coarse_start.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gantry {

namespace {

constexpr int most_in_plane = 320, most_in_space = 128;  // voxels along an axis

/// Data larger than this would take seconds to bin and filter.
constexpr std::size_t most_rays = std::size_t{256} << 20;

}  // namespace

Preview::Image reconstruct_quickly(std::shared_ptr<const ExperimentData> data,
                                   const Catalog& catalog, const BackendList& backends,
                                   const Interrupt& interrupt) {
  if (data->line_integrals.size() > most_rays)
    throw UsageError("the scan is too large for a preview", {}, "start a run");
  const int most = data->grid.nz > 1 ? most_in_space : most_in_plane;
  while (std::max(data->grid.nx, data->grid.ny) > most && CoarseStart::is_possible(data->grid)) {
    interrupt.check();
    data = coarse_data(*data);
  }
  for (const auto& method : catalog.solvers.entries()) {
    if (!method.traits.is_direct) continue;
    RunSpec run;
    run.solver = method.key;
    run.backend = host_key;
    run.iterations = 1;
    try {
      ReconstructionJob job(run, data, MetricsSpec{}, catalog, backends, &interrupt);
      while (!job.finished()) job.advance();
      return {data->grid, job.solution(), method.label};
    } catch (const UsageError&) {
      continue;  // the method does not suit the scan
    }
  }
  throw UsageError("no direct method suits the scan", {}, "start an iterative run");
}

Preview::Preview(const Catalog& catalog, const BackendList& backends, RunController& controller,
                 QObject* parent)
    : QObject(parent), catalog_(catalog), backends_(backends), controller_(controller) {
  connect(&controller_, &RunController::dataChanged, this, &Preview::begin);
  // A run that computes needs the processors.
  connect(&controller_, &RunController::stateChanged, this, [this] {
    if (controller_.anyActive()) job_.cancel();
  });
}

void Preview::begin() {
  image_.reset();
  slices_.clear();
  problem_.clear();
  job_.cancel();
  if (controller_.anyActive()) return;
  job_.start<Image>(
      [this, now = controller_.data()](const Interrupt& interrupt) {
        return reconstruct_quickly(now, catalog_, backends_, interrupt);
      },
      [this](Image image) {
        image_ = std::make_shared<const Image>(std::move(image));
        emit changed();
      },
      [this](const QString& message) {  // the views stay empty, as they were
        problem_ = message;
        emit changed();
      });
}

std::shared_ptr<const SliceImage> Preview::slice(Axis axis, int index) const {
  if (image_ == nullptr || controller_.data() == nullptr) return nullptr;
  const double at = slice_position_mm(controller_.data()->grid, axis, index),
               first = slice_position_mm(image_->grid, axis, 0),
               step = slice_position_mm(image_->grid, axis, 1) - first;
  const int nearest = std::clamp(static_cast<int>(std::lround((at - first) / step)), 0,
                                 slice_count(image_->grid, axis) - 1);
  const auto known = std::ranges::find_if(
      slices_, [&](const auto& slice) { return slice->axis == axis && slice->index == nearest; });
  if (known != slices_.end()) return *known;
  slices_.push_back(
      std::make_shared<const SliceImage>(extract_slice(image_->grid, image_->mu, axis, nearest)));
  return slices_.back();
}

QString Preview::text() const {
  if (image_ == nullptr) return {};
  return tr("Preview: %1, %2 x %3")
      .arg(QString::fromStdString(image_->method))
      .arg(image_->grid.nx)
      .arg(image_->grid.ny);
}

}  // namespace gantry
