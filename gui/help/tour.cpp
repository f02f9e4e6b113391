#include "gui/help/tour.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gantry {

namespace {

/// A frame that is transparent for mouse events.
class Highlight : public QWidget {
 public:
  explicit Highlight(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(palette().color(QPalette::Highlight), 4));
    painter.drawRoundedRect(QRectF(rect()).adjusted(2, 2, -2, -2), 5, 5);
  }
};

}  // namespace

Tour::Tour(std::vector<Stop> stops, QWidget* window)
    : QFrame(window),
      stops_(std::move(stops)),
      frame_(new Highlight(window)),
      title_(new QLabel(this)),
      text_(new QLabel(this)),
      count_(new QLabel(this)),
      back_(new QPushButton(tr("Back"), this)),
      next_(new QPushButton(this)) {
  setFrameShape(QFrame::StyledPanel);
  setFrameShadow(QFrame::Raised);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::ToolTipBase);
  QPalette colours = palette();
  colours.setColor(QPalette::WindowText, colours.color(QPalette::ToolTipText));
  setPalette(colours);
  QFont bold = title_->font();
  bold.setBold(true);
  title_->setFont(bold);
  text_->setWordWrap(true);
  auto* end = new QPushButton(tr("End tour"), this);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(count_);
  buttons->addStretch(1);
  buttons->addWidget(end);
  buttons->addWidget(back_);
  buttons->addWidget(next_);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(title_);
  layout->addWidget(text_);
  layout->addLayout(buttons);
  setFixedWidth(380);
  connect(end, &QPushButton::clicked, this, &QObject::deleteLater);
  connect(back_, &QPushButton::clicked, this, &Tour::back);
  connect(next_, &QPushButton::clicked, this, &Tour::next);
  connect(this, &QObject::destroyed, frame_, &QObject::deleteLater);
  window->installEventFilter(this);
}

void Tour::next() {
  if (current_ + 1 >= stopCount()) return deleteLater();
  show(current_ + 1);
}

void Tour::back() { show(std::max(0, current_ - 1)); }

void Tour::show(int index) {
  current_ = index;
  const Stop& stop = stops_[static_cast<std::size_t>(index)];
  emit stopShown(stop.target);
  title_->setText(stop.title);
  text_->setText(stop.text);
  count_->setText(tr("%1 of %2").arg(index + 1).arg(stopCount()));
  back_->setEnabled(index > 0);
  next_->setText(index + 1 < stopCount() ? tr("Next") : tr("Done"));
  moveToTarget();
  QFrame::show();
  raise();
}

/// Moves the frame to the target and this panel beside the target, inside the window.
void Tour::moveToTarget() {
  QWidget* window = parentWidget();
  const QWidget* target = stops_[static_cast<std::size_t>(current_)].target;
  adjustSize();
  QRect around(window->rect().center(), QSize(0, 0));
  if (target != nullptr && target->isVisible())
    around = QRect(target->mapTo(window, QPoint(0, 0)), target->size());
  frame_->setGeometry(around.adjusted(-4, -4, 4, 4).intersected(window->rect()));
  frame_->setVisible(!around.isEmpty());
  frame_->raise();
  // The panel stands right of the target, else left of it, else below it, else over its middle.
  QPoint at(around.right() + 12, around.top());
  if (at.x() + width() > window->width()) at.setX(around.left() - width() - 12);
  if (at.x() < 0) at = {around.center().x() - width() / 2, around.bottom() + 12};
  if (at.y() + height() > window->height())
    at.setY(std::max(around.top(), window->height() - height() - 12));
  at.setX(std::clamp(at.x(), 0, std::max(0, window->width() - width())));
  at.setY(std::clamp(at.y(), 0, std::max(0, window->height() - height())));
  move(at);
}

bool Tour::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::Resize) moveToTarget();
  return QFrame::eventFilter(object, event);
}

}  // namespace gantry
