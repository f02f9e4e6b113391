#pragma once

#include <QLabel>
#include <QStringList>

#include <vector>

namespace gantry {

/// A label that takes the available width, and ends in an ellipsis where its text is longer than
/// the lines that it may have: one, unless setLines() says otherwise.
class ElidingLabel : public QLabel {
 public:
  explicit ElidingLabel(QWidget* parent = nullptr);
  /// Draws secondary text.
  void setMuted(bool muted) { muted_ = muted; }
  /// Sets how many characters at the end stay whole, as the digits of a number; what stands before
  /// them is shortened.
  void setKeptEnd(int characters);
  /// Breaks the text between words, into at most so many lines; the label is as high as these are.
  void setLines(int most);
  /// Returns the lines that are shown at a width of the text.
  QStringList linesFor(int width) const;
  /// A line as it is shown: before each of its characters, and at its end, the place in text().
  /// The end of a line that is cut is that of what is left out.
  struct Line {
    QString shown;
    std::vector<int> places;
  };
  std::vector<Line> layOut(int width) const;
  /// Returns whether the text finds no room in its lines as the label is now.
  bool isCut() const;

  // QLabel takes this from the size policy, which it resets with each text.
  bool hasHeightForWidth() const override { return mostLines_ > 1; }
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString shortened(const QString& line, int width) const;
  Line lineOf(int start, int length, int width) const;

  bool muted_ = false;
  int mostLines_ = 1, keptEnd_ = 0;
};

}  // namespace gantry
