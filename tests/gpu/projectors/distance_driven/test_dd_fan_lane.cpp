// The arithmetic of one lane of the 2D distance-driven kernels, on the host: where the edge of a
// pixel falls among the cells, and how much of its cell lies below it, against the shares of the
// footprint table in float64. Needs no device.
#include "core/operator/projector.hpp"
#include "core/projectors/distance_driven/dd_view.hpp"
#include "gpu/projectors/distance_driven/fan/dd_fan_tables.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

using device::FanKind;

/// Cells below an edge value, the last one counted by its share of slopes.
double cells_below(const DdView& table, double value) {
  const auto& edge = table.edge;
  if (value <= edge.front()) return 0;
  if (value >= edge.back()) return table.cells();
  const auto above = std::upper_bound(edge.begin(), edge.end(), value);
  const double low = *(above - 1), high = *above;
  return static_cast<double>(above - 1 - edge.begin()) + (value - low) / (high - low);
}

template <FanKind kind>
double cells_below_on_device(const DdView& table, const ScanSpec& spec, int i, int k) {
  const device::DdFanView view = describe_fan_view(table, kind);
  const double angle =
      kind == FanKind::arc ? spec.column_pitch_mm / spec.source_to_detector_mm : 1.0;
  const auto cells = static_cast<float>(table.cells());
  const float edge = static_cast<float>(i) - 0.5F * static_cast<float>(table.slices.width),
              slice = static_cast<float>(k) - 0.5F * static_cast<float>(table.slices.count - 1);
  const device::EdgeInView found = device::locate_edge<kind>(
      view.locate, static_cast<float>(1 / (angle * table.cells())), edge, slice);
  const device::CellFraction at = device::place(found.position, cells);
  return at.index + static_cast<double>(device::fraction_below<kind>(
                        found.bend, static_cast<float>(angle * angle / 3), at.fraction));
}

/// The edge i on slice k, and the same from `slices` slices before: the larger difference of
/// positions (as a share of all cells) and of bends.
template <FanKind kind>
double off_from_earlier_slice(const DdView& table, int i, int k, int slices) {
  const device::FanLocate view = describe_fan_view(table, kind).locate;
  const float edge = static_cast<float>(i) - 0.5F * static_cast<float>(table.slices.width),
              slice = static_cast<float>(k) - 0.5F * static_cast<float>(table.slices.count - 1);
  const float gain = kind == FanKind::arc ? 0.7F : 1.0F;  // of a detector with a wide angle
  const device::EdgeInView alone = device::locate_edge<kind>(view, gain, edge, slice);
  const device::FanQuotient before =
      device::fan_quotient<kind>(view, edge, slice - static_cast<float>(slices));
  const device::EdgeInView other =
      device::edge_in_view<kind>(view, gain, device::layers_further<kind>(before, view, slices),
                                 edge, device::bend_over_scale<kind>(view, slice));
  return std::max(std::abs(static_cast<double>(other.position) - alone.position),
                  std::abs(static_cast<double>(other.bend) - alone.bend));
}
double off_from_earlier_slice(FanKind kind, const DdView& table, int i, int k, int slices) {
  switch (kind) {
    case FanKind::flat:
      return off_from_earlier_slice<FanKind::flat>(table, i, k, slices);
    case FanKind::arc:
      return off_from_earlier_slice<FanKind::arc>(table, i, k, slices);
    default:
      return off_from_earlier_slice<FanKind::parallel>(table, i, k, slices);
  }
}

double cells_below_on_device(const DdView& table, const ScanGeometry& geometry, int i, int k) {
  switch (fan_kind(geometry)) {
    case FanKind::flat:
      return cells_below_on_device<FanKind::flat>(table, geometry.spec(), i, k);
    case FanKind::arc:
      return cells_below_on_device<FanKind::arc>(table, geometry.spec(), i, k);
    default:
      return cells_below_on_device<FanKind::parallel>(table, geometry.spec(), i, k);
  }
}

}  // namespace

class TestDdFanLane : public QObject {
  Q_OBJECT

 private slots:
  void sharesAreThoseOfTheTable() {
    int compared = 0, inside = 0;
    for (const ScanCase& c : scan_cases()) {
      if (!is_planar(*c.geometry, c.grid)) continue;
      for (int v = 0; v < c.geometry->views(); ++v) {
        const DdView table(*c.geometry, c.grid, v);
        for (int k = 0; k < table.slices.count; ++k)
          for (int i = 0; i <= table.slices.width; ++i) {
            const double scale = table.scale_first + k * table.scale_step,
                         shift = table.shift_first + k * table.shift_step,
                         want = cells_below(table, (i - shift) / scale),
                         got = cells_below_on_device(table, *c.geometry, i, k);
            // Rounding grows with the number of cells; the table's edges are rounded as well.
            const double narrowest =
                1 / *std::max_element(table.inverse_width.begin(), table.inverse_width.end());
            const double tolerance = 3e-7 * table.cells() + 4e-7 / narrowest + 2e-6;
            QVERIFY2(std::abs(want - got) <= tolerance,
                     qPrintable(QStringLiteral("%1, view %2, slice %3, edge %4: %5, not %6")
                                    .arg(QString::fromStdString(c.name))
                                    .arg(v)
                                    .arg(k)
                                    .arg(i)
                                    .arg(got, 0, 'g', 9)
                                    .arg(want, 0, 'g', 9)));
            ++compared;
            if (want > 0 && want < table.cells()) ++inside;
          }
      }
    }
    QVERIFY(compared > 100000 && inside > compared / 4);
  }

  /// Lanes that have an edge on several slices work its places out from the first one.
  void anEdgeIsFoundFromAnEarlierSlice() {
    int compared = 0;
    for (const ScanCase& c : scan_cases()) {
      if (!is_planar(*c.geometry, c.grid)) continue;
      for (int v = 0; v < c.geometry->views(); ++v) {
        const DdView table(*c.geometry, c.grid, v);
        for (int k = 0; k < table.slices.count; ++k)
          for (int i = 0; i <= table.slices.width; ++i, ++compared) {
            const double off = off_from_earlier_slice(fan_kind(*c.geometry), table, i, k, k % 4);
            QVERIFY2(off <= 1e-6, qPrintable(QStringLiteral("%1, view %2, slice %3, edge %4: %5")
                                                 .arg(QString::fromStdString(c.name))
                                                 .arg(v)
                                                 .arg(k)
                                                 .arg(i)
                                                 .arg(off)));
          }
      }
    }
    QVERIFY(compared > 100000);
  }

  void aPlaceIsAWholeNumberAndAFraction() {
    for (const float count : {1.0F, 31.0F, 512.0F, 1048576.0F})
      for (const float position : {0.0F, 1e-9F, 0.25F, 0.3333333F, 0.99999994F, 1.0F}) {
        const device::CellFraction at = device::place(position, count);
        const double exact = static_cast<double>(position) * static_cast<double>(count);
        QCOMPARE(at.index, static_cast<int>(std::floor(exact)));
        QVERIFY(at.fraction >= 0 && at.fraction <= 1);
        QVERIFY(std::abs(at.index + static_cast<double>(at.fraction) - exact) < 1e-7);
      }
  }
};

GANTRY_TEST(TestDdFanLane)
#include "test_dd_fan_lane.moc"
