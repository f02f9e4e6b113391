#pragma once

#include "core/backend/cpu_backend.hpp"
#include "core/catalog/catalog.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gantry::test {

/// The subject of a contract: the entries of a catalogue that run on one backend.
struct ContractBench {
  Catalog catalog;
  std::shared_ptr<Backend> backend = std::make_shared<CpuBackend>();
  std::string key = "cpu";  ///< of the backend
  int multiprocessors = 0;  ///< of the GPU
  std::string absent;       ///< why the intended backend is not available; empty if it is
  /// Returns the bytes that the program has allocated in the memory of the backend. Empty where the
  /// C library does not tell.
  std::function<double()> allocated_bytes;
  /// Returns the most bytes that were allocated there at a time while `work` was done. Empty where
  /// nothing tells.
  std::function<double(const std::function<void()>& work)> most_bytes_during;
};

/// Returns the catalogue of the program; its entries for the CPU are tested.
inline ContractBench core_bench() {
  ContractBench bench;
  add_core(bench.catalog);
#ifdef __GLIBC__
  bench.allocated_bytes = [] {
    const struct mallinfo2 now = mallinfo2();
    return static_cast<double>(now.uordblks + now.hblkhd);
  };
#endif
  return bench;
}

inline double distance(const Array& a, const Array& b) {
  Array difference = a.clone();
  a.backend().axpby(-1, b, 1, difference);
  return std::sqrt(a.backend().dot(difference, difference));
}

inline double length(const Array& a) { return std::sqrt(a.backend().dot(a, a)); }

}  // namespace gantry::test
