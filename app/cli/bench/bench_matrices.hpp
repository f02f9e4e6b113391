#pragma once

#include "app/composition.hpp"
#include "core/backend/energy_counter.hpp"
#include "core/base/params.hpp"
#include "core/geometry/bench_cases.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gantry::cli {

struct MatrixBench {
  std::string backend, projector, format;  ///< format empty: all formats of the backend
  std::vector<std::string> settings;       ///< "format.weights=compact"
  int repeats;
  const EnergyCounter* energy = nullptr;  ///< null: not measured
};

/// Returns a format's key with the parameters that are set: "scsr, weights compact".
std::string format_name(const std::string& key, const Params& params);

/// Builds each matrix format of a scan and measures its products, after those of the projector on
/// the fly. A row has bytes, also relative to CSR, the time to build, the time of a product, the
/// error of the products relative to those on the fly (root mean square), and the energy of both
/// products. A format that does not suit the scan or does not fit into memory gives a row with the
/// reason.
nlohmann::ordered_json bench_matrices(const BenchCase& c, const MatrixBench& options,
                                      Program& program);

/// Returns the rows of one case as a table.
std::string matrix_table(const BenchCase& c, const nlohmann::ordered_json& rows);

}  // namespace gantry::cli
