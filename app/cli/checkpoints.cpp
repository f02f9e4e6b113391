#include "app/cli/checkpoints.hpp"

#include "app/cli/checks.hpp"
#include "app/cli/run_report.hpp"
#include "core/base/error.hpp"
#include "core/io/files/atomic_file.hpp"

#include <utility>

namespace gantry::cli {

namespace {

constexpr std::chrono::seconds usual_interval{60};

Checkpoint checkpoint_of(const ReconstructionJob& job, const std::vector<HistoryEntry>& history) {
  return {job.spec(), job.memory().backend_key, job.progress(), history};
}

}  // namespace

void CheckpointOptions::add_to(CLI::App& app, const std::string& what) {
  app.add_option("--checkpoint", path, "keep what the run needs to go on, for --resume")
      ->type_name(what)
      ->check(not_empty());
  app.add_option("--checkpoint-every", every, "iterations from one to the next (default: a minute)")
      ->type_name("N")
      ->check(whole(1, 1000000));
  app.add_option("--resume", resume, "go on from a checkpoint, with the same other options")
      ->type_name(what)
      ->check(not_empty());
}

void CheckpointOptions::validate() const {
  if (every > 0 && path.empty())
    throw UsageError("there is no file for the checkpoints", "--checkpoint-every",
                     "give --checkpoint");
}

std::filesystem::path checkpoint_beside(const std::string& out) {
  std::filesystem::path path(out);
  if (!path.has_filename()) path = path.parent_path();  // a folder name that ends in a slash
  path += ".checkpoint";
  return path;
}

CheckpointWriter::CheckpointWriter(CheckpointFiles files, FileAccess access)
    : files_(std::move(files)), access_(access) {
  if (!files_.regular.empty()) const AtomicFile probe(files_.regular);
}

bool CheckpointWriter::is_due(const ReconstructionJob& job) const {
  if (files_.every > 0) return job.iterations() >= last_iteration_ + files_.every;
  return Clock::now() - last_ >= usual_interval;
}

void CheckpointWriter::write_if_due(const ReconstructionJob& job,
                                    const std::vector<HistoryEntry>& history) {
  if (files_.regular.empty() || !is_due(job)) return;
  try_to_write(job, history);
  last_ = Clock::now();  // the time to write a checkpoint does not count
  last_iteration_ = job.iterations();
}

void CheckpointWriter::finish(const ReconstructionJob& job,
                              const std::vector<HistoryEntry>& history) {
  if (!files_.regular.empty()) try_to_write(job, history);
}

void CheckpointWriter::try_to_write(const ReconstructionJob& job,
                                    const std::vector<HistoryEntry>& history) {
  try {
    write_checkpoint(files_.regular, checkpoint_of(job, history), access_);
    has_failed_ = false;
  } catch (const OutputError& error) {
    if (!std::exchange(has_failed_, true))
      print_notes({std::string("no checkpoint: ") + error.what() + "; the run goes on"});
  }
}

std::filesystem::path CheckpointWriter::interrupt(const ReconstructionJob& job,
                                                  const std::vector<HistoryEntry>& history) const {
  const auto& path = files_.regular.empty() ? files_.interrupted : files_.regular;
  if (!path.empty()) write_checkpoint(path, checkpoint_of(job, history), access_);
  return path;
}

std::vector<HistoryEntry> resume(ReconstructionJob& job, const std::filesystem::path& file,
                                 const Catalog& catalog) {
  Checkpoint checkpoint = read_checkpoint(file, catalog);
  require_same_run(checkpoint, job.spec(), file.string());
  if (checkpoint.backend != job.memory().backend_key)
    print_notes({file.string() + ": was made on " + checkpoint.backend + " and continues on " +
                 job.memory().backend_key + ": the last digits may differ"});
  try {
    job.resume_from(std::move(checkpoint.progress));
  } catch (const InputError& error) {
    throw InputError(error.what(), file.string());
  }
  return std::move(checkpoint.history);
}

}  // namespace gantry::cli
