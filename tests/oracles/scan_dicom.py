"""Lists every attribute of DICOM files with pydicom: an oracle that shares no code with Gantry.

Usage: scan_dicom.py FOLDER
Prints a JSON list with an entry for each file: a list of [tag, keyword, value] for each attribute, those of the file meta
information, of sequences and private ones included; pixels without their value.
"""
import json
import pathlib
import sys

import pydicom


def entries(data):
    for element in data:
        if element.VR == "SQ":
            yield [f"{element.tag:08x}", element.keyword, ""]
            for item in element.value:
                yield from entries(item)
        else:
            value = "" if element.keyword == "PixelData" else str(element.value)
            yield [f"{element.tag:08x}", element.keyword, value]


def main(folder):
    files = [pydicom.dcmread(path) for path in sorted(pathlib.Path(folder).iterdir())]
    json.dump([list(entries(d.file_meta)) + list(entries(d)) for d in files], sys.stdout)


main(sys.argv[1])
