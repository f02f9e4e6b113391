#pragma once

#include "core/catalog/catalog.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/job/experiment.hpp"
#include "core/job/history.hpp"
#include "core/job/run_progress.hpp"

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <vector>

namespace gantry {

/// An interrupted run: its settings, its curves and all that it needs to continue.
struct Checkpoint {
  RunSpec run;          ///< the settings it computed with
  std::string backend;  ///< key of the device it computed on, "cpu"
  RunProgress progress;
  std::vector<HistoryEntry> history;
};

/// Writes a checkpoint to one file, atomically: a line of text
///   gantry-checkpoint VERSION HEADER_BYTES DATA_BYTES CHECKSUM
/// then a header in JSON, then the arrays of the solver's state as little-endian float32. Throws
/// OutputError, in which case an earlier checkpoint is preserved.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint,
                      FileAccess access = FileAccess::usual);

/// Throws InputError if the file is missing, not a checkpoint, truncated or damaged.
Checkpoint read_checkpoint(const std::filesystem::path& path, const Catalog& catalog);

/// Appends the same bytes to a file that holds several checkpoints. Throws OutputError.
void append_checkpoint(AtomicFile& file, const Checkpoint& checkpoint);
/// Reads the next of several checkpoints, which takes at most `bytes` bytes; those that it takes
/// are subtracted. `where` names the file in messages. Throws InputError.
Checkpoint read_next_checkpoint(std::istream& file, std::uintmax_t& bytes, const std::string& where,
                                const Catalog& catalog);

/// Throws InputError, naming the difference, unless `run` computes the same as the checkpoint's
/// run. Name, colour, device, iterations and stopping rules may differ.
void require_same_run(const Checkpoint& checkpoint, const RunSpec& run, const std::string& where);

}  // namespace gantry
