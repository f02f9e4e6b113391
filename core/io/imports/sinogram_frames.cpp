#include "core/io/imports/sinogram_frames.hpp"

#include "core/io/imports/chosen_frames.hpp"
#include "core/io/imports/frame_part.hpp"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

namespace {

/// The views of sinograms, which are held in memory, since each image has a row of every view.
class FramesOfSinograms final : public FrameSource {
 public:
  explicit FramesOfSinograms(std::shared_ptr<const FrameSource> images)
      : FramesOfSinograms(images, {{0, images->columns()}, {0, images->frames()}}) {}
  /// Only a part of the views is held.
  FramesOfSinograms(std::shared_ptr<const FrameSource> images, const PartOfCells& part)
      : images_(std::move(images)), part_(part) {}

  int frames() const override { return (images_->rows() + part_.every - 1) / part_.every; }
  int rows() const override { return part_.rows.groups(); }
  int columns() const override { return part_.columns.groups(); }
  std::string name(int frame) const override {
    return images_->name(0) + ", row " + std::to_string(place(frame));
  }
  int place(int frame) const override { return frame * part_.every; }
  void read(int frame, std::span<float> values) const override {
    std::call_once(is_read_, [this] { read_all(); });
    std::ranges::copy(view(frame), values.begin());
  }
  std::shared_ptr<const FrameSource> part(const PartOfCells& part) const override {
    return std::make_shared<const FramesOfSinograms>(images_, part);
  }

 private:
  std::size_t cells() const {
    return static_cast<std::size_t>(rows()) * static_cast<std::size_t>(columns());
  }
  std::span<float> view(int frame) const {
    return std::span(values_).subspan(static_cast<std::size_t>(frame) * cells(), cells());
  }
  /// Adds the line of a sinogram, which is a row of the part of a view, to the groups of its cells.
  void add_line(std::span<const float> image, int row, int frame) const {
    const CellSpan& of_line = part_.columns;
    const auto width = static_cast<std::size_t>(images_->columns());
    const float* line = image.data() + static_cast<std::size_t>(place(frame)) * width +
                        static_cast<std::size_t>(of_line.first);
    float* sums =
        view(frame).data() + static_cast<std::ptrdiff_t>(row / part_.rows.group) * columns();
    for (int column = 0; column < of_line.count; ++column)
      sums[column / of_line.group] += line[column];
  }
  void read_all() const {
    const CellSpan& rows_of_part = part_.rows;
    std::vector<float> image(static_cast<std::size_t>(images_->rows()) *
                             static_cast<std::size_t>(images_->columns()));
    values_.resize(static_cast<std::size_t>(frames()) * cells());
    for (int row = 0; row < rows_of_part.count; ++row) {
      images_->read(rows_of_part.first + row, image);
      for (int frame = 0; frame < frames(); ++frame) add_line(image, row, frame);
    }
    const int group = part_.columns.group * rows_of_part.group;
    if (group == 1) return;
    for (float& value : values_) value *= 1.0F / static_cast<float>(group);
  }

  std::shared_ptr<const FrameSource> images_;
  PartOfCells part_;
  mutable std::once_flag is_read_;
  mutable std::vector<float> values_;  // [frame][row][column]
};

}  // namespace

std::shared_ptr<const FrameSource> frames_of_sinograms(std::shared_ptr<const FrameSource> images,
                                                       const FrameTurn& turn) {
  return std::make_shared<const FramesOfSinograms>(TurnedFrames::of(std::move(images), turn));
}

bool are_views_of_sinograms(const FrameSource& projections) {
  // Without those that are marked as flats and darks.
  if (const auto* chosen = dynamic_cast<const ChosenFrames*>(&projections))
    return are_views_of_sinograms(chosen->first_source());
  return dynamic_cast<const FramesOfSinograms*>(&projections) != nullptr;
}

std::shared_ptr<const FrameSource> beside_sinograms(std::shared_ptr<const FrameSource> images,
                                                    const FrameSource& projections,
                                                    const FrameTurn& turn) {
  const int rows = projections.rows();
  if (images == nullptr || images->rows() == rows || images->frames() != rows)
    return turn.clockwise_deg == 0 ? TurnedFrames::of(std::move(images), turn) : images;
  return frames_of_sinograms(std::move(images), turn);
}

}  // namespace gantry
