#pragma once

#include <QFrame>
#include <QString>

#include <functional>
#include <map>
#include <utility>
#include <vector>

class QToolButton;
class QVBoxLayout;

namespace gantry {

/// Messages over the views, one per subject, that stay until they are dismissed or no longer apply.
/// They lie over the upper or the lower part of their parent, beside the bars that are to stay
/// usable, and take no space from the views.
/// The rest of the window stays usable. A repeated message is counted; of many messages only the
/// latest few are shown.
class Banners : public QWidget {
  Q_OBJECT
 public:
  enum class Kind { error, note, progress, question };
  explicit Banners(QWidget* parent = nullptr);
  /// Marks a bar along the upper or lower edge of what messages lie over: they leave the bar free.
  static void keepFree(QWidget& bar);
  /// Chooses the lower part: where the upper part holds what must be read, as the names of runs.
  void setBelow(bool below);

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
  bool has(const QString& subject) const { return shown_.contains(subject); }
  /// Returns the text of a subject's message; empty without a message.
  QString text(const QString& subject) const;

 signals:
  void cancelled(const QString& subject);  ///< of a progress message
  void closed(const QString& subject);     ///< by the user
  void movedOut(
      const QString& message);  ///< no longer shown, because newer messages need the space

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void lie();
  std::pair<int, int> freeRange();
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

  QVBoxLayout* layout_;
  std::map<QString, Shown> shown_;
  int lastPlace_ = 0;
  bool isBelow_ = false;
};

}  // namespace gantry
