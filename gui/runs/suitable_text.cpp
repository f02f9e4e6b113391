#include "gui/runs/suitable_text.hpp"

#include <QCoreApplication>

namespace gantry {

namespace {

struct SuitableText {
  Q_DECLARE_TR_FUNCTIONS(SuitableText)
};

}  // namespace

QString why_unsuitable(const SuitableScans& scans, const ScanGeometry& geometry) {
  if (scans.include(geometry)) return {};
  const bool cone = geometry.beam() == Beam::cone;
  if (cone && !scans.cone)
    return SuitableText::tr("Not for this scan: it needs a parallel or fan beam, not a cone beam");
  if (!cone && !scans.parallel_and_fan)
    return SuitableText::tr("Not for this scan: it needs a cone beam, not a parallel or fan beam");
  if (!scans.helical && geometry.spec().trajectory == Trajectory::helical)
    return SuitableText::tr("Not for this scan: it needs a source on a circle, not on a helix");
  return SuitableText::tr("Not for this scan: it needs a rotation about an axis, not free poses");
}

}  // namespace gantry
