#pragma once

#include "core/job/checkpoint.hpp"
#include "core/job/reconstruction_job.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <filesystem>
#include <string>

namespace gantry::cli {

/// The options --checkpoint, --checkpoint-every and --resume.
struct CheckpointOptions {
  std::string path, resume;  ///< empty: none
  int every = 0;             ///< iterations between checkpoints; 0: a checkpoint every minute

  /// `what` names the argument in the help: "FILE", or "FOLDER" for a file per run.
  void add_to(CLI::App& app, const std::string& what);
  /// Throws UsageError for --checkpoint-every without --checkpoint.
  void validate() const;
};

/// The checkpoint files of one run. An empty path means: no such file.
struct CheckpointFiles {
  std::filesystem::path regular;      ///< replaced repeatedly during the run and at its end
  std::filesystem::path interrupted;  ///< written when a signal ends the run and `regular` is empty
  std::filesystem::path resume;       ///< the checkpoint from which the run continues
  int every = 0;  ///< iterations between checkpoints; 0: a checkpoint every minute
};

/// Returns the default checkpoint of an interrupted run, beside its result: "head.mha.checkpoint".
std::filesystem::path checkpoint_beside(const std::string& out);

/// Writes the checkpoints of one run when they are due. If writing fails, one note is printed and
/// the run continues.
class CheckpointWriter {
 public:
  /// Throws OutputError if the regular checkpoint cannot be written.
  CheckpointWriter(CheckpointFiles files, FileAccess access);

  /// Must be called after each step; writes a checkpoint if one is due.
  void write_if_due(const ReconstructionJob& job, const std::vector<HistoryEntry>& history);
  /// Must be called at the end of the run; writes the last checkpoint.
  void finish(const ReconstructionJob& job, const std::vector<HistoryEntry>& history);
  /// Must be called when the run was interrupted. Returns the file that was written; empty if there
  /// is none. Throws OutputError.
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

/// Restores a run from a checkpoint and returns its history. Throws InputError naming the file if
/// the checkpoint belongs to another run or to other data.
std::vector<HistoryEntry> resume(ReconstructionJob& job, const std::filesystem::path& file,
                                 const Catalog& catalog);

}  // namespace gantry::cli
