#include "core/io/exports/script_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace gantry {

namespace {

// The part of every script that knows files and no program.
constexpr const char* common = R"py(
# x, y, z; mm; origin: the centre of the first voxel
Grid = collections.namedtuple("Grid", "size spacing origin")
GRID = Grid(*GRID)


def beside(name):
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), name)


def exported(name):
    """Returns the path of a file that was exported together with this script."""
    crc = 0
    with open(beside(name), "rb") as file:
        while block := file.read(1 << 24):
            crc = zlib.crc32(block, crc)
    if f"{crc:08x}" != CHECKSUMS[name]:
        sys.exit(f"{beside(name)}: is not the file that was exported with this script; export the "
                 "scan again")
    return beside(name)


def read_projections():
    """Returns the line integrals of the scan, [view][row][column]."""
    return np.fromfile(exported(DATA), "<f4").reshape(VIEWS, ROWS, COLUMNS)


def slices_of_rows(grid):
    """Returns, for each detector row of a stack of slices, the slice at its height, or None."""
    if grid.size[2] == 1 and ROWS == 1:
        return [0]
    at = [round((height - grid.origin[2]) / grid.spacing[2]) for height in ROW_HEIGHTS]
    return [k if 0 <= k < grid.size[2] else None for k in at]


def read_volume(path):
    """Returns attenuation [z][y][x] in 1/mm and its grid, of a MetaImage or NumPy file."""
    if path.endswith(".npy"):
        mu = np.load(path).astype(np.float32)
        if mu.shape != GRID.size[::-1]:
            sys.exit(f"{path}: has the shape {mu.shape}; give {GRID.size[::-1]}, or a .mha file")
        return mu, GRID
    types = {"MET_FLOAT": "f4", "MET_DOUBLE": "f8", "MET_SHORT": "i2", "MET_USHORT": "u2"}
    fields = {}
    with open(path, "rb") as file:
        while "ElementDataFile" not in fields:
            key, _, value = file.readline().decode("ascii").partition("=")
            if not value:
                sys.exit(f"{path}: is no MetaImage; give a .mha, .mhd or .npy file")
            fields[key.strip()] = value.strip()
        packed = fields.get("CompressedData", "False").lower() == "true"
        if packed or fields["ElementType"] not in types:
            sys.exit(f"{path}: is packed or of another type; write it with gantry-cli convert")
        big = fields.get("BinaryDataByteOrderMSB", "False").lower() == "true"
        kind = np.dtype((">" if big else "<") + types[fields["ElementType"]])
        name = fields["ElementDataFile"]
        source = file if name == "LOCAL" else os.path.join(os.path.dirname(path), name)
        values = np.fromfile(source, kind)

    def three(key, default, last):
        numbers = [float(word) for word in fields.get(key, default).split()]
        return (numbers + [last])[:3] if len(numbers) < 3 else numbers

    size = tuple(int(n) for n in three("DimSize", "", 1))
    spacing, origin = three("ElementSpacing", "1 1 1", 1), three("Offset", "0 0 0", 0)
    grid = Grid(size, tuple(spacing), tuple(origin))
    return values.astype(np.float32).reshape(size[::-1]), grid


def write_volume(path, mu, grid):
    """Writes attenuation [z][y][x], x, y and z growing with the index, as .npy or .mha."""
    mu = np.ascontiguousarray(mu, "<f4")
    if path.endswith(".npy"):
        np.save(path, mu)
        return
    words = lambda numbers: " ".join(repr(n) for n in numbers)
    with open(path, "wb") as file:
        file.write(
            ("ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
            f"Offset = {words(grid.origin)}\nElementSpacing = {words(grid.spacing)}\n"
            f"DimSize = {words(grid.size)}\nElementType = MET_FLOAT\n"
            "ElementDataFile = LOCAL\n").encode())
        file.write(mu.tobytes())

)py";

constexpr const char* main_part = R"py(

def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--volume", help="project this volume (.mha, .mhd, .npy; 1/mm) and compare "
                                         "it with the scan")
    parser.add_argument("--out", help="file of the reconstruction (.mha, .npy), or of the "
                                      "projections (.npy)")
    parser.add_argument("--iterations", type=int, default=100,
                        help="of methods that have any (100)")
    options = parser.parse_args()
    scan = read_projections()
    if options.volume:
        found = project(*read_volume(options.volume))
        apart = np.sqrt(np.mean((found.astype(float) - scan) ** 2))
        print(f"NRMSE {100 * apart / np.ptp(scan):.4f} % of the range, "
              f"{100 * apart / np.sqrt(np.mean(scan.astype(float) ** 2)):.4f} % euclidean")
        if options.out:
            np.save(options.out, found)
        return
    out = options.out or beside(RESULT)
    write_volume(out, reconstruct(scan, GRID, options.iterations), GRID)
    print("wrote", out)


if __name__ == "__main__":
    main()
)py";

/// Returns the text as a string of Python, in one line.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out + "\"";
}

/// Returns the text without what would end the comment of a script.
std::string in_docstring(std::string text) {
  std::ranges::replace(text, '"', '\'');
  std::ranges::replace(text, '\\', '/');
  return text;
}

DataSeal seal_of(const std::string& text) {
  DataSeal seal;
  seal.add(std::as_bytes(std::span(text)));
  return seal;
}

std::string triple(double x, double y, double z) {
  return "(" + exact(x) + ", " + exact(y) + ", " + exact(z) + ")";
}

std::string scan_constants(const ScanToExport& scan, const ScriptParts& parts) {
  const ScanSpec& spec = scan.geometry.spec();
  const VolumeGrid& grid = scan.grid;
  std::string text =
      "VIEWS, ROWS, COLUMNS = " + std::to_string(scan.geometry.views()) + ", " +
      std::to_string(spec.detector_rows) + ", " + std::to_string(spec.detector_columns) +
      "\nDATA = " + quoted(scan.data_name()) + "  # [view][row][column], float32, little-endian" +
      "\nGEOMETRY_FILE = " + quoted(parts.geometry.name) +
      "\n# CRC-32 of both files.\nCHECKSUMS = {DATA: " + quoted(crc_text(scan.data)) +
      ", GEOMETRY_FILE: " + quoted(crc_text(seal_of(parts.geometry.text))) +
      "}\nRESULT = " + quoted(scan.name + "_" + parts.program + ".mha") +
      "\n# Voxels of what is reconstructed, their distances, the centre of the first "
      "one: x, y, z; mm.\nGRID = ((" +
      std::to_string(grid.nx) + ", " + std::to_string(grid.ny) + ", " + std::to_string(grid.nz) +
      "), " + triple(grid.spacing_mm.x, grid.spacing_mm.y, grid.spacing_mm.z) + ", " +
      triple(grid.origin_mm.x, grid.origin_mm.y, grid.origin_mm.z) + ")\n";
  text +=
      "# Heights z of the detector rows where these are a stack of slices, mm.\nROW_HEIGHTS = "
      "[(row - " +
      exact(spec.central_row) + ") * " + exact(spec.row_pitch_mm) + " for row in range(ROWS)]\n";
  return text;
}

}  // namespace

const char* const slice_by_slice = R"py(

def in_plane(grid):
    """The grid of a slice of a stack, in the plane of the source."""
    return Grid((*grid.size[:2], 1), grid.spacing, (*grid.origin[:2], 0))


def project(mu, grid):
    if not STACK:
        return forward(mu, grid, ROWS)
    found = np.zeros((VIEWS, ROWS, COLUMNS), np.float32)
    for row, k in enumerate(slices_of_rows(grid)):
        if k is not None:
            rows = forward(mu[k : k + 1], in_plane(grid), SLICE_ROWS)
            found[:, row] = rows[:, SLICE_ROWS // 2]
    return found


def reconstruct(projections, grid, iterations):
    if not STACK:
        return backward(projections, grid, iterations)
    mu = np.zeros(grid.size[::-1], np.float32)
    for row, k in enumerate(slices_of_rows(grid)):
        if k is not None:
            rows = np.repeat(projections[:, row : row + 1], SLICE_ROWS, axis=1)
            mu[k] = backward(rows, in_plane(grid), iterations)[0]
    return mu
)py";

std::string exact(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value + 0.0).ptr;
  return {buffer.data(), end};
}

std::vector<double> numbers_of(std::initializer_list<Vec3> vectors) {
  std::vector<double> numbers;
  for (const Vec3& vector : vectors) numbers.insert(numbers.end(), {vector.x, vector.y, vector.z});
  return numbers;
}

void ViewTable::add(std::span<const double> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) text_ += (i == 0 ? "" : " ") + exact(numbers[i]);
  text_ += '\n';
}

namespace {

std::string script_text(const ScanToExport& scan, const ScriptParts& parts) {
  return "#!/usr/bin/env python3\n\"\"\"" + in_docstring(scan.name) + " in " + parts.program +
         ", written by " + in_docstring(scan.writer) + ".\n\n" + in_docstring(scan.description) +
         "\n" + describe(scan.geometry) + "\n\nNeeds " + parts.requirements +
         "\n\nWithout options it reconstructs the scan; with --volume FILE it projects that volume"
         "\nand prints the error against the scan, NRMSE.\n\nGantry's world: right-handed, mm, "
         "rotation axis z; at gantry angle t the source stands at\nSID (sin t, -cos t, 0), columns "
         "grow along (cos t, sin t, 0), rows along z.\n\n" +
         parts.conventions + "\n" + parts.verified +
         "\"\"\"\nimport argparse\nimport collections\nimport os\nimport sys\nimport "
         "zlib\n\nimport "
         "numpy as np\n" +
         parts.imports + "\n# ---- The scan\n\n" + scan_constants(scan, parts) + common +
         "\n# ---- " + parts.program + "\n\n" + parts.constants + "\n" + parts.functions +
         "\n\n# ---- The program\n" + main_part;
}

}  // namespace

std::vector<ExportedText> script_files(const ScanToExport& scan, const ScriptParts& parts) {
  return {{scan.name + "_" + parts.key + ".py", script_text(scan, parts)}, parts.geometry};
}

}  // namespace gantry
