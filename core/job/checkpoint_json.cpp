#include "core/job/checkpoint_json.hpp"

#include "core/job/experiment_file.hpp"

#include <cmath>
#include <limits>

namespace gantry {

namespace {

using Json = nlohmann::ordered_json;

constexpr int most_iterations = std::numeric_limits<int>::max();
const std::vector<std::string> reasons = {"none",      "iterations",  "converged",
                                          "fitted",    "noise_level", "settled",
                                          "exhausted", "diverged",    "stopped"};

// ---- Numbers: JSON has only finite ones; a checkpoint keeps every bit of a finite number.

Json number(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

double number(const JsonFields& fields, const std::string& key) {
  const nlohmann::json& value = fields.at(key, "take another checkpoint");
  if (value.is_number()) return value.get<double>();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  fields.fail(key, "is not a number", "take another checkpoint");
}

const nlohmann::json& list(const JsonFields& fields, const char* key) {
  const nlohmann::json& value = fields.at(key, "take another checkpoint");
  if (!value.is_array()) fields.fail(key, "is not a list", "take another checkpoint");
  return value;
}

int count(const JsonFields& fields, const std::string& key) {
  return fields.integer(key, 0, most_iterations);
}

// ---- The completed part of an iteration

Json part_json(const PartOfIteration& part) {
  return {{"steps", part.steps},
          {"residual_square", number(part.residual_square)},
          {"update_square", number(part.update_square)},
          {"is_complete", part.is_complete},
          {"last", Json{{"residual_norm", number(part.last.residual_norm)},
                        {"update_norm", number(part.last.update_norm)},
                        {"new_residual_norm", number(part.last.new_residual_norm)},
                        {"exhausted", part.last.exhausted}}}};
}

PartOfIteration read_part(const JsonFields& fields) {
  PartOfIteration part;
  part.steps = count(fields, "steps");
  part.residual_square = number(fields, "residual_square");
  part.update_square = number(fields, "update_square");
  part.is_complete = fields.flag("is_complete", false);
  const JsonFields last = fields.object("last", "take another checkpoint");
  part.last = {number(last, "residual_norm"), number(last, "update_norm"),
               number(last, "new_residual_norm"), last.flag("exhausted", false)};
  return part;
}

// ---- Curves

Json entry_json(const HistoryEntry& entry) {
  const IterationReport& report = entry.report;
  Json metrics = Json::object(), problems = Json::object();
  for (const auto& [key, value] : entry.metrics) metrics[key] = number(value);
  for (const auto& [key, problem] : entry.problems) problems[key] = problem;
  return {{"iteration", report.iteration},
          {"residual_norm", number(report.residual_norm)},
          {"update_norm", number(report.update_norm)},
          {"applications", number(report.applications)},
          {"seconds", number(report.seconds)},
          {"exact_residual_norm", number(report.exact_residual_norm)},
          {"data_term", number(report.objective.data)},
          {"penalty", number(report.objective.penalty)},
          {"exact_residual", number(entry.exact_residual)},
          {"data_norm", number(entry.data_norm)},
          {"is_measured", entry.is_measured},
          {"metrics", metrics},
          {"problems", problems}};
}

HistoryEntry read_entry(const JsonFields& fields) {
  HistoryEntry entry;
  entry.report = {count(fields, "iteration"),    number(fields, "residual_norm"),
                  number(fields, "update_norm"), number(fields, "applications"),
                  number(fields, "seconds"),     number(fields, "exact_residual_norm")};
  if (fields.has("data_term"))  // checkpoints of earlier versions do not have the objective
    entry.report.objective = {number(fields, "data_term"), number(fields, "penalty")};
  entry.exact_residual = number(fields, "exact_residual");
  if (fields.has("data_norm"))  // not in checkpoints of earlier versions
    entry.data_norm = number(fields, "data_norm");
  entry.is_measured = fields.flag("is_measured", true);
  const auto keys = [&](const char* key) -> const nlohmann::json& {
    return fields.at(key, "take another checkpoint");
  };
  const JsonFields metrics = fields.object("metrics", {}), problems = fields.object("problems", {});
  for (const auto& [key, value] : keys("metrics").items())
    entry.metrics[key] = number(metrics, key);
  for (const auto& [key, value] : keys("problems").items())
    entry.problems[key] = problems.text(key, {});
  return entry;
}

// ---- The run, in the form of an experiment file

Json run_json(const RunSpec& run) {
  Experiment experiment;
  experiment.runs = {run};
  return Json::parse(format_experiment(experiment, "/"));
}

RunSpec read_run(const nlohmann::json& json, const std::string& where, const Catalog& catalog) {
  const Experiment experiment = parse_experiment(json.dump(), where + ", experiment", "/", catalog);
  if (experiment.runs.size() == 1) return experiment.runs.front();
  JsonFields(json, where, "experiment").fail("runs", "is not one run", "take another checkpoint");
}

Json sizes_json(const SolverState& state) {
  Json sizes = Json::array();
  for (const auto& array : state.arrays) sizes.push_back(array.size());
  return sizes;
}

/// `left`: elements of arrays that the file holds; those that the state takes are subtracted.
SolverState read_solver(const JsonFields& fields, std::size_t& left) {
  SolverState state;
  for (const nlohmann::json& size : list(fields, "arrays")) {
    if (!size.is_number_unsigned() || size.get<std::uint64_t>() > left)
      fields.fail("arrays", "are not of the lengths that the file holds",
                  "take another checkpoint");
    state.arrays.emplace_back(size.get<std::size_t>());
    left -= size.get<std::size_t>();
  }
  const nlohmann::json& numbers = list(fields, "numbers");
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const nlohmann::json one = {{"number", numbers[i]}};
    state.numbers.push_back(
        number(JsonFields(one, fields.where(), "numbers[" + std::to_string(i) + "]"), "number"));
  }
  return state;
}

const std::string& name_of(StopReason reason) { return reasons[static_cast<std::size_t>(reason)]; }

std::vector<StopReason> read_lifted(const JsonFields& fields) {
  std::vector<StopReason> lifted;
  for (const nlohmann::json& name : list(fields, "lifted")) {
    const nlohmann::json one = {{"rule", name}};
    const auto rule =
        static_cast<StopReason>(JsonFields(one, fields.where(), "lifted").choice("rule", reasons));
    if (!is_rule(rule)) fields.fail("lifted", "is not a list of rules", "take another checkpoint");
    lifted.push_back(rule);
  }
  return lifted;
}

// ---- How far the run is

Json progress_json(const RunProgress& progress) {
  Json numbers = Json::array(), lifted = Json::array();
  for (const double value : progress.solver.numbers) numbers.push_back(number(value));
  for (const StopReason rule : progress.lifted) lifted.push_back(name_of(rule));
  Json json = {{"data", progress.data},
               {"stage", progress.stage},
               {"lifted", lifted},
               {"iterations", progress.iterations},
               {"seconds", number(progress.seconds)},
               {"applications", number(progress.applications)},
               {"reason", name_of(progress.reason)},
               {"has_begun", progress.has_begun},
               {"part", part_json(progress.part)},
               {"arrays", sizes_json(progress.solver)},
               {"numbers", numbers}};
  if (progress.coarse) json["coarse"] = progress_json(*progress.coarse);
  return json;
}

/// `left` as in read_solver; `levels`: how many coarser grids there may be.
RunProgress read_progress(const JsonFields& fields, std::size_t& left, int levels) {
  RunProgress progress;
  const nlohmann::json& data = fields.at("data", "take another checkpoint");
  if (!data.is_number_unsigned())
    fields.fail("data", "is not a whole number", "take another checkpoint");
  progress.data = data.get<std::uint64_t>();
  progress.stage = static_cast<std::size_t>(count(fields, "stage"));
  progress.lifted = read_lifted(fields);
  progress.iterations = count(fields, "iterations");
  progress.seconds = number(fields, "seconds");
  progress.applications = number(fields, "applications");
  progress.reason = static_cast<StopReason>(fields.choice("reason", reasons));
  progress.has_begun = fields.flag("has_begun", true);
  progress.part = read_part(fields.object("part", "take another checkpoint"));
  progress.solver = read_solver(fields, left);
  if (!fields.has("coarse")) return progress;
  if (levels == 0)
    fields.fail("coarse", "is of more grids than the run has", "take another checkpoint");
  progress.coarse = std::make_shared<RunProgress>(
      read_progress(fields.object("coarse", "take another checkpoint"), left, levels - 1));
  return progress;
}

}  // namespace

Json to_json(const Checkpoint& checkpoint) {
  Json json = {{"experiment", run_json(checkpoint.run)}, {"backend", checkpoint.backend}};
  json.update(progress_json(checkpoint.progress));
  json["history"] = Json::array();
  for (const HistoryEntry& entry : checkpoint.history) json["history"].push_back(entry_json(entry));
  return json;
}

Checkpoint checkpoint_from_json(const nlohmann::json& header, const std::string& where,
                                const Catalog& catalog, std::size_t data_bytes) {
  const JsonFields fields(header, where);
  Checkpoint checkpoint;
  checkpoint.run = read_run(fields.at("experiment", "take another checkpoint"), where, catalog);
  checkpoint.backend = fields.text_or("backend", {});
  std::size_t left = data_bytes / sizeof(float);
  checkpoint.progress = read_progress(fields, left, most_coarse_levels);
  if (left != 0 || data_bytes % sizeof(float) != 0)
    fields.fail("arrays", "are not of the lengths that the file holds", "take another checkpoint");
  const nlohmann::json& history = list(fields, "history");
  for (std::size_t i = 0; i < history.size(); ++i) {
    HistoryEntry entry =
        read_entry(JsonFields(history[i], where, "history[" + std::to_string(i) + "]"));
    entry.stage = stage_at(checkpoint.run, entry.report.iteration);
    checkpoint.history.push_back(std::move(entry));
  }
  return checkpoint;
}

}  // namespace gantry
