"""CNR and edge width by numpy and scipy, as JSON: region_oracle.py X NX NY NZ DX DY DZ REGIONS EDGE

X is a raw little-endian float32 file, [iz][iy][ix], of a grid centred on the origin. REGIONS is JSON:
[roi, background], each {"shape", "x", "y", "a", "b", "z"}; EDGE is JSON: [x0, y0, x1, y1, iz].
"""
import json
import sys

import numpy as np
from scipy.optimize import curve_fit
from scipy.special import erf, erfinv


def main():
    n = [int(v) for v in sys.argv[2:5]]
    d = [float(v) for v in sys.argv[5:8]]
    image = np.fromfile(sys.argv[1], "<f4").reshape(n[::-1]).astype(float)
    x, y, z = ((np.arange(k) - (k - 1) / 2) * h for k, h in zip(n, d))
    Z, Y, X = np.meshgrid(z, y, x, indexing="ij")

    def inside(r):
        if r["shape"] == "circle":
            mask = (X - r["x"])**2 + (Y - r["y"])**2 <= r["a"]**2
        else:
            mask = (abs(X - r["x"]) <= r["a"]) & (abs(Y - r["y"]) <= r["b"])
        return mask & (Z >= r["z"][0]) & (Z <= r["z"][1])

    roi, background = (image[inside(r)] for r in json.loads(sys.argv[8]))
    x0, y0, x1, y1, iz = json.loads(sys.argv[9])
    length = np.hypot(x1 - x0, y1 - y0)
    u = np.array([x1 - x0, y1 - y0]) / length
    along = (X[iz] - x0) * u[0] + (Y[iz] - y0) * u[1]
    across = (Y[iz] - y0) * u[0] - (X[iz] - x0) * u[1]
    use = (along >= 0) & (along <= length) & (abs(across) <= 1.5 * max(d[:2]))
    s, v = along[use], image[iz][use]
    model = lambda t, a, b, c, sigma: a + b * erf((t - c) / (np.sqrt(2) * sigma))
    fit, _ = curve_fit(model, s, v, [v.mean(), (v[s > length / 2].mean() - v.mean()), length / 2,
                                     length / 10], maxfev=20000, xtol=1e-13, ftol=1e-13)
    print(json.dumps({
        "voxels": [roi.size, background.size],
        "cnr": abs(roi.mean() - background.mean()) / background.std(ddof=1),
        "mean": roi.mean(),
        "width": 2 * np.sqrt(2) * erfinv(0.8) * abs(fit[3]),
    }))


main()
