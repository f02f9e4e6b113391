#pragma once

#include <QJsonObject>

namespace gantry {

class MainWindow;

/// Returns what a session keeps of the window besides experiment and results: workspace and panels,
/// the selected run, what the views show and how, the playhead, settings of charts, and notes.
QJsonObject window_state(MainWindow& window);

/// Restores what window_state() has returned. The experiment must be that of the session. Values
/// that are missing or make no sense are left out.
void restore_window_state(MainWindow& window, const QJsonObject& state);

}  // namespace gantry
