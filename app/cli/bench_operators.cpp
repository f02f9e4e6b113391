#include "app/cli/bench_operators.hpp"

#include "app/cli/timing.hpp"
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <limits>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace gantry::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Sets the number of threads, and what it was before when it goes.
class Threads {
 public:
  explicit Threads(int count) { set(count); }
  ~Threads() { set(before_); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  static void set([[maybe_unused]] int count) {
#ifdef _OPENMP
    omp_set_num_threads(count);
#endif
  }
  int before_ = cpu_threads();
};

std::vector<int> threads_to_time(const OperatorBench& options, const Backend& backend) {
  if (backend.kind() != BackendKind::cpu) return {cpu_threads()};
  if (!options.threads.empty()) return options.threads;
  return cpu_threads() == 1 ? std::vector{1} : std::vector{1, cpu_threads()};
}

Json timed(const BenchCase& c, const Projector& A, const std::string& key,
           const std::string& direction, int threads, const Timing& timing) {
  const double seconds = timing.median_ms * 1e-3;
  const auto voxels = static_cast<double>(c.grid.voxels()),
             rays = static_cast<double>(c.geometry->rays());
  Json row = {{"case", c.name},
              {"operator", key},
              {"matched", A.matched()},
              {"direction", direction},
              {"threads", threads}};
  row.update(to_json(timing));
  row["rays_per_s"] = rays / seconds;
  // Voxel updates in units of 2^30 a second, as the field counts them (voxels times views).
  row["gups"] = voxels * c.geometry->views() / 1073741824.0 / seconds;
  // Operands, each read or written once.
  row["gb_per_s"] = 4e-9 * (voxels + rays) / seconds;
  return row;
}

void time_projector(const BenchCase& c, const Projector& A, const std::string& key,
                    const std::vector<int>& threads, int repeats, Json& rows) {
  Backend& backend = A.backend();
  Array x = Array::filled(backend, A.domain_size(), 0.02F), y(backend, A.range_size());
  for (const int count : threads) {
    const Threads now(count);
    const Timing forward = time(
        [&] {
          A.forward(x, y);
          backend.synchronize();
        },
        repeats);
    rows.push_back(timed(c, A, key, "forward", count, forward));
    const Timing adjoint = time(
        [&] {
          A.adjoint(y, x);
          backend.synchronize();
        },
        repeats);
    rows.push_back(timed(c, A, key, "adjoint", count, adjoint));
    backend.fill(x, 0.02F);
  }
}

/// Adds to each row of an exact pair its time over that of the fastest.
void compare_pairs(Json& rows) {
  const auto is_pair = [](const Json& row) { return row.value("matched", false); };
  for (Json& row : rows) {
    if (!row.contains("median_ms")) continue;
    if (!is_pair(row)) {
      row["times_fastest"] = nullptr;
      continue;
    }
    double fastest = std::numeric_limits<double>::infinity();
    for (const Json& other : rows)
      if (is_pair(other) && other["direction"] == row["direction"] &&
          other["threads"] == row["threads"])
        fastest = std::min(fastest, other["median_ms"].get<double>());
    row["times_fastest"] = row["median_ms"].get<double>() / fastest;
  }
}

__attribute__((format(printf, 1, 2))) std::string text(const char* format, ...) {
  char line[256];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  return line;
}

}  // namespace

Json bench_operators(const BenchCase& c, const OperatorBench& options, Program& program) {
  Backend& backend = program.backends.resolve(options.backend);
  const std::string& backend_key = program.backends.resolved_key(options.backend);
  const std::vector<int> threads = threads_to_time(options, backend);
  Json rows = Json::array();
  for (const auto* entry : program.catalog.projectors.on(backend_key)) {
    if (!options.projector.empty() && entry->key != options.projector) continue;
    try {
      const auto A =
          entry->make(backend, c.geometry, c.grid, resolve_params({}, entry->params, entry->key));
      time_projector(c, *A, entry->key, threads, options.repeats, rows);
    } catch (const UsageError& error) {
      rows.push_back({{"case", c.name}, {"operator", entry->key}, {"error", error.what()}});
    }
  }
  compare_pairs(rows);
  return rows;
}

std::string operator_table(const BenchCase& c, const Json& rows) {
  std::string table = text("Case %s: %d views of %d x %d cells, %d x %d x %d voxels\n",
                           c.name.c_str(), c.geometry->views(), c.geometry->columns(),
                           c.geometry->rows(), c.grid.nx, c.grid.ny, c.grid.nz);
  table += text("%-28s%-9s%8s%12s%11s%8s%8s%11s\n", "projector", "product", "threads", "median ms",
                "Mrays/s", "GUPS", "GB/s", "x fastest");
  for (const Json& row : rows) {
    const auto name = row["operator"].get<std::string>();
    if (row.contains("error")) {
      table += name + ": " + row["error"].get<std::string>() + '\n';
      continue;
    }
    table += text("%-28s%-9s%8d%12.2f%11.3f%8.3f%8.3f", name.c_str(),
                  row["direction"].get<std::string>().c_str(), row["threads"].get<int>(),
                  row["median_ms"].get<double>(), row["rays_per_s"].get<double>() * 1e-6,
                  row["gups"].get<double>(), row["gb_per_s"].get<double>());
    table += row["times_fastest"].is_null() ? text("%11s\n", "no pair")
                                            : text("%11.2f\n", row["times_fastest"].get<double>());
  }
  return table;
}

}  // namespace gantry::cli
