"""tv_oracle.py IN OUT NX NY NZ WEIGHT: scikit-image's total variation denoising of raw float32."""
import sys

import numpy as np
from skimage.restoration import denoise_tv_chambolle

source, target, nx, ny, nz, weight = sys.argv[1:]
image = np.fromfile(source, np.float32).reshape(int(nz), int(ny), int(nx)).squeeze().astype(float)
iterations = 20000
try:
    smooth = denoise_tv_chambolle(image, float(weight), eps=1e-14, max_num_iter=iterations)
except TypeError:  # before 0.19
    smooth = denoise_tv_chambolle(image, float(weight), eps=1e-14, n_iter_max=iterations)
smooth.astype(np.float32).tofile(target)
