#include "gui/stage/tile_tools.hpp"

#include "gui/views/key_list.hpp"
#include "gui/widgets/icons.hpp"

#include <QEvent>
#include <QFocusEvent>
#include <QMenu>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace gantry {

namespace {

constexpr int buttonSize = 28, distanceFromEdge = 8, belowHeader = 34;  // pixels

}  // namespace

TileTools::TileTools(QMenu* contents, bool is_of_run, QWidget* view, QWidget* tile)
    : QFrame(tile), view_(view) {
  setObjectName(QStringLiteral("tileTools"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  QToolButton* content =
      add(QStringLiteral("difference"), tr("What this view shows"),
          tr("The image itself, or its difference to another one") + key_hint("view.difference"));
  content->setMenu(contents);
  content->setPopupMode(QToolButton::InstantPopup);
  content->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
  link_ = add(QStringLiteral("link"), tr("Unlink"),
              tr("Zoom, position, slice and window follow the other views; press to unlink"));
  link_->setObjectName(QStringLiteral("tileLink"));
  link_->setCheckable(true);
  pin_ = add(QStringLiteral("pin"), tr("Pin as reference"),
             tr("Metrics and differences refer to the present estimate of this run; press again to "
                "go back to the truth"));
  pin_->setCheckable(true);
  save_ = add(QStringLiteral("save"), tr("Save volume"), tr("Saves the estimate of this run"));
  for (QToolButton* button : {pin_, save_}) {
    button->setEnabled(false);
    button->setVisible(is_of_run);
  }
  full_ = add(QStringLiteral("full"), tr("Only this view"),
              tr("Fills the stage with this view, or shows all views (double click)"));
  tile->installEventFilter(this);
  view->installEventFilter(this);
  hide();
}

QToolButton* TileTools::add(const QString& icon, const QString& name, const QString& tip) {
  auto* button = new QToolButton(this);
  button->setIcon(lineIcon(icon));
  button->setAccessibleName(name);
  button->setToolTip(tip);
  button->setFixedSize(buttonSize, buttonSize);
  button->installEventFilter(this);
  layout()->addWidget(button);
  return button;
}

void TileTools::setHovered(bool hovered) {
  hovered_ = hovered;
  update();
}

void TileTools::update() {
  const QWidget* focus = focusWidget();
  const bool shown = hovered_ || viewHasFocus_ || (focus != nullptr && focus->hasFocus());
  if (shown) {
    adjustSize();
    move(parentWidget()->width() - width() - distanceFromEdge, belowHeader);
    raise();
  }
  setVisible(shown && parentWidget()->height() > height() + belowHeader);
}

bool TileTools::eventFilter(QObject* object, QEvent* event) {
  const bool of_tile = object == parentWidget();
  if (of_tile && event->type() == QEvent::Enter) setHovered(true);
  if (of_tile && event->type() == QEvent::Leave) setHovered(false);
  if (object == view_ && event->type() == QEvent::FocusIn) {
    const auto reason = static_cast<QFocusEvent*>(event)->reason();
    viewHasFocus_ = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason;
  }
  if (object == view_ && event->type() == QEvent::FocusOut) viewHasFocus_ = false;
  if (event->type() == QEvent::FocusIn || (of_tile && event->type() == QEvent::Resize)) update();
  // The focus may go from the view to a button or back, or to the next: the buttons stay then.
  if (event->type() == QEvent::FocusOut) QTimer::singleShot(0, this, &TileTools::update);
  return QFrame::eventFilter(object, event);
}

}  // namespace gantry
