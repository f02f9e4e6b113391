#include "gui/help/notes_panel.hpp"

#include "gui/data/shown_description.hpp"
#include "gui/widgets/field_names.hpp"
#include "gui/widgets/length_units.hpp"

#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QTextBrowser>
#include <QTime>
#include <QVBoxLayout>

namespace gantry {

NotesPanel::NotesPanel(const Catalog& catalog, ExperimentModel& model, RunController& controller,
                       QWidget* parent)
    : QWidget(parent),
      catalog_(catalog),
      model_(model),
      controller_(controller),
      text_(new QPlainTextEdit(this)),
      about_(new QTextBrowser(this)) {
  text_->setObjectName(QStringLiteral("notesText"));
  text_->setAccessibleName(tr("Your notes"));
  text_->setPlaceholderText(tr("Write notes here; they are saved with the session"));
  text_->setTabChangesFocus(true);
  about_->setFrameShape(QFrame::NoFrame);
  about_->setAccessibleName(tr("Notes of the program"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 4);
  layout->addWidget(text_, 1);
  layout->addWidget(about_, 2);
  connect(text_, &QPlainTextEdit::textChanged, this, &NotesPanel::edited);
  connect(&model_, &ExperimentModel::aboutToBeReplaced, this, [this] { setText({}); });
  connect(&controller_, &RunController::dataChanged, this, &NotesPanel::refresh);
  connect(&controller_, &RunController::referenceChanged, this, &NotesPanel::refresh);
  connect(&model_, &ExperimentModel::changed, this, &NotesPanel::refresh);
  refresh();
}

QString NotesPanel::text() const { return text_->toPlainText(); }

void NotesPanel::setText(const QString& text) {
  const QSignalBlocker quiet(text_);
  text_->setPlainText(text);
}

QString NotesPanel::about() const { return about_->toPlainText(); }

void NotesPanel::addMessage(const QString& message) {
  constexpr qsizetype kept = 50;
  messages_.prepend(QTime::currentTime().toString(QStringLiteral("HH:mm:ss ")) + message);
  messages_ = messages_.mid(0, kept);
  refresh();
}

void NotesPanel::refresh() {
  QString html = aboutData();
  if (!messages_.isEmpty()) html += QStringLiteral("<p><b>%1</b></p>").arg(tr("Earlier messages"));
  for (const QString& message : messages_)
    html += QStringLiteral("<p>%1</p>").arg(message.toHtmlEscaped());
  if (html == html_) return;  // setHtml would lose the scroll position
  html_ = html;
  about_->setHtml(html);
}

QString NotesPanel::aboutData() const {
  const auto prepared = controller_.data();
  if (prepared == nullptr) return QStringLiteral("<p>%1</p>").arg(tr("No data yet."));
  QString html = QStringLiteral("<p><b>%1</b></p>")
                     .arg(shown_description(*prepared, catalog_).toHtmlEscaped());
  const auto line = [&html](const QString& name, const QString& value) {
    html += QStringLiteral("<p>%1: %2</p>").arg(name, value.toHtmlEscaped());
  };
  const bool known = prepared->lengths_are_known;
  const QString unit = mu_unit(known);
  line(tr("Scan"), QString::fromStdString(describe(*prepared->geometry, known)));
  if (!prepared->license.empty()) line(tr("Licence"), QString::fromStdString(prepared->license));
  line(tr("Grid"), QString::fromStdString(describe(prepared->grid, known)));
  const auto reference = controller_.reference();
  line(tr("Metrics"), reference == nullptr ? tr("no reference")
                                           : tr("against %1, %2, range %3 %4")
                                                 .arg(QString::fromStdString(reference->label),
                                                      QString::fromStdString(reference->mask.label))
                                                 .arg(reference->range, 0, 'g', 4)
                                                 .arg(unit));
  line(tr("Water"), tr("%1 %2").arg(controller_.muWater()).arg(unit));
  if (prepared->noise_norm > 0)
    line(tr("Noise"), tr("‖noise‖ = %1: a residual below it fits the noise")
                          .arg(prepared->noise_norm, 0, 'g', 5));
  const std::vector<std::string> notes = notes_for(*prepared, model_.experiment().runs, catalog_);
  if (!notes.empty()) {
    html += QStringLiteral("<ul>");
    for (const std::string& note : notes)
      html += QStringLiteral("<li>%1</li>")
                  .arg(options_as_fields(QString::fromStdString(note)).toHtmlEscaped());
    html += QStringLiteral("</ul>");
  }
  return html;
}

}  // namespace gantry
