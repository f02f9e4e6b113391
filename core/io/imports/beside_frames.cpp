#include "core/io/imports/beside_frames.hpp"

#include "core/io/files/containers/hdf5_place.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace gantry {

namespace {

/// Returns the format of a file if this holds frames alone; else null.
const ImportFormat* format_of_frames(const std::string& file) {
  const ImportFormat* format = import_formats().recognise(file).format;
  return format != nullptr && format->frames ? format : nullptr;
}

using Frames = std::shared_ptr<const FrameSource>;

/// The files that were opened; several threads may ask for one.
class OpenedFrames {
 public:
  PageSize keep(const std::string& path, Frames frames) {
    const PageSize size{frames->columns(), frames->rows(), frames->frames()};
    const std::scoped_lock lock(mutex_);
    opened_[path] = std::move(frames);
    return size;
  }
  /// Returns null for a file that was not opened here.
  Frames at(const std::string& path) {
    const std::scoped_lock lock(mutex_);
    const auto found = opened_.find(path);
    return found == opened_.end() ? nullptr : found->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Frames> opened_;
};

}  // namespace

bool holds_frames(const std::string& path) {
  return format_of_frames(hdf5_place(path).file) != nullptr;
}

PageReader reader_of_frames(const std::function<Frames(const std::string& path)>& open,
                            const std::string& format) {
  const auto opened = std::make_shared<OpenedFrames>();
  return {[=](const std::string& path) { return opened->keep(path, open(path)); },
          [=](const std::string& path, int page, const PageSize& size, std::span<float> values) {
            const Frames frames = opened->at(path);
            if (frames->columns() != size.columns || frames->rows() != size.rows)
              throw InputError("has frames of another size than the others", path,
                               "give frames of one size");
            frames->read(page, values);
          },
          format};
}

PageReader with_other_formats(PageReader reader, FrameRole role, const Interrupt* interrupt,
                              std::vector<std::string>& notes) {
  const auto opened = std::make_shared<OpenedFrames>();
  return {[=, &notes](const std::string& path) {
            const Hdf5Place place = hdf5_place(path);
            const ImportFormat* format = format_of_frames(place.file);
            if (format == nullptr || format->key == reader.format) return reader.look(path);
            return opened->keep(
                path, format->frames({place.file, place.data_set, role, interrupt, notes}));
          },
          [=](const std::string& path, int page, const PageSize& size, std::span<float> values) {
            if (const Frames frames = opened->at(path))
              frames->read(page, values);
            else
              reader.read(path, page, size, values);
          },
          reader.format,
          {},
          role == FrameRole::flats ? "flats" : "darks",
          reader.type_of_projections};
}

}  // namespace gantry
