#pragma once

#include "core/io/dicom/series/dicom_series.hpp"
#include "core/io/imports/damaged_files.hpp"

#include <QString>
#include <QStringList>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

class QWidget;

namespace gantry {

/// Returns what a list shows of a series: its description, modality, number of slices, size and
/// date; the folder and the name of its first file where it has no description.
QStringList series_columns(const DicomSeriesInfo& series);
/// Returns the same in one line: "Abdomen, CT, 120 slices of 512 x 512, 2004-01-19".
QString series_line(const DicomSeriesInfo& series);

/// Asks the user which series of several to open; the largest one is selected first. `selected` is
/// called with the index of each series that is selected, so that it can be looked at meanwhile.
/// Returns the index of the chosen one, or nothing where the user cancels.
std::optional<std::size_t> choose_series(QWidget* parent,
                                         const std::vector<DicomSeriesInfo>& series,
                                         const std::function<void(std::size_t)>& selected);

/// Asks the user how to open a series whose slices are not one regular stack. Returns nothing where
/// the user cancels.
std::optional<UnevenSlices> choose_uneven(QWidget* parent, const UnevenSeries& series);

/// Asks the user whether damaged files among the frames of a scan are left out. Returns false where
/// the user cancels.
bool choose_to_leave_out(QWidget* parent, const DamagedFiles& files);

}  // namespace gantry
