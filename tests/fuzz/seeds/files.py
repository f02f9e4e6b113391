"""What the makers of seeds share: where seeds lie, and the invented values that they hold."""
import io
import pathlib
import struct

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent.parent
COLUMNS, ROWS, VIEWS = 9, 6, 5
RAMP = np.arange(24, dtype=np.uint8)  # a volume of 4 x 3 x 2
FRAMES = (600 + 1000 * np.arange(VIEWS)[:, None, None] + 100 * np.arange(ROWS)[None, :, None]
          + 10 * np.arange(COLUMNS)[None, None, :]).astype(np.uint16)


def put(folder, name, content):
    path = HERE / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def seed(reader, name, content):
    put(f"corpus/{reader}", name, content)


def beside(reader, name, content):
    put(f"beside/{reader}", name, content)


def pages(frames, **options):
    import tifffile
    file = io.BytesIO()
    tifffile.imwrite(file, frames, photometric="minisblack", metadata=None, software="", datetime=None, **options)
    return file.getvalue()


def pages_said_to_be(number, frames, **options):
    """Pages with another number of compression in their tags, for a compression that the writer does not have."""
    import tifffile
    content = bytearray(pages(frames, **options))
    with tifffile.TiffFile(io.BytesIO(content)) as file:
        for page in file.pages:
            struct.pack_into(file.byteorder + "H", content, page.tags[259].valueoffset, number)
    return bytes(content)
