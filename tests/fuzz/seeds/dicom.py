"""Seeds of the readers of DICOM, of the decoders of its pixels, and of what gantry-decoder answers."""
import io
import struct

import numpy as np

from seeds.files import seed


def dicom_file(pixels, syntax="1.2.840.10008.1.2.1", bits=16, frames=1, **more):
    from pydicom.dataset import Dataset, FileMetaDataset
    from pydicom.encaps import encapsulate
    data, meta = Dataset(), FileMetaDataset()
    meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID = "1.2.840.10008.5.1.4.1.1.2", "2.25.1000"
    meta.TransferSyntaxUID, meta.ImplementationClassUID = syntax, "2.25.7"
    data.file_meta = meta
    data.ImageType, data.SOPClassUID, data.SOPInstanceUID = ["ORIGINAL", "PRIMARY", "AXIAL"], meta.MediaStorageSOPClassUID, "2.25.1000"
    data.Modality, data.PatientName, data.SliceThickness = "CT", "Nobody^Here", "2"
    data.StudyInstanceUID, data.SeriesInstanceUID, data.SeriesNumber = "2.25.1", "2.25.2", 1
    data.ImagePositionPatient, data.ImageOrientationPatient = [-1, -2, 0], [1, 0, 0, 0, 1, 0]
    data.SamplesPerPixel, data.PhotometricInterpretation = 1, "MONOCHROME2"
    rows, columns = pixels.shape[-2:]
    data.Rows, data.Columns, data.PixelSpacing = rows, columns, [0.25, 0.5]
    data.BitsAllocated, data.BitsStored, data.HighBit, data.PixelRepresentation = bits, bits, bits - 1, 0
    data.RescaleIntercept, data.RescaleSlope = "-1000", "1"
    if frames > 1:
        data.NumberOfFrames = frames
    codestreams = more.pop("codestreams", None)
    for name, value in more.items():
        setattr(data, name, value)
    if codestreams:
        data.PixelData = encapsulate(codestreams)
        data["PixelData"].VR = "OB"
        data["PixelData"].is_undefined_length = True
    else:
        data.PixelData = pixels.tobytes()
        data["PixelData"].VR = "OW"
    return data


def saved(data, **options):
    file = io.BytesIO()
    data.save_as(file, enforce_file_format=True, **options)
    return file.getvalue()


def codestreams_of(image):
    """One image in each coding, by its transfer syntax."""
    import imagecodecs
    small = (image % 256).astype(np.uint8)
    return {"jpeg2000": ("1.2.840.10008.1.2.4.90", 16, imagecodecs.jpeg2k_encode(image, level=0, codecformat="j2k")),
            "jpegls": ("1.2.840.10008.1.2.4.80", 16, imagecodecs.jpegls_encode(image)),
            "jpeg": ("1.2.840.10008.1.2.4.50", 8, imagecodecs.jpeg8_encode(small, level=90)),
            "lossless": ("1.2.840.10008.1.2.4.70", 16, imagecodecs.ljpeg_encode(image))}


def rle(image):
    """RLE of DICOM (PS3.5, annex G), literal runs only."""
    planes = [(image >> 8).astype(np.uint8).tobytes(), (image & 255).astype(np.uint8).tobytes()]
    segments = []
    for plane in planes:
        packed = b"".join(bytes([len(plane[i:i + 128]) - 1]) + plane[i:i + 128] for i in range(0, len(plane), 128))
        segments.append(packed + b"\x80" * (len(packed) % 2))
    offsets = [64, 64 + len(segments[0])]
    return struct.pack("<16I", 2, *offsets, *[0] * 13) + b"".join(segments)


def dicom():
    from pydicom.dataset import Dataset
    from pydicom.uid import DeflatedExplicitVRLittleEndian, ImplicitVRLittleEndian
    image = (np.arange(16 * 12, dtype=np.uint16) * 7).reshape(16, 12)
    plain = saved(dicom_file(image))
    implicit = saved(dicom_file(image, ImplicitVRLittleEndian))
    deflated = saved(dicom_file(image, DeflatedExplicitVRLittleEndian))
    for reader in ("dicom", "dicom_pixels"):
        for name, content in (("plain", plain), ("implicit", implicit), ("deflated", deflated)):
            seed(reader, name, content)
    seed("dicom_pixels", "several", saved(dicom_file(np.stack([image, image + 1, image + 2]), frames=3)))
    seed("dicom_pixels", "bytes", saved(dicom_file((image % 256).astype(np.uint8), bits=8)))
    seed("dicom_pixels", "rle", saved(dicom_file(image, "1.2.840.10008.1.2.5", codestreams=[rle(image)])))
    for name, (syntax, bits, stream) in codestreams_of(image).items():
        seed("dicom_pixels", name, saved(dicom_file(image, syntax, bits, codestreams=[stream])))

    def shared_functions():
        measures, orientation, values = Dataset(), Dataset(), Dataset()
        measures.PixelSpacing, measures.SliceThickness = [0.25, 0.5], "2"
        orientation.ImageOrientationPatient = [1, 0, 0, 0, 1, 0]
        values.RescaleIntercept, values.RescaleSlope, values.RescaleType = "-1000", "1", "HU"
        shared = Dataset()
        shared.PixelMeasuresSequence, shared.PlaneOrientationSequence = [measures], [orientation]
        shared.PixelValueTransformationSequence = [values]
        return [shared]

    def frame_functions(z):
        place, content, frame = Dataset(), Dataset(), Dataset()
        place.ImagePositionPatient = [-1, -2, z]
        content.InStackPositionNumber, content.StackID = 1 + z // 2, "1"
        frame.PlanePositionSequence, frame.FrameContentSequence = [place], [content]
        return frame
    enhanced = dicom_file(np.stack([image, image + 1]), frames=2, SharedFunctionalGroupsSequence=shared_functions(),
                          PerFrameFunctionalGroupsSequence=[frame_functions(0), frame_functions(2)])
    enhanced.SOPClassUID = enhanced.file_meta.MediaStorageSOPClassUID = "1.2.840.10008.5.1.4.1.1.2.1"
    seed("dicom", "enhanced", saved(enhanced))
    projection = dicom_file(image[:6, :12].copy(), InstanceNumber=1, SOPInstanceUID="2.25.5001")
    projection.RescaleIntercept, projection.RescaleSlope = "-0.5", "0.0001"
    for tag, kind, value in (
            (0x70291002, "FL", 8.0), (0x70291006, "FL", 4.0), (0x7029100B, "CS", "CYLINDRICAL"), (0x70291010, "US", 6),
            (0x70291011, "US", 12), (0x70311001, "FL", 0.3), (0x70311002, "FL", 200.0), (0x70311003, "FL", 500.0),
            (0x70311031, "FL", 1000.0), (0x70311033, "FL", [6.25, 3.5]), (0x7033100B, "FL", 0.001),
            (0x7033100C, "FL", 0.5), (0x7033100D, "FL", -0.5), (0x70391009, "CS", "YES"), (0x70411001, "DS", "0.0192")):
        projection.add_new(tag, kind, value)
    seed("dicom", "projection", saved(projection))


def jpeg2000():
    import imagecodecs
    image = (np.arange(16 * 12, dtype=np.uint16) * 7).reshape(16, 12)
    large = (np.arange(64 * 64, dtype=np.uint16) * 3).reshape(64, 64)
    head = bytes([12 - 1, 16 - 1])
    seed("jpeg2000", "stream", head + imagecodecs.jpeg2k_encode(image, level=0, codecformat="j2k"))
    seed("jpeg2000", "file", head + imagecodecs.jpeg2k_encode(image, level=0, codecformat="jp2"))
    seed("jpeg2000", "lossy", bytes([63, 63]) + imagecodecs.jpeg2k_encode(large, level=40, codecformat="j2k"))
    from PIL import Image
    file = io.BytesIO()
    Image.fromarray((large % 64).astype(np.uint8)).save(file, "JPEG2000", no_jp2=True, tile_size=(32, 32),
                                                        num_resolutions=3, progression="RPCL")
    seed("jpeg2000", "tiles", bytes([63, 63]) + file.getvalue())


def answers():
    def number(value):
        return struct.pack("<Q", value)

    def text(content):
        return number(len(content)) + content

    def attributes(values, sequences=()):
        packed = number(len(values)) + b"".join(number(tag) + text(value) for tag, value in values)
        return packed + number(len(sequences)) + b"".join(
            number(tag) + number(len(items)) + b"".join(items) for tag, items in sequences)
    inner = attributes([(0x00200032, b"-1\\-2\\0")])
    header = text(b"a.dcm") + attributes([(0x00020010, b"1.2")]) + attributes([(0x00080060, b"CT")],
                                                                              [(0x52009230, [inner, inner])])
    seed("decoder_answer", "header", b"\0" + header)
    seed("decoder_answer", "lines", b"\1" + number(2) + text(b"one") + text(b"two"))
    piece = text(b"s.h5") + number(2048) + number(0)
    data = text(b"/exchange/data") + number(3) + number(5) + number(6) + number(9) + number(1) + number(3)
    data += piece + piece + number(400) + number(3) + number(5) + number(6) + number(9) + number(540) + number(1)
    data += struct.pack("<dd", 0.5, -3) + text(b"scale_factor and add_offset") + text(b"")
    none = text(b"") + number(0) + number(0)
    value = text(b"/a") + number(0) + number(0) + number(9) + none + none + 4 * number(0)
    seed("hdf5_listing", "two", number(2) + data + value + number(1) + text(b"/b -> other.h5:/c")
         + number(1) + text(b"/again") + text(b"/exchange"))
