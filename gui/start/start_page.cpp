#include "gui/start/start_page.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/job/experiment_data.hpp"
#include "core/job/experiment_file.hpp"
#include "gui/data/file_actions.hpp"
#include "gui/start/thumbnails.hpp"
#include "gui/widgets/icons.hpp"
#include "gui/widgets/palette.hpp"
#include "core/worker/preview/reduced_run.hpp"

#include <QAction>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gantry {

namespace {

constexpr int most_recent = 6;  // a row of cards
constexpr int gap = 16;         // between cards, pixels

QLabel* heading(const QString& text, QWidget* parent, int more_points = 2) {
  auto* label = new QLabel(text, parent);
  QFont font = label->font();
  font.setPointSize(font.pointSize() + more_points);
  font.setBold(true);
  label->setFont(font);
  return label;
}

/// A frame of dashes in which files can be dropped; the window takes them wherever they fall.
class DropArea : public QWidget {
 public:
  using QWidget::QWidget;

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(mutedText(palette()), 1.5, Qt::DashLine));
    painter.setBrush(palette().base());
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);
  }
};

/// A picture with a name, to be clicked, or chosen by Space or Enter; it shows the focus.
class Card : public QToolButton {
 public:
  using QToolButton::QToolButton;

 protected:
  void keyPressEvent(QKeyEvent* event) override {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return click();
    QToolButton::keyPressEvent(event);
  }
  void paintEvent(QPaintEvent* event) override {
    QToolButton::paintEvent(event);
    if (!hasFocus()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(palette().highlight(), 2));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
  }
};

/// Returns a picture on black of the size of all cards; without one, a dark ground with an icon.
QIcon card_icon(const QImage& picture, const QWidget& card) {
  const qreal ratio = card.devicePixelRatioF();
  QPixmap pixmap(thumbnail_size * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
  QPainterPath edge;
  const QRectF all(QPointF(0, 0), QSizeF(thumbnail_size));
  edge.addRoundedRect(all, 4, 4);
  painter.setClipPath(edge);
  painter.fillRect(all, picture.isNull() ? QColor(0x2a, 0x2d, 0x34) : QColor(0, 0, 0));
  if (!picture.isNull()) {
    QRectF target(QPointF(0, 0), QSizeF(picture.size()).scaled(all.size(), Qt::KeepAspectRatio));
    target.moveCenter(all.center());
    painter.drawImage(target, picture);
  }
  painter.end();
  return QIcon(pixmap);
}

/// Returns what the direct method makes of the data of an experiment.
QImage picture_of_experiment(const Experiment& experiment, const Catalog& catalog,
                             const BackendList& backends, const Interrupt& interrupt) {
  CpuBackend cpu;
  const auto data = prepare_data(experiment, catalog, cpu, &interrupt);
  const ReducedImage image = reconstruct_quickly(data, catalog, backends, interrupt);
  const SliceImage slice = extract_slice(image.grid, image.mu, Axis::axial, image.grid.nz / 2);
  return picture_of(slice, automatic_window(slice), !data->radiological, thumbnail_size);
}

}  // namespace

StartPage::StartPage(const Catalog& catalog, const BackendList& backends, FileActions& files,
                     QWidget* parent)
    : QWidget(parent),
      catalog_(catalog),
      backends_(backends),
      files_(files),
      lessons_(lessons()),
      recentTitle_(heading(tr("Recent files"), this)),
      recent_(new QGridLayout),
      lessonCards_(new QGridLayout) {
  setObjectName(QStringLiteral("startPage"));
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(2 * gap, gap, 2 * gap, gap);
  column->setSpacing(8);
  column->addWidget(makeFirstRow());
  column->addSpacing(8);
  column->addWidget(recentTitle_);
  column->addLayout(recent_);
  column->addSpacing(8);
  column->addWidget(heading(tr("Lessons"), content));
  column->addLayout(lessonCards_);
  column->addStretch(1);
  for (QGridLayout* cards : {recent_, lessonCards_}) {
    cards->setSpacing(gap);
    cards->setColumnStretch(most_recent, 1);
  }
  makeLessons();
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(content);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  all->addWidget(scroll);
  refresh();
}

QWidget* StartPage::makeFirstRow() {
  auto* box = new QWidget(this);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(gap);
  row->addWidget(makeDropArea(), 1);
  auto* last = new QVBoxLayout;
  continue_ = makeCard(QStringLiteral("continueLast"), tr("Continue last session"), {});
  connect(continue_, &QToolButton::clicked, this, [this] {
    if (!sessions_.empty()) sessions_.front().open();
  });
  more_ = new QToolButton(this);
  more_->setObjectName(QStringLiteral("earlierSessions"));
  more_->setText(tr("Earlier sessions"));
  more_->setToolTip(tr("The sessions before the last; Gantry keeps five"));
  more_->setAutoRaise(true);
  more_->setPopupMode(QToolButton::InstantPopup);
  more_->setMenu(new QMenu(more_));
  last->addWidget(continue_);
  last->addWidget(more_, 0, Qt::AlignHCenter);
  row->addLayout(last);
  demo_ = makeCard(QStringLiteral("takeDemo"), tr("Take the demo"),
                   tr("A head phantom, reconstructed by two algorithms side by side"));
  connect(demo_, &QToolButton::clicked, this, &StartPage::demoChosen);
  row->addWidget(demo_, 0, Qt::AlignTop);
  showSessions();
  return box;
}

QWidget* StartPage::makeDropArea() {
  auto* area = new DropArea(this);
  auto* text =
      heading(tr("Drop projections, a volume, a folder of images or a session here"), area);
  text->setAlignment(Qt::AlignCenter);
  text->setWordWrap(true);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  for (QAction* action : files_.openActions()) {
    auto* button = new QPushButton(action->text(), area);
    button->setIcon(lineIcon(QStringLiteral("open")));
    const QString key = action->shortcut().toString(QKeySequence::NativeText);
    button->setToolTip(key.isEmpty() ? action->toolTip()
                                     : tr("%1 (%2)").arg(action->toolTip(), key));
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    buttons->addWidget(button);
  }
  buttons->addStretch(1);
  auto* column = new QVBoxLayout(area);
  column->setContentsMargins(gap, gap, gap, gap);
  column->addStretch(1);
  column->addWidget(text);
  column->addSpacing(8);
  column->addLayout(buttons);
  column->addStretch(1);
  return area;
}

QToolButton* StartPage::makeCard(const QString& name, const QString& title, const QString& tip) {
  auto* card = new Card(this);
  card->setObjectName(name);
  card->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  card->setAutoRaise(true);
  card->setFocusPolicy(Qt::StrongFocus);
  card->setIconSize(thumbnail_size);
  card->setText(card->fontMetrics().elidedText(title, Qt::ElideMiddle, thumbnail_size.width()));
  card->setToolTip(tip.isEmpty() ? title : tip);
  card->setAccessibleName(title);
  card->setFixedWidth(thumbnail_size.width() + gap);
  setPicture(card, {});
  return card;
}

void StartPage::setPicture(QToolButton* card, const QImage& picture) {
  card->setIcon(card_icon(picture, *card));
}

// ---- Sessions and recent files

void StartPage::setSessions(std::vector<Session> sessions) {
  sessions_ = std::move(sessions);
  showSessions();
}

void StartPage::showSessions() {
  continue_->setEnabled(!sessions_.empty());
  continue_->setToolTip(sessions_.empty()
                            ? tr("There is none: Gantry keeps what is open when you quit")
                            : sessions_.front().name);
  setPicture(continue_, sessions_.empty() ? QImage() : sessions_.front().picture);
  more_->menu()->clear();
  for (std::size_t i = 1; i < sessions_.size(); ++i)
    more_->menu()->addAction(sessions_[i].name, this, sessions_[i].open);
  more_->setVisible(sessions_.size() > 1);
}

void StartPage::refresh() {
  while (QLayoutItem* item = recent_->takeAt(0)) {
    item->widget()->hide();  // at once: its slot may be running, so that it is deleted later
    item->widget()->deleteLater();
    delete item;
  }
  int column = 0;
  for (const QString& path : FileActions::recent()) {
    if (column == most_recent) break;
    if (!QFileInfo::exists(path)) continue;
    QToolButton* card =
        makeCard(QStringLiteral("recent%1").arg(column), QFileInfo(path).fileName(), path);
    setPicture(card, kept_thumbnail(path));
    connect(card, &QToolButton::clicked, this, [this, path] { files_.open(path); });
    recent_->addWidget(card, 0, column++);
  }
  recentTitle_->setVisible(column > 0);
  orderTabs();
}

/// Lets Tab go from card to card as they are read: recent files, made last, stand before lessons.
void StartPage::orderTabs() {
  QWidget* last = demo_;
  for (const QGridLayout* cards : {recent_, lessonCards_})
    for (int i = 0; i < cards->count(); ++i) {
      QWidget* card = cards->itemAt(i)->widget();
      setTabOrder(last, card);
      last = card;
    }
}

// ---- Lessons

void StartPage::makeLessons() {
  wanted_.push_back({demo_, {}, ready_experiment()});
  for (std::size_t i = 0; i < lessons_.size(); ++i) {
    const Lesson& lesson = lessons_[i];
    QToolButton* card = makeCard(QStringLiteral("lesson%1").arg(i), lesson.title, lesson.text);
    connect(card, &QToolButton::clicked, this, [this, &lesson] { emit lessonChosen(lesson); });
    const int at = static_cast<int>(i);
    lessonCards_->addWidget(card, at / most_recent, at % most_recent);
    wanted_.push_back({card, {}, lesson.experiment});
  }
  for (Wanted& one : wanted_)
    one.name = QString::fromStdString(format_experiment(one.experiment, "/"));
}

void StartPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
  makePictures();
}

void StartPage::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  job_.cancel();  // what was opened needs the processors
}

/// Computes the next picture that the folder of caches lacks, and then the one after it.
void StartPage::makePictures() {
  while (!wanted_.empty()) {
    const QImage known = kept_thumbnail(wanted_.front().name);
    if (known.isNull()) break;
    setPicture(wanted_.front().card, known);
    wanted_.erase(wanted_.begin());
  }
  if (wanted_.empty() || !isVisible()) return;
  job_.start<QImage>(
      [this, experiment = wanted_.front().experiment](const Interrupt& interrupt) {
        return picture_of_experiment(experiment, catalog_, backends_, interrupt);
      },
      [this](const QImage& picture) {
        keep_thumbnail(wanted_.front().name, picture);
        setPicture(wanted_.front().card, picture);
        wanted_.erase(wanted_.begin());
        makePictures();
      },
      [this](const QString&) {  // the card stays without a picture
        if (!isVisible()) return;
        wanted_.erase(wanted_.begin());
        makePictures();
      });
}

}  // namespace gantry
