// One line per format of volumes.
#include "core/io/volumes/volume_formats.hpp"

#include "core/io/volumes/dicom_format.hpp"
#include "core/io/volumes/metaimage_formats.hpp"
#include "core/io/volumes/nifti.hpp"
#include "core/io/volumes/npy_volume.hpp"
#include "core/io/volumes/nrrd.hpp"
#include "core/io/volumes/raw_volume.hpp"
#include "core/io/volumes/tiff_format.hpp"

namespace gantry {

const FormatRegistry<VolumeFormat>& volume_formats() {
  static const FormatRegistry<VolumeFormat> formats = [] {
    FormatRegistry<VolumeFormat> all{"volume format"};
    all.add(metaimage_format());
    all.add(metaimage_pair_format());
    all.add(raw_volume_format());
    all.add(tiff_format());
    all.add(tiff_slices_format());
    all.add(nrrd_format());
    all.add(nrrd_header_format());
    all.add(nifti_format());
    all.add(nifti_pair_format());
    all.add(npy_volume_format());
    all.add(dicom_format());
    return all;
  }();
  return formats;
}

}  // namespace gantry
