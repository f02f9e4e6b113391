#include "core/io/imports/arrays/array_axes.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gantry {

namespace {

constexpr std::array<const char*, 3> ordinals = {"first", "second", "third"};
constexpr const char* states_another = "; --axes states another order";

/// Says which axis of an array is which.
void say_axes(const StoredArray& array, const FrameAxes& axes, const std::string& why,
              std::vector<Assumption>& assumptions) {
  std::vector<std::string> words(array.size.size());
  words[axes.column] = "column";
  if (axes.view) words[*axes.view] = "view";
  if (axes.row) words[*axes.row] = "row";
  assumptions.push_back({axes_assumed, joined(words), why});
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

FrameAxes axes_of_frames(std::size_t dimensions) {
  if (dimensions == 3) return usual_axes;
  if (dimensions == 2) return {.view = {}, .row = 0, .column = 1};
  return {};
}

FrameAxes axes_beside(const std::vector<std::uint64_t>& size, const FrameSource& projections,
                      const FrameAxes& of_projections) {
  const auto rows = static_cast<std::uint64_t>(projections.rows()),
             columns = static_cast<std::uint64_t>(projections.columns());
  std::vector<FrameAxes> orders;
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
  const auto fits = [&](const FrameAxes& axes) {
    return (axes.row ? size[*axes.row] : 1) == rows && size[axes.column] == columns;
  };
  const auto found = std::ranges::find_if(orders, fits);
  return found != orders.end() ? *found : orders.front();
}

}  // namespace gantry
