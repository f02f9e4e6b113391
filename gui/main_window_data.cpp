// What the window does when data are opened: they are looked at first, and runs lead to the views.
#include "core/io/imports/import_scan.hpp"
#include "core/job/unit_note.hpp"
#include "gui/data/file_actions.hpp"
#include "gui/main_window.hpp"
#include "gui/runs/status_line.hpp"
#include "gui/stage/data_board.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "gui/stage/volume_planes.hpp"
#include "gui/widgets/banners.hpp"
#include "gui/widgets/field_names.hpp"
#include "gui/worker/volume_look.hpp"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace gantry {

static const QString notesSubject = QStringLiteral("notes");

void MainWindow::connectData() {
  connect(data_, &DataBoard::readoutChanged, status_, &StatusLine::setReadout);
  connect(files_, &FileActions::openingChanged, this, &MainWindow::setOpening);
  connect(files_, &FileActions::opening, this, [this](const SourceSpec& source) {
    askedUnit_.clear();
    isLooking_ = source.kind == SourceKind::volume;
    // The series that was chosen is on screen already.
    const WindowLayout before = std::exchange(beforeChoosing_, {}).value_or(layout_);
    if (!isLooking_) return;
    beforeLooking_ = before;
    pointBeforeLooking_ = state_.volumePoint();
    look_->setSource(source);
    applyLayout(WindowLayout::data);
  });
  connect(files_, &FileActions::choosing, this, [this](const SourceSpec& source) {
    if (!beforeChoosing_) beforeChoosing_ = layout_;
    look_->setSource(source);
    applyLayout(WindowLayout::data);
  });
  // Queued: where the series is opened without a question, opening() comes first.
  connect(
      files_, &FileActions::chosen, this,
      [this] {
        if (!beforeChoosing_) return;
        look_->setSource(model_.experiment().source);
        applyLayout(*std::exchange(beforeChoosing_, {}));
      },
      Qt::QueuedConnection);
  connect(files_, &FileActions::opened, this, [this](const SourceSpec& source) {
    offerProjections(source);
    // What was looked at is on screen already, and its user may have gone to another workspace.
    if (std::exchange(isLooking_, false)) return;
    look_->setSource(source);
    applyLayout(WindowLayout::data);
  });
  connect(&controller_, &RunController::dataChanged, this,
          [this] { look_->setSource(model_.experiment().source); });
  connect(&model_, &ExperimentModel::changed, this, [this] {
    if (look_->isOpen() && !controller_.isPreparing()) look_->setSource(model_.experiment().source);
  });
  connect(look_, &VolumeLook::changed, this, &MainWindow::leaveWhatCannotBeRead);
  connect(&controller_, &RunController::preparingChanged, this, &MainWindow::leaveWhatCannotBeRead);
  connect(&controller_, &RunController::stateChanged, this, [this] {
    const bool are_active = controller_.anyActive();
    const bool begin = !std::exchange(wereActive_, are_active) && are_active;
    if (begin && layout_ == WindowLayout::data) applyLayout(WindowLayout::compare);
  });
}

/// Images or an array in one file can be slices or projections: offers the latter where it was
/// opened as slices. Headers of volumes, as those of MetaImage, say what they are.
void MainWindow::offerProjections(const SourceSpec& source) {
  const QString subject = QStringLiteral("projections");
  banners_->clear(subject);
  if (source.kind != SourceKind::volume || !is_importable(source.path)) return;
  const ImportFormat* format = import_formats().recognise(source.path).format;
  if (!format->has_open_images && !format->has_open_axes) return;
  const QString path = QString::fromStdString(source.path);
  banners_->ask(subject,
                tr("%1 was opened as the slices of a volume").arg(QFileInfo(path).fileName()),
                {{tr("They are projections"), tr("Imports the images as a scan"),
                  [this, path] { files_->openProjections(path); }},
                 {tr("They are slices"), tr("Keeps the volume"), [] {}}});
}

/// Opens what was dropped on the window. Several files may be the images of one scan or series, or
/// a header with its data: asks whether their folder is meant, because one of them alone may be
/// something else, as the slice of a volume.
void MainWindow::openDropped(const QStringList& paths) {
  const QString subject = QStringLiteral("dropped");
  banners_->clear(subject);
  if (paths.size() < 2) return paths.isEmpty() ? void() : open(paths.front());
  const QString first = paths.front(), folder = QFileInfo(first).absolutePath();
  const bool are_together = std::ranges::all_of(paths, [&](const QString& path) {
    return !QFileInfo(path).isDir() && QFileInfo(path).absolutePath() == folder;
  });
  std::vector<Banners::Action> ways;
  if (are_together)
    ways.push_back({tr("Open the folder %1").arg(QFileInfo(folder).fileName()),
                    tr("Opens all images of the folder together"),
                    [this, folder] { open(folder); }});
  ways.push_back({tr("Open %1 alone").arg(QFileInfo(first).fileName()),
                  tr("Leaves the others closed"), [this, first] { open(first); }});
  banners_->ask(
      subject,
      tr("%1 files were dropped, of which one or their folder can be opened").arg(paths.size()),
      ways);
}

/// Goes back to the workspace from before, where a file that was chosen shows nothing.
void MainWindow::leaveWhatCannotBeRead() {
  if (beforeChoosing_) return;  // another one may be chosen
  if (controller_.isPreparing() || look_->problem().isEmpty() || look_->grid()) return;
  if (look_->shows(model_.experiment().source)) return;
  isLooking_ = false;
  data_->planes().returnTo(std::exchange(pointBeforeLooking_, {}));
  look_->setSource(model_.experiment().source);
  if (layout_ == WindowLayout::data) applyLayout(beforeLooking_);
}

void MainWindow::connectNotes() {
  connect(&controller_, &RunController::dataChanged, this, [this] {
    banners_->clear(notesSubject);
    shownNotes_.clear();
    const SourceSpec& source = model_.experiment().source;
    const std::string name = source.phantom + '\n' + source.path + '\n' + source.series_uid;
    if (std::exchange(notedSource_, name) != name) closedNotes_.clear();
    showNotes();
  });
  connect(&model_, &ExperimentModel::changed, this, &MainWindow::showNotes);
  connect(banners_, &Banners::closed, this, [this](const QString& subject) {
    if (subject == notesSubject) closedNotes_ << shownNotes_;
  });
}

/// Shows the notes about the data and the runs. A note that the user has closed comes back only for
/// another source, or after it did not apply for a while.
void MainWindow::showNotes() {
  const auto prepared = controller_.data();
  if (prepared == nullptr) return;
  QStringList all, notes;
  QString unit;
  for (const std::string& note : notes_for(*prepared, model_.experiment().runs, catalog_))
    if (doubts_unit(note))
      unit = options_as_fields(QString::fromStdString(note));
    else
      all << options_as_fields(QString::fromStdString(note));
  askAboutUnit(unit);
  closedNotes_.removeIf([&](const QString& note) { return !all.contains(note); });
  for (const QString& note : all)
    if (!closedNotes_.contains(note)) notes << note;
  if (notes == shownNotes_) return;
  shownNotes_ = notes;
  if (notes.isEmpty()) return banners_->clear(notesSubject);
  banners_->show(notesSubject, Banners::Kind::warning, notes.join(QLatin1Char('\n')));
}

/// Asks whether values that cannot be 1/mm are HU; an empty note takes the question away. For one
/// file the question is asked once, however often its data are prepared.
void MainWindow::askAboutUnit(const QString& note) {
  const QString subject = QStringLiteral("unit");
  if (note == askedUnit_ && !note.isEmpty()) return;
  askedUnit_ = note;
  if (note.isEmpty()) return banners_->clear(subject);
  banners_->ask(subject, note,
                {{tr("Values are HU"), tr("Reads the file again and takes its values as HU"),
                  [this] {
                    model_.edit(tr("Change unit"),
                                [](Experiment& e) { e.source.values_are_hu = true; });
                    controller_.prepareData();
                  }},
                 {tr("They are 1/mm"), tr("Keeps the values as they are"), [] {}}});
}

/// Asks whether a sweep that takes very long is to start or to go on; an empty question takes the
/// earlier one away.
void MainWindow::askAboutSweep(const QString& question, bool computes) {
  const QString subject = tr("Sweep");
  if (question.isEmpty()) return banners_->clear(subject);
  banners_->ask(subject, question,
                {{computes ? tr("Let it go on") : tr("Start it"),
                  tr("It can be cancelled at any time, and keeps what it has computed"),
                  [this, computes] {
                    if (!computes) sweep_->start(true);
                  }},
                 {computes ? tr("Cancel it") : tr("Do not start"),
                  tr("Fewer values, fewer iterations or larger voxels take less time"),
                  [this] { sweep_->cancel(); }}});
}

/// Says that a file is saved; what has failed before under the same subject is no longer said.
void MainWindow::tellSaved(const QString& subject, const QString& path) {
  banners_->clear(subject);
  status_->showMessage(tr("Saved %1").arg(path));
}

}  // namespace gantry
