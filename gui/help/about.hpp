#pragma once

#include "core/backend/backend_list.hpp"

#include <QString>

class QWidget;

namespace gantry {

/// Shows version, devices, libraries and licence in a dialog; about_text returns the text.
void show_about(QWidget* parent, const BackendList& backends, const QString& version);
QString about_text(const BackendList& backends, const QString& version);

}  // namespace gantry
