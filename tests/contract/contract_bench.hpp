#pragma once

#include "core/backend/cpu_backend.hpp"
#include "core/catalog/catalog.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace gantry::test {

/// What a contract is tried on: the entries of a catalogue that run on one backend.
struct ContractBench {
  Catalog catalog;
  std::shared_ptr<Backend> backend = std::make_shared<CpuBackend>();
  std::string key = "cpu";  ///< of the backend
  std::string absent;       ///< why the backend that was meant is not there; empty where it is
};

/// The program's entries, of which those of the CPU are tried.
inline ContractBench core_bench() {
  ContractBench bench;
  add_core(bench.catalog);
  return bench;
}

inline double distance(const Array& a, const Array& b) {
  Array difference = a.clone();
  a.backend().axpby(-1, b, 1, difference);
  return std::sqrt(a.backend().dot(difference, difference));
}

inline double length(const Array& a) { return std::sqrt(a.backend().dot(a, a)); }

}  // namespace gantry::test
