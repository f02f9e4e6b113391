// The registry of the formats that can be imported.
#include "core/io/imports/arrays/matlab_frames.hpp"
#include "core/io/imports/arrays/numpy_frames.hpp"
#include "core/io/imports/formats/ct_pd_scan.hpp"
#include "core/io/imports/formats/ctsimu_scan.hpp"
#include "core/io/imports/formats/edf_frames.hpp"
#include "core/io/imports/formats/gantry_scan_frames.hpp"
#include "core/io/imports/formats/hdf5/hdf5_frames.hpp"
#include "core/io/imports/formats/nikon_scan.hpp"
#include "core/io/imports/formats/rtk/rtk_scan.hpp"
#include "core/io/imports/formats/skyscan_scan.hpp"
#include "core/io/imports/formats/walnut_scan.hpp"
#include "core/io/imports/formats/zeiss_scan.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/imports/tiff_frames.hpp"

namespace gantry {

const FormatRegistry<ImportFormat>& import_formats() {
  static const FormatRegistry<ImportFormat> formats = [] {
    FormatRegistry<ImportFormat> all{"format to import"};
    all.add(tiff_frames_format());
    all.add(hdf5_frames_format());
    all.add(edf_frames_format());
    all.add(numpy_frames_format());  // a folder of images may hold arrays as well
    all.add(matlab_frames_format());
    all.add(nikon_scan_format());
    all.add(skyscan_scan_format());
    all.add(ctsimu_scan_format());
    all.add(ct_pd_scan_format());
    all.add(zeiss_scan_format());
    all.add(rtk_scan_format());
    all.add(walnut_scan_format());
    all.add(itk_projections_format());
    all.add(gantry_scan_frames_format());
    return all;
  }();
  return formats;
}

}  // namespace gantry
