#pragma once

#include "core/backend/backend.hpp"
#include "core/catalog/catalog.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// Applies the steps, one after the other, to the line integrals of a scan, [view][row][column].
/// Adds to `notes` what they did, a line each that begins with the correction's name. `progress`,
/// which may be empty, is told each step as it begins, with 0.9: the scan has been read. Returns
/// ", corrected: bad_cells, rings" for the description of the data; nothing without steps. Throws
/// UsageError for an unknown correction or parameter, InputError for data that a step cannot
/// correct or that it makes infinite, and for one that needs the size of a cell where that is not
/// known (`lengths_are_known`), OutOfMemory and Interrupted.
std::string apply_corrections(const std::vector<CorrectionSpec>& steps, const Catalog& catalog,
                              const ScanGeometry& scan, std::span<float> line_integrals,
                              const Backend& cpu, std::vector<std::string>& notes,
                              bool lengths_are_known, const Interrupt* interrupt = nullptr,
                              const std::function<void(double, const std::string&)>& progress = {});

/// Returns what apply_corrections() returns for these steps.
std::string named_corrections(const std::vector<CorrectionSpec>& steps);

}  // namespace gantry
