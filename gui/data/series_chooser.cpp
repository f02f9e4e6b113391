#include "gui/data/series_chooser.hpp"

#include <QCoreApplication>
#include <QDate>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace gantry {

namespace {

struct SeriesChooser {
  Q_DECLARE_TR_FUNCTIONS(SeriesChooser)
};

QString tr(const char* text) { return SeriesChooser::tr(text); }

/// Returns a date of DICOM, 20040119 or 2004.01.19 as before 1993, as 2004-01-19; what is no date
/// stays as it is.
QString dateOf(const DicomSeriesInfo& series) {
  const QString text = QString::fromStdString(series.study_date).trimmed();
  QString digits = text;
  const QDate date = QDate::fromString(digits.remove(QLatin1Char('.')), QStringLiteral("yyyyMMdd"));
  return date.isValid() ? date.toString(Qt::ISODate) : text;
}

/// Returns what tells a series from others: its description, else folder and name of its first
/// file.
QString nameOf(const DicomSeriesInfo& series) {
  const QString description = QString::fromStdString(series.description).trimmed();
  if (!description.isEmpty()) return description;
  if (series.files.empty()) return tr("no description");
  const QFileInfo first(QString::fromStdString(series.files.front()));
  return tr("from %1/%2").arg(first.dir().dirName(), first.fileName());
}

/// Returns the series with the most slices, localisers last.
std::size_t largest(const std::vector<DicomSeriesInfo>& series) {
  const auto rank = [](const DicomSeriesInfo& s) { return s.localizer ? 0 : s.images; };
  return static_cast<std::size_t>(std::ranges::max_element(series, {}, rank) - series.begin());
}

QTreeWidget* listOf(const std::vector<DicomSeriesInfo>& series, QWidget* parent) {
  auto* list = new QTreeWidget(parent);
  list->setObjectName(QStringLiteral("seriesList"));
  list->setAccessibleName(tr("Series"));
  list->setHeaderLabels({tr("Description"), tr("Modality"), tr("Slices"), tr("Size"), tr("Date")});
  list->setRootIsDecorated(false);
  list->setAllColumnsShowFocus(true);
  for (const DicomSeriesInfo& one : series) {
    auto* item = new QTreeWidgetItem(list, series_columns(one));
    item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
  }
  for (int column = 0; column < list->columnCount(); ++column) list->resizeColumnToContents(column);
  list->setCurrentItem(list->topLevelItem(static_cast<int>(largest(series))));
  return list;
}

}  // namespace

QStringList series_columns(const DicomSeriesInfo& series) {
  return {nameOf(series) + (series.localizer ? tr(" (localiser)") : QString()),
          series.modality.empty() ? tr("unknown") : QString::fromStdString(series.modality),
          QString::number(series.images), tr("%1 x %2").arg(series.columns).arg(series.rows),
          dateOf(series)};
}

QString series_line(const DicomSeriesInfo& series) {
  const QStringList columns = series_columns(series);
  QString text = columns[0] + QStringLiteral(", ") + columns[1] + QStringLiteral(", ") +
                 (series.images == 1 ? tr("%2 slice of %1") : tr("%2 slices of %1"))
                     .arg(columns[3], columns[2]);
  if (!columns[4].isEmpty()) text += QStringLiteral(", ") + columns[4];
  return text;
}

std::optional<std::size_t> choose_series(QWidget* parent,
                                         const std::vector<DicomSeriesInfo>& series,
                                         const std::function<void(std::size_t)>& selected) {
  QDialog dialog(parent);
  dialog.setWindowTitle(tr("Several series"));
  auto* list = listOf(series, &dialog);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, &dialog);
  auto* layout = new QVBoxLayout(&dialog);
  layout->addWidget(new QLabel(tr("The folder holds several series. Open which?"), &dialog));
  layout->addWidget(list, 1);
  layout->addWidget(buttons);
  QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
  QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  QObject::connect(list, &QTreeWidget::itemActivated, &dialog, &QDialog::accept);
  const auto index_now = [list] {
    return static_cast<std::size_t>(list->indexOfTopLevelItem(list->currentItem()));
  };
  QObject::connect(list, &QTreeWidget::currentItemChanged, &dialog,
                   [&selected, index_now](const QTreeWidgetItem* now) {
                     if (now != nullptr) selected(index_now());
                   });
  selected(index_now());
  dialog.resize(640, 320);
  list->setFocus();
  if (dialog.exec() != QDialog::Accepted || list->currentItem() == nullptr) return std::nullopt;
  return index_now();
}

std::optional<UnevenSlices> choose_uneven(QWidget* parent, const UnevenSeries& series) {
  QMessageBox box(QMessageBox::Question, tr("Slices that are not one regular stack"),
                  QString::fromStdString(series.problem()), QMessageBox::Cancel, parent);
  const QPushButton* part =
      box.addButton(tr("Open the largest regular part: %1")
                        .arg(QString::fromStdString(series.outcome(UnevenSlices::largest_part))),
                    QMessageBox::AcceptRole);
  const QPushButton* resample = nullptr;
  if (const auto& outcome = series.outcome(UnevenSlices::resample); !outcome.empty())
    resample = box.addButton(tr("Open all of it, %1").arg(QString::fromStdString(outcome)),
                             QMessageBox::AcceptRole);
  box.exec();
  const QAbstractButton* chosen = box.clickedButton();
  if (chosen == part) return UnevenSlices::largest_part;
  if (resample != nullptr && chosen == resample) return UnevenSlices::resample;
  return std::nullopt;
}

bool choose_to_leave_out(QWidget* parent, const DamagedFiles& files) {
  QMessageBox box(QMessageBox::Question, tr("Damaged files"),
                  QString::fromStdString(files.problem()), QMessageBox::Cancel, parent);
  const QPushButton* leave =
      box.addButton(tr("Leave out damaged files and their angles"), QMessageBox::AcceptRole);
  box.setDefaultButton(QMessageBox::Cancel);  // Enter leaves nothing out
  box.exec();
  return box.clickedButton() == leave;
}

}  // namespace gantry
