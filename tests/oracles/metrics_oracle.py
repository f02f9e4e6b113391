"""Metrics of two images by scikit-image, as JSON: metrics_oracle.py X R NX NY NZ RANGE [MASK]

X and R are raw little-endian float32 files, [iz][iy][ix]; MASK is uint8. SSIM is taken slice by
slice; a mask selects pixels of its map, five pixels from the border at the least.
"""
import json
import sys

import numpy as np
from skimage.metrics import (mean_squared_error, normalized_root_mse, peak_signal_noise_ratio,
                             structural_similarity)


def main():
    shape = tuple(int(n) for n in sys.argv[5:2:-1])
    x, r = (np.fromfile(path, "<f4").reshape(shape).astype(float) for path in sys.argv[1:3])
    value_range = float(sys.argv[6])
    mask = np.ones(shape, bool)
    if len(sys.argv) > 7:
        mask = np.fromfile(sys.argv[7], np.uint8).reshape(shape) != 0
    xm, rm = x[mask], r[mask]
    result = {
        "rmse": np.sqrt(mean_squared_error(rm, xm)),
        "mae": np.mean(np.abs(xm - rm)),
        "psnr": peak_signal_noise_ratio(rm, xm, data_range=value_range),
        "range": normalized_root_mse(rm, xm, normalization="min-max"),
        "mean": normalized_root_mse(rm, xm, normalization="mean"),
        "euclidean": normalized_root_mse(rm, xm, normalization="euclidean"),
        "deviation": np.sqrt(mean_squared_error(rm, xm)) / np.std(rm),
    }
    if min(shape[1:]) >= 11:
        inside = np.zeros(shape, bool)
        inside[:, 5:-5, 5:-5] = True
        maps = [structural_similarity(a, b, gaussian_weights=True, sigma=1.5, full=True,
                                      use_sample_covariance=False, data_range=value_range)
                for a, b in zip(x, r)]
        result["ssim"] = np.stack([m for _, m in maps])[inside & mask].mean()
        if mask.all():  # scikit-image's own mean
            assert abs(result["ssim"] - np.mean([mean for mean, _ in maps])) < 1e-12
    print(json.dumps({key: float(value) for key, value in result.items()}))


main()
