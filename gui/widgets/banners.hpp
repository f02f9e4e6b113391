#pragma once

#include <QFrame>
#include <QString>

#include <functional>
#include <map>
#include <vector>

class QToolButton;
class QVBoxLayout;

namespace gantry {

/// Messages above the views that stay until they are dismissed or no longer true. One per subject;
/// others go on working below them. The same message again is counted, and of many the latest few
/// are shown: the views need the room.
class Banners : public QWidget {
  Q_OBJECT
 public:
  enum class Kind { error, note, progress, question };
  explicit Banners(QWidget* parent = nullptr);

  /// Shows or replaces the message of a subject. `details` can be unfolded and copied with it.
  void show(const QString& subject, Kind kind, const QString& message, const QString& details = {});
  /// What can be done about a message: a button of this text, which takes the message away first;
  /// or one of several `choices`, in a menu below the button.
  struct Action {
    QString text, tip;
    std::function<void()> act;
    std::vector<Action> choices = {};
  };
  /// Asks something that may be answered at any time, or never.
  void ask(const QString& subject, const QString& message, const std::vector<Action>& actions);
  void clear(const QString& subject);
  bool has(const QString& subject) const { return shown_.contains(subject); }
  /// Text of a subject's message; empty when there is none.
  QString text(const QString& subject) const;

 signals:
  void cancelled(const QString& subject);  ///< of a progress message
  void movedOut(const QString& message);   ///< no longer shown, for want of room

 private:
  QFrame* makeFrame(const QString& subject, Kind kind, const QString& message,
                    const QString& details);

  struct Shown {
    QFrame* frame = nullptr;
    Kind kind = Kind::note;
    QString message, details;
    int times = 1, place = 0;  ///< in the order in which they came
  };
  void place(const QString& subject, Shown shown);
  void connectAction(QToolButton* button, const QString& subject, const Action& action);
  void makeRoom();

  QVBoxLayout* layout_;
  std::map<QString, Shown> shown_;
  int lastPlace_ = 0;
};

}  // namespace gantry
