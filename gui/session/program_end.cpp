#include "gui/session/program_end.hpp"

#include "gui/data/file_actions.hpp"
#include "gui/main_window.hpp"
#include "gui/session/autosave.hpp"

#include <QApplication>

namespace gantry {

namespace {

constexpr int longestWaitMs = 5000;

}  // namespace

ProgramEnd::ProgramEnd(MainWindow& window, Autosave* autosave)
    : QObject(&window), window_(window), autosave_(autosave) {}

void ProgramEnd::keepEverything() {
  if (autosave_ == nullptr) return;
  autosave_->saveNow(longestWaitMs);
  autosave_->keep();
}

bool ProgramEnd::endSession(bool mayAsk) {
  if (!mayAsk || (autosave_ != nullptr && autosave_->keepsOnClose())) {
    keepEverything();
    return true;
  }
  // Saved first, because the session may end before the user answers.
  if (autosave_ != nullptr) autosave_->saveNow(longestWaitMs);
  if (window_.close()) return true;
  if (autosave_ != nullptr) autosave_->resumePaused();
  return false;
}

void ProgramEnd::endBySignal(int signal) {
  keepEverything();
  window_.files().setAsksUser(false);
  window_.close();
  QApplication::exit(128 + signal);
}

}  // namespace gantry
