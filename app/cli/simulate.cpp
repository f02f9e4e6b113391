#include "app/cli/checks.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/file_roles.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/run_report.hpp"
#include "app/cli/series_options.hpp"
#include "app/cli/signals.hpp"
#include "app/version.hpp"
#include "core/base/error.hpp"
#include "core/geometry/presets.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/volume_file.hpp"

#include <iostream>
#include <memory>

namespace gantry::cli {

namespace {

struct SimulateOptions {
  std::string phantom, volume, geometry, preset, out, truth;
  int slice = -1, subrays = 4;
  bool hu = false, counts = false, deidentify = false;
  double photons = 0, electronic_sigma = 0, mu_water = default_mu_water;
  std::uint64_t seed = 1;
  std::vector<std::string> settings;
  SeriesOptions series;
};

Experiment experiment_of(const SimulateOptions& options, const Catalog& catalog) {
  if (options.phantom.empty() == options.volume.empty())
    throw UsageError(options.phantom.empty() ? "there is nothing to simulate"
                                             : "there are two things to simulate",
                     "simulate", "give either --phantom or --volume");
  if (options.volume.empty() && (options.slice >= 0 || options.hu || options.series.given()))
    throw UsageError("--series, --uneven, --slice and --hu need --volume", "simulate",
                     "give --volume");
  if (options.electronic_sigma > 0 && options.photons == 0)
    throw UsageError("electronic noise adds to that of photons", "--electronic", "give --photons");
  if (!options.geometry.empty() && !options.preset.empty())
    throw UsageError("there are two geometries", "simulate", "give either --geometry or --preset");
  if (options.counts && options.photons == 0)
    throw UsageError("counts need a number of photons per ray", "--counts", "give --photons");
  Experiment experiment;
  SourceSpec& source = experiment.source;
  source.mu_water = options.mu_water;
  if (!options.phantom.empty()) {
    require_owners(options.settings, {"phantom"});
    source.kind = SourceKind::phantom;
    source.phantom = options.phantom;
    source.phantom_params =
        parse_settings(options.settings, "phantom", catalog.phantoms.at(options.phantom).params);
  } else {
    if (!options.settings.empty())
      throw UsageError("a volume has no parameters", "--set " + options.settings.front(),
                       "use it with --phantom");
    source.kind = SourceKind::volume;
    source.path = options.volume;
    source.series_uid = options.series.series;
    source.uneven = options.series.uneven_slices();
    source.slice = options.slice;
    source.values_are_hu = options.hu;
  }
  if (!options.geometry.empty()) {
    const StatedGeometry stated = read_stated_geometry(options.geometry, {});
    print_notes(stated.notes);
    experiment.geometry = stated.spec;
  }
  if (!options.preset.empty()) {
    const ScanPreset& preset = scan_preset(options.preset);
    experiment.geometry = preset.scan;
    experiment.grid = preset.grid;
  }
  experiment.noise = {options.photons, options.electronic_sigma, options.seed};
  experiment.simulation.subrays = options.subrays;
  return experiment;
}

int simulate(const SimulateOptions& options, Program& program) {
  const Experiment experiment = experiment_of(options, program.catalog);
  FileRoles files;
  files.reads(options.volume, "--volume");
  files.reads(options.geometry, "--geometry");
  files.writes_scan(options.out, "--out");
  files.writes_volume(options.truth, "--truth");
  files.require_distinct();
  require_writable_scan(options.out);
  if (!options.truth.empty()) require_writable_volume(options.truth);
  if (options.deidentify) require_deidentifiable(options.truth);
  const SignalInterrupt signal_interrupt;
  const auto data = prepare_data(experiment, program.catalog, program.backends.resolve("cpu"),
                                 &signal_interrupt.interrupt());
  print_notes(data->notes);
  write_scan(options.out, {*data->geometry, data->line_integrals, data->description,
                           options.counts ? data->counting : PhotonCounting{}, data->simulation,
                           data->access, data->mu_water});
  std::cout << "wrote " << options.out << ": " << describe(*data->geometry) << '\n';
  if (data->noise_norm > 0) std::cout << "norm of the noise: " << data->noise_norm << '\n';
  if (!options.truth.empty()) {
    VolumeToWrite truth;
    truth.grid = data->grid;
    truth.mu = data->reference->mu();
    truth.mu_water = data->mu_water;
    truth.access = data->access;
    truth.deidentify = options.deidentify;
    truth.series_description = "Gantry simulation truth";
    truth.derivation = data->description;
    if (data->volume) {
      truth.frame = data->volume->frame;
      truth.study = data->volume->study;
      truth.derivation_code =
          data->grid == data->volume->grid ? format_conversion : spatial_resampling;
    }
    truth.software_version = version_number();
    write_volume(options.truth, truth);
    std::cout << wrote_text(options.truth, truth) << '\n';
  }
  return 0;
}

}  // namespace

Command add_simulate(CLI::App& app, Program& program) {
  auto o = std::make_shared<SimulateOptions>();
  CLI::App* sub = app.add_subcommand("simulate", "Make the scan of a phantom or a volume");
  sub->add_option("--phantom", o->phantom, "see gantry-cli list phantoms; line integrals are exact")
      ->type_name("KEY");
  sub->add_option("--volume", o->volume, "volume file or DICOM folder")->type_name("VOLUME");
  o->series.add_to(*sub);
  sub->add_option("--slice", o->slice, "one slice of the volume, from 0 (default: all)")
      ->type_name("N")
      ->check(whole(0, 65535));
  sub->add_flag("--hu", o->hu, "values of the volume file are HU, not 1/mm");
  sub->add_option("--mu-water", o->mu_water, "attenuation of water, for HU")
      ->type_name("1/MM")
      ->capture_default_str()
      ->check(positive());
  sub->add_option("--geometry", o->geometry,
                  "scan file or geometry (default: a fan or cone that fits)")
      ->type_name("FILE")
      ->check(not_empty());
  sub->add_option("--preset", o->preset,
                  "a scanner and its grid instead, see gantry-cli list presets")
      ->type_name("KEY")
      ->check(not_empty());
  sub->add_option("--subrays", o->subrays, "rays averaged across a cell, 1 to 64")
      ->type_name("N")
      ->capture_default_str()
      ->check(whole(1, 64));
  sub->add_option("--photons", o->photons, "per ray; 0: no noise")
      ->type_name("N")
      ->capture_default_str()
      ->check(not_negative());
  sub->add_option("--electronic", o->electronic_sigma,
                  "standard deviation of electronic noise, in photons")
      ->type_name("N")
      ->check(not_negative());
  sub->add_flag("--counts", o->counts, "write photon counts instead of line integrals");
  sub->add_option("--seed", o->seed, "of the noise")
      ->type_name("N")
      ->capture_default_str()
      ->check(whole(0, 9'000'000'000'000'000));
  sub->add_option("--set", o->settings, "a parameter, as in phantom.ear=true; can be given again")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  add_scan_out(*sub, o->out)->required();
  auto* truth = sub->add_option("--truth", o->truth, "also write the truth as a volume")
                    ->type_name("VOLUME")
                    ->check(not_empty());
  add_deidentify(*sub, o->deidentify)->needs(truth);
  sub->footer(
      "Example:\n  gantry-cli simulate --phantom shepp_logan --photons 1e5 --out head.scan.json "
      "--truth head.mha");
  return {sub, [o, &program] { return simulate(*o, program); }, false};
}

}  // namespace gantry::cli
