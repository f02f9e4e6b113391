#include "core/io/imports/formats/hdf5/hdf5_chosen_frames.hpp"

#include "core/base/error.hpp"
#include "core/io/files/arrays/hdf5_array.hpp"
#include "core/io/files/memory_allowance.hpp"
#include "core/io/imports/array_frames.hpp"

#include <string>
#include <utility>

namespace gantry {

namespace {

using File = std::shared_ptr<const Hdf5File>;
using Indices = std::vector<std::uint64_t>;

void require_frames(const Hdf5File& file, const Hdf5Dataset& dataset, std::size_t count) {
  if (dataset.size.size() != 3 || !dataset.is_number || dataset.size[1] > 65535 ||
      dataset.size[2] > 65535 || dataset.size[1] * dataset.size[2] == 0)
    throw InputError(dataset.path + " holds no frames", file.path(),
                     "frames are numbers in three dimensions");
  if (count > FrameSource::most_frames)  // so that the product fits
    throw InputError(dataset.path + " claims " + std::to_string(count) + " frames", file.path(),
                     "repair the file");
  const std::uint64_t values = count * dataset.size[1] * dataset.size[2];
  if (dataset.stored_bytes > 0)
    require_allowed_memory(dataset.path + " claims " + std::to_string(values) + " values",
                           values * sizeof(float), dataset.stored_bytes, file.path());
}

/// Frames of a data set, which are those of another source.
class FramesOfDataSet final : public FrameSource {
 public:
  /// `frames`: all frames of the data set; with `are_all` those of the indices alone.
  FramesOfDataSet(std::string name, Indices indices, std::shared_ptr<const FrameSource> frames,
                  bool are_all)
      : name_(std::move(name)),
        indices_(std::move(indices)),
        frames_(std::move(frames)),
        are_all_(are_all) {}

  int frames() const override { return static_cast<int>(indices_.size()); }
  int rows() const override { return frames_->rows(); }
  int columns() const override { return frames_->columns(); }
  std::string name(int frame) const override {
    return name_ + ", frame " + std::to_string(place(frame));
  }
  int place(int frame) const override {
    return static_cast<int>(indices_[static_cast<std::size_t>(frame)]);
  }
  void read(int frame, std::span<float> values) const override {
    frames_->read(are_all_ ? frame : place(frame), values);
  }
  std::shared_ptr<const FrameSource> part(const PartOfCells& part) const override {
    auto of_frames = frames_->part({part.columns, part.rows, are_all_ ? part.every : 1});
    if (of_frames == nullptr) return nullptr;
    Indices kept;
    for (std::size_t i = 0; i < indices_.size(); i += static_cast<std::size_t>(part.every))
      kept.push_back(indices_[i]);
    return std::make_shared<const FramesOfDataSet>(name_, std::move(kept), std::move(of_frames),
                                                   are_all_);
  }

 private:
  std::string name_;
  Indices indices_;
  std::shared_ptr<const FrameSource> frames_;
  bool are_all_;
};

}  // namespace

std::shared_ptr<const FrameSource> chosen_data_set_frames(const File& file,
                                                          const Hdf5Dataset& dataset,
                                                          Indices indices) {
  require_frames(*file, dataset, indices.size());
  StoredArray array = hdf5_array(file, dataset);
  // Where they follow each other, other frames are not read with them.
  const bool follow_each_other = indices.back() - indices.front() + 1 == indices.size();
  if (follow_each_other) array = part_of_slowest_axis(array, indices.front(), indices.size());
  return std::make_shared<const FramesOfDataSet>(
      file->path() + ":" + dataset.path, std::move(indices),
      frames_of_array(std::move(array), usual_axes), follow_each_other);
}

}  // namespace gantry
