#pragma once

#include "core/catalog/catalog.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/job/experiment.hpp"
#include "core/job/history.hpp"
#include "core/job/run_progress.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace gantry {

/// A run that was left, with its curves and all that it needs to go on.
struct Checkpoint {
  RunSpec run;          ///< the settings with which it computed
  std::string backend;  ///< key of the device on which it did, "cpu"
  RunProgress progress;
  std::vector<HistoryEntry> history;
};

/// Writes a checkpoint as one file, atomically: a line of text
///   gantry-checkpoint VERSION HEADER_BYTES DATA_BYTES CHECKSUM
/// then a header in JSON, then the arrays of the solver's state as little-endian float32. Throws
/// OutputError; an earlier checkpoint is then still there.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint,
                      FileAccess access = FileAccess::usual);

/// Throws InputError: no such file, none of this kind, cut short, damaged.
Checkpoint read_checkpoint(const std::filesystem::path& path, const Catalog& catalog);

/// Throws InputError naming what differs, unless `run` computes what the checkpoint's run did: its
/// name, colour, device, iterations and stopping rules may be others.
void require_same_run(const Checkpoint& checkpoint, const RunSpec& run, const std::string& where);

}  // namespace gantry
