#pragma once

#include "core/operator/projector.hpp"
#include "tests/job/job_fixture.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

namespace gantry::test {

/// Holds up the products of an operator: a long step, as long as the test wants it, which gives way
/// as real ones do between blocks of work.
class Gate {
 public:
  void open() { allowed_ = 1 << 30; }
  void close() { allowed_ = 0; }
  /// Lets this many further products through.
  void allow(int products) { allowed_ += products; }
  /// The next product that comes fails.
  void break_down() { broken_ = true; }

  /// A product stands at the gate.
  bool waiting() const { return waiting_; }
  /// Products that came to the gate, those that gave way before it included.
  int arrivals() const { return arrivals_; }

  void pass(const LinearOperator& passing) {
    const Presence presence(*this);
    if (broken_) throw std::runtime_error("the cable is out");
    while (allowed_ <= 0) {
      passing.check_interrupt();
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    --allowed_;
  }

 private:
  struct Presence {
    explicit Presence(Gate& gate) : gate_(gate) {
      ++gate_.arrivals_;
      gate_.waiting_ = true;
    }
    ~Presence() { gate_.waiting_ = false; }
    Presence(const Presence&) = delete;
    Presence& operator=(const Presence&) = delete;
    Gate& gate_;
  };

  std::atomic<int> allowed_{1 << 30}, arrivals_{0};
  std::atomic<bool> waiting_{false}, broken_{false};
};

/// Siddon behind a gate.
class GatedProjector final : public Projector {
 public:
  GatedProjector(Gate& gate, const Catalog& catalog, Backend& backend,
                 std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid)
      : Projector(backend, geometry, grid),
        gate_(gate),
        inner_(catalog.projectors.make("siddon", "cpu", backend, std::move(geometry), grid, {})) {}

 private:
  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    gate_.pass(*this);
    inner_->forward(x, y, subset);
  }
  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    gate_.pass(*this);
    inner_->adjoint(y, x, subset);
  }

  Gate& gate_;
  std::unique_ptr<Projector> inner_;
};

/// Adds the projector "gated", whose products wait at `gate`.
inline void add_gated(Workshop& workshop, Gate& gate, const std::string& key = "gated") {
  workshop.catalog.projectors.add(
      {.key = key, .label = "Gated"}, "cpu",
      [&gate, &workshop](Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                         const VolumeGrid& grid, const Params&) -> std::unique_ptr<Projector> {
        return std::make_unique<GatedProjector>(gate, workshop.catalog, backend,
                                                std::move(geometry), grid);
      });
}

}  // namespace gantry::test
