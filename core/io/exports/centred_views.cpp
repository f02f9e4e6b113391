#include "core/io/exports/centred_views.hpp"

#include "core/base/error.hpp"

#include <cmath>

namespace gantry {

namespace {

constexpr double slack = 1e-6;  // of lengths and of right angles, relative

}  // namespace

std::vector<View> centred_views(const ScanGeometry& geometry) {
  const ScanSpec& spec = geometry.spec();
  const double columns = 0.5 * (spec.detector_columns - 1) - spec.central_column,
               rows = 0.5 * (spec.detector_rows - 1) - spec.central_row;
  std::vector<View> views;
  for (int i = 0; i < geometry.views(); ++i) {
    View view = geometry.view(i);
    const Vec3 forward = normalized(view.detector_mm - view.source_mm);
    view.detector_mm = view.detector_mm + columns * view.u_mm + rows * view.v_mm;
    if (geometry.beam() == Beam::parallel) view.source_mm = view.detector_mm - forward;
    views.push_back(view);
  }
  return views;
}

void require_equal_square_detectors(const std::vector<View>& views, const std::string& program) {
  const double column_mm = norm(views.front().u_mm), row_mm = norm(views.front().v_mm);
  for (std::size_t i = 0; i < views.size(); ++i) {
    const Vec3 u = views[i].u_mm, v = views[i].v_mm;
    const std::string which = "view " + std::to_string(i);
    if (std::abs(dot(u, v)) > slack * norm(u) * norm(v))
      refuse_export(program, which + " has columns and rows that are not at right angles",
                    "export it to astra");
    if (std::abs(norm(u) - column_mm) > slack * column_mm ||
        std::abs(norm(v) - row_mm) > slack * row_mm)
      refuse_export(program, which + " has cells of another size than view 0",
                    "export it to astra");
  }
}

void require_upright_rays(const std::vector<View>& views, const std::string& program) {
  for (std::size_t i = 0; i < views.size(); ++i) {
    const Vec3 ray = normalized(views[i].detector_mm - views[i].source_mm);
    for (const Vec3& side : {views[i].u_mm, views[i].v_mm})
      if (std::abs(dot(ray, side)) > slack * norm(side))
        refuse_export(program, "the rays of view " + std::to_string(i) + " are oblique",
                      "export it to astra");
  }
}

void refuse_export(const std::string& program, const std::string& what, const std::string& remedy) {
  throw UsageError(program + " cannot take this scan: " + what, "export", remedy);
}

}  // namespace gantry
