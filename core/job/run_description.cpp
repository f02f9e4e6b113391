#include "core/job/run_description.hpp"

#include "core/base/printable.hpp"
#include "core/job/run_prior.hpp"
#include "core/priors/weight_roles.hpp"

#include <algorithm>

namespace gantry {

namespace {

Params resolved_params(const RunSettings& run, const Catalog& catalog) {
  const auto& solver = catalog.solvers.at(run.solver);
  return resolve_params(run.solver_params, solver.params, solver.key);
}

/// Returns "SART, λ 0.5", "Huber, weight 0.015", "Huber, sharpness 0".
std::string label_of(const AlgorithmInfo& info, const Params& resolved) {
  std::string label = info.label;
  for (const ParamSpec& spec : info.params)
    if (spec.in_names && !has_no_effect(spec, resolved))
      label += ", " + *spec.in_names + format_param(resolved.values().at(spec.key));
  return label;
}

std::string prior_label(const RunSettings& run, const Catalog& catalog) {
  const std::string key = prior_of(run, catalog);
  return key.empty() ? std::string()
                     : label_of(catalog.priors.at(key), resolved_prior_params(run, catalog));
}

/// Returns the parameters that differ, "λ 0.3, views 20".
std::vector<std::string> param_differences(const AlgorithmInfo& info, const Params& before,
                                           const Params& now) {
  std::vector<std::string> differences;
  for (const ParamSpec& spec : info.params) {
    const ParamValue& value = now.values().at(spec.key);
    if (value != before.values().at(spec.key))
      differences.push_back(spec.in_names.value_or(spec.key + " ") + format_param(value));
  }
  return differences;
}

/// Returns "from 2 coarser grids".
std::string coarse_start_text(const RunSettings& run) {
  const std::string levels = std::to_string(run.coarse_levels);
  return "from " + levels + (run.coarse_levels == 1 ? " coarser grid" : " coarser grids");
}

/// Returns "SART, λ 0.5, CSR", "FISTA, Huber, weight 0.015".
std::string settings_label(const RunSettings& run, const Catalog& catalog) {
  std::string label = label_of(catalog.solvers.at(run.solver), resolved_params(run, catalog));
  if (const std::string prior = prior_label(run, catalog); !prior.empty()) label += ", " + prior;
  if (!run.format.empty()) label += ", " + catalog.matrix_formats.at(run.format).label;
  if (run.coarse_levels > 0) label += ", " + coarse_start_text(run);
  return label;
}

/// Returns the difference of two settings, "λ 0.3, statistical weights".
std::string difference(const RunSettings& before, const RunSettings& now, const Catalog& catalog) {
  if (now.solver != before.solver) return settings_label(now, catalog);
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  for (const std::string& one :
       param_differences(catalog.solvers.at(now.solver), resolved_params(before, catalog),
                         resolved_params(now, catalog)))
    add(one);
  if (const std::string prior = prior_of(now, catalog); prior != prior_of(before, catalog)) {
    add(prior_label(now, catalog));
  } else if (!prior.empty()) {
    for (const std::string& one :
         param_differences(catalog.priors.at(prior), resolved_prior_params(before, catalog),
                           resolved_prior_params(now, catalog)))
      add(one);
  }
  if (now.projector != before.projector || now.projector_params != before.projector_params)
    add(catalog.projectors.at(now.projector).label);
  if (now.format != before.format || now.format_params != before.format_params)
    add(now.format.empty() ? "no stored matrix" : catalog.matrix_formats.at(now.format).label);
  if (now.weights != before.weights)
    add(now.weights == RayWeights::none ? "no ray weights" : "statistical weights");
  if (now.backend != before.backend) add("on " + now.backend);
  return text.empty() ? "begun anew" : text;
}

/// Returns the part of a description that does not depend on the number of iterations done.
std::string parameters_text(const RunSettings& run, const Catalog& catalog) {
  std::string text;
  const Params resolved = resolved_params(run, catalog);
  for (const auto& [key, value] : resolved.values()) text += ", " + key + " " + format_param(value);
  if (const std::string prior = prior_of(run, catalog); !prior.empty()) {
    text += ", prior " + catalog.priors.at(prior).label;
    const Params of_prior = resolved_prior_params(run, catalog);
    for (const auto& [key, value] : of_prior.values())
      text += ", " + key + " " + format_param(value);
  }
  if (run.coarse_levels > 0)
    text += ", " + coarse_start_text(run) + " of " + std::to_string(run.coarse_iterations) +
            (run.coarse_iterations == 1 ? " iteration" : " iterations") + " each";
  if (run.weights == RayWeights::statistical) text += ", statistical weights";
  text += ", projector " + catalog.projectors.at(run.projector).label;
  if (!run.format.empty()) text += " as " + catalog.matrix_formats.at(run.format).label + " matrix";
  return text;
}

/// Returns "iterations 1 to 12 and 3 steps of the next".
std::string span_text(int first, int last, int steps) {
  if (last < first)
    return "to step " + std::to_string(steps) + " of iteration " + std::to_string(first);
  std::string text = first == last
                         ? "iteration " + std::to_string(first)
                         : "iterations " + std::to_string(first) + " to " + std::to_string(last);
  if (steps > 0) text += " and " + std::to_string(steps) + " steps of the next";
  return text;
}

}  // namespace

std::string stage_label(const RunSpec& run, std::size_t stage, const Catalog& catalog) {
  const RunSpec now = truncated_to_stage(run, stage);
  return now.stages.empty() ? settings_label(now, catalog)
                            : difference(now.stages.back(), now, catalog);
}

std::string run_label(const RunSpec& run, const Catalog& catalog) {
  if (!run.name.empty()) return printable(run.name);
  std::string label = stage_label(run, 0, catalog);
  for (std::size_t i = 0; i < run.stages.size(); ++i) {
    const RunStage& stage = run.stages[i];
    const std::string next = std::to_string(stage.until_iteration + 1);
    label += stage.steps > 0 ? " to step " + std::to_string(stage.steps) + " of iteration " + next
                             : " to iteration " + std::to_string(stage.until_iteration);
    label += ", " + stage_label(run, i + 1, catalog);
    if (i + 1 == run.stages.size()) label += stage.steps > 0 ? " from there" : " from " + next;
  }
  return label;
}

std::vector<std::string> run_labels(const std::vector<RunSpec>& runs, const Catalog& catalog) {
  std::vector<std::string> labels;
  for (const RunSpec& run : runs) {
    const std::string name = run_label(run, catalog);
    std::string label = name;
    for (int number = 2; std::ranges::find(labels, label) != labels.end(); ++number)
      label = name + " (" + std::to_string(number) + ")";
    labels.push_back(label);
  }
  return labels;
}

std::string run_description(const RunSpec& run, const Catalog& catalog, int iterations) {
  const RunSpec then = as_of_iteration(run, iterations);
  std::string text;
  int first = 1;
  for (const RunStage& stage : then.stages) {
    text += catalog.solvers.at(stage.solver).label + ", " +
            span_text(first, stage.until_iteration, stage.steps) + parameters_text(stage, catalog) +
            "; then ";
    first = stage.until_iteration + 1;
  }
  text += catalog.solvers.at(then.solver).label + ", ";
  if (then.stages.empty())
    text += std::to_string(iterations) + (iterations == 1 ? " iteration" : " iterations");
  else
    text += span_text(first, iterations, 0);
  return text + parameters_text(then, catalog);
}

}  // namespace gantry
