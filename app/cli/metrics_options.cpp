#include "app/cli/metrics_options.hpp"

#include "core/base/error.hpp"

namespace gantry::cli {

void PlacesOptions::add_to(CLI::App& app) {
  app.add_option("--roi", roi, "region: X,Y,R (circle) or X0,Y0,X1,Y1 (box), then ,Z0,Z1 or all z")
      ->type_name("MM");
  app.add_option("--background", background, "region of the noise, for the contrast-to-noise ratio")
      ->type_name("MM");
  app.add_option("--edge", edge, "X0,Y0,X1,Y1[,Z] across an edge, for its width")->type_name("MM");
}

MeasuredPlaces PlacesOptions::places() const {
  MeasuredPlaces places;
  if (!roi.empty()) places.roi = parse_region(roi, "--roi");
  if (!background.empty()) places.background = parse_region(background, "--background");
  if (!edge.empty()) places.edge = parse_edge(edge, "--edge");
  if (places.background && !places.roi)
    throw UsageError("the background is compared with a region of interest", "--background",
                     "give --roi too");
  return places;
}

}  // namespace gantry::cli
