#pragma once

#include "core/base/error.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/base/devices.hpp"
#include "gpu/catalog_gpu.hpp"
#include "tests/contract/contract_bench.hpp"
#include "tests/support/hosted_projector.hpp"

#include <memory>
#include <string>

namespace gantry::test {

/// The device that the program would use, or why there is none.
struct CudaDeviceOrWhy {
  std::unique_ptr<CudaBackend> backend;
  std::string absent;

  CudaDeviceOrWhy() {
    try {
      backend = std::make_unique<CudaBackend>(ChosenCudaDevice(find_cuda_devices()).index());
    } catch (const Error& error) {
      absent = std::string("no CUDA device: ") + error.what();
    }
  }
};

/// The program's catalogue and CUDA backend for the contracts, and a projector that computes on the
/// CPU for methods to be tried with.
inline ContractBench cuda_bench() {
  ContractBench bench;
  add_core(bench.catalog);
  const auto backends = std::make_shared<BackendList>();
  add_gpu(bench.catalog, *backends);
  const auto& entry = backends->entries().front();
  bench.key = "cuda";
  bench.multiprocessors = entry.multiprocessors;
  if (Backend* device = entry.backend->get()) {
    bench.backend = std::shared_ptr<Backend>(backends, device);
    bench.allocated_bytes = [&cuda = cuda_backend(*device)] {
      cuda.synchronize();
      return static_cast<double>(cuda.used_bytes());
    };
    bench.most_bytes_during = [&cuda = cuda_backend(*device)](const std::function<void()>& work) {
      cuda.synchronize();
      cuda.restart_peak();
      work();
      cuda.synchronize();
      return static_cast<double>(cuda.peak_bytes());
    };
  } else {
    bench.absent = "no CUDA device: " + entry.backend->unavailable_because();
  }
  add_hosted(bench.catalog, "distance_driven", bench.key);
  return bench;
}

}  // namespace gantry::test
