// Defines the DICOM functions in a build without DCMTK and OpenJPEG: reading and writing throw
// UsageError.
#include "core/base/error.hpp"
#include "core/io/dicom/decoder/dicom_part.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "core/io/dicom/writer/dicom_writer.hpp"
#include "core/io/imports/formats/ct_pd_scan.hpp"
#include "core/io/imports/formats/ct_pd_views.hpp"

namespace gantry {

namespace {

[[noreturn]] void refuse(const std::string& where) {
  throw UsageError("this build has no DICOM support", where,
                   "use MetaImage files, or build with DCMTK and OpenJPEG");
}

}  // namespace

bool has_dicom() { return false; }

std::string DicomSeriesInfo::label() const { return description; }

std::vector<DicomSeriesInfo> list_dicom_series(const std::string& path) { refuse(path); }

LoadedVolume load_dicom_series(const DicomSeriesInfo& series, const DicomLoadOptions&) {
  refuse(series.series_uid);
}

LoadedVolume load_dicom(const std::string& path, const DicomLoadOptions&) { refuse(path); }

void write_dicom_series(const std::string& folder, const DicomWriteRequest&) { refuse(folder); }

void require_writable_dicom(const std::string& folder, bool) { refuse(folder); }

std::unique_ptr<DecoderPart> dicom_part() { refuse("gantry-decoder"); }

bool holds_ct_pd(const std::string&) { return false; }

RawScan read_ct_pd_scan(const ImportRequest& request) { refuse(request.path); }

}  // namespace gantry
