#include "core/job/experiment_file.hpp"

#include "core/base/error.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/io/files/json_fields.hpp"
#include "core/io/files/read_text.hpp"
#include "core/io/files/stored_path.hpp"
#include "core/io/imports/import_json.hpp"
#include "core/io/scans/geometry_json_impl.hpp"
#include "core/io/scans/grid_json.hpp"
#include "core/job/former_settings.hpp"
#include "core/job/metrics_json.hpp"
#include "core/job/run_prior.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>

namespace gantry {

namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 1;
constexpr std::array<const char*, 2> ray_weights = {"none", "statistical"};
constexpr std::size_t largest_file = std::size_t{64} << 20;  // a million view angles fit
constexpr std::array<const char*, 3> source_kinds = {"phantom", "volume", "scan"};
constexpr std::array<const char*, 2> rebinnings = {"none", "fans"};

// ---- Reading

double number_in(const JsonFields& fields, const std::string& key, double low, double high,
                 double fallback) {
  const double value = fields.number(key, fallback);
  if (value < low || value > high)
    fields.fail(key, "is " + format_param(value),
                "use " + format_param(low) + " to " + format_param(high));
  return value;
}

ParamValue param_value(const JsonFields& fields, const std::string& key,
                       const nlohmann::json& value) {
  if (value.is_boolean()) return value.get<bool>();
  // Integers beyond int64 are read as real numbers, so that they are out of range and not negative.
  const bool too_large = value.is_number_unsigned() &&
                         value.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max();
  if (value.is_number_integer() && !too_large) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  fields.fail(key, "is not a number, a word, true or false", "correct it");
}

/// Reads an algorithm and its parameters, "sart" or {"key": "sart", "params": {...}}. They are not
/// yet checked. `name` is that of the value in messages.
void read_choice_of(const nlohmann::json& value, const JsonFields& fields, const std::string& name,
                    const std::string& kind, std::string& key, Params& params) {
  const nlohmann::json as_object = value.is_string() ? nlohmann::json{{"key", value}} : value;
  const JsonFields algorithm(as_object, fields.where(), fields.path_of(name));
  require_no_unknown_fields(algorithm.others({"key", "params"}), algorithm);
  key = algorithm.text("key", "name a " + kind);
  if (!algorithm.has("params")) return;
  const nlohmann::json& given = algorithm.at("params", {});
  if (!given.is_object())
    algorithm.fail("params", "is not an object", "write {\"key\": value, ...}");
  for (const auto& [param, param_json] : given.items())
    params.set(param, param_value(algorithm, "params." + param, param_json));
}

void read_choice(const JsonFields& fields, const std::string& name, const std::string& kind,
                 std::string& key, Params& params) {
  if (fields.has(name)) read_choice_of(fields.at(name, {}), fields, name, kind, key, params);
}

/// Throws InputError if the registry has no such algorithm, or the algorithm no such parameters.
template <class Registry>
void check_choice(const JsonFields& fields, const std::string& name, const Registry& registry,
                  const std::string& key, const Params& params) {
  try {
    const auto& entry = registry.at(key);
    resolve_params(params, entry.params, entry.key);
  } catch (const UsageError& error) {
    throw InputError(error.what(), fields.where() + ", " + fields.path_of(name));
  }
}

template <class Registry>
void read_algorithm(const JsonFields& fields, const std::string& name, const Registry& registry,
                    std::string& key, Params& params) {
  if (!fields.has(name)) return;
  read_choice(fields, name, registry.kind(), key, params);
  check_choice(fields, name, registry, key, params);
}

SourceSpec read_source(const JsonFields& fields, const std::string& folder,
                       const Catalog& catalog) {
  require_no_unknown_fields(
      fields.others({"kind", "phantom", "path", "series_uid", "uneven", "slice", "slice_by_slice",
                     "rebin", "values_are_hu", "mu_water", "import"}),
      fields);
  SourceSpec source;
  source.kind = static_cast<SourceKind>(fields.choice("kind", source_kinds));
  read_algorithm(fields, "phantom", catalog.phantoms, source.phantom, source.phantom_params);
  if (source.kind != SourceKind::phantom)
    source.path = absolute_path(fields.text("path", "name the file or folder"), folder);
  source.series_uid = fields.text_or("series_uid", {});
  source.uneven = static_cast<UnevenSlices>(fields.choice("uneven", uneven_words, 0));
  source.slice = fields.integer("slice", -1, 1000000, -1);
  source.slice_by_slice = fields.flag("slice_by_slice", false);
  source.rebin_to_fans = fields.choice("rebin", rebinnings, 0) == 1;
  source.values_are_hu = fields.flag("values_are_hu", false);
  source.mu_water =
      number_in(fields, "mu_water", least_mu_water, largest_mu_water, default_mu_water);
  if (fields.has("import"))
    source.import_settings = import_from_json(fields.object("import", {}), folder);
  return source;
}

NoiseSpec read_noise(const JsonFields& fields) {
  require_no_unknown_fields(fields.others({"photons_per_ray", "electronic_sigma", "seed"}), fields);
  NoiseSpec noise;
  noise.photons_per_ray = number_in(fields, "photons_per_ray", 0, 1e15, 0);
  if (noise.photons_per_ray > 0 && noise.photons_per_ray < 1)
    fields.fail("photons_per_ray", "is " + format_param(noise.photons_per_ray),
                "use 0 for no noise, or 1 to 1e15");
  noise.electronic_sigma = number_in(fields, "electronic_sigma", 0, 1e12, 0);
  if (fields.has("seed")) {
    const nlohmann::json& seed = fields.at("seed", {});
    if (!seed.is_number_unsigned())
      fields.fail("seed", "is not a whole number from 0", "write one, such as 1");
    noise.seed = seed.get<std::uint64_t>();
  }
  return noise;
}

SimulationSpec read_simulation(const JsonFields& fields, const Catalog& catalog) {
  require_no_unknown_fields(fields.others({"subrays", "projector"}), fields);
  SimulationSpec simulation;
  simulation.subrays = fields.integer("subrays", 1, 64, simulation.subrays);
  Params none;
  read_algorithm(fields, "projector", catalog.projectors, simulation.projector, none);
  return simulation;
}

/// Throws InputError for fields other than the settings of a run and `more`.
void require_settings_and(const std::vector<std::string>& more, const JsonFields& fields) {
  std::vector<std::string> others = fields.others(
      {"solver", "prior", "projector", "format", "backend", "weights", "coarse_levels",
       "coarse_iterations", "stop_at_relative_update", "stop_at_relative_residual",
       "stop_at_relative_objective", "stop_at_discrepancy"});
  for (const std::string& key : more) std::erase(others, fields.path_of(key));
  require_no_unknown_fields(others, fields);
}

void read_settings(const JsonFields& fields, const Catalog& catalog, RunSettings& run) {
  read_choice(fields, "solver", catalog.solvers.kind(), run.solver, run.solver_params);
  read_choice(fields, "prior", catalog.priors.kind(), run.prior, run.prior_params);
  update_former_settings(run);
  check_choice(fields, "solver", catalog.solvers, run.solver, run.solver_params);
  if (const std::string prior = prior_of(run, catalog); !prior.empty())
    check_choice(fields, "prior", catalog.priors, prior, run.prior_params);
  read_algorithm(fields, "projector", catalog.projectors, run.projector, run.projector_params);
  if (fields.has("format"))
    read_algorithm(fields, "format", catalog.matrix_formats, run.format, run.format_params);
  run.backend = fields.text_or("backend", "auto");
  run.weights = static_cast<RayWeights>(fields.choice("weights", ray_weights, 0));
  run.coarse_levels = fields.integer("coarse_levels", 0, most_coarse_levels, 0);
  run.coarse_iterations =
      fields.integer("coarse_iterations", 1, 1000000, RunSettings{}.coarse_iterations);
  run.relative_update = number_in(fields, "stop_at_relative_update", 0, 1, 0);
  run.relative_residual = number_in(fields, "stop_at_relative_residual", 0, 1, 0);
  run.relative_objective = number_in(fields, "stop_at_relative_objective", 0, 1, 0);
  run.discrepancy = number_in(fields, "stop_at_discrepancy", 0, 1000, 0);
  if (run.discrepancy > 0 && run.discrepancy < 1)
    fields.fail("stop_at_discrepancy", "is " + format_param(run.discrepancy),
                "use 0 for never, or 1 to 1000 times the noise; 1.02 is usual");
}

/// Calls `read` for each element of a list, with its name; a missing list is empty.
template <class Read>
void read_elements(const JsonFields& fields, const std::string& key, const Read& read) {
  if (!fields.has(key)) return;
  const nlohmann::json& list = fields.at(key, {});
  if (!list.is_array()) fields.fail(key, "is not a list", "write [ {...}, ... ]");
  for (std::size_t i = 0; i < list.size(); ++i) read(list[i], key + "[" + std::to_string(i) + "]");
}

/// Calls `read` for each element of a list of objects; a missing list is empty.
template <class Read>
void read_list(const JsonFields& fields, const std::string& key, const Read& read) {
  read_elements(fields, key, [&](const nlohmann::json& element, const std::string& name) {
    read(JsonFields(element, fields.where(), fields.path_of(name)));
  });
}

std::vector<CorrectionSpec> read_corrections(const JsonFields& fields, const Catalog& catalog) {
  std::vector<CorrectionSpec> steps;
  const auto& registry = catalog.corrections;
  read_elements(fields, "corrections", [&](const nlohmann::json& element, const std::string& name) {
    CorrectionSpec& step = steps.emplace_back();
    nlohmann::json choice = element;
    if (choice.is_object()) {
      step.off = JsonFields(element, fields.where(), fields.path_of(name)).flag("off", false);
      choice.erase("off");
    }
    read_choice_of(choice, fields, name, registry.kind(), step.key, step.params);
    check_choice(fields, name, registry, step.key, step.params);
  });
  return steps;
}

/// Reads the stages of a run. Throws InputError unless each ends later than the one before, and the
/// run after the last.
std::vector<RunStage> read_stages(const JsonFields& fields, const Catalog& catalog,
                                  int iterations) {
  std::vector<RunStage> stages;
  read_list(fields, "stages", [&](const JsonFields& one) {
    require_settings_and({"until_iteration", "steps"}, one);
    RunStage stage;
    read_settings(one, catalog, stage);
    stage.until_iteration = one.integer("until_iteration", 0, 1000000);
    stage.steps = one.integer("steps", 0, 1000000000, 0);
    const int before = stages.empty() ? 0 : stages.back().until_iteration;
    if (stage.until_iteration < before || (stage.until_iteration == before && stage.steps == 0))
      one.fail("until_iteration",
               "is " + std::to_string(stage.until_iteration) +
                   ", and at the stage's start there are " + std::to_string(before) + " already",
               "list the stages in the order in which they were computed");
    if (stage.until_iteration >= iterations)
      one.fail("until_iteration",
               "is " + std::to_string(stage.until_iteration) + " of a run of " +
                   std::to_string(iterations) + " iterations",
               "give the run more iterations than its stages");
    stages.push_back(std::move(stage));
  });
  return stages;
}

RunSpec read_run(const JsonFields& fields, const Catalog& catalog) {
  require_settings_and({"name", "colour", "iterations", "stages", "goes_past_rules"}, fields);
  RunSpec run;
  run.name = fields.text_or("name", {});
  run.colour = fields.integer("colour", -1, 1000, -1);
  read_settings(fields, catalog, run);
  run.iterations = fields.integer("iterations", 1, 1000000, run.iterations);
  run.stages = read_stages(fields, catalog, run.iterations);
  run.goes_past_rules = fields.flag("goes_past_rules", false);
  return run;
}

std::vector<RunSpec> read_runs(const JsonFields& fields, const Catalog& catalog) {
  std::vector<RunSpec> runs;
  read_list(fields, "runs", [&](const JsonFields& run) { runs.push_back(read_run(run, catalog)); });
  return runs;
}

// ---- Writing

Json to_json(const Params& params) {
  Json json = Json::object();
  for (const auto& [key, value] : params.values())
    std::visit([&, k = key](const auto& v) { json[k] = v; }, value);
  return json;
}

Json algorithm_json(const std::string& key, const Params& params) {
  if (params.values().empty()) return key;
  return {{"key", key}, {"params", to_json(params)}};
}

Json source_json(const SourceSpec& source, const std::string& folder) {
  Json json = {{"kind", source_kinds[static_cast<std::size_t>(source.kind)]}};
  if (source.kind == SourceKind::phantom) {
    json["phantom"] = algorithm_json(source.phantom, source.phantom_params);
  } else {
    json["path"] = stored_path(source.path, folder);
    if (!source.series_uid.empty()) json["series_uid"] = source.series_uid;
    if (source.uneven != UnevenSlices::refuse)
      json["uneven"] = uneven_words[static_cast<std::size_t>(source.uneven)];
    if (source.slice >= 0) json["slice"] = source.slice;
    if (source.slice_by_slice) json["slice_by_slice"] = true;
    if (source.values_are_hu) json["values_are_hu"] = true;
    if (source.import_settings != ImportSettings())
      json["import"] = to_json(source.import_settings, folder);
  }
  if (source.rebin_to_fans) json["rebin"] = rebinnings[1];
  json["mu_water"] = source.mu_water;
  return json;
}

Json settings_json(const RunSettings& run) {
  Json json = Json::object();
  json["solver"] = algorithm_json(run.solver, run.solver_params);
  if (!run.prior.empty()) json["prior"] = algorithm_json(run.prior, run.prior_params);
  json["projector"] = algorithm_json(run.projector, run.projector_params);
  if (!run.format.empty()) json["format"] = algorithm_json(run.format, run.format_params);
  json["backend"] = run.backend;
  if (run.weights != RayWeights::none)
    json["weights"] = ray_weights[static_cast<std::size_t>(run.weights)];
  if (run.coarse_levels > 0) {
    json["coarse_levels"] = run.coarse_levels;
    json["coarse_iterations"] = run.coarse_iterations;
  }
  if (run.relative_update > 0) json["stop_at_relative_update"] = run.relative_update;
  if (run.relative_residual > 0) json["stop_at_relative_residual"] = run.relative_residual;
  if (run.relative_objective > 0) json["stop_at_relative_objective"] = run.relative_objective;
  if (run.discrepancy > 0) json["stop_at_discrepancy"] = run.discrepancy;
  return json;
}

Json run_json(const RunSpec& run) {
  Json json = Json::object();
  if (!run.name.empty()) json["name"] = run.name;
  if (run.colour >= 0) json["colour"] = run.colour;
  json.update(settings_json(run));
  // A run that was continued at its end has a stage for all that it has computed, but a reader
  // requires at least one iteration after the stages.
  json["iterations"] = run.stages.empty()
                           ? run.iterations
                           : std::max(run.iterations, run.stages.back().until_iteration + 1);
  Json stages = Json::array();
  for (const RunStage& stage : run.stages) {
    Json one = settings_json(stage);
    one["until_iteration"] = stage.until_iteration;
    if (stage.steps > 0) one["steps"] = stage.steps;
    stages.push_back(std::move(one));
  }
  if (!stages.empty()) json["stages"] = std::move(stages);
  if (run.goes_past_rules) json["goes_past_rules"] = true;
  return json;
}

}  // namespace

Experiment parse_experiment(const std::string& text, const std::string& where,
                            const std::string& folder, const Catalog& catalog) {
  const nlohmann::json json = parse_json(text, where);
  const JsonFields fields(json, where);
  if (fields.text("format", "a Gantry experiment begins with it") != "gantry-experiment")
    fields.fail("format", "is not \"gantry-experiment\"",
                "open a file that Gantry saved as an experiment");
  if (fields.integer("version", 0, 1000000) != version)
    fields.fail("version", "is not " + std::to_string(version),
                "open it with the version of Gantry that wrote it");
  require_no_unknown_fields(
      fields.others({"format", "version", "title", "source", "corrections", "geometry", "noise",
                     "simulation", "grid", "metrics", "runs"}),
      fields);
  Experiment experiment;
  experiment.title = fields.text_or("title", {});
  experiment.source =
      read_source(fields.object("source", "say where the data come from"), folder, catalog);
  experiment.corrections = read_corrections(fields, catalog);
  if (fields.has("geometry")) {
    const JsonFields geometry = fields.object("geometry", {});
    require_no_unknown_fields(unknown_geometry_fields(geometry), geometry);
    experiment.geometry = scan_spec_from_json(geometry);
  }
  if (fields.has("noise")) experiment.noise = read_noise(fields.object("noise", {}));
  if (fields.has("simulation"))
    experiment.simulation = read_simulation(fields.object("simulation", {}), catalog);
  if (fields.has("grid")) experiment.grid = grid_from_json(fields.object("grid", {}));
  if (fields.has("metrics")) experiment.metrics = metrics_from_json(fields.object("metrics", {}));
  experiment.runs = read_runs(fields, catalog);
  return experiment;
}

Experiment read_experiment(const std::string& path, const Catalog& catalog) {
  const std::string folder = std::filesystem::absolute(path).parent_path().string();
  return parse_experiment(read_text_file(path, largest_file), path, folder, catalog);
}

std::string format_experiment(const Experiment& experiment, const std::string& folder) {
  Json json = {{"format", "gantry-experiment"}, {"version", version}};
  if (!experiment.title.empty()) json["title"] = experiment.title;
  json["source"] = source_json(experiment.source, folder);
  for (const CorrectionSpec& step : experiment.corrections) {
    Json element = algorithm_json(step.key, step.params);
    if (step.off) {
      if (element.is_string()) element = {{"key", step.key}};
      element["off"] = true;
    }
    json["corrections"].push_back(std::move(element));
  }
  if (experiment.geometry) json["geometry"] = to_json(*experiment.geometry);
  json["noise"] = {{"photons_per_ray", experiment.noise.photons_per_ray},
                   {"electronic_sigma", experiment.noise.electronic_sigma},
                   {"seed", experiment.noise.seed}};
  json["simulation"] = {{"subrays", experiment.simulation.subrays},
                        {"projector", experiment.simulation.projector}};
  if (experiment.grid) json["grid"] = to_json(*experiment.grid);
  json["metrics"] = to_json(experiment.metrics);
  json["runs"] = Json::array();
  for (const RunSpec& run : experiment.runs) json["runs"].push_back(run_json(run));
  try {
    return json.dump(2) + "\n";
  } catch (const nlohmann::json::exception&) {  // the text is UTF-8; a file name may be any bytes
    throw OutputError("a file name in the experiment is not valid UTF-8", experiment.source.path,
                      "rename the file");
  }
}

void write_experiment(const std::string& path, const Experiment& experiment) {
  const std::string text =
      format_experiment(experiment, std::filesystem::absolute(path).parent_path().string());
  write_file_atomically(path, std::as_bytes(std::span(text)), access_for(experiment.source));
}

}  // namespace gantry
