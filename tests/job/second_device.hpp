#pragma once

#include "core/backend/backend_list.hpp"
#include "core/catalog/catalog.hpp"
#include "tests/support/measured_backend.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace gantry::test {

/// Adds "board": host memory that passes for a GPU, with Siddon's projector.
inline MeasuredBackend& add_device(Catalog& catalog, BackendList& backends) {
  auto device = std::make_unique<MeasuredBackend>(BackendKind::cuda);
  device->limit_bytes = std::size_t{1} << 30;
  MeasuredBackend& added = *device;
  backends.add("board", std::move(device));
  catalog.projectors.also_on("board", "siddon", "cpu");
  return added;
}

/// Adds the device to a program, or to the fixture that stands for one in tests.
template <class Program>
MeasuredBackend& add_device(Program& program) {
  return add_device(program.catalog, program.backends);
}

/// A metric that keeps one waiting.
inline void add_slow_metric(Catalog& catalog, std::chrono::milliseconds wait) {
  catalog.metrics.add({.key = "slow", .label = "Slow"}, "any", [wait](const Params&) {
    return std::make_unique<Metric>("Slow", "", true, [wait](const ImagePair&) {
      std::this_thread::sleep_for(wait);
      return 0.0;
    });
  });
}

}  // namespace gantry::test
