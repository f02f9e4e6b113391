#include "gui/data/results_panel.hpp"

#include "gui/data/file_actions.hpp"

#include <QToolButton>
#include <QVBoxLayout>

namespace gantry {

ResultsPanel::ResultsPanel(FileActions& files, QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(4, 4, 4, 4);
  for (QAction* action : files.saveActions()) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    column->addWidget(button);
  }
  column->addStretch(1);
}

}  // namespace gantry
