#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace gantry {

/// Returns shorter forms of titles that are shown together, the longest first, for places that
/// have no room for "FISTA, Huber, weight 0.015". The settings go first that tell a title from no
/// other one of the same method: "FISTA, weight 0.015 …", or "FISTA …" where it is the only one;
/// then the name of the method, where several have it: "… weight 0.015".
std::vector<QStringList> short_forms(const QStringList& titles);

}  // namespace gantry
