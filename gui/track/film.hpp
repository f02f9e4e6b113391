#pragma once

#include "core/io/files/atomic_file.hpp"
#include "gui/models/playhead.hpp"

#include <QByteArray>
#include <QImage>
#include <QString>

#include <functional>
#include <memory>
#include <vector>

class QWidget;

namespace gantry {

/// Moves the playhead through the iterates that a run has kept, evenly chosen if they are more than
/// `most`, calls `picture` with each iteration, and returns the pictures. The playhead is live
/// afterwards. `goes_on` is told how many of all pictures are done; if it returns false, no
/// pictures are returned.
std::vector<QImage> film_pictures(
    Playhead& playhead, const IterateList& kept, int most,
    const std::function<QImage(int iteration)>& picture,
    const std::function<bool(std::size_t done, std::size_t all)>& goes_on = {});

/// Returns pictures of one size: smaller ones get a white margin at the right and below.
std::vector<QImage> of_one_size(std::vector<QImage> pictures);

/// Returns what a file dialog offers: the kinds of film that this program writes.
QString film_filters();
/// Returns a film in the kind that the ending of the path names, GIF (.gif) or Ogg Theora (.ogv).
/// Throws UsageError for another ending and for a kind that this program was built without.
QByteArray film_file(const QString& path, const std::vector<QImage>& pictures, int milliseconds);

/// How a film is saved.
struct FilmRequest {
  QString path;
  FileAccess access = FileAccess::usual;
  std::function<QImage(int iteration)> picture;
  std::function<void()> saved;
  std::function<void(const QString& message)> failed;
};

/// Makes the pictures of kept iterates, encodes them on another thread and saves them, with a
/// dialog that shows how far this is and that cancels it.
void save_film(QWidget* window, Playhead& playhead, std::shared_ptr<const IterateList> kept,
               FilmRequest request);

}  // namespace gantry
