// How fast a slice of 1024 x 1024 follows a slider.
//
//   build/tests/slice_rate [auto|cpu] [MOVES]
//
// Makes scans of 720 views, 64 rows and 1024 columns in a temporary folder, of a parallel and of a
// cone beam, and then the slice that the window shows while a slider is dragged: with other axes of
// rotation, other numbers of corrections, and other tilts of the detector. Prints, for each, the
// number of slices a second and the time of a slice; one before, which takes its rows out of the
// scan, does not count. cpu: without devices.
#include "app/composition.hpp"
#include "app/thread_policy.hpp"
#include "core/geometry/default_scan.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/job/scans/scan_cache.hpp"
#include "core/worker/preview/slice_preview.hpp"
#include "core/worker/sweep/middle_slices.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gantry {
namespace {

constexpr int columns = 1024, rows = 64, views = 720;

/// A cylinder beside the axis, with stripes of single columns: half a turn in a parallel beam, a
/// whole one in a cone beam.
void write_cylinder(const std::string& path, Beam beam) {
  ScanSpec spec;
  spec.beam = beam;
  if (beam == Beam::cone) {
    spec.source_to_isocenter_mm = 4000;
    spec.source_to_detector_mm = 4800;
  }
  spec.detector_columns = columns;
  spec.detector_rows = rows;
  spec.column_pitch_mm = spec.row_pitch_mm = 1;
  spec.central_column = 0.5 * (columns - 1);
  spec.central_row = 0.5 * (rows - 1);
  spec.view_angles_rad =
      angles_from_degrees(0, (beam == Beam::cone ? 360.0 : 180.0) / views, views);
  const ScanGeometry geometry(spec);
  constexpr double radius = 300, orbit = 100, mu = 0.004;
  std::vector<float> values(geometry.rays());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto column = static_cast<int>(i % columns);
    const double angle = geometry.angle_rad(static_cast<int>(i / columns / rows)),
                 u = column - spec.central_column - orbit * std::sin(angle),
                 chord = 2 * std::sqrt(std::max(0.0, radius * radius - u * u));
    values[i] = static_cast<float>(mu * chord + (column % 50 == 0 ? 0.02 : 0) +
                                   0.001 * std::sin(0.37 * static_cast<double>(i % 99991)));
  }
  write_scan(path, geometry, values, "a cylinder");
}

class Bench {
 public:
  Bench(const std::string& scan, Program& program, int moves)
      : program_(program), corrected_(program.catalog, program.backends), moves_(moves) {
    Experiment experiment;
    experiment.source.kind = SourceKind::scan;
    experiment.source.path = scan;
    now_ = {experiment,
            prepare_data(experiment, program.catalog, program.backends.resolve(host_key), nullptr,
                         {}, {}, &shared_scan_cache())};
  }

  void run_cone() {
    follow_axis("axis of rotation, cone beam");
    correct("rings, cone beam", "rings", "snr", 2, 0.5);
  }

  void run_parallel() {
    follow_axis("axis of rotation");
    correct("rings", "rings", "snr", 2, 0.5);
    correct("rings by wavelets", "rings_wavelet", "sigma", 1, 0.25);
    correct("beam hardening", "beam_hardening", "a2", 0, 0.01);
    const auto params = sweep_params(with_run(), 0, now_.data.get(), program_.catalog);
    const auto tilt = std::ranges::find_if(params, &SweepParam::is_tilt);
    const auto slices = MiddleSlices::of(*tilt, now_.data);
    measure("tilt of the detector, in a strip",
            [&](int move) { slices->at(0.05 * move, with_run().runs[0]); });
  }

 private:
  void follow_axis(const char* name) {
    follow(name, [scan = now_.data->geometry->spec()](Experiment& e, int move) {
      e.geometry = scan;
      e.geometry->central_column += 0.25 * move;
    });
  }

  Experiment with_run() const {
    Experiment experiment = now_.made_from;
    RunSpec run;
    run.solver = "sirt";
    experiment.runs = {run};
    return experiment;
  }

  void correct(const char* name, const char* key, const char* parameter, double from, double step) {
    follow(name, [=](Experiment& e, int move) {
      e.corrections = {{key, {{parameter, from + step * move}}}};
    });
  }

  void follow(const char* name, const std::function<void(Experiment&, int)>& change) {
    measure(name, [&](int move) {
      Experiment tried = now_.made_from;
      change(tried, move);
      const auto made =
          reconstruct_slice(tried, now_, now_.data->grid.nz / 2, SliceHaste::follows_slider,
                            corrected_, program_.catalog, program_.backends, interrupt_);
      if (made == nullptr || made->grid.nx != now_.data->grid.nx) {
        std::fprintf(stderr, "slice_rate: no slice\n");
        std::exit(1);
      }
    });
  }

  void measure(const char* name, const std::function<void(int)>& make) {
    std::vector<double> times_ms;
    for (int move = 0; move <= moves_; ++move) {
      const auto start = std::chrono::steady_clock::now();
      make(move);
      const std::chrono::duration<double, std::milli> time =
          std::chrono::steady_clock::now() - start;
      if (move > 0) times_ms.push_back(time.count());
    }
    std::ranges::sort(times_ms);
    const auto at = [&](double part) {
      return times_ms[static_cast<std::size_t>(part * static_cast<double>(times_ms.size() - 1))];
    };
    std::printf("%-34s %8.1f %10.1f %10.1f %10.1f\n", name, 1000 / at(0.5), at(0.5), at(0.95),
                at(1));
    std::fflush(stdout);
  }

  Program& program_;
  CorrectedRows corrected_;
  PresentData now_;
  const Interrupt interrupt_;
  const int moves_;
};

}  // namespace
}  // namespace gantry

int main(int argc, char** argv) {
  gantry::wait_without_spinning(argv);
  const std::string backend = argc > 1 ? argv[1] : "auto";
  const int moves = argc > 2 ? std::atoi(argv[2]) : 20;
  if ((backend != "auto" && backend != "cpu") || moves < 1) {
    std::fputs("usage: slice_rate [auto|cpu] [MOVES]\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "gantry_slice_rate";
  std::filesystem::create_directories(folder);
  gantry::Program program = gantry::compose();
  if (backend == "auto") program.find_devices();
  const auto devices = program.backends.devices();
  const std::string& name =
      (devices.empty() ? program.backends.entry(gantry::host_key) : *devices.front()).name;
  std::printf("%-34s %8s %10s %10s %10s\n", name.c_str(), "a second", "median ms", "95 % ms",
              "most ms");
  const auto bench_of = [&](gantry::Beam beam) {
    const std::string scan =
        (folder / (beam == gantry::Beam::cone ? "cone.scan.json" : "parallel.scan.json")).string();
    gantry::write_cylinder(scan, beam);
    return std::make_unique<gantry::Bench>(scan, program, moves);
  };
  bench_of(gantry::Beam::parallel)->run_parallel();
  bench_of(gantry::Beam::cone)->run_cone();
  std::filesystem::remove_all(folder);
  return 0;
}
