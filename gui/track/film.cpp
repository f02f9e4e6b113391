#include "gui/track/film.hpp"

#include <algorithm>

namespace gantry {

std::vector<QImage> film_pictures(Playhead& playhead, const RunStatus& run, int most,
                                  const std::function<QImage()>& picture) {
  std::vector<QImage> pictures;
  if (run.iterates == nullptr || run.iterates->empty()) return pictures;
  const std::shared_ptr<const IterateList> kept = run.iterates;  // the run may go on
  const auto last = kept->size() - 1;
  const std::size_t count = std::min(kept->size(), static_cast<std::size_t>(std::max(1, most)));
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = count > 1 ? i * last / (count - 1) : last;
    playhead.set(ProgressAxis::iterations, (*kept)[index].iteration);
    pictures.push_back(picture());
  }
  playhead.goLive();
  return pictures;
}

}  // namespace gantry
