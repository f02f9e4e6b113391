#include "app/cli/bench/bench_operators.hpp"

#include "app/cli/bench/timing.hpp"
#include "core/backend/thread_count.hpp"
#include "core/base/error.hpp"
#include "core/base/text_stream.hpp"
#include "core/operator/column_access.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <map>

namespace gantry::cli {

namespace {

using Json = nlohmann::ordered_json;

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
  row["gups"] = giga_updates_per_second(voxels, c.geometry->views(), seconds);
  // Counts each operand once, as read or written.
  row["gb_per_s"] = 4e-9 * (voxels + rays) / seconds;
  return row;
}

/// Times a pass over all columns of A, each read once: column_sums of the whole grid, which is
/// what the adjoint computes, column by column. Adds nothing where A does not make the access to
/// its columns itself, as on the CPU.
void time_columns(const BenchCase& c, const Projector& A, const std::string& key, int threads,
                  int repeats, const Array& y, Array& x, Json& rows) {
  const auto* gives = dynamic_cast<const GivesColumns*>(&A);
  const auto columns = gives != nullptr ? gives->make_columns(ColumnWorker::automatic) : nullptr;
  if (!columns) return;
  const Timing timing = time_calls(
      [&] {
        columns->sums(y, VoxelLattice{}, x);
        A.backend().synchronize();
      },
      repeats);
  rows.push_back(timed(c, A, key, "columns", threads, timing));
}

void time_projector(const BenchCase& c, const Projector& A, const std::string& key,
                    const std::vector<int>& threads, int repeats, Json& rows) {
  Backend& backend = A.backend();
  Array x = Array::filled(backend, A.domain_size(), 0.02F), y(backend, A.range_size());
  for (const int count : threads) {
    const ThreadCount now(count);
    const Timing forward = time_calls(
        [&] {
          A.forward(x, y);
          backend.synchronize();
        },
        repeats);
    rows.push_back(timed(c, A, key, "forward", count, forward));
    const Timing adjoint = time_calls(
        [&] {
          A.adjoint(y, x);
          backend.synchronize();
        },
        repeats);
    rows.push_back(timed(c, A, key, "adjoint", count, adjoint));
    time_columns(c, A, key, count, repeats, y, x, rows);
    backend.fill(x, 0.02F);
  }
}

/// Returns a number for a table: with this number of decimals, padded with spaces to `width`
/// characters.
std::string in_column(double value, int decimals, int width) {
  TextStream out;
  out << std::fixed << std::setprecision(decimals) << std::setw(width) << value;
  return out.str();
}

/// Estimates the time of a forward product over all views from a few views, ms.
double estimated_ms(const Projector& A) {
  constexpr int probes = 4;
  const int count = std::min(probes, A.views());
  const Array x = Array::filled(A.backend(), A.domain_size(), 0.02F);
  Array y(A.backend(), A.range_size());
  const ViewSubset some{0, std::max(1, A.views() / count), count};
  return milliseconds([&] {
           A.forward(x, y, some);
           A.backend().synchronize();
         }) *
         A.views() / count;
}

/// Returns a lower estimate of the time that measuring a projector takes, ms: for each number of
/// threads both products, each once to warm up and once measured.
double least_ms(const Projector& A, const std::vector<int>& threads) {
  double sum = 0;
  for (const int count : threads) {
    const ThreadCount now(count);
    sum += 2 * 2 * estimated_ms(A);
  }
  return sum;
}

/// Returns the same time for the fastest of the projectors measured so far, ms; 0 if there is none.
double fastest_ms(const Json& rows) {
  std::map<std::string, double> sums;
  for (const Json& row : rows)
    if (row.contains("median_ms") && row["direction"] != "columns")
      sums[row["operator"].get<std::string>()] += 2 * row["median_ms"].get<double>();
  double fastest = sums.empty() ? 0 : std::numeric_limits<double>::infinity();
  for (const auto& [key, sum] : sums) fastest = std::min(fastest, sum);
  return fastest;
}

/// Returns why a projector is left out unless it is named; empty if it is not left out. All
/// projectors are slow in large cases, so only those much slower than the others are left out.
std::string too_slow(const Projector& A, const std::vector<int>& threads, const Json& rows) {
  constexpr double longest_ms = 60e3, far_slower = 10;
  const double fastest = fastest_ms(rows);
  if (fastest == 0) return {};
  const double needed = least_ms(A, threads);
  if (needed <= longest_ms || needed <= far_slower * fastest) return {};
  return "left out: it would take " + in_column(std::ceil(needed / 60e3), 0, 0) +
         " minutes or more; choose it with --projector KEY";
}

/// Adds to each row of an exact pair its time relative to the fastest exact pair.
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

}  // namespace

Json bench_operators(const BenchCase& c, const OperatorBench& options, Program& program) {
  Backend& backend = program.backends.resolve(options.backend);
  const std::string& backend_key = program.backends.resolved_key(options.backend);
  const std::vector<int> threads = threads_to_time(options, backend);
  Json rows = Json::array();
  for (const auto* entry : program.catalog.projectors.on(backend_key)) {
    if (!options.projector.empty() && entry->key != options.projector) continue;
    try {
      const auto A = entry->make(backend_key, backend, c.geometry, c.grid, {});
      if (options.projector.empty())
        if (const std::string reason = too_slow(*A, threads, rows); !reason.empty()) {
          rows.push_back({{"case", c.name}, {"operator", entry->key}, {"left_out", reason}});
          continue;
        }
      time_projector(c, *A, entry->key, threads, options.repeats, rows);
    } catch (const UsageError& error) {
      rows.push_back({{"case", c.name}, {"operator", entry->key}, {"error", error.what()}});
    }
  }
  compare_pairs(rows);
  return rows;
}

std::string operator_table(const BenchCase& c, const Json& rows) {
  TextStream table;
  table << "Case " << c.name << ": " << c.geometry->views() << " views of " << c.geometry->columns()
        << " x " << c.geometry->rows() << " cells, " << c.grid.nx << " x " << c.grid.ny << " x "
        << c.grid.nz << " voxels\n";
  const auto words = [&](const std::string& projector, const std::string& product) {
    table << std::left << std::setw(28) << projector << std::setw(9) << product << std::right;
  };
  words("projector", "product");
  table << " threads   median ms    Mrays/s    GUPS    GB/s  x fastest\n";
  for (const Json& row : rows) {
    const auto name = row["operator"].get<std::string>();
    const char* reason = row.contains("error") ? "error" : "left_out";
    if (row.contains(reason)) {
      table << name << ": " << row[reason].get<std::string>() << '\n';
      continue;
    }
    words(name, row["direction"].get<std::string>());
    table << in_column(row["threads"].get<int>(), 0, 8)
          << in_column(row["median_ms"].get<double>(), 2, 12)
          << in_column(row["rays_per_s"].get<double>() * 1e-6, 3, 11)
          << in_column(row["gups"].get<double>(), 3, 8)
          << in_column(row["gb_per_s"].get<double>(), 3, 8)
          << (row["times_fastest"].is_null() ? "    no pair"
                                             : in_column(row["times_fastest"].get<double>(), 2, 11))
          << '\n';
  }
  return table.str();
}

}  // namespace gantry::cli
