#pragma once

// Projectors of a CUDA device beside the CPU's.
#include "tests/gpu/cuda_device.hpp"
#include "tests/gpu/host_model.hpp"
#include "tests/support/products.hpp"

namespace gantry::test {

/// The program's catalogue, its CUDA device and the CPU.
struct CudaTwins {
  ContractBench bench = cuda_bench();
  CpuBackend cpu;

  /// A projector of either backend.
  std::unique_ptr<Projector> make(Backend& backend, const std::string& key, const ScanCase& c,
                                  const Params& params = {}) {
    return bench.catalog.projectors.make(key, &backend == &cpu ? "cpu" : bench.key, backend,
                                         c.geometry, c.grid, params);
  }
  std::unique_ptr<Projector> on_cpu(const std::string& key, const ScanCase& c) {
    return make(cpu, key, c);
  }
  std::unique_ptr<Projector> on_device(const std::string& key, const ScanCase& c,
                                       const Params& params = {}) {
    return make(device(), key, c, params);
  }
  Backend& device() { return *bench.backend; }

  bool takes(Backend& backend, const std::string& key, const ScanCase& c) {
    try {
      make(backend, key, c);
      return true;
    } catch (const UsageError&) {
      return false;
    }
  }
};

/// Rays along grid planes may count in either neighbour.
inline bool is_ambiguous(const ScanCase& c) {
  return c.name.find("diagonals") != std::string::npos;
}

/// Every second or third view where there are so many, and all.
inline std::vector<ViewSubset> some_subsets(const Projector& A) {
  const int subsets = A.views() >= 3 ? 3 : 1;
  return {A.all(), ViewSubset::interleaved(subsets - 1, subsets, A.views())};
}

}  // namespace gantry::test
