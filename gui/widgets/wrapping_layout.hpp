#pragma once

#include <QLayout>
#include <QList>
#include <QSize>

namespace gantry {

/// Lays widgets side by side, and begins a further row where the width does not suffice, so that a
/// bar of controls never makes the window wider than its screen. Widgets that may grow (size
/// policy Expanding or Ignored) divide what their row leaves. Margins are 0 unless set.
class WrappingLayout : public QLayout {
 public:
  explicit WrappingLayout(QWidget* parent);
  ~WrappingLayout() override;

  /// Adds a gap that grows.
  void addStretch();
  void addItem(QLayoutItem* item) override { items_.append(item); }
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int index) const override { return items_.value(index); }
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize minimumSize() const override;  ///< of the widest widget, and of a single row
  QSize sizeHint() const override;     ///< of all in one row
  void setGeometry(const QRect& rect) override;

 private:
  struct Row {
    QList<QLayoutItem*> items;
    int width = 0, height = 0;
  };
  QList<Row> rowsFor(int width) const;

  QList<QLayoutItem*> items_;
};

}  // namespace gantry
