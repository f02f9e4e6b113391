#pragma once

#include <QFrame>
#include <QString>

#include <functional>
#include <map>
#include <vector>

class QToolButton;
class QVBoxLayout;

namespace gantry {

/// Messages, one per subject, that stay until they are dismissed or no longer apply; a note, unlike
/// a warning, also goes by itself after a while. They take their height from what they share a
/// layout with, and cover nothing. The rest of the window stays usable. A repeated message is
/// counted; of many messages only the latest few are shown.
class Banners : public QWidget {
  Q_OBJECT
 public:
  enum class Kind { error, warning, note, progress, question };
  explicit Banners(QWidget* parent = nullptr);

  /// Shows the message of a subject, or replaces it. `details` can be unfolded, and are copied
  /// together with the message.
  void show(const QString& subject, Kind kind, const QString& message, const QString& details = {});
  /// A reaction to a message: a button with this text, which removes the message and calls `act`;
  /// or, with `choices`, a button with a menu of reactions.
  struct Action {
    QString text, tip;
    std::function<void()> act;
    std::vector<Action> choices = {};
  };
  /// Shows a question that may be answered at any time, or never.
  void ask(const QString& subject, const QString& message, const std::vector<Action>& actions);
  void clear(const QString& subject);
  /// Clears a message in favour of another one; an error can still be read elsewhere.
  void giveWay(const QString& subject);
  /// Closes all notes: their reader turns to something else.
  void closeNotes();
  bool has(const QString& subject) const { return shown_.contains(subject); }
  /// Returns the text of a subject's message; empty without a message.
  QString text(const QString& subject) const;

 signals:
  void cancelled(const QString& subject);  ///< of a progress message
  void closed(const QString& subject);     ///< by the user, or a note by itself
  /// Emitted when a message is no longer shown, though nobody has dismissed it.
  void movedOut(const QString& message);

 protected:
  bool event(QEvent* event) override;

 private:
  void tint(QFrame& frame, Kind kind) const;
  QFrame* makeFrame(const QString& subject, Kind kind, const QString& message,
                    const QString& details);

  struct Shown {
    QFrame* frame = nullptr;
    Kind kind = Kind::note;
    QString message, details;
    int times = 1, place = 0;  ///< place: running number by age
  };
  void place(const QString& subject, Shown shown);
  void connectAction(QToolButton* button, const QString& subject, const Action& action);
  void removeOldest();
  void closeNote(const QString& subject);

  QVBoxLayout* layout_;
  std::map<QString, Shown> shown_;
  int lastPlace_ = 0;
};

}  // namespace gantry
