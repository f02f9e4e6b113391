"""Ramp filter of rows by numpy, from its definition: BEAM TAU_MM PITCH_RAD WINDOW CUTOFF VALUES..."""
import sys
import numpy as np

beam, tau, db, window, cutoff = sys.argv[1], *map(float, sys.argv[2:4]), sys.argv[4], float(sys.argv[5])
rows = np.array(sys.argv[6:], float).reshape(2, -1)
n = rows.shape[1]
size = 1 << int(np.ceil(np.log2(2 * n)))
k = np.arange(-(n - 1), n)
odd = k % 2 != 0
taps = np.zeros(len(k))
if beam == "arc":
    taps[k == 0] = db / (8 * db**2)
    taps[odd] = -db * 0.5 / (np.pi * np.sin(k[odd] * db)) ** 2
else:
    taps[k == 0] = tau / (4 * tau**2)
    taps[odd] = -tau / (np.pi * k[odd] * tau) ** 2
    if beam == "flat":
        taps /= 2
kernel = np.zeros(size)
kernel[k % size] = taps
frequency = np.abs(np.fft.fftfreq(size)) * 2 / cutoff
gain = {
    "ram-lak": lambda f: np.ones_like(f),
    "shepp-logan": lambda f: np.sinc(f / 2),
    "cosine": lambda f: np.cos(np.pi * f / 2),
    "hamming": lambda f: 0.54 + 0.46 * np.cos(np.pi * f),
    "hann": lambda f: 0.5 + 0.5 * np.cos(np.pi * f),
}[window](frequency) * (frequency <= 1)
filtered = np.fft.ifft(np.fft.fft(rows, size) * np.fft.fft(kernel) * gain).real[:, :n]
print(*("%.17g" % value for value in filtered.ravel()))
