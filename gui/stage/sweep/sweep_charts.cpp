// The charts of a sweep: a metric over the parameter, and the L-curve of a penalty's weight.
#include "charts/run_colours.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "gui/views/chart_view.hpp"

#include <algorithm>
#include <utility>

namespace gantry {

/// Returns the colour of the run whose parameter was swept.
Rgb SweepBoard::colour() const {
  const RunSpec* run = model_.run(shown_.run);
  return runColour(run != nullptr ? static_cast<std::size_t>(std::max(0, run->colour)) : 0);
}

void SweepBoard::showCharts() {
  const bool varies_weight = shown_.param && shown_.param->is_weight();
  // Only a weight has an L-curve; without one the other chart has the whole width.
  const SweepParam* next = param();
  lCurve_->setVisible(shown_.param ? varies_weight : next != nullptr && next->is_weight());
  std::vector<double> values, measures, data_terms, penalties;
  for (const SweepPoint& point : shown_.points) {
    if (!point.problem.empty()) continue;
    values.push_back(point.value);
    measures.push_back(measure().value(point));
    const auto [data_term, penalty] = l_curve_point(point, varies_weight);
    if (!varies_weight || !(data_term > 0) || !(penalty > 0)) continue;
    data_terms.push_back(data_term);
    penalties.push_back(penalty);
  }
  const std::string label = shown_.param ? shown_.param->spec.label : std::string();
  const SeriesStyle style{"sweep", colour(), LineStyle::solid, 1.75, true};
  const int taken = this->taken();
  chart_->edit([&](ChartScene& chart) {
    chart.clear();
    chart.setLogX(shown_.hasEqualRatios);
    chart.setAxisTitles({label, shown_.param ? unitOf(shown_.param->spec.unit) : std::string()},
                        {measure().label, unitOf(measure().unit)});
    chart.setHint(tr("The metric over the parameter").toStdString());
    if (values.empty()) return;
    chart.setSeries("sweep", style);
    chart.setData("sweep", values, measures);
    if (taken >= 0)
      chart.setMarks("sweep", {{shown_.points[static_cast<std::size_t>(taken)].value,
                                tr("chosen").toStdString(), true}});
  });
  lCurve_->edit([&](ChartScene& chart) {
    chart.clear();
    chart.setLogX(true);
    chart.setLogY(true);
    chart.setAxisTitles({tr("data term ‖b − A x‖²").toStdString(), {}},
                        {tr("penalty R(x)").toStdString(), {}});
    chart.setHint(
        tr("L-curve of a penalty's weight, for methods that report their objective").toStdString());
    if (data_terms.empty()) return;
    chart.setSeries("sweep", style);
    chart.setData("sweep", data_terms, penalties);
    std::vector<std::pair<double, double>> curve;
    for (std::size_t i = 0; i < penalties.size(); ++i)
      curve.emplace_back(data_terms[i], penalties[i]);
    std::vector<ChartMark> marks;
    if (const auto at = corner(curve))
      marks.push_back({data_terms[*at], tr("corner").toStdString(), true});
    if (taken >= 0) {
      const double x = l_curve_point(shown_.points[static_cast<std::size_t>(taken)], true).first;
      if (!marks.empty() && marks[0].x == x)
        marks[0].text = tr("corner, chosen").toStdString();
      else
        marks.push_back({x, tr("chosen").toStdString(), true});
    }
    std::ranges::sort(marks, {}, &ChartMark::x);
    chart.setMarks("sweep", marks);
  });
}

}  // namespace gantry
