#pragma once

#include "core/io/files/file_format.hpp"

#include <QString>

#include <vector>

namespace gantry {

// Filters of file dialogs, from the registries of file formats.

/// Returns the filters for opening files of these formats: "LABEL (*.mha *.dcm DICOMDIR);;Any
/// file, DICOM without an extension (*)". `more` is a pattern of further files, or empty.
QString open_filter(const QString& label, const std::vector<const FileFormat*>& formats,
                    const QString& more = {});

/// Returns the filter for saving a file of one format: "MetaImage (*.mha)", or "DICOM, a folder
/// (*)".
QString save_filter(const FileFormat& format);

/// Returns the filter for saving a file of patients without what identifies them: "DICOM,
/// de-identified (PS3.15 basic profile), a folder (*)".
QString deidentified_filter(const FileFormat& format);

/// Returns the filters for saving a file of one of these formats: save_filter() of each, and
/// deidentified_filter() of those of patients.
QString save_filters(const std::vector<const FileFormat*>& formats);

/// Returns whether `filter` is the deidentified_filter() of one of these formats.
bool is_deidentified(const QString& filter, const std::vector<const FileFormat*>& formats);

/// Returns `path`; if it has no extension, with that of the format whose filter for saving is
/// `filter`, by default of the first format.
QString with_extension(const QString& path, const std::vector<const FileFormat*>& formats,
                       const QString& filter = {});

}  // namespace gantry
