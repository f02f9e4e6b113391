#include "app/cli/bench/bench_live.hpp"

#include "app/cli/bench/timing.hpp"
#include "core/base/error.hpp"
#include "core/worker/job_worker.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <random>
#include <thread>

namespace gantry::cli {

namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr int iterations_a_block = 6;
constexpr std::chrono::milliseconds redraw_interval{33};
constexpr RunId run_id{1, 1};

double ms_since(Clock::time_point from) {
  return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
}

/// Takes the messages of the worker as a window does: at most thirty times a second, or at once
/// where a change of state is awaited.
class Watcher {
 public:
  explicit Watcher(Program& program)
      : worker(program.catalog, program.backends, [this] {
          const std::scoped_lock lock(mutex_);
          woken_ = true;
          arrived_.notify_all();
        }) {}

  int iterations = 0;
  bool pictured = false;
  RunState state = RunState::idle;

  void wait(const std::function<bool()>& done, bool at_once) {
    while (!done()) {
      std::unique_lock lock(mutex_);
      arrived_.wait(lock, [this] { return woken_; });
      woken_ = false;
      lock.unlock();
      if (!at_once) std::this_thread::sleep_until(last_ + redraw_interval);
      last_ = Clock::now();
      take();
    }
  }

 private:
  void take() {
    const WorkerUpdates news = worker.take_updates();
    for (const WorkerEvent& event : news.events) {
      if (std::holds_alternative<IterationDone>(event)) ++iterations;
      const auto* change = std::get_if<StateChanged>(&event);
      if (change == nullptr) continue;
      if (change->state == RunState::failed) throw UsageError(change->message, "bench live");
      state = change->state;
    }
    for (const auto& snapshot : news.snapshots)
      pictured = pictured || (!snapshot->slices.empty() &&
                              snapshot->iterations + snapshot->part_of_iteration > 0);
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  bool woken_ = false;
  Clock::time_point last_;

 public:
  JobWorker worker;  // declared last: destroyed first, because its thread calls this object
};

double alone_ms(ReconstructionJob& job) {
  const auto iterate = [&] {
    while (!job.advance()) continue;
  };
  iterate();  // warms up: the first iteration of the watched run does not count either
  const auto start = Clock::now();
  for (int i = 0; i < iterations_a_block; ++i) iterate();
  return ms_since(start) / iterations_a_block;
}

struct Block {
  double ms = 0;
  int iterations = 0;
  double each_ms() const { return ms / iterations; }
};

/// Resumes the run for a block of iterations, then pauses the run. The first iteration does not
/// count. The clock is read at the end of an iteration, not at the next redrawing, which would
/// count a part of an iteration that is not complete.
Block watched(Watcher& watcher) {
  const int before = watcher.iterations;
  watcher.worker.resume(run_id.run);
  watcher.wait([&] { return watcher.iterations > before; }, true);
  const auto start = Clock::now();
  watcher.wait([&] { return watcher.iterations > before + iterations_a_block; }, false);
  const int complete = watcher.iterations;
  watcher.wait([&] { return watcher.iterations > complete; }, true);
  const Block block{ms_since(start), watcher.iterations - before - 1};
  watcher.worker.pause(run_id.run);
  watcher.wait([&] { return watcher.state == RunState::paused; }, true);
  return block;
}

/// Returns the time from a command, given `moment_ms` after the run was resumed, to the change of
/// state that answers the command, ms.
double answer_ms(Watcher& watcher, void (JobWorker::*command)(int), RunState answer,
                 double moment_ms) {
  watcher.worker.resume(run_id.run);
  watcher.wait([&] { return watcher.state == RunState::running; }, true);
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(moment_ms));
  const auto start = Clock::now();
  (watcher.worker.*command)(run_id.run);
  watcher.wait([&] { return watcher.state == answer; }, true);
  return ms_since(start);
}

/// Starts the run again, with metrics against a reference and everything in view. Returns the time
/// of all blocks over their iterations: a median would hide what is not computed in every block.
/// The first block does not count; the constant part of the time that metrics may take does.
double with_everything_ms(Watcher& watcher, const RunSpec& run,
                          const std::shared_ptr<const ExperimentData>& data,
                          const ViewRequest& view, int repeats) {
  std::vector<float> ramp(data->grid.voxels());
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<float>(i % 1024);
  watcher.worker.start(run_id, run, data, {}, make_reference(data->grid, std::move(ramp), "ramp"),
                       view, true);
  watched(watcher);
  Block all;
  for (int i = 0; i < repeats; ++i) {
    const Block block = watched(watcher);
    all.ms += block.ms;
    all.iterations += block.iterations;
  }
  return all.each_ms();
}

Json answers(const std::vector<double>& times) {
  return {{"median_ms", median(times)}, {"max_ms", std::ranges::max(times)}};
}

}  // namespace

Json bench_live(const BenchCase& c, const RunSpec& run, int repeats, Program& program) {
  auto data = std::make_shared<ExperimentData>();
  data->geometry = c.geometry;
  data->grid = c.grid;
  data->line_integrals.assign(c.geometry->rays(), 1.0F);
  const ViewRequest slice{{{Axis::axial, c.grid.nz / 2}}, false}, sinogram{slice.slices, true},
      sections{{{Axis::axial, c.grid.nz / 2},
                {Axis::coronal, c.grid.ny / 2},
                {Axis::sagittal, c.grid.nx / 2}},
               false};

  ReconstructionJob job(run, data, {}, program.catalog, program.backends, nullptr);
  Watcher watcher(program);
  const auto start = Clock::now();
  watcher.worker.start(run_id, run, data, {}, nullptr, slice, false);
  watcher.wait([&] { return watcher.pictured; }, true);
  const double first_picture = ms_since(start);
  watcher.worker.pause(run_id.run);
  watcher.wait([&] { return watcher.state == RunState::paused; }, true);
  alone_ms(job);

  // The variants alternate, so that other load of the machine affects all of them alike.
  std::vector<double> alone, with_slice, with_sections, with_sinogram, pauses, stops;
  for (int i = 0; i < repeats; ++i) {
    alone.push_back(alone_ms(job));
    watcher.worker.set_view(run_id.run, slice);
    with_slice.push_back(watched(watcher).each_ms());
    watcher.worker.set_view(run_id.run, sections);
    with_sections.push_back(watched(watcher).each_ms());
    watcher.worker.set_view(run_id.run, sinogram);
    with_sinogram.push_back(watched(watcher).each_ms());
  }
  std::mt19937 random(1);
  std::uniform_real_distribution<double> moment(0, std::min(1000.0, median(alone)));
  watcher.worker.set_view(run_id.run, slice);
  for (int i = 0; i < 5 * repeats; ++i) {
    pauses.push_back(answer_ms(watcher, &JobWorker::pause, RunState::paused, moment(random)));
    stops.push_back(
        answer_ms(watcher, &JobWorker::stop_and_keep, RunState::stopped, moment(random)));
  }
  const double with_everything =
      with_everything_ms(watcher, run, data, {sections.slices, true}, repeats);
  return {{"case", c.name},
          {"solver", run.solver},
          {"projector", run.projector},
          {"alone_ms", median(alone)},
          {"watched_ms", median(with_slice)},
          {"watched_three_sections_ms", median(with_sections)},
          {"watched_with_sinogram_ms", median(with_sinogram)},
          {"watched_with_everything_ms", with_everything},
          {"first_picture_ms", first_picture},
          {"pause", answers(pauses)},
          {"stop", answers(stops)}};
}

std::string describe_live(const Json& row) {
  const double alone = row["alone_ms"];
  const auto and_percent = [&](const char* key) {
    const double ms = row[key];
    char text[40];
    std::snprintf(text, sizeof text, "%.1f (%+.1f %%)", ms, 100 * (ms / alone - 1));
    return std::string(text);
  };
  char line[500];
  std::snprintf(
      line, sizeof line,
      "%-6s %-8s alone %.1f ms an iteration, watched %s, three sections %s, with sinogram "
      "%s, with everything %s; first picture %.0f ms; pause %.0f ms, at most %.0f; stop %.0f "
      "ms, at most %.0f",
      row["case"].get<std::string>().c_str(), row["solver"].get<std::string>().c_str(), alone,
      and_percent("watched_ms").c_str(), and_percent("watched_three_sections_ms").c_str(),
      and_percent("watched_with_sinogram_ms").c_str(),
      and_percent("watched_with_everything_ms").c_str(), row["first_picture_ms"].get<double>(),
      row["pause"]["median_ms"].get<double>(), row["pause"]["max_ms"].get<double>(),
      row["stop"]["median_ms"].get<double>(), row["stop"]["max_ms"].get<double>());
  return line;
}

}  // namespace gantry::cli
