#pragma once

#include "core/job/checkpoint.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gantry {

/// What a checkpoint of a session is of.
enum class SessionRole {
  run,        ///< a run as it is, with its curves
  iterate,    ///< an earlier iterate of a run, which the playhead shows
  reference,  ///< the estimate of a run that is pinned as reference
  trial,      ///< what a sweep computed with one of its values
};

/// One checkpoint of a session.
struct SessionPart {
  SessionRole role = SessionRole::run;
  /// The run's index in the experiment, -1: the run was removed; of a trial the value's index.
  int place = 0;
  std::string file;  ///< a file in the folder of the session; empty: in the session file itself

  friend bool operator==(const SessionPart&, const SessionPart&) = default;
};

/// What a window has open, without the checkpoints.
struct SessionHead {
  std::string saved;            ///< when, ISO 8601 in UTC
  std::string path;             ///< file of the experiment; empty: none
  bool is_modified = false;     ///< whether the experiment differs from that file
  bool is_closed = false;       ///< whether the window was closed, not killed
  std::string experiment;       ///< in the format of format_experiment, paths as from the folder
  std::string window;           ///< views, layout and notes, as JSON; only the window reads it
  std::string reference_label;  ///< of a pinned reference
  std::vector<SessionPart> parts;
};

struct Session {
  SessionHead head;
  Experiment experiment;
  std::vector<SessionPart> parts;       ///< those that could be read
  std::vector<Checkpoint> checkpoints;  ///< one for each of `parts`
  std::vector<std::string> problems;    ///< why a checkpoint in a file of its own is missing
};

/// Writes a session to one file, atomically: a line of text
///   gantry-session VERSION HEADER_BYTES CHECKSUM
/// then a header in JSON, then the checkpoints of the parts that have no file of their own, each as
/// write_checkpoint writes it. `make` returns the checkpoint of one of those parts, by its index.
/// Throws OutputError, in which case an earlier session is preserved.
void write_session(const std::filesystem::path& path, const SessionHead& head,
                   const std::function<Checkpoint(std::size_t)>& make,
                   FileAccess access = FileAccess::usual);

/// Whether a file begins as a session does, of whichever version.
bool is_session(const std::filesystem::path& path);

/// Reads the header alone. Throws InputError if the file is missing, not a session, of a newer
/// version or damaged.
SessionHead read_session_head(const std::filesystem::path& path);

/// Reads everything. A damaged checkpoint in the session file itself is an InputError; one in a
/// file of its own is left out, and named in `problems`.
Session read_session(const std::filesystem::path& path, const Catalog& catalog);

}  // namespace gantry
