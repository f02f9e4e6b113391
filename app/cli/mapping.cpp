#include "app/cli/checks.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/file_roles.hpp"
#include "app/cli/mapping_table.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/signals.hpp"
#include "core/base/error.hpp"
#include "core/geometry/default_scan.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/mapping/mapping_file.hpp"
#include "core/mapping/weighted_graph.hpp"

#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>

namespace gantry::cli {

namespace {

struct MappingCommandOptions {
  RunOptions run;  ///< only the projector, its settings and the grid are used
  std::string scan, out, check, csv;
  bool no_metis = false;
  int stride = 0, at_once = 256;
};

void require_distinct_files(const MappingCommandOptions& o) {
  if (o.out.empty() && o.check.empty())
    throw UsageError("neither a file to write nor one to check is given", "mapping",
                     "add --out FILE or --check FILE");
  FileRoles files;
  files.reads(o.scan, "SCAN");
  files.reads(o.check, "--check");
  files.writes_file(o.out, "--out");
  files.writes_file(o.csv, "--csv");
  files.require_distinct();
  for (const std::string& path : {o.out, o.csv})  // before minutes of work
    if (!path.empty()) const AtomicFile probe(path);
}

ThreadMapping mapping_of(const MappingCommandOptions& o, const Projector& projector) {
  const MappingOptions options{.metis = !o.no_metis};
  if (!o.check.empty()) {
    ThreadMapping read = load_mapping(o.check, projector, options);
    std::cout << "read " << o.check << ": every ray is there once\n";
    return read;
  }
  const auto start = std::chrono::steady_clock::now();
  ThreadMapping computed = map_threads(projector, options, [](double) {});
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  std::printf("computed in %.1f s, parts by %s\n", elapsed.count(),
              options.metis && partitions_by_metis() ? "METIS" : "growing");
  std::fflush(stdout);
  save_mapping(o.out, computed, projector, options);
  std::cout << "wrote " << o.out << '\n';
  return computed;
}

int mapping(const MappingCommandOptions& o, Program& program) {
  require_owners(o.run.settings, {"projector"});
  require_distinct_files(o);
  const auto geometry = std::make_shared<const ScanGeometry>(read_geometry(o.scan), o.scan);
  const std::string key = o.run.projector_for(program.catalog, *geometry);
  const Params params =
      parse_settings(o.run.settings, "projector", program.catalog.projectors.at(key).params);
  const VolumeGrid grid = o.run.volume_grid(default_grid(*geometry));
  const SignalInterrupt signal_interrupt;
  const auto projector = program.catalog.projectors.make(
      key, "cpu", program.backends.resolve("cpu"), geometry, grid, params);
  projector->set_interrupt(&signal_interrupt.interrupt());
  const std::string of = "scan: " + describe(*geometry) + ", " + std::to_string(geometry->rays()) +
                         " rays; grid: " + describe(grid) + "; projector: " + key;
  std::cout << of << '\n';
  const ThreadMapping mapped = mapping_of(o, *projector);
  WarpSample sample = usual_sample(*projector, static_cast<std::size_t>(o.at_once));
  if (o.stride > 0) sample.stride = static_cast<std::size_t>(o.stride);
  std::int64_t common = 0;
  const StudyTable table = mapping_table(*projector, mapped, sample, common);
  std::cout << describe(sample) << "\n\n" << table_text(table) << '\n' << about_sectors() << '\n';
  if (!o.csv.empty()) {
    AtomicFile csv(o.csv);
    csv.write(table_csv(table, {of, describe(sample)}));
    csv.commit();
    std::cout << "\nwrote " << o.csv << '\n';
  }
  if (!o.check.empty() && common > 0)
    throw InputError("rays of a warp weigh a voxel in common", o.check,
                     "make the mapping anew with --out");
  return 0;
}

}  // namespace

Command add_mapping(CLI::App& app, Program& program) {
  auto o = std::make_shared<MappingCommandOptions>();
  CLI::App* sub =
      app.add_subcommand("mapping", "Map the rays of a scan to the threads of a GPU, for SGD");
  sub->add_option("SCAN", o->scan, "scan file, " + scan_names_to_read())
      ->type_name("FILE")
      ->required()
      ->check(not_empty());
  o->run.add_projector_to(*sub);
  o->run.add_grid_to(*sub);
  sub->add_option("--set", o->run.settings, "a parameter, as in projector.normalisation=area")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  sub->add_flag("--no-metis", o->no_metis, "grow the parts without METIS");
  sub->add_option("--stride", o->stride,
                  "count every N-th warp, coprime to the views (default: about 2048 warps)")
      ->type_name("N")
      ->check(whole(1, 1000000));
  sub->add_option("--at-once", o->at_once, "warps that run together, for collisions between warps")
      ->type_name("N")
      ->capture_default_str()
      ->check(whole(1, 16384));
  CLI::Option* const out = sub->add_option("--out", o->out, "write the mapping to this file, .gmap")
                               ->type_name("FILE")
                               ->check(not_empty());
  sub->add_option("--check", o->check, "read this mapping of the scan instead of computing it")
      ->type_name("FILE")
      ->check(not_empty())
      ->excludes(out);
  sub->add_option("--csv", o->csv, "write the table to this file")
      ->type_name("FILE")
      ->check(not_empty());
  sub->footer(
      "The mapping is that of Li et al. (cuMBIR, 2018): no voxel has weights in two rays of a "
      "warp.\n"
      "The table compares it with other orders: default (thread n has ray n), random, and tiles\n"
      "of 8 x 4 cells. Steps are the voxels along a ray (walk), or those of the kernel (layers).\n"
      "Example:\n  gantry-cli mapping head.scan.json --projector siddon --grid 512,512 --out "
      "head.gmap");
  return {sub, [o, &program] { return mapping(*o, program); }, false};
}

}  // namespace gantry::cli
