#include "gui/help/key_help.hpp"

#include "gui/views/key_list.hpp"

#include <QDialogButtonBox>
#include <QScrollBar>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace gantry {

namespace {

/// Returns "Up, Right", or "1 … 9" for a row of keys.
QString text_of(const QList<QKeySequence>& keys) {
  QStringList texts;
  for (const QKeySequence& key : keys) texts << key.toString(QKeySequence::NativeText);
  constexpr qsizetype most = 3;
  return texts.size() > most ? texts.front() + QStringLiteral(" … ") + texts.back()
                             : texts.join(QStringLiteral(", "));
}

}  // namespace

KeyHelp::KeyHelp(QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("keyHelp"));
  setWindowTitle(tr("Keys"));
  auto* list = new QTreeWidget(this);
  list->setObjectName(QStringLiteral("keyList"));
  list->setAccessibleName(tr("Keys and what they do"));
  list->setHeaderLabels({tr("Key"), tr("What it does")});
  list->setRootIsDecorated(false);
  list->setUniformRowHeights(true);
  QTreeWidgetItem* group = nullptr;
  for (const KeyEntry& entry : key_list()) {
    if (group == nullptr || group->text(0) != entry.group) {
      group = new QTreeWidgetItem(list, {entry.group});
      QFont bold = list->font();
      bold.setBold(true);
      group->setFont(0, bold);
      group->setFirstColumnSpanned(true);
    }
    new QTreeWidgetItem(group, {text_of(entry.keys), entry.text});
  }
  list->expandAll();
  for (int column = 0; column < list->columnCount(); ++column) list->resizeColumnToContents(column);
  auto* close = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(close, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(list, 1);
  layout->addWidget(close);
  // So wide that no line is cut, with room for the scroll bar.
  const QMargins margins = layout->contentsMargins();
  resize(list->columnWidth(0) + list->columnWidth(1) + 2 * list->frameWidth() +
             list->verticalScrollBar()->sizeHint().width() + margins.left() + margins.right(),
         640);
}

}  // namespace gantry
