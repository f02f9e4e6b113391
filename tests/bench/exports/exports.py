#!/usr/bin/env python3
"""Projects the orientation phantom with the scripts that gantry-cli export writes.

    python3 tests/bench/exports/exports.py [--gantry build/bin/gantry-cli] [--reconstruct]
    python3 tests/bench/exports/exports.py --keep FOLDER        # here, then where there is CUDA:
    python3 tests/bench/exports/exports.py --prepared FOLDER

For each beam two scans are made, with the detector beside the middle and a first angle that is none
of the axes', and exported:
- exact: line integrals of the phantom in closed form; the script projects its voxels. Edges inside
  voxels are most of the error, which is given of the range of the line integrals;
- smooth: projections that Gantry computes of the phantom's voxels, blurred by three of them; the
  script projects the same volume. The error is given of the norm of the line integrals.
The phantom looks different from every side, so that a mirrored or exchanged axis shows as an error
of tens of percent. The exit status is 1 where a script that ran is off by 1 % or more. With
--reconstruct, the scripts reconstruct the exact scans too, and the correlation with the voxels is
printed, then the largest one with an axis turned over.

Needs numpy, and for each program what its script names in its head. With --stand-ins, modules in
stand_ins take the places of TIGRE, LEAP and CIL, and of ASTRA for volumes: they compute rays as
those programs' sources do. RTK itself runs then too.

On 2026-11-26, errors in percent, exact and smooth; the scripts of ASTRA 2.5 were prepared with
--keep and run on an NVIDIA H100 (arc detectors: on 2026-11-27 at 34b2589f on an NVIDIA H200;
parallel and fan flat, which are slices, on a processor); RTK and the stand-ins were run with
--stand-ins at 2332d127 on two cores:
                              ASTRA 2.5        RTK 2.7          stand-ins        LEAP's, if other
  parallel                    0.224   0.017    0.117   0.244    0.111   0.264
  fan flat                    0.112   0.269    0.118   0.248    0.112   0.269
  fan arc                                      0.119   0.249
  cone flat                   0.516   0.658    0.516   0.658    0.562   0.287
  cone arc                    0.519   0.654    0.519   0.654    0.560   0.286
  helix flat                  0.649   0.803    0.649   0.803    0.758   0.287
  helix arc                   0.655   0.798    0.656   0.798    0.763   0.286
  poses cone                  0.600   0.678    0.600   0.678    0.601   0.378    0.598   0.786
  poses cone, rows downwards  0.639   0.675    0.639   0.675    0.572   0.379    0.615   0.748
  poses parallel              0.519   0.976    0.508   0.702    0.487   0.398
  cone, half the fan          0.502   0.624    0.502   0.623    0.554   0.276
- On arc detectors ASTRA leaves out slices where lengths are in millimetres (errors up to 12 %). Its
  scripts give lengths in metres, where none is left out (core/io/exports/astra_export.cpp).
- On 2026-12-01, at 363d2abb on an NVIDIA H200, with PYTHONPATH naming the parts of both programs that
  project: TIGRE's geometry and Siddon kernels (sources of 2026, without its Cython layer), with the
  errors of its stand-in to 0.02; CIL's geometry, conversion and operator (sources of versions 24.3
  to 25.0, without its compiled library) in front of ASTRA 2.5, with the errors of ASTRA 2.5 in
  cones, 0.111 and 0.264 in a parallel beam (on a processor), 0.118 and 0.248 in a flat fan.
- LEAP itself was not run.
"""
import argparse
import importlib.util
import json
import math
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

MODULES = {"astra": "astra", "rtk": "itk", "tigre": "tigre", "leap": "leapctype", "cil": "cil"}
STAND_INS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stand_ins")
SIZE_MM = 60  # of the phantom's cube
PARTS = 3  # voxels per cell; odd, so that the middle of a row is that of a slice
CENTRAL_ROW = 20 + 1 / 6  # such that this is so for a volume about the origin too


def circle(beam, detector="flat", trajectory="circular", **more):
    geometry = {"beam": beam, "detector": detector, "trajectory": trajectory,
                "detector_columns": 72, "detector_rows": 40, "column_pitch_mm": 2,
                "row_pitch_mm": 3,
                "central_column": 33.7, "central_row": CENTRAL_ROW,
                "view_angles_deg": {"first": 17.3, "step": 45, "count": 8}}
    if beam != "parallel":
        geometry.update(source_to_isocenter_mm=250, source_to_detector_mm=400)
    geometry.update(more)
    return geometry


def turn(axis, angle):
    a, b, c = np.eye(3)[[axis, (axis + 1) % 3, (axis + 2) % 3]]
    return (np.outer(a, a) + math.cos(angle) * (np.outer(b, b) + np.outer(c, c))
            + math.sin(angle) * (np.outer(c, b) - np.outer(b, c)))


def poses(beam, rows_turned):
    """Views of a circle whose distances, heights and detectors wander, all detectors tilted."""
    random = np.random.default_rng(3)
    column_mm, row_mm = (1.2, 1.8) if beam == "parallel" else (2, 3)
    views = []
    for i in range(8):
        base = turn(2, math.radians(17.3 + 45 * i))
        tilt = base @ turn(0, 0.12 * random.normal()) @ turn(2, 0.12 * random.normal()) \
            @ turn(1, 0.2 * random.normal())
        source = base @ (np.array([0, -250, 0]) + 5 * random.normal(size=3))
        detector = base @ (np.array([0, 150, 0]) + 4 * random.normal(size=3))
        if beam == "parallel":
            source = detector - 100 * tilt[:, 1]
        views.append({"source_mm": list(source), "detector_mm": list(detector),
                      "u_mm": list(column_mm * tilt[:, 0]),
                      "v_mm": list((-row_mm if rows_turned else row_mm) * tilt[:, 2])})
    return {"beam": beam, "detector": "flat", "trajectory": "poses", "detector_columns": 72,
            "detector_rows": 40, "central_column": 33.7, "central_row": CENTRAL_ROW, "poses": views}


def narrow(geometry):
    return dict(geometry, column_pitch_mm=1.2, row_pitch_mm=1.8)


BEAMS = {
    "parallel": narrow(circle("parallel")),
    "fan flat": narrow(circle("fan", column_pitch_mm=1.8)) | {"column_pitch_mm": 1.9},
    "fan arc": narrow(circle("fan", "arc")) | {"column_pitch_mm": 1.9},
    "cone flat": circle("cone"),
    "cone arc": circle("cone", "arc"),
    "helix flat": circle("cone", trajectory="helical", helical_feed_mm_per_turn=8),
    "helix arc": circle("cone", "arc", "helical", helical_feed_mm_per_turn=8),
    "poses cone": poses("cone", False),
    "poses cone, rows downwards": poses("cone", True),
    "poses parallel": poses("parallel", False),
    "cone, half the fan": circle("cone", central_column=14.7),
}


def finer(geometry):
    """The same scan with three columns and rows for one, whose grid has such voxels."""
    if geometry["trajectory"] == "poses" or geometry["central_column"] < 20:
        geometry = circle("cone")  # any scan with a grid that holds the phantom
    out = dict(geometry, view_angles_deg=[0.0], trajectory="circular")
    out.pop("helical_feed_mm_per_turn", None)
    for side in ("column", "row"):
        out[f"detector_{side}s"] = PARTS * geometry[f"detector_{side}s"]
        out[f"{side}_pitch_mm"] = geometry[f"{side}_pitch_mm"] / PARTS
        out[f"central_{side}"] = PARTS * (geometry[f"central_{side}"] + 0.5) - 0.5
    return out


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def must(command, folder):
    code, output, errors = run(command, folder)
    if code != 0:
        sys.exit(" ".join(command) + ": " + errors)
    return output


def blurred(array, sigma=3.0):
    """Returns [z][y][x] folded with a Gaussian of so many voxels."""
    steps = np.arange(-12, 13)
    weights = np.exp(-0.5 * (steps / sigma) ** 2)
    weights /= weights.sum()
    for axis in range(3):
        out = np.zeros_like(array)
        for step, weight in zip(steps, weights):
            out += weight * np.roll(array, step, axis)
        array = out
    return array


def read_mha(path):
    """Returns the header, as bytes, and the voxels [z][y][x] of a volume of gantry-cli's."""
    with open(path, "rb") as file:
        content = file.read()
    end = content.index(b"LOCAL\n") + 6
    size = [int(n) for n in re.search(rb"DimSize = ([\d ]+)", content[:end])[1].split()]
    return content[:end], np.frombuffer(content[end:], "<f4").reshape(size[::-1])


def make_scans(gantry, folder, name, geometry):
    """Writes NAME.scan.json and NAME_smooth.scan.json with the volumes they are of."""
    for file, content in ((name, geometry), (f"{name}_fine", finer(geometry))):
        with open(os.path.join(folder, f"{file}.json"), "w") as out:
            json.dump(content, out)
    phantom = [gantry, "simulate", "--phantom", "orientation", "--set",
               f"phantom.size_mm={SIZE_MM}", "--subrays", "1", "--geometry"]
    must([*phantom, f"{name}.json", "--out", f"{name}.scan.json"], folder)
    must([*phantom, f"{name}_fine.json", "--out", f"{name}_fine.scan.json", "--truth",
          f"{name}.mha"], folder)
    header, mu = read_mha(os.path.join(folder, f"{name}.mha"))
    with open(os.path.join(folder, f"{name}_blurred.mha"), "wb") as out:
        out.write(header + blurred(mu).astype("<f4").tobytes())
    # Simulation moves the middle of a volume to the origin, and writes where it is then.
    must([gantry, "simulate", "--volume", f"{name}_blurred.mha", "--geometry", f"{name}.json",
          "--out", f"{name}_smooth.scan.json", "--truth", f"{name}_smooth.mha"], folder)


def export(gantry, folder, name, program):
    """Writes the script; returns why there is none, or nothing."""
    code, _, errors = run([gantry, "export", f"{name}.scan.json", "--to", program, "--out",
                           f"{name}_{program}"], folder)
    return "refused: " + errors.strip().replace("gantry-cli: export: ", "") if code else ""


def projected(folder, name, program):
    """Returns the text of a cell of the table, and both errors in percent where the script ran."""
    if importlib.util.find_spec(MODULES[program]) is None:
        return f"not run: there is no {MODULES[program]} here", None
    script = os.path.join(f"{name}_{program}", f"{name}_{program}.py")
    code, output, errors = run([sys.executable, script, "--volume", f"{name}.mha"], folder)
    if code == 0:
        return "", [float(x) for x in re.findall(r"([\d.]+) %", output)]
    if "the stand-in" in errors:
        return "not run: " + errors.strip().rpartition("Error: ")[2], None
    if re.search("cuda|gpu", errors, re.IGNORECASE):
        return "not run: the script needs CUDA", None
    return "FAILED: " + errors.strip().splitlines()[-1], None


def reconstructed(folder, name, program):
    script = os.path.join(f"{name}_{program}", f"{name}_{program}.py")
    code, _, errors = run([sys.executable, script, "--iterations", "5", "--out",
                           f"{name}_{program}.mha"], folder)
    if code != 0:
        return "FAILED: " + errors.strip().splitlines()[-1]
    _, mu = read_mha(os.path.join(folder, f"{name}_{program}.mha"))
    truth = read_mha(os.path.join(folder, f"{name}.mha"))[1]
    steps = [fine // coarse for fine, coarse in zip(truth.shape, mu.shape)]
    if any(step * n != fine for step, n, fine in zip(steps, mu.shape, truth.shape)):
        return "on another grid than the voxels"
    truth = truth[tuple(slice(step // 2, None, step) for step in steps)]
    likeness = [np.corrcoef(turned.ravel(), truth.ravel())[0, 1]
                for turned in (mu, mu[::-1], mu[:, ::-1], mu[:, :, ::-1])]
    return f"reconstruction {likeness[0]:.3f}, turned {max(likeness[1:]):.3f}"


def check_program(folder, name, program, reconstruct):
    """Returns the text of a row of the table, and whether the script failed."""
    text, exact = projected(folder, name, program)
    if not exact:
        return text, "FAILED" in text
    text, smooth = projected(folder, f"{name}_smooth", program)
    if smooth:
        text = f"{exact[0]:6.3f} % {smooth[1]:7.3f} %"
    if reconstruct:
        text += "   " + reconstructed(folder, name, program)
    return text, not smooth or max(exact[0], smooth[1]) >= 1 or "FAILED" in text


def check_beam(gantry, folder, name, beam, geometry, options):
    if not options.prepared:
        make_scans(gantry, folder, name, geometry)
    failed = False
    for program in [options.program] if options.program else MODULES:
        if options.prepared:
            here = os.path.isdir(os.path.join(folder, f"{name}_smooth_{program}"))
            text = "" if here else "refused, or not prepared"
        else:
            text = export(gantry, folder, name, program) \
                or export(gantry, folder, f"{name}_smooth", program)
        if not text:
            text, fails = check_program(folder, name, program, options.reconstruct)
            failed |= fails
        print(f"{program:8} {beam:28} {text}", flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gantry", default="build/bin/gantry-cli")
    parser.add_argument("--program", help="one of " + ", ".join(MODULES))
    parser.add_argument("--beam", help="one of " + "; ".join(BEAMS))
    parser.add_argument("--reconstruct", action="store_true")
    parser.add_argument("--keep", help="folder for all files (default: none are kept)")
    parser.add_argument("--prepared", metavar="FOLDER",
                        help="run the scripts that --keep left there, without gantry-cli")
    parser.add_argument("--stand-ins", action="store_true",
                        help="for TIGRE, LEAP, CIL, and for ASTRA's volumes")
    options = parser.parse_args()
    if options.stand_ins:
        sys.path.insert(0, STAND_INS)
        os.environ["PYTHONPATH"] = STAND_INS
    gantry = os.path.abspath(options.gantry)
    failed = False
    with tempfile.TemporaryDirectory() as temporary:
        folder = os.path.abspath(options.prepared or options.keep or temporary)
        os.makedirs(folder, exist_ok=True)
        print(f"{'program':8} {'beam':28} exact    smooth")
        for index, (beam, geometry) in enumerate(BEAMS.items()):
            if not options.beam or options.beam == beam:
                failed |= check_beam(gantry, folder, f"scan{index}", beam, geometry, options)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
