#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>

#include <vector>

class QAction;
class QKeyEvent;

namespace gantry {

/// A line of the list of keys: what the keys do, and by which name the code binds them.
struct KeyEntry {
  QString id;
  QList<QKeySequence> keys;  ///< any of them; of "view" and "workspace": the first, the second, ...
  QString group, text;
};

/// Returns all keys of the window, in the order in which the list of keys shows them. No other
/// place of the window names a key.
const std::vector<KeyEntry>& key_list();
/// Returns the keys of an entry, which must exist.
const QList<QKeySequence>& keys_of(const char* id);
/// Returns whether a key event is one of the keys of an entry.
bool is_key(const QKeyEvent& event, const char* id);
/// Returns " (Ctrl+E)", as tool tips end.
QString key_hint(const char* id);

}  // namespace gantry
