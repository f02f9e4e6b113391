#pragma once

#include <QString>

namespace gantry {

/// Returns the name of a field of a QJsonObject.
inline QString key(const char* name) { return QString::fromLatin1(name); }

}  // namespace gantry
