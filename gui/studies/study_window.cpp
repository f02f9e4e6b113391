#include "gui/studies/study_window.hpp"

#include "gui/views/chart_view.hpp"
#include "studies/study_chart.hpp"

#include <QHeaderView>
#include <QLabel>
#include <QTabWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include <exception>

namespace gantry {

namespace {

QString cellText(const StudyCell& cell) {
  return cell.number ? QString::number(*cell.number, 'g', 7) : QString::fromStdString(cell.words);
}

/// The outcome of a computation: a result, or the reason why there is none.
struct Outcome {
  StudyResult result;
  QString problem;
};

Outcome outcome_of(const Study& study, const StudyOptions& options) {
  try {
    return {study.compute(options), {}};
  } catch (const std::exception& error) {
    return {{}, QString::fromUtf8(error.what())};
  } catch (const Interrupted&) {
    return {};  // the window is being destroyed
  }
}

}  // namespace

StudyWindow::StudyWindow(const Study& study, StudyOptions options, QWidget* parent)
    : QDialog(parent), text_(new QLabel(this)), pages_(new QTabWidget(this)) {
  setWindowTitle(QString::fromStdString(study.title));
  resize(820, 560);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  text_->setText(tr("Computing; this takes some seconds..."));
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(text_);
  layout->addWidget(pages_, 1);
  pages_->hide();
  options.interrupt = &interrupt_;
  options.progress = [this](double done, const std::string& what) {
    QMetaObject::invokeMethod(
        this, [this, done, text = QString::fromStdString(what)] { showProgress(done, text); },
        Qt::QueuedConnection);
  };
  thread_ = std::jthread([this, study, options] {
    const auto outcome = std::make_shared<const Outcome>(outcome_of(study, options));
    QMetaObject::invokeMethod(
        this,
        [this, outcome] {
          computing_ = false;
          if (!outcome->problem.isEmpty()) return text_->setText(outcome->problem);
          showResult(outcome->result);
        },
        Qt::QueuedConnection);
  });
}

StudyWindow::~StudyWindow() { interrupt_.raise(); }

void StudyWindow::showProgress(double done, const QString& what) {
  if (computing_) text_->setText(tr("Computing, %1 %: %2").arg(100 * done, 0, 'f', 0).arg(what));
}

void StudyWindow::showResult(const StudyResult& result) {
  QStringList notes;
  for (const std::string& note : result.notes) notes << QString::fromStdString(note);
  text_->setText(notes.join(QStringLiteral("\n\n")));
  for (const StudyChart& chart : result.charts) addChart(chart);
  for (const StudyTable& table : result.tables) addTable(table);
  pages_->setCurrentIndex(pages_->count() - 1);  // the last table is the summary
  pages_->show();
}

void StudyWindow::addTable(const StudyTable& table) {
  auto* view = new QTableWidget(static_cast<int>(table.rows.size()),
                                static_cast<int>(table.columns.size()), pages_);
  QStringList names;
  for (const StudyColumn& column : table.columns)
    names << QString::fromStdString(column.unit.empty() ? column.name
                                                        : column.name + "\n(" + column.unit + ")");
  view->setHorizontalHeaderLabels(names);
  view->verticalHeader()->hide();
  view->setEditTriggers(QAbstractItemView::NoEditTriggers);
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    for (std::size_t c = 0; c < table.rows[r].size(); ++c) {
      auto* item = new QTableWidgetItem(cellText(table.rows[r][c]));
      if (table.rows[r][c].number) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      view->setItem(static_cast<int>(r), static_cast<int>(c), item);
    }
  view->resizeColumnsToContents();
  // A chart and the table of its values have the same key; the title of the page tells them apart.
  const int page = pages_->addTab(view, tr("%1: table").arg(QString::fromStdString(table.key)));
  pages_->setTabToolTip(page, QString::fromStdString(table.title));
}

void StudyWindow::addChart(const StudyChart& chart) {
  auto* view = new ChartView(pages_, ChartView::Place::window);
  view->edit([&chart](ChartScene& scene) {
    scene.show(chart_model(chart, scene.theme()), chart_annotations(chart));
  });
  const QString name = QString::fromStdString(chart.key),
                title = QString::fromStdString(chart.title);
  connect(view, &ChartView::menuAsked, this, [this, view, name, title](const QPoint& global) {
    emit chartMenuAsked(*view, name, title, global);
  });
  const int page = pages_->addTab(view, name);
  pages_->setTabToolTip(page, title);
}

}  // namespace gantry
