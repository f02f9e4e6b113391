#pragma once

#include "core/job/session_file.hpp"

#include <QString>

#include <functional>
#include <memory>

namespace gantry {

class MainWindow;

/// What restore_session() is to do.
struct SessionToRestore {
  std::shared_ptr<Session> session;  ///< its arrays move into the runs
  QString path;                      ///< of the session or of the experiment's file; empty: none
  /// What the session holds counts as saved under `path`; else, as it was when the session was
  /// written.
  bool is_a_file = false;
  std::function<void()> adopted = {};   ///< called when the experiment has been replaced
  std::function<void()> restored = {};  ///< called when the worker has got all runs
};

/// Loads the data of a session and then replaces what the window has open: the experiment, its runs
/// with their curves and iterates, the pinned reference, and the state of the window. Until the
/// data are there, and after a failure, which the window shows, nothing changes.
void restore_session(MainWindow& window, const SessionToRestore& what);

}  // namespace gantry
