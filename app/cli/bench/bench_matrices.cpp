#include "app/cli/bench/bench_matrices.hpp"

#include "app/cli/bench/timing.hpp"
#include "app/cli/run_options.hpp"
#include "core/base/error.hpp"

#include <cmath>
#include <cstdio>
#include <span>

namespace gantry::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Returns numbers from 0 to 1 without a pattern that could make products faster.
std::vector<float> uneven(std::size_t count) {
  std::vector<float> values(count);
  std::uint32_t state = 12345;
  for (float& value : values) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<float>(state >> 8U) / 16777216.0F;
  }
  return values;
}

double relative_rms(std::span<const float> values, std::span<const float> exact) {
  double difference = 0, sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    difference += std::pow(1.0 * values[i] - exact[i], 2);
    sum += std::pow(1.0 * exact[i], 2);
  }
  return sum > 0 ? std::sqrt(difference / sum) : std::sqrt(difference);
}

/// The operands, and the products that the projector makes of them on the fly.
struct Bench {
  explicit Bench(const Projector& A)
      : x(Array::from(A.backend(), uneven(A.domain_size()))),
        y(Array::from(A.backend(), uneven(A.range_size()))),
        rays(A.backend(), A.range_size()),
        image(A.backend(), A.domain_size()) {
    A.forward(x, rays);
    A.adjoint(y, image);
    exact_rays = rays.to_host();
    exact_image = image.to_host();
  }
  Array x, y, rays, image;
  std::vector<float> exact_rays, exact_image;
};

void add_times(Json& row, const Projector& A, Bench& bench, const MatrixBench& options) {
  Backend& backend = A.backend();
  const Timing forward = time_calls(
      [&] {
        A.forward(bench.x, bench.rays);
        backend.synchronize();
      },
      options.repeats);
  const Timing adjoint = time_calls(
      [&] {
        A.adjoint(bench.y, bench.image);
        backend.synchronize();
      },
      options.repeats);
  row["forward"] = to_json(forward);
  row["adjoint"] = to_json(adjoint);
  row["forward_error"] = relative_rms(bench.rays.to_host(), bench.exact_rays);
  row["adjoint_error"] = relative_rms(bench.image.to_host(), bench.exact_image);
  if (options.energy == nullptr) return;
  row["energy_both"] = to_json(energy_per_call(*options.energy, [&] {
    A.forward(bench.x, bench.rays);
    A.adjoint(bench.y, bench.image);
    backend.synchronize();
  }));
}

void add_storage(Json& row, const MatrixStorage& storage, std::size_t rows) {
  row["nonzeros"] = storage.nonzeros;
  row["stored"] = storage.stored;
  row["padding"] = storage.padding;
  row["bytes"] = storage.bytes();
  Json parts = Json::object();
  for (const MatrixPart& part : storage.parts) parts[part.name] = part.bytes;
  row["parts"] = parts;
  const std::size_t matrix = storage.bytes(PartOf::matrix),
                    transpose = storage.bytes(PartOf::transpose);
  const double csr =
      MatrixStorage::csr_bytes(static_cast<double>(storage.nonzeros), static_cast<double>(rows));
  row["matrix_bytes"] = matrix;
  row["transpose_bytes"] = transpose;
  row["stored_bytes"] = matrix + transpose;
  row["workspace_bytes"] = storage.bytes(PartOf::workspace);
  // Relative to the bytes of the matrix, and of the matrix with its stored transpose.
  row["csr_over_matrix"] = csr / static_cast<double>(matrix);
  row["csr_over_both"] = csr / static_cast<double>(matrix + transpose);
  row["build_s"] = storage.build_s;
}

}  // namespace

std::string format_name(const std::string& key, const Params& params) {
  std::string text = key;
  for (const auto& [name, value] : params.values()) text += ", " + name + " " + format_param(value);
  return text;
}

Json bench_matrices(const BenchCase& c, const MatrixBench& options, Program& program) {
  Backend& backend = program.backends.resolve(options.backend);
  const std::string& key = program.backends.resolved_key(options.backend);
  const auto weights = [&] {
    return program.catalog.projectors.make(options.projector, key, backend, c.geometry, c.grid, {});
  };
  Json rows = Json::array();
  const auto on_the_fly = weights();
  Bench bench(*on_the_fly);
  Json first = {{"case", c.name}, {"projector", options.projector}, {"format", "on the fly"}};
  add_times(first, *on_the_fly, bench, options);
  rows.push_back(first);
  for (const auto* entry : program.catalog.matrix_formats.on(key)) {
    if (!options.format.empty() && entry->key != options.format) continue;
    Json row = {{"case", c.name}, {"projector", options.projector}, {"format", entry->key}};
    try {
      const Params params = parse_settings(options.settings, "format", entry->params);
      row["format"] = format_name(entry->key, params);
      const StoredMatrix A(weights(), entry->make(key, params));
      add_storage(row, A.storage(), A.range_size());
      add_times(row, A, bench, options);
    } catch (const Error& error) {
      row["error"] = error.what();
    }
    rows.push_back(row);
  }
  return rows;
}

std::string matrix_table(const BenchCase& c, const Json& rows) {
  std::string table = "Case " + c.name + ": " + std::to_string(c.geometry->views()) + " views of " +
                      std::to_string(c.geometry->columns()) + " cells, " +
                      std::to_string(c.grid.nx) + " x " + std::to_string(c.grid.ny) + " pixels, " +
                      rows.front()["projector"].get<std::string>() +
                      "\nformat                            MB  work MB   CSR/W  CSR/W+Wt  build ms "
                      "   W x ms  Wt y ms"
                      "    GB/s   err W x  err Wt y" +
                      (rows.front().contains("energy_both") ? "  mJ both   W\n" : "\n");
  const auto number = [](const char* form, double value) {
    char text[64];
    std::snprintf(text, sizeof text, form, value);
    return std::string(text);
  };
  for (const Json& row : rows) {
    std::string name = row["format"].get<std::string>();
    if (row.contains("error")) {
      table += name + ": " + row["error"].get<std::string>() + '\n';
      continue;
    }
    name.resize(std::max<std::size_t>(28, name.size()), ' ');
    const double matrix = row.value("matrix_bytes", 0.0),
                 transpose = row.value("transpose_bytes", 0.0),
                 read = matrix + (transpose > 0 ? transpose : matrix),  // by both products
        forward = row["forward"]["median_ms"].get<double>(),
                 adjoint = row["adjoint"]["median_ms"].get<double>();
    table += name + number("%8.0f", (matrix + transpose) * 1e-6) +
             number("%9.0f", row.value("workspace_bytes", 0.0) * 1e-6) +
             number("%8.2f", row.value("csr_over_matrix", 0.0)) +
             number("%10.2f", row.value("csr_over_both", 0.0)) +
             number("%10.1f", 1e3 * row.value("build_s", 0.0)) + number("%10.3f", forward) +
             number("%9.3f", adjoint) + number("%8.0f", 1e-6 * read / (forward + adjoint)) +
             number("%10.1e", row["forward_error"].get<double>()) +
             number("%10.1e", row["adjoint_error"].get<double>());
    if (row.contains("energy_both"))
      table += number("%9.1f", row["energy_both"]["millijoules"].get<double>()) +
               number("%4.0f", row["energy_both"]["watts"].get<double>());
    table += '\n';
  }
  return table;
}

}  // namespace gantry::cli
