#include "gui/matrix/matrix_memory.hpp"

#include "core/base/error.hpp"

#include <QHeaderView>
#include <QLabel>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <utility>

namespace gantry {

namespace {

QString bytesText(std::size_t bytes) { return QString::fromStdString(format_bytes(bytes)); }

/// Returns a count with three digits, e.g. 12 345 678 as "12.3 million": counts are estimated from
/// a sample and not more exact.
QString countText(double count) {
  if (count < 1e6) return QString::number(count, 'f', 0);
  return count < 999.5e6 ? MatrixMemory::tr("%1 million").arg(count / 1e6, 0, 'g', 3)
                         : MatrixMemory::tr("%1 billion").arg(count / 1e9, 0, 'g', 3);
}

/// Gives a table row the height of the wrapped text in its last column, which QTreeView does not.
class WrappingDelegate final : public QStyledItemDelegate {
 public:
  explicit WrappingDelegate(QTreeWidget* table) : QStyledItemDelegate(table), table_(table) {}
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem narrow = option;
    narrow.rect = QRect(0, 0, table_->columnWidth(index.column()), 1);
    return QStyledItemDelegate::sizeHint(narrow, index);
  }

 private:
  QTreeWidget* table_;
};

QTreeWidget* makeTable(const QString& name, const QStringList& header, QWidget* parent) {
  auto* table = new QTreeWidget(parent);
  table->setObjectName(name);
  table->setHeaderLabels(header);
  table->setRootIsDecorated(false);
  table->setSelectionMode(QAbstractItemView::NoSelection);
  table->setWordWrap(true);
  table->setItemDelegateForColumn(static_cast<int>(header.size()) - 1, new WrappingDelegate(table));
  table->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->header()->setSectionResizeMode(static_cast<int>(header.size()) - 1, QHeaderView::Stretch);
  QObject::connect(table->header(), &QHeaderView::sectionResized, table, [table] {
    QMetaObject::invokeMethod(table, &QTreeWidget::doItemsLayout, Qt::QueuedConnection);
  });
  return table;
}

void addRow(QTreeWidget* table, const QStringList& texts, bool bold = false) {
  auto* item = new QTreeWidgetItem(table, texts);
  item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
  QFont font = table->font();
  font.setBold(bold);
  for (int i = 0; i < table->columnCount(); ++i) {
    item->setFont(i, font);
    item->setToolTip(i, texts.value(i));
  }
}

}  // namespace

MatrixMemory::MatrixMemory(QWidget* parent)
    : QWidget(parent),
      summary_(new QLabel(this)),
      formats_(makeTable(QStringLiteral("matrixFormats"), {tr("Format"), tr("Needs"), tr("Fits")},
                         this)),
      parts_(
          makeTable(QStringLiteral("matrixParts"), {tr("Built"), tr("Takes"), tr("Of it")}, this)) {
  summary_->setWordWrap(true);
  summary_->setObjectName(QStringLiteral("matrixSummary"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 4);
  layout->addWidget(summary_);
  layout->addWidget(formats_, 3);
  layout->addWidget(parts_, 2);
  parts_->hide();
}

void MatrixMemory::showNothing(const QString& why) {
  summary_->setText(why);
  formats_->clear();
}

void MatrixMemory::showOverview(const MatrixOverview& overview, const QString& device,
                                std::size_t free_bytes, const std::string& chosen) {
  const NonzeroEstimate& estimate = overview.estimate;
  const double elements =
      static_cast<double>(estimate.rows) * static_cast<double>(estimate.columns);
  summary_->setText(tr("%1 rays × %2 voxels, about %3 nonzeros (%4 %); %5 free on %6")
                        .arg(estimate.rows)
                        .arg(estimate.columns)
                        .arg(countText(estimate.nonzeros))
                        .arg(100 * estimate.nonzeros / elements, 0, 'g', 2)
                        .arg(bytesText(free_bytes), device));
  formats_->clear();
  for (const FormatSize& size : overview.sizes) {
    const QString label = QString::fromStdString(size.label);
    if (!size.problem.empty()) {
      addRow(formats_, {label, QStringLiteral("–"), QString::fromStdString(size.problem)},
             size.key == chosen);
      continue;
    }
    const double csr =
        MatrixStorage::csr_bytes(estimate.nonzeros, static_cast<double>(estimate.rows));
    const QString share = tr("1/%1 of CSR").arg(csr / static_cast<double>(size.bytes), 0, 'f', 1);
    const QString fits = size.bytes <= free_bytes ? tr("fits") : tr("does not fit");
    addRow(formats_,
           {label, bytesText(size.bytes),
            csr > 1.1 * static_cast<double>(size.bytes) ? tr("%1; %2").arg(fits, share) : fits},
           size.key == chosen);
  }
}

void MatrixMemory::showBuilt(const QString& label, const std::optional<MatrixStorage>& storage) {
  parts_->setVisible(storage.has_value());
  if (!storage) return;
  const auto built = std::pair(label, storage->bytes());
  if (std::exchange(shown_, built) == built) return;
  parts_->clear();
  const auto all = static_cast<double>(storage->bytes());
  addRow(parts_,
         {label, bytesText(storage->bytes()),
          tr("%1 nonzeros, %2 entries stored, %3 of padding; built in %4 s")
              .arg(storage->nonzeros)
              .arg(storage->stored)
              .arg(storage->padding)
              .arg(storage->build_s, 0, 'g', 2)},
         true);
  for (const MatrixPart& part : storage->parts)
    addRow(parts_, {QString::fromStdString(part.name), bytesText(part.bytes),
                    tr("%1 %").arg(100 * static_cast<double>(part.bytes) / all, 0, 'f', 1)});
}

}  // namespace gantry
