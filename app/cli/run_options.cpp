#include "app/cli/run_options.hpp"

#include "app/cli/checks.hpp"
#include "app/cli/run_report.hpp"
#include "core/base/error.hpp"
#include "core/catalog/projector_choice.hpp"
#include "core/job/run_prior.hpp"

#include <algorithm>
#include <charconv>

namespace gantry::cli {

namespace {

std::vector<int> parse_sizes(const std::string& text) {
  std::vector<int> sizes;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at <= end) {
    int value = 0;
    const auto [rest, error] = std::from_chars(at, end, value);
    if (error != std::errc{} || value < 1)
      throw UsageError("\"" + text + "\" is no grid size", "--grid", "write NX,NY or NX,NY,NZ");
    sizes.push_back(value);
    if (rest == end) break;
    if (*rest != ',')
      throw UsageError("\"" + text + "\" is no grid size", "--grid", "write NX,NY or NX,NY,NZ");
    at = rest + 1;
  }
  if (sizes.size() < 2 || sizes.size() > 3)
    throw UsageError("\"" + text + "\" is no grid size", "--grid", "write NX,NY or NX,NY,NZ");
  return sizes;
}

/// Sets the prior's parameters to the automatic weight. Throws UsageError if they say otherwise.
void set_sharpness(double sharpness, Params& prior) {
  for (const char* key : {"weight", "scale", "sharpness"})
    if (prior.contains(key))
      throw UsageError("the prior's weight is found automatically, and prior." + std::string(key) +
                           " is given too",
                       "--prior-sharpness", "give one of both");
  prior.set("scale", std::string("automatic"));
  prior.set("sharpness", sharpness);
}

}  // namespace

void RunOptions::add_to(CLI::App& app) {
  app.add_option("--solver", solver, "algorithm, see gantry-cli list solvers")
      ->type_name("KEY")
      ->capture_default_str();
  app.add_option("--prior", prior,
                 "see gantry-cli list priors (default: the solver's own, if it takes one)")
      ->type_name("KEY");
  app.add_option("--prior-sharpness", prior_sharpness,
                 "find the prior's weight from the noise; 0 is usual, 1 more is sharper")
      ->type_name("S")
      ->check(real(-20, 20));
  add_projector_to(app);
  app.add_option("--format", format,
                 "store the weights as this matrix, see gantry-cli list formats")
      ->type_name("KEY");
  app.add_option("--backend", backend, "auto, cpu, cuda or another, see gantry-cli list backends")
      ->type_name("KEY")
      ->capture_default_str();
  app.add_option("--weights", weights,
                 "weights of the rays: none, or statistical (needs noise or counts)")
      ->type_name("KIND")
      ->capture_default_str()
      ->check(one_of({"none", "statistical"}));
  add_grid_to(app);
  app.add_option("--iterations", iterations, "iterations: passes over all views")
      ->type_name("N")
      ->capture_default_str()
      ->check(whole(1, 1000000));
  CLI::Option* const levels =
      app.add_option("--coarse-levels", coarse_levels,
                     "start from a run on voxels twice as large, itself started so: N levels")
          ->type_name("N")
          ->capture_default_str()
          ->check(whole(0, most_coarse_levels));
  app.add_option("--coarse-iterations", coarse_iterations, "iterations of each of these runs")
      ->type_name("N")
      ->capture_default_str()
      ->check(whole(1, 1000000))
      ->needs(levels);
  app.add_option("--stop-at-update", stop_at_update, "stop early below this ||dx|| / ||x||")
      ->type_name("SHARE")
      ->check(real(0, 1));
  app.add_option("--stop-at-residual", stop_at_residual,
                 "stop early below this ||A x - b|| / ||b||")
      ->type_name("SHARE")
      ->check(real(0, 1));
  app.add_option("--stop-at-objective", stop_at_objective,
                 "stop early below this |dPhi| / |Phi|, Phi: the objective")
      ->type_name("SHARE")
      ->check(real(0, 1));
  app.add_option("--stop-at-noise", stop_at_noise,
                 "stop early below this ||A x - b|| / ||noise||; 1.02 is usual")
      ->type_name("TAU")
      ->check(real(1, 1000));
  app.add_option("--set", settings, "a parameter, as in solver.relaxation=0.5; can be given again")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
}

void RunOptions::add_projector_to(CLI::App& app) {
  app.add_option("--projector", projector,
                 "see gantry-cli list projectors (default: the usual one for the scan)")
      ->type_name("KEY");
}

void RunOptions::add_grid_to(CLI::App& app) {
  app.add_option("--grid", grid, "voxels: NX,NY or NX,NY,NZ (default: a pixel per detector column)")
      ->type_name("SIZE");
  app.add_option("--voxel", voxel_mm, "size (default: the grid spans the field of view)")
      ->type_name("MM")
      ->check(positive());
}

RunSpec RunOptions::run_spec(const Catalog& catalog) const {
  require_owners(settings, {"solver", "prior", "projector", "format"});
  RunSpec run;
  run.solver = solver;
  if (!projector.empty()) run.projector = projector;
  run.backend = backend;
  run.weights = weights == "statistical" ? RayWeights::statistical : RayWeights::none;
  run.iterations = iterations;
  run.coarse_levels = coarse_levels;
  run.coarse_iterations = coarse_iterations;
  run.relative_update = stop_at_update;
  run.relative_residual = stop_at_residual;
  run.relative_objective = stop_at_objective;
  run.discrepancy = stop_at_noise;
  run.solver_params = parse_settings(settings, "solver", catalog.solvers.at(solver).params);
  run.prior = prior;
  if (const std::string key = prior_of(run, catalog); !key.empty()) {
    run.prior_params = parse_settings(settings, "prior", catalog.priors.at(key).params);
    if (prior_sharpness) set_sharpness(*prior_sharpness, run.prior_params);
    if (has_owner(settings, "prior") || prior_sharpness) run.prior = key;
  } else if (prior_sharpness) {
    throw UsageError("a sharpness is given, but the solver " + solver + " takes no prior",
                     "--prior-sharpness", "leave it out, or use a solver that takes a prior");
  } else if (has_owner(settings, "prior"))
    throw UsageError("a prior's setting is given, but the solver " + solver + " takes no prior",
                     "--set", "leave the setting out, or use a solver that takes a prior");
  require_suitable_prior(run, catalog);
  run.projector_params =
      parse_settings(settings, "projector", catalog.projectors.at(run.projector).params);
  if (format.empty()) {
    if (has_owner(settings, "format"))
      throw UsageError("a format's setting is given, but no format", "--set", "add --format KEY");
    return run;
  }
  run.format = format;
  run.format_params = parse_settings(settings, "format", catalog.matrix_formats.at(format).params);
  return run;
}

std::string RunOptions::projector_for(const Catalog& catalog, const ScanGeometry& scan) const {
  if (!projector.empty()) return projector;
  const std::string usual = RunSpec{}.projector,
                    chosen = suitable_projector(catalog, host_key, scan, usual);
  if (chosen != usual)
    print_assumptions({{"projector", chosen, usual + " does not take this scan"}});
  return chosen;
}

VolumeGrid RunOptions::volume_grid(const VolumeGrid& fallback) const {
  if (grid.empty() && voxel_mm == 0) return fallback;
  std::vector<int> sizes =
      grid.empty() ? std::vector<int>{fallback.nx, fallback.ny, fallback.nz} : parse_sizes(grid);
  if (sizes.size() == 2) sizes.push_back(fallback.nz);
  Vec3 spacing{fallback.nx * fallback.spacing_mm.x / sizes[0],
               fallback.ny * fallback.spacing_mm.y / sizes[1],
               fallback.nz * fallback.spacing_mm.z / sizes[2]};
  if (voxel_mm > 0)
    spacing = {voxel_mm, voxel_mm,
               fallback.nz == 1 && sizes[2] == 1 ? fallback.spacing_mm.z : voxel_mm};
  VolumeGrid result = VolumeGrid::centered(sizes[0], sizes[1], sizes[2], spacing);
  const double shift = fallback.center_mm().z - result.center_mm().z;
  result.origin_mm.z += shift;
  return result;
}

Params parse_settings(const std::vector<std::string>& settings, const std::string& owner,
                      const std::vector<ParamSpec>& specs) {
  Params params;
  for (const std::string& setting : settings) {
    const std::size_t dot = setting.find('.'), equals = setting.find('=');
    if (setting.substr(0, dot) != owner) continue;
    const std::string key = setting.substr(dot + 1, equals - dot - 1);
    const auto spec = std::ranges::find(specs, key, &ParamSpec::key);
    if (spec == specs.end()) {
      resolve_params({{key, true}}, specs, owner);  // throws UsageError, which names what there is
      continue;
    }
    params.set(key, parse_param(*spec, setting.substr(equals + 1), owner));
  }
  return params;
}

bool has_owner(const std::vector<std::string>& settings, const std::string& owner) {
  return std::ranges::any_of(settings, [&](const std::string& setting) {
    return setting.substr(0, setting.find('.')) == owner;
  });
}

void require_owners(const std::vector<std::string>& settings,
                    const std::vector<std::string>& owners) {
  for (const std::string& setting : settings) {
    const std::size_t dot = setting.find('.'), equals = setting.find('=');
    const bool formed = dot != std::string::npos && equals != std::string::npos && dot < equals;
    if (!formed || std::ranges::find(owners, setting.substr(0, dot)) == owners.end())
      throw UsageError("\"" + setting + "\" is no setting", "--set",
                       "write " + owners.front() + ".KEY=VALUE");
  }
}

}  // namespace gantry::cli
