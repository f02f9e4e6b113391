#include "gui/top_bar.hpp"

#include "gui/views/key_list.hpp"
#include "gui/widgets/eliding_label.hpp"
#include "gui/widgets/icons.hpp"
#include "gui/widgets/switch_button.hpp"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

namespace gantry {

TopBar::TopBar(QWidget* parent)
    : QWidget(parent),
      menus_(new QMenuBar(this)),
      name_(new QLabel(this)),
      details_(new ElidingLabel(this)),
      refusal_(new ElidingLabel(this)),
      tools_(new QToolBar(tr("Runs"), this)),
      workspaces_(new QButtonGroup(this)) {
  QFont bold = name_->font();
  bold.setBold(true);
  name_->setFont(bold);
  name_->setObjectName(QStringLiteral("experimentName"));
  name_->setMaximumWidth(fontMetrics().averageCharWidth() * 28);
  details_->setMuted(true);
  details_->setObjectName(QStringLiteral("experimentDetails"));
  refusal_->setObjectName(QStringLiteral("runRefusal"));
  refusal_->hide();
  tools_->setObjectName(QStringLiteral("toolbar"));
  tools_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  tools_->setIconSize({16, 16});
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(4, 2, 8, 2);
  row->setSpacing(8);
  // The style's own icon of what finds no room is black on any ground.
  for (QWidget* bar : {static_cast<QWidget*>(menus_), static_cast<QWidget*>(tools_)})
    for (auto* more : bar->findChildren<QToolButton*>())
      if (more->objectName().endsWith(QStringLiteral("_ext_button")))
        more->setIcon(lineIcon(QStringLiteral("more")));
  menus_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
  row->addWidget(menus_, 0, Qt::AlignVCenter);
  row->addWidget(name_);
  row->addWidget(details_, 1);
  row->addWidget(tools_);
  row->addWidget(refusal_, 1);
  workspaceBox_ = makeWorkspaces();
  row->addWidget(workspaceBox_);
}

QWidget* TopBar::makeWorkspaces() {
  auto* box = new QWidget(this);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  const auto add = [&](const QString& name, const QString& tip, WindowLayout layout) {
    auto* button = new SwitchButton(name, box);
    const QString key = keys_of("workspace").value(workspaces_->buttons().size()).toString();
    button->setToolTip(QStringLiteral("%1 (%2)").arg(tip, key));
    row->addWidget(button);
    workspaces_->addButton(button, static_cast<int>(layout));
  };
  add(tr("Data"),
      tr("What was opened: projections, sinogram and a quick reconstruction, or slices"),
      WindowLayout::data);
  add(tr("Compare"), tr("All views, with the steps and the curves"), WindowLayout::compare);
  add(tr("Space"), {}, WindowLayout::space);
  add(tr("Sweep"), tr("The selected run with several values of one of its parameters"),
      WindowLayout::sweep);
  add(tr("Present"), tr("Views and curves without forms, in large type, for an audience (F)"),
      WindowLayout::present);
  space_ = new QAction(tr("Space"), this);
  connect(space_, &QAction::triggered, this, [this] { emit workspaceChosen(WindowLayout::space); });
  connect(workspaces_, &QButtonGroup::idClicked, this,
          [this](int id) { emit workspaceChosen(static_cast<WindowLayout>(id)); });
  return box;
}

void TopBar::setExperiment(const QString& name, const QString& details) {
  name_->setText(name_->fontMetrics().elidedText(name, Qt::ElideMiddle, name_->maximumWidth()));
  name_->setToolTip(name);
  details_->setText(details);
  details_->setToolTip(details);
}

void TopBar::setRefusal(const QString& why) {
  refusal_->setText(why);
  refusal_->setToolTip(why);
  refusal_->setVisible(!why.isEmpty());
}

void TopBar::setWorkspace(WindowLayout layout) {
  const bool is_open = layout != WindowLayout::start;
  for (QWidget* part : {static_cast<QWidget*>(tools_), workspaceBox_}) part->setVisible(is_open);
  if (!is_open) return;
  const auto shown = layout == WindowLayout::single ? WindowLayout::compare : layout;
  workspaces_->button(static_cast<int>(shown))->setChecked(true);
}

void TopBar::chooseWorkspace(int index) {
  const QList<QAbstractButton*> buttons = workspaces_->buttons();
  if (index < buttons.size() && buttons[index]->isEnabled()) buttons[index]->click();
}

void TopBar::offerSpace(bool offered) {
  QAbstractButton* space = workspaces_->button(static_cast<int>(WindowLayout::space));
  space->setEnabled(offered);
  space_->setEnabled(offered);
  const QString key = keys_of("workspace").value(workspaces_->buttons().indexOf(space)).toString();
  space->setToolTip(offered ? tr("The selected run in three planes and as a volume (%1)").arg(key)
                            : tr("The grid has a single slice: open a volume, or choose a phantom "
                                 "with several slices"));
}

}  // namespace gantry
