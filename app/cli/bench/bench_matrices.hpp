#pragma once

#include "app/composition.hpp"
#include "core/backend/energy_counter.hpp"
#include "core/geometry/bench_cases.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gantry::cli {

struct MatrixBench {
  std::string backend, projector, format;  ///< format empty: all of the backend
  std::vector<std::string> settings;       ///< "format.weights=compact"
  int repeats;
  const EnergyCounter* energy = nullptr;  ///< null: not measured
};

/// Builds each matrix format of a scan and times its products, first those of the projector on the
/// fly: bytes and their share of CSR's, seconds to build, milliseconds a product, bytes over time,
/// how far the products are from those on the fly (relative root mean square), and what both
/// together take of energy. A format that
/// does not suit or fit says why.
nlohmann::ordered_json bench_matrices(const BenchCase& c, const MatrixBench& options,
                                      Program& program);

/// The rows of one case as a table for people.
std::string matrix_table(const BenchCase& c, const nlohmann::ordered_json& rows);

}  // namespace gantry::cli
