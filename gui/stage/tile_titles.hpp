#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace gantry {

/// Returns shorter forms of titles that are shown together, the longest first, for places that
/// have no room for "FISTA, Huber, weight 0.015". First, settings that all titles of the same
/// method share are left out: "FISTA, weight 0.015 …", or "FISTA …" if no other title has this
/// method. Then the name of the method is left out, if several titles have it: "… weight 0.015".
std::vector<QStringList> short_forms(const QStringList& titles);

}  // namespace gantry
