#include "app/cli/bench/bench_report.hpp"

#include "app/cli/today.hpp"
#include "app/version.hpp"
#include "core/backend/thread_count.hpp"
#include "core/base/error.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/io/files/json_fields.hpp"
#include "core/io/files/read_text.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <utility>

namespace gantry::cli {

namespace {

using Json = nlohmann::json;

/// Which value of a row is a figure. An empty name stands for the row's direction.
struct Quantity {
  const char *pointer, *name, *unit;
  double unit_over_value = 1;
};

std::span<const Quantity> quantities(const std::string& bench) {
  static constexpr Quantity operators[] = {{"/median_ms", "", "ms"}};
  static constexpr Quantity solvers[] = {{"/iteration/median_ms", "iteration", "ms"},
                                         {"/step/median_ms", "only step", "ms"},
                                         {"/first_iteration_ms", "first iteration", "ms"},
                                         {"/memory_bytes", "memory", "MB", 1e-6},
                                         {"/energy/millijoules", "energy", "mJ"}};
  static constexpr Quantity matrices[] = {
      {"/forward/median_ms", "forward", "ms"},     {"/adjoint/median_ms", "adjoint", "ms"},
      {"/stored_bytes", "memory", "MB", 1e-6},     {"/build_s", "build", "s"},
      {"/forward_error", "forward error", ""},     {"/adjoint_error", "adjoint error", ""},
      {"/energy_both/millijoules", "energy", "mJ"}};
  static constexpr Quantity live[] = {
      {"/alone_ms", "alone", "ms"},
      {"/watched_ms", "watched", "ms"},
      {"/watched_three_sections_ms", "three sections", "ms"},
      {"/watched_with_sinogram_ms", "sinogram", "ms"},
      {"/watched_with_everything_ms", "everything", "ms"},
      {"/first_picture_ms", "first picture", "ms"},
      {"/pause/max_ms", "longest pause", "ms"},
      {"/stop/max_ms", "longest stop", "ms"},
  };
  static constexpr Quantity cancel[] = {{"/build_ms", "build", "ms"},
                                        {"/longest_ms", "longest stop", "ms"}};
  if (bench == "operators") return operators;
  if (bench == "solvers") return solvers;
  if (bench == "matrices") return matrices;
  if (bench == "live") return live;
  return cancel;
}

/// What a row is about: a projector, a matrix format, or a solver, perhaps with a format.
std::string subject(const nlohmann::ordered_json& row) {
  if (row.contains("operator")) return row["operator"];
  if (!row.contains("solver")) return row["format"];
  const std::string format = row.value("format", "");
  return row["solver"].get<std::string>() + (format.empty() ? "" : ", " + format);
}

void add_figures(const std::string& bench, const nlohmann::ordered_json& row, bool on_cpu,
                 Json& figures) {
  for (const Quantity& quantity : quantities(bench)) {
    const nlohmann::ordered_json::json_pointer at(quantity.pointer);
    if (!row.contains(at)) continue;
    Json figure = {
        {"bench", bench},        {"case", row["case"].get<std::string>()},
        {"of", subject(row)},    {"quantity", quantity.name},
        {"unit", quantity.unit}, {"value", row[at].get<double>() * quantity.unit_over_value}};
    if (*quantity.name == '\0') figure["quantity"] = row["direction"].get<std::string>();
    if (row.contains("projector")) figure["projector"] = row["projector"].get<std::string>();
    if (on_cpu) figure["threads"] = row.value("threads", cpu_threads());
    if (const auto& timing = row[at.parent_pointer()]; timing.contains("min_ms")) {
      figure["least"] = timing["min_ms"].get<double>();
      figure["most"] = timing["max_ms"].get<double>();
    }
    figures.push_back(std::move(figure));
  }
}

/// Returns the model of the processor, as the kernel names it.
std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return "CPU";
}

/// Returns the command line that repeats what the options of `sub` asked for; without --json, which
/// only says where the figures go.
std::string command_of(const CLI::App& sub) {
  std::string text = "gantry-cli " + sub.get_name();
  for (const CLI::Option* option : sub.get_options()) {
    if (option->count() == 0 || option->check_lname("json")) continue;
    const std::string name = option->get_positional() ? "" : " " + option->get_name();
    if (option->get_type_size() == 0) {  // a flag
      text += name;
    } else if (option->get_delimiter() != '\0') {
      text += name + " " + CLI::detail::join(option->results(), ",");
    } else {
      for (const std::string& value : option->results()) text += name + " " + value;
    }
  }
  return text;
}

/// Returns a JSON object with a line for each of its items, and for each item of the list `list`,
/// so that a difference of two files shows which figures have changed.
std::string text_of(const Json& object, const char* list, const std::string& indent,
                    std::string (*item_text)(const Json&)) {
  std::string text = "{", separator = "\n";
  for (const auto& [key, value] : object.items()) {
    text += separator + indent + Json(key).dump() + ": ";
    separator = ",\n";
    if (key != list) {
      text += value.dump();
      continue;
    }
    text += "[";
    for (std::size_t i = 0; i < value.size(); ++i)
      text += (i == 0 ? "\n" : ",\n") + indent + " " + item_text(value[i]);
    text += "]";
  }
  return text + "}";
}

std::string figure_text(const Json& figure) { return figure.dump(); }
std::string run_text(const Json& run) { return text_of(run, "figures", "   ", figure_text); }

}  // namespace

Json bench_run(const std::string& bench, const nlohmann::ordered_json& rows,
               const CLI::App& command, const std::string& device, int repeats,
               const Program& program) {
  const BackendList::Entry& entry = program.backends.entry(device);
  const bool on_cpu = entry.kind() == BackendKind::cpu;
  Json figures = Json::array();
  for (const auto& row : rows) add_figures(bench, row, on_cpu, figures);
  return {{"date", date_and_time()},
          {"device", on_cpu ? processor_name() : entry.name},
          {"repeats", repeats},
          {"command", command_of(command)},
          {"figures", figures}};
}

BenchReport::BenchReport(std::string file)
    : file_(std::move(file)),
      report_({{"program", version_text()}, {"commit", commit_id()}, {"runs", Json::array()}}) {
  const AtomicFile probe(file_);  // throws where no file can be written; is removed uncommitted
  if (!std::filesystem::exists(file_)) return;
  constexpr std::size_t largest_bytes = 1U << 24U;
  const nlohmann::json found = parse_json(read_text_file(file_, largest_bytes), file_);
  const JsonFields fields(found, file_);
  const std::string remedy = "name a file that bench --json wrote, or a new one";
  if (fields.text("commit", remedy) != commit_id())
    throw UsageError("its figures are of commit " + fields.text("commit", remedy) +
                         ", this program is of " + commit_id(),
                     file_, "name a new file");
  if (!fields.at("runs", remedy).is_array()) fields.fail("runs", "is no list", remedy);
  report_["runs"] = found["runs"];
  for (const Json& run : report_["runs"])
    for (const char* key : {"command", "device"}) JsonFields(run, file_, "runs").text(key, remedy);
}

void BenchReport::add(Json run) {
  Json& runs = report_["runs"];
  const auto is_repeated = [&](const Json& earlier) {
    return earlier["command"] == run["command"] && earlier["device"] == run["device"];
  };
  runs.erase(std::remove_if(runs.begin(), runs.end(), is_repeated), runs.end());
  runs.push_back(std::move(run));
  const std::string text = text_of(report_, "runs", " ", run_text) + "\n";
  write_file_atomically(file_, std::as_bytes(std::span(text)));
}

}  // namespace gantry::cli
