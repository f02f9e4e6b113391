#include "app/cli/checks.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/file_roles.hpp"
#include "app/cli/run_report.hpp"
#include "app/cli/series_options.hpp"
#include "app/version.hpp"
#include "core/io/volumes/volume_file.hpp"

#include <cstdio>
#include <iostream>
#include <memory>

namespace gantry::cli {

Command add_convert(CLI::App& app, Program&) {
  struct Options {
    std::string in, out;
    SeriesOptions series;
    bool hu = false;
    double mu_water = default_mu_water;
  };
  auto o = std::make_shared<Options>();
  CLI::App* sub =
      app.add_subcommand("convert", "Convert a volume or DICOM series to another kind of file");
  sub->add_option("IN", o->in, "volume file or DICOM folder")
      ->type_name("VOLUME")
      ->required()
      ->check(not_empty());
  sub->add_option("OUT", o->out, "volume: " + volume_names_to_write())
      ->type_name("VOLUME")
      ->required()
      ->check(not_empty());
  sub->add_flag("--hu", o->hu, "values of volume files are HU, in and out; else 1/mm");
  sub->add_option("--mu-water", o->mu_water, "attenuation of water, for HU")
      ->type_name("1/MM")
      ->capture_default_str()
      ->check(positive());
  o->series.add_to(*sub);
  sub->footer("Example:\n  gantry-cli convert ct_folder head.mha --hu");
  return {sub,
          [o] {
            FileRoles files;
            files.reads(o->in, "IN");
            files.writes_volume(o->out, "OUT");
            files.require_distinct();
            require_writable_volume(o->out);
            const LoadedVolume in = load_volume(
                o->in, {o->hu, o->mu_water, o->series.series, o->series.uneven_slices()});
            print_notes(in.notes);
            VolumeToWrite out;
            out.grid = in.grid;
            out.mu = in.mu;
            out.mu_water = o->mu_water;
            out.as_hu = o->hu;
            out.frame = in.frame;
            out.study = in.study;
            out.access = access_for_volume(o->in);
            out.series_description = "Gantry conversion";
            out.derivation = "converted from " + source_name(in);
            out.derivation_code = in.resampled ? spatial_resampling : format_conversion;
            if (in.study) out.slice_thickness_mm = in.study->slice_thickness_mm;
            out.software_version = version_number();
            write_volume(o->out, out);
            std::cout << wrote_text(o->out, out) << ": " << describe(in.grid) << '\n';
            if (in.from_hu && !writes_hu(o->out, out))
              std::printf("from HU with water at %.6g 1/mm\n", in.mu_water);
            return 0;
          },
          false};
}

}  // namespace gantry::cli
