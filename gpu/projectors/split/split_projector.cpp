// A projector that divides the views among GPUs. Liu et al. 2017 divide the views by cores times
// clock rate and leave devices of different kinds open; here each device projects a few views
// first, and the measured views per second decide.
#include "gpu/projectors/split/split_projector.hpp"

#include "gpu/base/peer_copy.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <numeric>

namespace gantry {

namespace {

constexpr int probe_views = 8;

/// Returns the views per second of the projector's pair, measured on a few views spread over the
/// scan after a first run to warm up.
double probe_speed(const Projector& projector) {
  Backend& backend = projector.backend();
  const int count = std::min(probe_views, projector.views());
  const ViewSubset some{0, std::max(1, projector.views() / count), count};
  Array x = Array::filled(backend, projector.domain_size(), 0),
        y = Array::filled(backend, projector.range_size(), 0);
  const auto both = [&] {
    projector.forward(x, y, some);
    projector.adjoint(y, x, some);
    backend.synchronize();
  };
  both();
  const auto start = std::chrono::steady_clock::now();
  both();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return count / std::max(elapsed.count(), 1e-9);
}

/// The part of the views that is projected on a GPU other than the first, with arrays on that GPU.
struct Part {
  const CudaBackend* cuda;
  std::unique_ptr<Projector> projector;
  Array image, rays;
};

class SplitProjector final : public Projector {
 public:
  SplitProjector(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                 const VolumeGrid& grid, std::shared_ptr<const CudaGroup> group, std::int64_t gpus,
                 const MakeOnDevice& make)
      : Projector(backend, std::move(geometry), grid),
        cuda_(cuda_backend(backend)),
        group_(std::move(group)),
        own_(make(backend)) {
    for (const auto& other : group_->others()) {
      if (static_cast<std::int64_t>(parts_.size()) + 1 >= gpus) break;
      connect_devices(cuda_, *other);
      parts_.push_back(
          {other.get(), make(*other), Array(*other, domain_size()), Array(*other, range_size())});
      parts_.back().projector->set_interrupt(&stop_);
    }
    speeds_.push_back(probe_speed(*own_));
    for (const Part& part : parts_) speeds_.push_back(probe_speed(*part.projector));
  }

  bool matched() const override { return own_->matched(); }
  double rounding() const override { return own_->rounding(); }
  bool repeatable() const override { return own_->repeatable(); }
  const RowSource* row_source() const override { return own_->row_source(); }
  std::size_t workspace_bytes() const override {
    return own_->workspace_bytes() + domain_size() * sizeof(float);  // the last term: a partial
                                                                     // image
  }
  /// Returns the memory of the other GPUs; their vectors (Part) are allocated already.
  std::vector<MemoryNeed> helpers() const override {
    std::vector<MemoryNeed> needs;
    for (const Part& part : parts_)
      needs.push_back({part.cuda->name() + " (GPU " + std::to_string(part.cuda->device()) + ")",
                       part.projector->workspace_bytes(), part.cuda->free_bytes()});
    return needs;
  }

 private:
  /// Returns part n of a subset, which is itself a subset.
  static ViewSubset part_of(ViewSubset subset, const std::vector<int>& counts, std::size_t n) {
    const int before = std::accumulate(counts.begin(), counts.begin() + static_cast<long>(n), 0);
    return {subset.view(before), subset.stride, counts[n]};
  }

  void copy_views(const CudaBackend& from, const Array& source, const CudaBackend& to,
                  Array& target, ViewSubset subset) const {
    const int whole = subset.stride == 1 ? subset.count : 1;  // contiguous views per copy
    for (int i = 0; i < subset.count; i += std::max(1, whole)) {
      const std::size_t first = static_cast<std::size_t>(subset.view(i)) * cells_per_view();
      copy_between(from, source.data() + first, to, target.data() + first,
                   static_cast<std::size_t>(whole) * cells_per_view() * sizeof(float));
    }
  }

  /// Computes all parts at the same time. Each GPU is driven by a thread of its own, since some
  /// products wait for their device. Only the calling thread may check the interrupt, which may run
  /// tasks of the user (Interrupt::check); it stops the other threads by stop_.
  template <class OfPart, class Own>
  void together(const std::vector<int>& counts, const OfPart& of_part, const Own& own) const {
    std::vector<std::future<void>> running;
    try {
      for (std::size_t n = 0; n < parts_.size(); ++n)
        if (counts[n + 1] > 0)
          running.push_back(std::async(std::launch::async, [&, n] { of_part(parts_[n], n + 1); }));
      own_->set_interrupt(interrupt());
      own();
      for (std::future<void>& part : running) finish(part);
    } catch (...) {
      stop_.raise();
      for (const std::future<void>& part : running)
        if (part.valid()) part.wait();
      stop_.lower();
      throw;
    }
  }

  /// Waits for a part and rethrows its exception; throws Interrupted if the interrupt is raised
  /// before the part ends.
  void finish(std::future<void>& part) const {
    while (part.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready)
      check_interrupt();
    part.get();
  }

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const std::vector<int> counts = divide_views(subset.count, speeds_);
    for (std::size_t n = 0; n < parts_.size(); ++n) {
      if (counts[n + 1] == 0) continue;
      copy_between(cuda_, x.data(), *parts_[n].cuda, parts_[n].image.data(),
                   domain_size() * sizeof(float));
    }
    together(
        counts,
        [&](Part& part, std::size_t n) {
          part.projector->forward(part.image, part.rays, part_of(subset, counts, n));
        },
        [&] { own_->forward(x, y, part_of(subset, counts, 0)); });
    for (std::size_t n = 0; n < parts_.size(); ++n)
      copy_views(*parts_[n].cuda, parts_[n].rays, cuda_, y, part_of(subset, counts, n + 1));
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    const std::vector<int> counts = divide_views(subset.count, speeds_);
    for (std::size_t n = 0; n < parts_.size(); ++n) {
      if (counts[n + 1] == 0) continue;
      copy_views(cuda_, y, *parts_[n].cuda, parts_[n].rays, part_of(subset, counts, n + 1));
    }
    together(
        counts,
        [&](Part& part, std::size_t n) {
          part.projector->adjoint(part.rays, part.image, part_of(subset, counts, n));
        },
        [&] { own_->adjoint(y, x, part_of(subset, counts, 0)); });
    Array partial(backend(), domain_size());
    for (std::size_t n = 0; n < parts_.size(); ++n) {
      if (counts[n + 1] == 0) continue;
      copy_between(*parts_[n].cuda, parts_[n].image.data(), cuda_, partial.data(),
                   domain_size() * sizeof(float));
      backend().axpby(1, partial, 1, x);
    }
  }

  const CudaBackend& cuda_;
  std::shared_ptr<const CudaGroup> group_;
  std::unique_ptr<Projector> own_;
  mutable Interrupt stop_;           // of the parts
  mutable std::vector<Part> parts_;  // the arrays are scratch memory
  std::vector<double> speeds_;       // views per second of the first GPU, then of the parts
};

}  // namespace

CudaGroup::CudaGroup(const std::vector<int>& devices) {
  for (const int device : devices) others_.push_back(std::make_unique<CudaBackend>(device));
}

std::vector<int> divide_views(int count, const std::vector<double>& speeds) {
  const double all = std::accumulate(speeds.begin(), speeds.end(), 0.0);
  std::vector<int> parts;
  double until = 0;
  int before = 0;
  for (const double speed : speeds) {
    until += speed;
    const int next = static_cast<int>(std::lround(count * std::min(1.0, until / all)));
    parts.push_back(next - before);
    before = next;
  }
  return parts;
}

std::unique_ptr<Projector> make_split_projector(Backend& backend,
                                                std::shared_ptr<const ScanGeometry> geometry,
                                                const VolumeGrid& grid,
                                                std::shared_ptr<const CudaGroup> group,
                                                std::int64_t gpus, const MakeOnDevice& make) {
  return std::make_unique<SplitProjector>(backend, std::move(geometry), grid, std::move(group),
                                          gpus, make);
}

}  // namespace gantry
