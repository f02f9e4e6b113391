#include "gui/studies/report_window.hpp"

#include "gui/data/save_targets.hpp"
#include "gui/widgets/figure.hpp"
#include "studies/report/report_html.hpp"
#include "studies/study_context.hpp"

#include <QDate>
#include <QDesktopServices>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <exception>
#include <utility>

namespace gantry {

namespace {

constexpr int parts_of_progress = 1000;

std::vector<const Study*> chosen(const std::vector<std::string>& keys) {
  std::vector<const Study*> all;
  for (const Study& study : studies())
    if (keys.empty() || std::ranges::find(keys, study.key) != keys.end()) all.push_back(&study);
  return all;
}

}  // namespace

ReportWindow::ReportWindow(const Catalog& catalog, const BackendList& backends, std::string program,
                           QWidget* parent)
    : QDialog(parent),
      catalog_(catalog),
      backends_(backends),
      program_(std::move(program)),
      text_(new QLabel(this)),
      progress_(new QProgressBar(this)),
      start_(new QPushButton(tr("Choose a file and start…"), this)) {
  setWindowTitle(tr("Report of all studies"));
  text_->setWordWrap(true);
  text_->setObjectName(QStringLiteral("reportText"));
  text_->setTextFormat(Qt::RichText);
  text_->setMinimumWidth(fontMetrics().averageCharWidth() * 70);
  const bool small = !has_gpu(backends_);
  text_->setText(
      tr("Every published table and figure is computed anew on this computer and written to one "
         "page (HTML), with the printed value beside each: reached, beaten, or not.") +
      QStringLiteral("<p>") +
      (small ? tr("There is no GPU, so that a small form is computed: sizes are a sixteenth of "
                  "those of print. On two cores it takes about six minutes.")
             : tr("With a GPU the sizes are those of print, which takes much longer than the small "
                  "form "
                  "that is computed without one.")));
  connect(text_, &QLabel::linkActivated, this,
          [](const QString& link) { QDesktopServices::openUrl(QUrl(link)); });
  progress_->setRange(0, parts_of_progress);
  progress_->hide();
  start_->setObjectName(QStringLiteral("startReport"));
  connect(start_, &QPushButton::clicked, this, &ReportWindow::ask);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(text_, 1);
  layout->addWidget(progress_);
  layout->addWidget(start_, 0, Qt::AlignRight);
}

ReportWindow::~ReportWindow() { interrupt_.raise(); }

void ReportWindow::ask() {
  if (computing_) return interrupt_.raise();
  const QString path = ask_where_to_save(this, tr("Report of all studies"), tr("HTML (*.html)"),
                                         QStringLiteral("report.html"));
  if (!path.isEmpty()) start(path);
}

void ReportWindow::start(const QString& path, const std::vector<std::string>& keys) {
  if (computing_) return;
  computing_ = true;
  progress_->show();
  start_->setText(tr("Cancel"));
  tell(0, tr("begins"));
  if (thread_.joinable()) thread_.join();
  while (interrupt_.raised()) interrupt_.lower();  // of a report that was cancelled
  thread_ = std::jthread([this, path, keys] { compute(path, keys); });
}

/// Computes the studies and writes the page after each, on the thread of this window.
void ReportWindow::compute(const QString& path, const std::vector<std::string>& keys) {
  const auto all = chosen(keys);
  StudyOptions options{
      .for_several = true, .catalog = &catalog_, .backends = &backends_, .interrupt = &interrupt_};
  const ReportHead head{program_, QDate::currentDate().toString(Qt::ISODate).toStdString(),
                        device_names(backends_), limit_to_small_form(options)};
  std::vector<StudyRun> runs;
  options.progress = [&](double done, const std::string& what) {
    const double part =
        (static_cast<double>(runs.size()) - 1 + done) / static_cast<double>(all.size());
    const QString text =
        tr("%1 of %2, %3: %4")
            .arg(runs.size())
            .arg(all.size())
            .arg(QString::fromStdString(runs.back().study.key), QString::fromStdString(what));
    QMetaObject::invokeMethod(
        this, [this, part, text] { tell(part, text); }, Qt::QueuedConnection);
  };
  QString outcome;
  try {
    for (const Study* study : all) {
      run_study(*study, options, runs);
      save_text(QString::fromStdString(report_html(head, runs)), path);
    }
    outcome = tr("The report is written: ");
  } catch (const Interrupted&) {
    outcome = runs.size() > 1 ? tr("Cancelled; the studies before are written: ") : QString();
  } catch (const std::exception& error) {
    QMetaObject::invokeMethod(
        this, [this, why = QString::fromUtf8(error.what())] { end(why.toHtmlEscaped(), {}); },
        Qt::QueuedConnection);
    return;
  }
  QMetaObject::invokeMethod(
      this,
      [this, outcome, path] {
        outcome.isEmpty() ? end(tr("Cancelled; nothing is written"), {}) : end(outcome, path);
      },
      Qt::QueuedConnection);
}

void ReportWindow::tell(double done, const QString& what) {
  if (!computing_) return;
  progress_->setValue(qRound(parts_of_progress * done));
  text_->setText(what.toHtmlEscaped());
}

/// Shows the outcome, with a link to the page if there is one.
void ReportWindow::end(const QString& text, const QString& path) {
  computing_ = false;
  progress_->hide();
  start_->setText(tr("Choose a file and start…"));
  const QString url = QUrl::fromLocalFile(path).toString();
  text_->setText(path.isEmpty() ? text
                                : QStringLiteral("%1<a href=\"%2\">%3</a>")
                                      .arg(text, url.toHtmlEscaped(), path.toHtmlEscaped()));
  emit finished();
}

}  // namespace gantry
