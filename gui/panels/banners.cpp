#include "gui/panels/banners.hpp"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace gantry {

namespace {

QToolButton* linkButton(const QString& text, const QString& tip, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(text);
  button->setToolTip(tip);
  button->setAutoRaise(true);
  return button;
}

}  // namespace

Banners::Banners(QWidget* parent) : QWidget(parent), layout_(new QVBoxLayout(this)) {
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setSpacing(2);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
}

QFrame* Banners::makeFrame(const QString& subject, Kind kind, const QString& message,
                           const QString& details) {
  auto* frame = new QFrame(this);
  frame->setFrameShape(QFrame::StyledPanel);
  frame->setAutoFillBackground(true);
  // A tint that leaves the palette's text readable, light or dark.
  const bool dark = palette().color(QPalette::Window).lightness() < 128;
  const QColor tint = kind == Kind::error  ? QColor(dark ? 0x5a2a2a : 0xfde2e0)
                      : kind == Kind::note ? QColor(dark ? 0x4d4526 : 0xfff4d0)
                                           : palette().color(QPalette::AlternateBase);
  QPalette colours = frame->palette();
  colours.setColor(QPalette::Window, QColor::fromRgb(tint.rgb()));
  frame->setPalette(colours);

  auto* icon = new QLabel(frame);
  const auto pixmap = kind == Kind::error  ? QStyle::SP_MessageBoxCritical
                      : kind == Kind::note ? QStyle::SP_MessageBoxInformation
                                           : QStyle::SP_BrowserReload;
  icon->setPixmap(style()->standardIcon(pixmap).pixmap(16, 16));
  auto* text = new QLabel(message, frame);
  text->setObjectName(QStringLiteral("bannerText"));
  text->setWordWrap(true);
  text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* row = new QHBoxLayout(frame);
  row->setContentsMargins(8, 3, 4, 3);
  row->addWidget(icon, 0, Qt::AlignTop);
  row->addWidget(text, 1);
  if (!details.isEmpty()) {
    auto* more = linkButton(tr("Details"), tr("What was being done"), frame);
    more->setCheckable(true);
    connect(more, &QToolButton::toggled, text, [text, message, details](bool on) {
      text->setText(on ? message + QLatin1Char('\n') + details : message);
    });
    row->addWidget(more, 0, Qt::AlignTop);
  }
  if (kind == Kind::progress) {
    auto* cancel =
        linkButton(tr("Cancel"), tr("Gives this up; what was there before stays"), frame);
    connect(cancel, &QToolButton::clicked, this, [this, subject] { emit cancelled(subject); });
    row->addWidget(cancel, 0, Qt::AlignTop);
    return frame;
  }
  auto* copy = linkButton(tr("Copy"), tr("Copies the message"), frame);
  connect(copy, &QToolButton::clicked, frame, [message, details] {
    QGuiApplication::clipboard()->setText(
        details.isEmpty() ? message : message + QLatin1Char('\n') + details);
  });
  auto* close = linkButton(QStringLiteral("✕"), tr("Dismisses the message"), frame);
  connect(close, &QToolButton::clicked, this, [this, subject] { clear(subject); });
  row->addWidget(copy, 0, Qt::AlignTop);
  row->addWidget(close, 0, Qt::AlignTop);
  return frame;
}

void Banners::ask(const QString& subject, const QString& message,
                  const std::vector<Action>& actions) {
  show(subject, Kind::note, message);
  QFrame* frame = frames_[subject];
  auto* row = qobject_cast<QHBoxLayout*>(frame->layout());
  int place = 2;  // behind icon and text
  for (const Action& action : actions) {
    auto* button = linkButton(action.text, action.tip, frame);
    button->setAutoRaise(false);
    connect(button, &QToolButton::clicked, this, [this, subject, act = action.act] {
      clear(subject);
      act();
    });
    row->insertWidget(place++, button, 0, Qt::AlignTop);
  }
}

void Banners::show(const QString& subject, Kind kind, const QString& message,
                   const QString& details) {
  if (kind == Kind::progress)
    if (const auto found = frames_.find(subject); found != frames_.end()) {
      found->second->findChild<QLabel*>(QStringLiteral("bannerText"))->setText(message);
      return;
    }
  clear(subject);
  QFrame* frame = makeFrame(subject, kind, message, details);
  layout_->addWidget(frame);
  frames_[subject] = frame;
}

void Banners::clear(const QString& subject) {
  const auto found = frames_.find(subject);
  if (found == frames_.end()) return;
  found->second->hide();
  found->second->deleteLater();
  frames_.erase(found);
}

QString Banners::text(const QString& subject) const {
  const auto found = frames_.find(subject);
  return found == frames_.end()
             ? QString()
             : found->second->findChild<QLabel*>(QStringLiteral("bannerText"))->text();
}

}  // namespace gantry
