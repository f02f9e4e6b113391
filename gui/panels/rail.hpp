#pragma once

#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QToolButton;
class QVBoxLayout;

namespace gantry {

class ElidingLabel;

/// A step of the rail: a heading that opens the step, a line that says its state while the step is
/// closed, and the form.
class RailStep : public QWidget {
  Q_OBJECT
 public:
  using Summary = std::function<QString()>;
  RailStep(int number, const QString& key, const QString& title, const QString& icon, QWidget* form,
           Summary summary, QWidget* parent);

  const QString& key() const { return key_; }
  bool isOpen() const;
  void setOpen(bool open);
  /// Shows nothing but the icon of the step.
  void setFolded(bool folded);
  /// Gives the focus to the heading.
  void takeFocus();
  /// Returns the line that says the state of the step; empty while the step is open.
  QString summary() const;
  /// Shows the state of the step as it is now.
  void refresh();

 signals:
  void chosen(const QString& key);

 private:
  void show();

  int number_;
  QString key_, title_, icon_;
  bool is_open_ = false, is_folded_ = false;
  Summary summary_;
  QToolButton* heading_;
  ElidingLabel* state_;
  QWidget* form_;
};

/// The left side of the window: the steps from the data to the results, one below the other, of
/// which one is open. Folded, the rail shows the icons of the steps only.
class Rail : public QWidget {
  Q_OBJECT
 public:
  explicit Rail(QWidget* parent = nullptr);

  void addStep(const QString& key, const QString& title, const QString& icon, QWidget* form,
               RailStep::Summary summary);
  void open(const QString& key);
  QString openStep() const;
  RailStep* step(const QString& key) const;
  void refresh();
  void setFolded(bool folded);
  bool isFolded() const { return is_folded_; }

  QSize sizeHint() const override { return {width_px, 400}; }
  /// At least width_px, and more where a form needs it.
  QSize minimumSizeHint() const override;
  static constexpr int width_px = 280, folded_width_px = 48, least_height_px = 280;

 private:
  std::vector<RailStep*> steps_;
  QVBoxLayout* column_;
  QToolButton* fold_;
  bool is_folded_ = false;
};

}  // namespace gantry
