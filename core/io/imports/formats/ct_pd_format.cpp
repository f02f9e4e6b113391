#include "core/io/dicom/file/dicom_start.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "core/io/imports/formats/ct_pd_scan.hpp"
#include "core/io/imports/formats/ct_pd_views.hpp"

namespace gantry {

ImportFormat ct_pd_scan_format() {
  ImportFormat format;
  format.key = "ct_pd_scan";
  format.label = "DICOM-CT-PD scan";
  format.is_folder = true;
  format.is_of_patients = true;
  format.magic = [](std::string_view start) {
    return begins_ct_pd(start) ? Certainty::certain : Certainty::none;
  };
  format.judge_folder = [](const std::string& folder) {
    return holds_ct_pd(folder) ? Certainty::certain : Certainty::none;
  };
  if (has_dicom()) format.read = read_ct_pd_scan;
  return format;
}

}  // namespace gantry
