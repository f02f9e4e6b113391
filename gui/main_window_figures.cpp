// What the window exports of its pictures: figures, films, and tables of values.
#include "core/base/error.hpp"
#include "gui/data/file_actions.hpp"
#include "gui/data/save_targets.hpp"
#include "gui/main_window.hpp"
#include "gui/runs/status_line.hpp"
#include "gui/stage/data_board.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/stage/space/space_board.hpp"
#include "gui/stage/stage_figure.hpp"
#include "gui/track/film.hpp"
#include "gui/track/profile_panel.hpp"
#include "gui/views/volume_view.hpp"
#include "gui/widgets/banners.hpp"
#include "gui/widgets/figure.hpp"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QTabWidget>

#include <utility>

namespace gantry {

/// Returns the page of a workspace whose views are not those of the tiles; null in the others.
const QWidget* MainWindow::pageOfViews() const {
  switch (layout_) {
    case WindowLayout::data:
      return data_;
    case WindowLayout::space:
      return space_;
    case WindowLayout::sweep:
      return sweeps_->currentWidget();
    default:
      return nullptr;
  }
}

/// Says of what the views of that page are.
QString MainWindow::subjectOfViews() const {
  const QString title = QString::fromStdString(model_.experiment().title);
  if (layout_ == WindowLayout::sweep)
    return tr("%1, %2").arg(title, sweeps_->tabText(sweeps_->currentIndex()));
  return layout_ == WindowLayout::space ? QString::fromStdString(space_->volume().volume().title())
                                        : title;
}

PanelFigure MainWindow::figureOfActiveView() const {
  if (const QWidget* page = pageOfViews()) {
    VtkView* view = active_view(*page);
    return view == nullptr ? PanelFigure() : figure_of(*view, subjectOfViews(), state_);
  }
  SliceTile* tile = board_->activeTile();
  return tile == nullptr ? PanelFigure() : figure_of(*tile);
}

PanelFigure MainWindow::figureOfAllViews() const {
  const QWidget* page = pageOfViews();
  return page == nullptr ? figure_of_stage(*board_, state_)
                         : figure_of_page(*page, subjectOfViews(), state_);
}

void MainWindow::saveFigure(const PanelFigure& figure) {
  if (figure.picture.isNull()) return status_->showMessage(tr("No view is shown"));
  QString chosen;
  QString path = ask_where_to_save(this, tr("Export figure"), figure_filters(),
                                   figure_name(figure.caption), &chosen);
  if (path.isEmpty()) return;
  if (!has_ending(path))
    path += chosen.mid(chosen.indexOf(QLatin1Char('.'))).chopped(1);  // ".pdf" of "(*.pdf)"
  try {
    path = save_figure(figure, path, files_->access());
    tellSaved(tr("Export figure"), path);
  } catch (const Error& error) {
    banners_->show(tr("Export figure"), Banners::Kind::error, QString::fromUtf8(error.what()));
  }
}

void MainWindow::copyFigure(const PanelFigure& figure) {
  QApplication::clipboard()->setImage(figure_with_caption(figure.picture, figure.caption));
  status_->showMessage(tr("Copied, with its caption"));
}

void MainWindow::exportProfile() {
  saveText(tr("Export profile"), QStringLiteral("profile.csv"), profile_->csv());
}

void MainWindow::saveText(const QString& title, const QString& proposal, const QString& text) {
  const QString path =
      ask_where_to_save(this, title, tr("Comma-separated values (*.csv)"), proposal);
  if (path.isEmpty()) return;
  try {
    save_text(text, path, files_->access());
    status_->showMessage(tr("Saved %1").arg(path));
  } catch (const Error& error) {
    banners_->show(title, Banners::Kind::error, QString::fromUtf8(error.what()));
  }
}

/// Says what a film shows, or why there is none.
void MainWindow::showFilm() {
  const auto& kept = controller_.status(selection_.run()).iterates;
  const bool can_save = !film_filters().isEmpty(), has_pictures = kept != nullptr && !kept->empty();
  film_->setEnabled(can_save && has_pictures);
  film_->setToolTip(
      !can_save       ? tr("This program was built without giflib and Ogg Theora")
      : !has_pictures ? tr("The selected run keeps no iterates: start it first")
                      : tr("The views through the kept iterates of the selected run: %1")
                            .arg(film_filters().replace(QLatin1String(";;"), QLatin1String(", "))));
}

/// Saves the views through all kept iterates of the selected run, in the kind that the ending
/// names.
void MainWindow::saveFilm() {
  if (pageOfViews() != nullptr) applyLayout(WindowLayout::compare);  // a film shows its views
  const int id = selection_.run();
  QString chosen;
  const QString name = QString::fromStdString(controller_.label(id));
  QString path =
      ask_where_to_save(this, tr("Save film"), film_filters(), figure_name(name), &chosen);
  if (path.isEmpty()) return;
  if (!has_ending(path))
    path += chosen.contains(QLatin1String("ogv")) ? QStringLiteral(".ogv") : QStringLiteral(".gif");
  // While the dialog was open, another experiment may have taken the place of the run.
  const std::shared_ptr<const IterateList> kept = controller_.status(id).iterates;
  if (kept == nullptr || kept->empty())
    return banners_->show(tr("Save film"), Banners::Kind::error,
                          tr("%1 keeps no iterates any more: start it again").arg(name));
  save_film(this, playhead_, kept,
            {.path = path,
             .access = files_->access(),
             .picture =
                 [this, name](int iteration) {
                   const SliceTile* tile = board_->activeTile();
                   return figure_with_caption(
                       stage_picture(*board_, state_, 1),
                       tr("Iteration %1 of %2%3")
                           .arg(iteration)
                           .arg(name, tile != nullptr ? tile->greyText() : QString()));
                 },
             .saved = [this, path] { tellSaved(tr("Save film"), path); },
             .failed =
                 [this](const QString& message) {
                   banners_->show(tr("Save film"), Banners::Kind::error, message);
                 }});
}

}  // namespace gantry
