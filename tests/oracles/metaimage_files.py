"""Writes or reads MetaImage files without the program: an oracle for its reader and writer.

metaimage_files.py write FOLDER: one file per element type, byte order and kind of storage. The
voxel at (x, y, z) of a 4 x 3 x 2 image has the value x + 10 y + 100 z, less 60 for signed types.
Their names are printed, one a line, as TYPE_ORDER_STORAGE.mha or .mhd.

metaimage_files.py read FILE: prints size, spacing, offset and values as JSON.
"""
import gzip
import json
import os
import sys
import zlib

import numpy as np

TYPES = {"MET_CHAR": "i1", "MET_UCHAR": "u1", "MET_SHORT": "i2", "MET_USHORT": "u2",
         "MET_INT": "i4", "MET_UINT": "u4", "MET_LONG": "i4", "MET_ULONG": "u4",
         "MET_LONG_LONG": "i8", "MET_ULONG_LONG": "u8", "MET_FLOAT": "f4", "MET_DOUBLE": "f8"}
HEADER = """ObjectType = Image
NDims = 3
BinaryData = True
BinaryDataByteOrderMSB = {msb}
CompressedData = {compressed}
{extra}TransformMatrix = 1 0 0 0 1 0 0 0 1
Offset = -1.5 2.25 10
CenterOfRotation = 0 0 0
AnatomicalOrientation = RAI
ElementSpacing = 0.5 0.75 2
DimSize = 4 3 2
ElementType = {type}
ElementDataFile = {file}
"""


def write(folder):
    z, y, x = np.mgrid[0:2, 0:3, 0:4]
    for name, code in TYPES.items():
        values = x + 10 * y + 100 * z - (0 if code[0] == "u" else 60)
        for msb in (False, True):
            raw = values.astype((">" if msb else "<") + code).tobytes()
            for storage in ("local", "raw", "skip", "end", "zlib", "gzip", "zraw"):
                packed = {"zlib": zlib.compress, "zraw": zlib.compress,
                          "gzip": gzip.compress}.get(storage, bytes)(raw)
                extra = {"skip": "HeaderSize = 37\n", "end": "HeaderSize = -1\n"}.get(storage, "")
                if storage in ("zlib", "zraw"):
                    extra = "CompressedDataSize = %d\n" % len(packed)
                local = storage in ("local", "zlib", "gzip")
                stem = "%s_%s_%s" % (name, "big" if msb else "little", storage)
                header = HEADER.format(msb=msb, compressed=packed != raw, extra=extra, type=name,
                                       file="LOCAL" if local else stem + ".bin").encode()
                path = os.path.join(folder, stem + (".mha" if local else ".mhd"))
                with open(path, "wb") as file:
                    file.write(header + (packed if local else b""))
                if not local:
                    junk = b"\x7f" * (37 if storage == "skip" else 51 if storage == "end" else 0)
                    with open(os.path.join(folder, stem + ".bin"), "wb") as file:
                        file.write(junk + packed)
                print(os.path.basename(path))


def read(path):
    fields = {}
    with open(path, "rb") as file:
        while "ElementDataFile" not in fields:
            key, value = file.readline().decode().split("=", 1)
            fields[key.strip()] = value.strip()
        data = file.read()
    assert fields["ObjectType"] == "Image" and fields["BinaryData"] == "True", fields
    assert fields["TransformMatrix"] == "1 0 0 0 1 0 0 0 1", fields
    assert fields["CompressedData"] == "False", fields
    if fields["ElementDataFile"] != "LOCAL":
        assert not data
        with open(os.path.join(os.path.dirname(path), fields["ElementDataFile"]), "rb") as file:
            data = file.read()
    order = {"False": "<", "True": ">"}[fields["BinaryDataByteOrderMSB"]]
    values = np.frombuffer(data, order + TYPES[fields["ElementType"]])
    print(json.dumps({"size": [int(n) for n in fields["DimSize"].split()],
                      "spacing": [float(n) for n in fields["ElementSpacing"].split()],
                      "offset": [float(n) for n in fields["Offset"].split()],
                      "values": [float(v) for v in values]}))


{"write": write, "read": read}[sys.argv[1]](sys.argv[2])
