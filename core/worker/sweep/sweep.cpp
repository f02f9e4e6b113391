#include "core/worker/sweep/sweep.hpp"

#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/catalog/projector_choice.hpp"
#include "core/geometry/detector_move.hpp"
#include "core/geometry/view_angles.hpp"
#include "core/job/run_prior.hpp"
#include "core/job/scans/scan_cache.hpp"
#include "core/job/value_range.hpp"
#include "core/priors/weight_roles.hpp"
#include "core/worker/error_text.hpp"
#include "core/worker/preview/corrected_rows.hpp"
#include "core/worker/sweep/middle_slices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gantry {

namespace {

constexpr int digits_of_step = 3;  // to which values are rounded

/// Returns a value with so many digits that neighbours at this distance stay apart.
double rounded_for_step(double value, double step) {
  const double steps = std::abs(value) / step;
  return to_digits(value,
                   digits_of_step + (steps > 1 ? static_cast<int>(std::log10(steps)) + 1 : 0));
}

constexpr double usual_photons = 1e5;
constexpr const char *central_column_key = "central_column", *tilt_key = "detector_tilt_deg";

ParamValue value_of(const ParamSpec& spec, double value) {
  if (std::holds_alternative<std::int64_t>(spec.fallback))
    return static_cast<std::int64_t>(std::llround(value));
  return value;
}

/// Adds the numbers of an algorithm that have an effect beside its other parameters.
void add_numbers(const AlgorithmInfo& info, const Params& given, SweepParam::Of of,
                 Params RunSpec::*where, std::vector<SweepParam>& found) {
  const Params resolved = resolve_params(given, info.params, info.key);
  for (const ParamSpec& spec : info.params) {
    const auto present = number_of(resolved.values().at(spec.key));
    if (!present || !(spec.min < spec.max)) continue;
    if (of == SweepParam::Of::prior && has_no_effect(spec, resolved)) continue;
    const auto set = [of, spec, where, key = info.key](Experiment& e, std::size_t run, double v) {
      (e.runs.at(run).*where).set(spec.key, value_of(spec, v));
      // A prior with parameters of its own is chosen by name: see RunSettings::prior.
      if (of == SweepParam::Of::prior) e.runs.at(run).prior = key;
    };
    found.push_back({of, spec, *present, set});
  }
}

ParamSpec number(std::string key, std::string label, ParamValue fallback, double min, double max,
                 double step) {
  ParamSpec spec;
  spec.key = std::move(key);
  spec.label = std::move(label);
  spec.fallback = std::move(fallback);
  spec.min = min;
  spec.max = max;
  spec.step = step;
  return spec;
}

/// Returns the scan that an experiment states, or that of its data before they were rebinned.
ScanSpec scan_of(const Experiment& experiment, const ExperimentData& data) {
  if (experiment.geometry) return *experiment.geometry;
  return (data.rebinned_from ? data.rebinned_from : data.geometry)->spec();
}

/// Returns a function that changes `scan`, or the scan that an experiment states by then.
auto change_scan(const ScanSpec& scan, const ExperimentData& data,
                 std::function<void(ScanSpec&, double)> change) {
  return [scan, grid = data.grid, change = std::move(change)](Experiment& e, std::size_t,
                                                              double value) {
    if (!e.geometry) e.geometry = scan;
    if (!e.grid) e.grid = grid;
    change(*e.geometry, value);
  };
}

/// Adds the numbers of a measured scan that may be known only roughly.
void add_measured_scan(const ScanSpec& scan, const ExperimentData& data,
                       std::vector<SweepParam>& found) {
  using Of = SweepParam::Of;
  constexpr double most_tilt_deg = 5;
  found.push_back({Of::scan, number(central_column_key, "Central column", 0.0, -1e5, 1e5, 0.05),
                   scan.central_column,
                   change_scan(scan, data, [](ScanSpec& s, double v) { s.central_column = v; })});
  if (scan.beam != Beam::parallel)
    found.push_back(
        {Of::scan,
         number("source_to_isocenter_mm", "Source to axis, mm", scan.source_to_isocenter_mm,
                scan.source_to_isocenter_mm / 2, scan.source_to_detector_mm, 0.1),
         scan.source_to_isocenter_mm,
         change_scan(scan, data, [](ScanSpec& s, double v) { s.source_to_isocenter_mm = v; })});
  if (can_be_tilted(scan))
    found.push_back(
        {Of::scan,
         number(tilt_key, "Detector tilt, degrees", 0.0, -most_tilt_deg, most_tilt_deg, 0.01), 0,
         change_scan(scan, data, [](ScanSpec& s, double v) {
           if (v != 0) s = with_moved_detector(s, {.roll_rad = radians(v)});
         })});
}

void add_corrections(const Experiment& experiment, const Catalog& catalog,
                     std::vector<SweepParam>& found) {
  for (std::size_t i = 0; i < experiment.corrections.size(); ++i) {
    const CorrectionSpec& step = experiment.corrections[i];
    if (step.off) continue;
    const auto& info = catalog.corrections.at(step.key);
    const Params resolved = resolve_params(step.params, info.params, info.key);
    for (ParamSpec spec : info.params) {
      const auto present = number_of(resolved.values().at(spec.key));
      if (!present || !(spec.min < spec.max) || has_no_effect(spec, resolved)) continue;
      const auto set = [i, spec](Experiment& e, std::size_t, double v) {
        e.corrections.at(i).params.set(spec.key, value_of(spec, v));
      };
      spec.label = info.label + ", " + spec.label;
      found.push_back({SweepParam::Of::correction, spec, *present, set, i});
    }
  }
}

void add_scan(const Experiment& experiment, const ExperimentData& data,
              std::vector<SweepParam>& found) {
  using Of = SweepParam::Of;
  const ScanSpec scan = scan_of(experiment, data);
  if (scan.trajectory == Trajectory::poses) return;
  if (experiment.source.kind == SourceKind::scan) return add_measured_scan(scan, data, found);
  found.push_back({Of::scan, number("views", "Number of views", std::int64_t{360}, 1, 65536, 1),
                   static_cast<double>(scan.view_angles_rad.size()),
                   change_scan(scan, data, [](ScanSpec& s, double v) {
                     set_views(s, first_angle_deg(s), covered_angle_deg(s),
                               static_cast<int>(std::lround(v)));
                   })});
  const double photons = experiment.noise.photons_per_ray;
  found.push_back({Of::scan, number("photons", "Photons per ray", usual_photons, 1, 1e12, 1),
                   photons > 0 ? photons : usual_photons,
                   [](Experiment& e, std::size_t, double v) { e.noise.photons_per_ray = v; }});
}

/// Returns a range about the present value that shows the effect of a correction. The limits of
/// its parameters only exclude what cannot be computed.
ValueRange near_present(ValueRange range, const ParamSpec& spec, double present, double ratio) {
  constexpr double steps_aside = 10;
  if (spec.min >= 0 && present > 0 && present * ratio < spec.max) {
    range.low = std::max(range.low, present / ratio);
    range.high = std::min(range.high, present * ratio);
    range.logarithmic = range.low > 0;
  } else if (spec.min < 0 && spec.step > 0) {
    range.low = std::max(range.low, present - steps_aside * spec.step);
    range.high = std::min(range.high, present + steps_aside * spec.step);
  }
  return range;
}

}  // namespace

std::optional<ValueRange> range_to_sweep(const SweepParam& param) {
  constexpr double ratio = 10;  // of the ends to the present value
  const auto range = range_worth_trying(param.spec, param.present, ratio);
  if (!range || param.of != SweepParam::Of::correction) return range;
  return near_present(*range, param.spec, param.present, ratio);
}

std::string SweepParam::id() const {
  switch (of) {
    case Of::prior:
      return "prior:" + spec.key;
    case Of::solver:
      return "solver:" + spec.key;
    case Of::scan:
      return "scan:" + spec.key;
    case Of::correction:
      break;
  }
  return "correction:" + std::to_string(correction) + ":" + spec.key;
}

bool SweepParam::is_tilt() const { return of == Of::scan && spec.key == tilt_key; }

bool SweepParam::is_central_column() const {
  return of == Of::scan && spec.key == central_column_key;
}

bool SweepParam::is_weight() const { return of == Of::prior && is_penalty_weight(spec); }

std::vector<SweepParam> sweep_params(const Experiment& experiment, std::size_t run,
                                     const ExperimentData* data, const Catalog& catalog) {
  std::vector<SweepParam> found;
  const RunSpec& spec = experiment.runs.at(run);
  const auto& solver = catalog.solvers.at(spec.solver);
  if (const std::string prior = prior_of(spec, catalog);
      solver.traits.prior != PriorUse::none && !prior.empty())
    add_numbers(catalog.priors.at(prior), spec.prior_params, SweepParam::Of::prior,
                &RunSpec::prior_params, found);
  add_numbers(solver, spec.solver_params, SweepParam::Of::solver, &RunSpec::solver_params, found);
  if (data != nullptr) add_scan(experiment, *data, found);
  add_corrections(experiment, catalog, found);
  return found;
}

std::vector<double> sweep_values(double from, double to, int count, bool logarithmic,
                                 std::optional<double> present) {
  if (count < 2) throw UsageError("a sweep needs two values at least", "count", "ask for more");
  if (!(from < to) || (logarithmic && !(from > 0)))
    throw UsageError("the range of the sweep is empty", "from",
                     logarithmic ? "give two different values above 0, the smaller one first"
                                 : "give two different values, the smaller one first");
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    const double part = static_cast<double>(i) / (count - 1),
                 value = logarithmic ? from * std::pow(to / from, part) : from + part * (to - from),
                 step = logarithmic ? value * (std::pow(to / from, 1.0 / (count - 1)) - 1)
                                    : (to - from) / (count - 1);
    // The ends are kept as given; the others are rounded, since they appear in names of runs.
    values.push_back(i == 0           ? from
                     : i == count - 1 ? to
                                      : std::clamp(rounded_for_step(value, step), from, to));
  }
  if (!present || *present < from || *present > to) return values;
  const auto nearest = std::ranges::min_element(values, {}, [&](double value) {
    return logarithmic ? std::abs(std::log(value / *present)) : std::abs(value - *present);
  });
  const bool is_end = nearest == values.begin() || nearest == values.end() - 1;
  if (!is_end)
    *nearest = *present;
  else if (*nearest != *present)
    values.insert(std::ranges::upper_bound(values, *present), *present);
  return values;
}

Experiment with_value(Experiment experiment, std::size_t run, const SweepParam& param,
                      double value) {
  double kept = std::clamp(value, param.spec.min, param.spec.max);
  if (std::holds_alternative<std::int64_t>(param.spec.fallback)) kept = std::round(kept);
  param.set(experiment, run, kept);
  return experiment;
}

namespace {

/// Returns the result of the run of this index with a value, which may need data of its own.
SweepPoint point_of(const Experiment& experiment, std::size_t run, const SweepParam& param,
                    double value, int iterations, std::shared_ptr<const ExperimentData> data,
                    Trials& trials, const SweepProgress& progress) {
  const auto follow = [&progress](const HistoryEntry& entry) {
    if (progress) progress(entry.report.iteration);
    return false;
  };
  Experiment varied = with_value(experiment, run, param, value);
  RunSpec spec = varied.runs.at(run);
  spec.iterations = iterations;
  if (param.changes_data()) {
    varied.runs.clear();
    data = prepare_data(varied, trials.catalog(), trials.backends().resolve(host_key),
                        &trials.interrupt(), {}, {}, &shared_scan_cache());
    // A tilted detector has free poses, which few projectors know.
    spec.projector =
        suitable_projector(trials.catalog(), host_key, *data->geometry, spec.projector);
  }
  SweepPoint point;
  static_cast<TrialResult&>(point) = trials.compute(std::move(spec), std::move(data), follow);
  if (!point.image.empty()) point.slice = middle_slice_sharpness(point.image, point.data->grid);
  return point;
}

/// Returns the index of the varied correction among those that are applied.
std::size_t index_among_applied(const Experiment& experiment, const SweepParam& param) {
  const auto begin = experiment.corrections.begin();
  return static_cast<std::size_t>(
      std::count_if(begin, begin + static_cast<std::ptrdiff_t>(param.correction),
                    [](const CorrectionSpec& step) { return !step.off; }));
}

}  // namespace

void sweep(const Experiment& experiment, std::size_t run, const SweepParam& param,
           const std::vector<double>& values, int iterations,
           const std::shared_ptr<const ExperimentData>& data, Trials trials,
           const std::function<void(SweepPoint)>& tell, const SweepProgress& progress) {
  const auto slices = MiddleSlices::of(param, data, &trials.interrupt());
  CorrectedRows corrected(trials.catalog(), trials.backends());
  for (const double value : values) {
    SweepPoint point;
    try {
      if (!slices)
        point = point_of(experiment, run, param, value, iterations, data, trials, progress);
      else if (param.of == SweepParam::Of::correction)
        point = slices->of_row(corrected.of(with_value(experiment, run, param, value),
                                            index_among_applied(experiment, param), slices->rows(),
                                            WholeScan::may_be_made, trials.interrupt()),
                               experiment.runs.at(run));
      else
        point = slices->at(value, experiment.runs.at(run));
    } catch (const std::exception& error) {
      point.problem = text_of(error);
    }
    point.value = value;
    tell(std::move(point));
  }
}

}  // namespace gantry
