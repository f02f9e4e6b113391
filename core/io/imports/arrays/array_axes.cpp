#include "core/io/imports/arrays/array_axes.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/io/files/containers/listed_array.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace gantry {

namespace {

constexpr std::array<const char*, 3> ordinals = {"first", "second", "third"};
constexpr const char* states_another = "; --axes states another order";

/// Returns which axis of an array is which, "view, row, column".
std::string words_of(const StoredArray& array, const FrameAxes& axes) {
  std::vector<std::string> words(array.size.size());
  words[axes.column] = "column";
  if (axes.view) words[*axes.view] = "view";
  if (axes.row) words[*axes.row] = "row";
  return joined(words);
}

/// Says which axis of an array is which.
void say_axes(const StoredArray& array, const FrameAxes& axes, const std::string& why,
              std::vector<Assumption>& assumptions) {
  assumptions.push_back({axes_assumed, words_of(array, axes), why});
}

/// Returns the axes in the order that a user states.
FrameAxes stated_axes(const StoredArray& array, const AxisOrder& order) {
  if (order.size() != array.size.size())
    throw UsageError("is of " + array.size_text() +
                         " numbers, but the order of axes (--axes) names " +
                         std::to_string(order.size()),
                     array.where, "name what each axis is: views,rows,columns");
  FrameAxes axes;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i] == ArrayAxis::views) axes.view = i;
    if (order[i] == ArrayAxis::rows) axes.row = i;
    if (order[i] == ArrayAxis::columns) axes.column = i;
  }
  return axes;
}

/// Returns the axis that alone is as long as the list of angles, where `usual` is not; else
/// `usual`.
std::size_t axis_of_angles(const StoredArray& array, std::size_t angles, std::size_t usual) {
  if (angles == 0 || array.size[usual] == angles || std::ranges::count(array.size, angles) != 1)
    return usual;
  return static_cast<std::size_t>(std::ranges::find(array.size, angles) - array.size.begin());
}

/// Returns why an axis was taken for that of views.
std::string reason_of_angles(const StoredArray& array, std::size_t angles, std::size_t axis) {
  return "of " + array.size_text() + ", only the " + ordinals[axis] + " is as long as the " +
         std::to_string(angles) + " angles" +
         (array.size.size() == 3 ? ", and rows mostly lie before columns" : "") + states_another;
}

/// Returns the orders of axes that frames of this size may have beside projections, and which fit
/// their cells; the likeliest first. Where none fits, the likeliest alone.
std::vector<FrameAxes> orders_beside(const std::vector<std::uint64_t>& size,
                                     const FrameSource& projections,
                                     const FrameAxes& of_projections) {
  const auto rows = static_cast<std::uint64_t>(projections.rows()),
             columns = static_cast<std::uint64_t>(projections.columns());
  std::vector<FrameAxes> orders, fitting;
  if (size.size() == 3) {
    const FrameAxes first = of_projections.view && of_projections.row ? of_projections : usual_axes;
    orders = {first, usual_axes, {.view = first.row, .row = first.view, .column = first.column}};
  } else if (size.size() == 2 && !of_projections.row) {
    orders = {of_projections, {.view = 0, .row = {}, .column = 1}};
  } else if (size.size() == 2 && rows == 1) {  // frames of a single row
    orders = {{.view = 0, .row = {}, .column = 1}};
  } else if (size.size() == 2) {
    const bool is_turned = of_projections.row > of_projections.column;
    orders = {{.view = {}, .row = is_turned ? 1U : 0U, .column = is_turned ? 0U : 1U},
              axes_of_frames(size.size())};
  } else {
    orders = {axes_of_frames(size.size())};
  }
  for (const FrameAxes& axes : orders)
    if ((axes.row ? size[*axes.row] : 1) == rows && size[axes.column] == columns &&
        std::ranges::find(fitting, axes) == fitting.end())
      fitting.push_back(axes);
  return fitting.empty() ? std::vector{orders.front()} : fitting;
}

/// Returns how much some of the frames differ from the first one, on average over their cells, each
/// of them as a part of its mean: the beam may change from frame to frame.
double unlikeness(const FrameSource& frames) {
  constexpr int most_read = 8;
  const std::size_t cells =
      static_cast<std::size_t>(frames.rows()) * static_cast<std::size_t>(frames.columns());
  const auto parts_of_mean = [&](int frame) {
    std::vector<float> values(cells);
    frames.read(frame, values);
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(cells);
    if (mean != 0)
      for (float& value : values) value = static_cast<float>(value / mean);
    return values;
  };
  const std::vector<float> first = parts_of_mean(0);
  const int read = std::min(frames.frames(), most_read);
  double sum = 0;
  for (int i = 1; i < read; ++i) {
    const std::vector<float> other = parts_of_mean(i);
    for (std::size_t cell = 0; cell < cells; ++cell) sum += std::abs(other[cell] - first[cell]);
  }
  return sum / static_cast<double>(cells) / std::max(1, read - 1);
}

}  // namespace

FrameAxes axes_of_projections(const StoredArray& array, std::size_t angles,
                              const ImportSettings& settings, const UsualViews& usual,
                              std::vector<Assumption>& assumptions) {
  const bool has_rows = array.size.size() == 3;
  const ImageContent images = settings.images;
  const auto say = [&](const FrameAxes& axes, const std::string& why) {
    say_axes(array, axes, why, assumptions);
    return axes;
  };
  if (!settings.axes.empty()) return say(stated_axes(array, settings.axes), "as was asked");
  if (!has_rows && images == ImageContent::projections)
    return say(axes_of_frames(2), "the images are projections");
  const std::size_t own = has_rows ? usual.axis : 0;
  const std::size_t view =
      !has_rows || images == ImageContent::as_found ? axis_of_angles(array, angles, own) : own;
  FrameAxes axes{.view = view, .row = {}, .column = 1 - std::min<std::size_t>(view, 1)};
  if (has_rows) axes = {.view = view, .row = view == 0 ? 1U : 0U, .column = view == 2 ? 1U : 2U};
  if (images == ImageContent::projections) return say(axes, "the images are projections");
  if (images == ImageContent::sinograms && has_rows) {
    std::swap(axes.view, axes.row);
    return say(axes, "the images are sinograms");
  }
  return say(axes, view != own ? reason_of_angles(array, angles, view)
                   : has_rows  ? usual.why + states_another
                               : "it has two dimensions");
}

OtherAxes other_axes(const StoredArray& array, const FrameAxes& axes, std::size_t angles,
                     const ImportSettings& settings) {
  if (!settings.axes.empty() || settings.images != ImageContent::as_found || !axes.view ||
      !axes.row)
    return {};
  AxisOrder exchanged(array.size.size());
  exchanged[*axes.view] = ArrayAxis::views;
  exchanged[*axes.row] = ArrayAxis::columns;
  exchanged[axes.column] = ArrayAxis::rows;
  OtherAxes other{text_of(exchanged), {}};
  if (axes == usual_axes && (angles == 0 || array.size.front() == array.size.back()))
    other.reversed = text_of({ArrayAxis::columns, ArrayAxis::rows, ArrayAxis::views});
  return other;
}

FrameAxes axes_of_frames(std::size_t dimensions) {
  if (dimensions == 3) return usual_axes;
  if (dimensions == 2) return {.view = {}, .row = 0, .column = 1};
  return {};
}

FrameAxes axes_beside(const std::vector<std::uint64_t>& size, const FrameSource& projections,
                      const FrameAxes& of_projections) {
  return orders_beside(size, projections, of_projections).front();
}

std::shared_ptr<const FrameSource> frames_beside(StoredArray array, const FrameSource& projections,
                                                 const FrameAxes& of_projections,
                                                 std::vector<Assumption>& assumptions) {
  constexpr double far_more = 0.5;
  array.size = without_single_axes(std::move(array.size));
  const std::vector<FrameAxes> orders = orders_beside(array.size, projections, of_projections);
  auto best = frames_of_array(array, orders.front());
  if (orders.size() == 1 || best->frames() < 2) return best;
  const std::string likeliest = words_of(array, orders.front());
  double least = unlikeness(*best);
  for (std::size_t i = 1; i < orders.size(); ++i) {
    auto other = frames_of_array(array, orders[i]);
    const double unlike = unlikeness(*other);
    if (!(unlike < far_more * least)) continue;
    assumptions.push_back({"axes of " + array.name, words_of(array, orders[i]),
                           "its frames are far more alike so than along " + likeliest});
    least = unlike;
    best = std::move(other);
  }
  return best;
}

}  // namespace gantry
