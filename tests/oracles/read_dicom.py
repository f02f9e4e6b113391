"""Reads a DICOM CT series with pydicom: an oracle that shares no code with Gantry.

Usage: read_dicom.py FOLDER HU_FILE
Writes the HU of all slices as little-endian float64, [z][y][x], sorted along the slice normal, to
HU_FILE, and what the headers say as JSON to standard output.
"""
import json
import pathlib
import sys

import numpy as np
import pydicom


def main(folder, hu_file):
    images = [pydicom.dcmread(path) for path in sorted(pathlib.Path(folder).iterdir())]
    axes = np.array(images[0].ImageOrientationPatient, float).reshape(2, 3)
    normal = np.cross(axes[0], axes[1])
    images.sort(key=lambda d: np.dot(np.array(d.ImagePositionPatient, float), normal))
    hu = np.stack([
        d.pixel_array.astype(float) * float(d.RescaleSlope) + float(d.RescaleIntercept)
        for d in images
    ])
    hu.astype("<f8").tofile(hu_file)
    first = images[0]
    json.dump(
        {
            "positions": [[float(v) for v in d.ImagePositionPatient] for d in images],
            "orientation": [float(v) for v in first.ImageOrientationPatient],
            "pixel_spacing": [float(v) for v in first.PixelSpacing],
            "slice_spacing": float(first.SpacingBetweenSlices),
            "slope": float(first.RescaleSlope),
            "intercept": float(first.RescaleIntercept),
            "instances": [str(d.SOPInstanceUID) for d in images],
            "instance_numbers": [int(d.InstanceNumber) for d in images],
            "sources": [[str(s.ReferencedSOPInstanceUID) for s in d.get("SourceImageSequence", [])]
                        for d in images],
            "text": {
                name: str(first.get(name, ""))
                for name in ("PatientName", "PatientID", "StudyInstanceUID", "SeriesInstanceUID",
                             "FrameOfReferenceUID", "SeriesDescription", "DerivationDescription",
                             "Manufacturer", "SoftwareVersions", "KVP", "SOPClassUID",
                             "LossyImageCompression", "SeriesNumber", "SliceThickness",
                             "ConvolutionKernel", "XRayTubeCurrent")
            },
            "slices": [[str(d.get(name, "")) for name in ("KVP", "AcquisitionNumber", "ExposureTime",
                                                          "XRayTubeCurrent", "Exposure")]
                       for d in images],
            "derivation_codes": [[c.CodeValue, c.CodingSchemeDesignator, c.CodeMeaning]
                                 for c in first.get("DerivationCodeSequence", [])],
            "image_type": list(first.ImageType),
            "transfer_syntax": str(first.file_meta.TransferSyntaxUID),
            "series": sorted({str(d.SeriesInstanceUID) for d in images}),
        }, sys.stdout)


main(sys.argv[1], sys.argv[2])
