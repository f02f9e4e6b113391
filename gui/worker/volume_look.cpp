#include "gui/worker/volume_look.hpp"

#include "core/base/error.hpp"
#include "core/io/dicom/series/uneven_slices.hpp"

#include <QFileInfo>

#include <new>
#include <utility>

namespace gantry {

namespace {

/// The first result of reading: the middle slice, and access to single slices if the format has it.
struct FirstSlice {
  std::optional<VolumeSlices> slices;
  std::shared_ptr<const SliceImage> middle;
};

/// Moves a volume to its place in the scan that is simulated from it, so that the volume has the
/// same coordinates in all workspaces.
void centre(VolumeGrid& grid) { grid.origin_mm = grid.origin_mm - grid.center_mm(); }

std::shared_ptr<const SliceImage> image_of(const VolumeSlices& slices, int index) {
  SliceImage image = slice_frame(slices.grid, Axis::axial, index);
  image.values = slices.read(index);
  return std::make_shared<const SliceImage>(std::move(image));
}

FirstSlice read_first(const std::string& path, const VolumeReadOptions& options) {
  FirstSlice first{open_slices(path, options), nullptr};
  if (first.slices) centre(first.slices->grid);
  if (first.slices) first.middle = image_of(*first.slices, first.slices->grid.nz / 2);
  return first;
}

LoadedVolume read_whole(const std::string& path, VolumeReadOptions options,
                        const Interrupt& interrupt) {
  options.interrupt = &interrupt;
  try {
    LoadedVolume volume = load_volume(path, options);
    centre(volume.grid);
    return volume;
  } catch (const UnevenSeries& error) {
    throw InputError(error.problem());  // what() names options of the command line
  } catch (const std::bad_alloc&) {
    throw InputError("there is not enough memory for the whole volume", path,
                     "close other programs; single slices can still be seen");
  }
}

bool same_file(const SourceSpec& a, const SourceSpec& b) {
  return a.path == b.path && a.series_uid == b.series_uid && a.uneven == b.uneven &&
         a.values_are_hu == b.values_are_hu && a.mu_water == b.mu_water;
}

}  // namespace

bool VolumeLook::shows(const SourceSpec& source) const {
  return source_ && source.kind == SourceKind::volume && same_file(*source_, source);
}

void VolumeLook::setSource(const SourceSpec& source) {
  const bool is_volume = source.kind == SourceKind::volume;
  if (is_volume ? shows(source) : !isOpen()) return;
  for (LatestJob* job : {&first_, &one_, &whole_}) job->cancel();
  started_ = false;
  source_.reset();
  if (is_volume) source_ = source;
  grid_.reset();
  slices_.reset();
  volume_.reset();
  latest_ = {};
  problem_.clear();
  wanted_ = -1;
  emit changed();
}

VolumeReadOptions VolumeLook::options() const {
  return {source_->values_are_hu, source_->mu_water, source_->series_uid, source_->uneven};
}

void VolumeLook::start() {
  if (!source_ || std::exchange(started_, true)) return;
  first_.start<FirstSlice>(
      [path = source_->path, options = options()](const Interrupt&) {
        return read_first(path, options);
      },
      [this](FirstSlice first) {
        slices_ = std::move(first.slices);
        if (slices_) grid_ = slices_->grid;
        latest_[0] = std::move(first.middle);
        emit changed();
        readWhole();
      },
      [this](const QString&) { readWhole(); });  // fails as well, with a message that says more
}

void VolumeLook::readWhole() {
  whole_.start<LoadedVolume>(
      [path = source_->path, options = options()](const Interrupt& interrupt) {
        return read_whole(path, options, interrupt);
      },
      [this](LoadedVolume volume) {
        grid_ = volume.grid;
        volume_ = std::make_shared<const LoadedVolume>(std::move(volume));
        slices_.reset();
        one_.cancel();
        wanted_ = -1;
        problem_.clear();  // of a single slice
        emit changed();
      },
      [this](const QString& message) {
        problem_ = message;
        emit changed();
      });
}

void VolumeLook::readSlice(int index) {
  if (std::exchange(wanted_, index) == index) return;
  one_.start<std::shared_ptr<const SliceImage>>(
      [slices = *slices_, index](const Interrupt&) { return image_of(slices, index); },
      [this](std::shared_ptr<const SliceImage> image) {
        latest_[0] = std::move(image);
        wanted_ = -1;
        emit changed();
      },
      [this](const QString& message) {
        problem_ = message;
        emit changed();
      });
}

std::shared_ptr<const SliceImage> VolumeLook::slice(Axis axis, int index) {
  auto& latest = latest_[static_cast<std::size_t>(axis)];
  if (latest != nullptr && latest->axis == axis && latest->index == index) return latest;
  if (volume_ != nullptr)
    return latest = std::make_shared<const SliceImage>(
               extract_slice(volume_->grid, volume_->mu, axis, index));
  if (axis == Axis::axial && slices_) readSlice(index);
  return nullptr;
}

QString VolumeLook::name() const {
  if (volume_ != nullptr) return QString::fromStdString(source_name(*volume_));
  if (!source_) return {};
  const QFileInfo file(QString::fromStdString(source_->path));
  return file.isDir() ? tr("DICOM series") : file.fileName();
}

}  // namespace gantry
