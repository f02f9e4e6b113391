#pragma once

#include "core/job/checkpoint.hpp"
#include "core/job/reconstruction_job.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <filesystem>
#include <string>

namespace gantry::cli {

/// --checkpoint, --checkpoint-every and --resume.
struct CheckpointOptions {
  std::string path, resume;  ///< empty: none
  int every = 0;             ///< iterations; 0: by the clock

  /// `what` they are: "FILE", or "FOLDER" of a file for each run.
  void add_to(CLI::App& app, const std::string& what);
  /// Throws UsageError for --checkpoint-every without --checkpoint.
  void require_sense() const;
};

/// Where one run leaves what it needs to go on. A path that is empty: not there.
struct CheckpointFiles {
  std::filesystem::path regular;      ///< written again and again, and at the end
  std::filesystem::path interrupted;  ///< written when a signal ends the run
  std::filesystem::path resume;       ///< where it goes on from
  int every = 0;                      ///< iterations between two; 0: a minute
};

/// "head.mha.checkpoint": where an interrupted run's state goes if nothing else is said.
std::filesystem::path checkpoint_beside(const std::string& out);

/// Writes the checkpoints of one run in time. One that cannot be written is told, once, and the run
/// goes on.
class CheckpointWriter {
 public:
  /// Throws OutputError where files could not be written.
  CheckpointWriter(CheckpointFiles files, FileAccess access);

  /// After each step.
  void look(const ReconstructionJob& job, const std::vector<HistoryEntry>& history);
  /// At the end.
  void finish(const ReconstructionJob& job, const std::vector<HistoryEntry>& history);
  /// Where it was left for good, empty where nowhere. Throws OutputError.
  std::filesystem::path interrupt(const ReconstructionJob& job,
                                  const std::vector<HistoryEntry>& history) const;

 private:
  using Clock = std::chrono::steady_clock;
  bool is_due(const ReconstructionJob& job) const;
  void try_to_write(const ReconstructionJob& job, const std::vector<HistoryEntry>& history);

  CheckpointFiles files_;
  FileAccess access_;
  Clock::time_point last_ = Clock::now();
  int last_iteration_ = 0;
  bool has_failed_ = false;
};

/// Takes a run up where the file left it; its curves. Throws InputError naming the file where it is
/// of another run or of other data.
std::vector<HistoryEntry> resume(ReconstructionJob& job, const std::filesystem::path& file,
                                 const Catalog& catalog);

}  // namespace gantry::cli
