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

/// Returns the filters for saving a file of one of these formats.
QString save_filters(const std::vector<const FileFormat*>& formats);

/// Returns `path`; if it has no extension, with that of the format whose save_filter() is `filter`,
/// by default of the first format.
QString with_extension(const QString& path, const std::vector<const FileFormat*>& formats,
                       const QString& filter = {});

}  // namespace gantry
