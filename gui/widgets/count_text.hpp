#pragma once

#include <QCoreApplication>
#include <QString>

namespace gantry {

/// Returns "1 iteration", or "12 iterations".
inline QString iterations_text(int count) {
  return count == 1 ? QCoreApplication::translate("CountText", "1 iteration")
                    : QCoreApplication::translate("CountText", "%1 iterations").arg(count);
}

}  // namespace gantry
