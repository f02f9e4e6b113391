#include "gui/widgets/banners.hpp"

#include "gui/widgets/palette.hpp"
#include "gui/widgets/selectable_text.hpp"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QStyle>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gantry {

namespace {

const QString textName = QStringLiteral("bannerText");
constexpr int noteTime_ms = 15000;
constexpr int foldedLines = 2, mostLines = 100;  // of a message
constexpr int progressDelay_ms = 300;            // of work that takes less, nothing is shown

QToolButton* linkButton(const QString& text, const QString& tip, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(text);
  button->setToolTip(tip);
  button->setAutoRaise(true);
  return button;
}

/// The button that unfolds a message which has details, or is longer than its lines.
class Unfolding : public QToolButton {
 public:
  Unfolding(ElidingLabel* text, const QString& details)
      : QToolButton(text->parentWidget()), text_(text), message_(text->text()), details_(details) {
    setObjectName(QStringLiteral("bannerMore"));
    name(false);
    setAutoRaise(true);
    setCheckable(true);
    connect(this, &QToolButton::toggled, this, [this](bool on) {
      name(on);
      text_->setLines(on ? mostLines : foldedLines);
      text_->setText(on && !details_.isEmpty() ? message_ + QLatin1Char('\n') + details_
                                               : message_);
    });
    text_->installEventFilter(this);
    offer();
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Resize) offer();
    return QToolButton::eventFilter(watched, event);
  }

 private:
  void name(bool isOpen) {
    setText(isOpen               ? Banners::tr("Less")
            : details_.isEmpty() ? Banners::tr("More")
                                 : Banners::tr("Details"));
    setToolTip(isOpen               ? Banners::tr("Shows the beginning of the message")
               : details_.isEmpty() ? Banners::tr("Shows the whole message")
                                    : Banners::tr("Shows the whole message, and what it is about"));
  }
  void offer() { setVisible(!details_.isEmpty() || isChecked() || text_->isCut()); }

  ElidingLabel* text_;
  QString message_, details_;
};

}  // namespace

Banners::Banners(QWidget* parent) : QWidget(parent), layout_(new QVBoxLayout(this)) {
  layout_->setContentsMargins(4, 2, 4, 2);
  layout_->setSpacing(2);
  hide();
}

bool Banners::event(QEvent* event) {
  if (event->type() == QEvent::PaletteChange)
    for (const auto& [subject, shown] : shown_) tint(*shown.frame, shown.kind);
  return QWidget::event(event);
}

/// Gives a message a ground that keeps its text readable with light and dark palettes.
void Banners::tint(QFrame& frame, Kind kind) const {
  const bool dark = palette().color(QPalette::Window).lightness() < 128;
  const bool is_amber = kind == Kind::note || kind == Kind::warning;
  const QColor ground = kind == Kind::error      ? QColor(dark ? 0x5a2a2a : 0xfde2e0)
                        : is_amber               ? QColor(dark ? 0x4d4526 : 0xfff4d0)
                        : kind == Kind::question ? QColor(dark ? 0x26414d : 0xdff0fb)
                                                 : cardGround(palette());
  QPalette colours = palette();
  colours.setColor(QPalette::Window, QColor::fromRgb(ground.rgb()));
  frame.setPalette(colours);
}

QFrame* Banners::makeFrame(const QString& subject, Kind kind, const QString& message,
                           const QString& details) {
  auto* frame = new QFrame(this);
  frame->setFrameShape(QFrame::StyledPanel);
  frame->setAutoFillBackground(true);
  tint(*frame, kind);

  auto* icon = new QLabel(frame);
  const auto pixmap = kind == Kind::error      ? QStyle::SP_MessageBoxCritical
                      : kind == Kind::warning  ? QStyle::SP_MessageBoxWarning
                      : kind == Kind::note     ? QStyle::SP_MessageBoxInformation
                      : kind == Kind::question ? QStyle::SP_MessageBoxQuestion
                                               : QStyle::SP_BrowserReload;
  icon->setPixmap(style()->standardIcon(pixmap).pixmap(16, 16));
  auto* text = new SelectableText(frame);
  text->setObjectName(textName);
  text->setText(message);
  text->setLines(foldedLines);
  auto* row = new QHBoxLayout(frame);
  row->setContentsMargins(8, 3, 4, 3);
  row->addWidget(icon, 0, Qt::AlignTop);
  row->addWidget(text, 1);
  row->addWidget(new Unfolding(text, details), 0, Qt::AlignTop);
  if (kind == Kind::progress) {
    auto* cancel =
        linkButton(tr("Cancel"), tr("Cancels; the present experiment does not change"), frame);
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
  connect(close, &QToolButton::clicked, this, [this, subject] {
    clear(subject);
    emit closed(subject);
  });
  row->addWidget(copy, 0, Qt::AlignTop);
  row->addWidget(close, 0, Qt::AlignTop);
  return frame;
}

void Banners::ask(const QString& subject, const QString& message,
                  const std::vector<Action>& actions) {
  clear(subject);
  place(subject, {nullptr, Kind::question, message, {}});
  QFrame* frame = shown_[subject].frame;
  auto* row = qobject_cast<QHBoxLayout*>(frame->layout());
  int place = 2;  // after icon and text
  for (const Action& action : actions) {
    auto* button = linkButton(action.text, action.tip, frame);
    button->setAutoRaise(false);
    connectAction(button, subject, action);
    row->insertWidget(place++, button, 0, Qt::AlignTop);
  }
}

void Banners::connectAction(QToolButton* button, const QString& subject, const Action& action) {
  const auto answer = [this, subject](const std::function<void()>& act) {
    return [this, subject, act] {
      clear(subject);
      act();
    };
  };
  if (action.choices.empty()) {
    connect(button, &QToolButton::clicked, this, answer(action.act));
    return;
  }
  auto* menu = new QMenu(button);
  menu->setToolTipsVisible(true);
  for (const Action& choice : action.choices)
    menu->addAction(choice.text, this, answer(choice.act))->setToolTip(choice.tip);
  button->setMenu(menu);
  button->setPopupMode(QToolButton::InstantPopup);
}

void Banners::show(const QString& subject, Kind kind, const QString& message,
                   const QString& details) {
  if (const auto found = shown_.find(subject); kind == Kind::progress && found != shown_.end()) {
    found->second.frame->findChild<QLabel*>(textName)->setText(message);
    return;
  }
  int times = 1;
  const auto same = std::ranges::find_if(shown_, [&](const auto& item) {
    return item.second.kind == kind && item.second.message == message;
  });
  if (same != shown_.end()) {
    times += same->second.times;
    clear(QString(same->first));
  }
  giveWay(subject);
  place(subject, {nullptr, kind, message, details, times});
  removeOldest();
}

void Banners::place(const QString& subject, Shown shown) {
  const QString text =
      shown.times > 1 ? tr("%1 (%2 times)").arg(shown.message).arg(shown.times) : shown.message;
  shown.frame = makeFrame(subject, shown.kind, text, shown.details);
  shown.place = ++lastPlace_;
  layout_->addWidget(shown.frame);
  if (shown.kind == Kind::note) {
    auto* timer = new QTimer(shown.frame);
    timer->setSingleShot(true);
    connect(timer, &QTimer::timeout, this, [this, subject, frame = shown.frame] {
      // Another message may have come, and the frame of this one may still wait for its deletion.
      const auto now = shown_.find(subject);
      if (now != shown_.end() && now->second.frame == frame) closeNote(subject);
    });
    timer->start(noteTime_ms);
  }
  QFrame* frame = shown.frame;
  const auto appear = [this, frame] {
    frame->show();
    setVisible(true);
  };
  frame->setVisible(false);
  if (shown.kind == Kind::progress)
    QTimer::singleShot(progressDelay_ms, frame, appear);
  else
    appear();
  shown_[subject] = std::move(shown);
}

/// Closes a note as its reader would; what it said can still be read elsewhere.
void Banners::closeNote(const QString& subject) {
  const QString message = shown_.at(subject).message;
  clear(subject);
  emit movedOut(message);
  emit closed(subject);
}

void Banners::closeNotes() {
  QStringList notes;
  for (const auto& [subject, shown] : shown_)
    if (shown.kind == Kind::note) notes << subject;
  for (const QString& subject : notes) closeNote(subject);
}

/// Removes the oldest messages. Progress and questions stay, because they can be cancelled or
/// answered only here.
void Banners::removeOldest() {
  constexpr std::ptrdiff_t most = 3;
  const auto is_message = [](const auto& item) {
    return item.second.kind != Kind::progress && item.second.kind != Kind::question;
  };
  while (std::ranges::count_if(shown_, is_message) > most) {
    auto oldest = shown_.end();
    for (auto item = shown_.begin(); item != shown_.end(); ++item)
      if (is_message(*item) &&
          (oldest == shown_.end() || item->second.place < oldest->second.place))
        oldest = item;
    emit movedOut(oldest->second.message);
    clear(QString(oldest->first));
  }
}

void Banners::clear(const QString& subject) {
  const auto found = shown_.find(subject);
  if (found == shown_.end()) return;
  found->second.frame->hide();
  found->second.frame->deleteLater();
  shown_.erase(found);
  setVisible(
      std::ranges::any_of(shown_, [](const auto& one) { return !one.second.frame->isHidden(); }));
}

void Banners::giveWay(const QString& subject) {
  const auto found = shown_.find(subject);
  if (found != shown_.end() && found->second.kind == Kind::error)
    emit movedOut(found->second.message);
  clear(subject);
}

QString Banners::text(const QString& subject) const {
  const auto found = shown_.find(subject);
  return found == shown_.end() ? QString()
                               : found->second.frame->findChild<QLabel*>(textName)->text();
}

}  // namespace gantry
