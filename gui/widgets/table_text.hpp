#pragma once

#include <QString>

class QTreeWidget;

namespace gantry {

/// Returns a table as comma-separated values, with a line of titles. Numbers stand without
/// quotation marks.
QString csv_of(const QTreeWidget& table);
/// Returns a table as a LaTeX tabular, with a line of titles; columns of numbers are aligned at the
/// right.
QString latex_of(const QTreeWidget& table);

}  // namespace gantry
