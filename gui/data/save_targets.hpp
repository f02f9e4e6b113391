#pragma once

#include <QString>

#include <optional>

class QWidget;

namespace gantry {

// Where results are saved: the folder that dialogs propose, and names of files.

/// Returns a file name such as "run1-sart.mha" that holds only letters and digits that every file
/// system accepts.
QString volume_file_name(int index, const QString& label);

/// Returns whether a file name has an ending, which begins with a letter: the digits after the
/// point of "SART-0.05" are part of the name.
bool has_ending(const QString& path);

/// Returns `name` with the ending ".gantry" of sessions, without what file systems do not accept.
QString session_file_name(const QString& name);
bool is_session_name(const QString& path);

/// Returns the folder in which dialogs propose to save results: that of the last result saved, at
/// first "Gantry results" among the user's documents. Never the folder of the data, unless the user
/// saved there.
QString results_folder();

/// Asks for a file to save. The dialog proposes the file `suggestion` in results_folder(), and its
/// title says what is saved. `filter` are the file dialog's filters, `chosen` gets the one in use
/// (may be null). Returns an empty path where the user cancels; else the folder is remembered.
QString ask_where_to_save(QWidget* window, const QString& title, const QString& filter,
                          const QString& suggestion, QString* chosen = nullptr);

/// Asks which iterate of a run is saved where the views show an earlier one than the latest.
/// `shown` names that one; an inexact one is kept as a rounded image. Nothing: the user cancels.
enum class WantedIterate { shown, latest };
std::optional<WantedIterate> choose_iterate(QWidget* window, const QString& shown, bool is_exact);

}  // namespace gantry
