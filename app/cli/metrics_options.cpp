#include "app/cli/metrics_options.hpp"

#include "core/base/error.hpp"

namespace gantry::cli {

void RegionOptions::add_to(CLI::App& app) {
  app.add_option("--roi", roi, "region: X,Y,R (circle) or X0,Y0,X1,Y1 (box), then ,Z0,Z1 or all z")
      ->type_name("MM");
  app.add_option("--background", background, "region of the noise, for the contrast-to-noise ratio")
      ->type_name("MM");
  app.add_option("--edge", edge, "X0,Y0,X1,Y1[,Z] across an edge, for its width")->type_name("MM");
}

MeasurementRegions RegionOptions::regions() const {
  MeasurementRegions regions;
  if (!roi.empty()) regions.roi = parse_region(roi, "--roi");
  if (!background.empty()) regions.background = parse_region(background, "--background");
  if (!edge.empty()) regions.edge = parse_edge(edge, "--edge");
  if (regions.background && !regions.roi)
    throw UsageError("the background is compared with a region of interest", "--background",
                     "give --roi too");
  return regions;
}

}  // namespace gantry::cli
