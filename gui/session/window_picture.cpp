#include "gui/session/window_picture.hpp"

#include "gui/data/file_actions.hpp"
#include "gui/main_window.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/start/thumbnails.hpp"
#include "gui/worker/preview.hpp"

#include <QThreadPool>

#include <vector>

namespace gantry {

QImage picture_of_window(MainWindow& window) {
  const auto prepared = window.controller().data();
  if (prepared == nullptr) return {};
  const ViewState& views = window.viewState();
  std::vector<int> ids{window.selection().run()};
  for (const int id : window.model().runIds()) ids.push_back(id);
  ids.push_back(SliceTile::referenceId);
  const bool v_up = !(prepared->radiological && views.axis() == Axis::axial);
  for (const int id : ids)
    if (const auto slice = window.board().slice(id, views.axis(), views.slice()))
      return picture_of(*slice, {views.window(), views.level()}, v_up, thumbnail_size);
  if (const auto slice = window.preview().slice(views.axis(), views.slice()))
    return picture_of(*slice, {views.window(), views.level()}, v_up, thumbnail_size);
  return {};
}

FilePictures::FilePictures(MainWindow& window) : QObject(&window), window_(window) {
  connect(&window_.model(), &ExperimentModel::aboutToBeReplaced, this, [this] {
    file_.clear();
    taken_ = 0;
  });
  connect(&window_.files(), &FileActions::remembered, this, [this](const QString& file) {
    file_ = file;
    taken_ = 0;
  });
  connect(&window_.preview(), &Preview::changed, this, &FilePictures::take);
  connect(&window_.controller(), &RunController::updatesEmitted, this, [this] {
    const auto& snapshot = window_.controller().status(window_.selection().run()).snapshot;
    if (snapshot == nullptr || snapshot->iterations < 2 * taken_ + 1) return;
    taken_ = snapshot->iterations;
    take();
  });
}

void FilePictures::take() {
  if (file_.isEmpty()) return;
  const QImage picture = picture_of_window(window_);
  if (picture.isNull()) return;
  QThreadPool::globalInstance()->start([file = file_, picture] { keep_thumbnail(file, picture); });
}

}  // namespace gantry
