#include "core/io/imports/checks/geometry_views.hpp"

#include "core/io/imports/names/file_numbers.hpp"

#include <numeric>
#include <type_traits>
#include <utility>

namespace gantry {

namespace {

/// Whether the numbers of the files go on without a gap from 2 to `count`: counted from 1, the
/// first projection is missing.
bool lack_number_one(std::size_t count, const CountedProjections& projections) {
  return projections.first_number == 2 && !projections.positions.empty() &&
         projections.places() + 1 == count;
}

}  // namespace

std::size_t CountedProjections::places() const {
  return positions.empty() ? count : static_cast<std::size_t>(positions.back()) + 1;
}

ViewsOfProjections views_of_projections(std::size_t count, const CountedProjections& projections) {
  const auto from = [&](int first) {
    std::vector<int> views(projections.count);
    std::iota(views.begin(), views.end(), first);
    return views;
  };
  if (count == projections.count) return {from(0)};
  if (count == projections.places()) return {projections.positions, true};
  if (count != projections.count + 1) return {};
  CountedProjections steps = projections;
  if (const int step = common_step(steps.positions); step > 1)
    for (int& position : steps.positions) position /= step;
  if (count == steps.places()) return {std::move(steps.positions), true};
  if (steps.places() != steps.count) return {};  // by the numbers, more projections are missing
  if (lack_number_one(count, projections)) return {from(1), true};
  return {from(0)};
}

void leave_out_views_without_projection(const CountedProjections& projections,
                                        const std::string& path, StatedGeometry& stated) {
  const std::size_t count = stated.spec.view_angles_rad.size();
  const ViewsOfProjections found = views_of_projections(count, projections);
  if (!found.fit() || found.views.size() == count) return;
  const auto choose = [&](auto& of_views) {
    if (of_views.size() != count) return;
    std::remove_reference_t<decltype(of_views)> chosen;
    for (const int view : found.views) chosen.push_back(of_views[static_cast<std::size_t>(view)]);
    of_views = std::move(chosen);
  };
  choose(stated.spec.view_angles_rad);
  choose(stated.spec.poses);
  constexpr const char* what = "views of the geometry";
  const std::string kept = std::to_string(found.views.size());
  if (found.is_by_numbers)
    stated.assumptions.push_back({what, "by the numbers of the files",
                                  path + " has a view for each number, also for the missing"});
  else
    stated.assumptions.push_back({what, "the first " + kept + ", without the last",
                                  path + " states " + std::to_string(count) + " views for " + kept +
                                      " projections; if another image than the last is missing, "
                                      "give a geometry without the view of that one (--geometry)"});
}

}  // namespace gantry
