"""A signal of two rhythms: the phases of both, from the values alone.

Six values in a row are a point, and the points lie on a torus: a long way around by the slow
rhythm, a short one by the fast.
"""

import matplotlib.pyplot as plt
import numpy as np

import nrdr


def agreement(pair, phase):
    """How well the angle of two coordinates follows a phase, either way around: 1 is perfectly."""
    angle = np.arctan2(pair[:, 1], pair[:, 0])
    return max(abs(np.exp(1j * (angle - turn * phase)).mean()) for turn in (1, -1))


def main():
    n, delays = 1500, 2 * np.arange(6)
    phases = np.arange(n + delays.max())[:, None] * [0.5, 0.5 * np.sqrt(5)]
    signal = np.cos(phases[:, 0]) + 0.3 * np.cos(phases[:, 1])
    signal += 0.01 * np.random.default_rng(0).normal(size=len(signal))
    X, phases = np.column_stack([signal[i : i + n] for i in delays]), phases[:n]
    figure, axes = plt.subplots(1, 2, figsize=(6.4, 3), layout="constrained")
    for ax, strategy in zip(axes, ["orthogonal", "priced"]):
        Y = nrdr.DiffusionMaps(4, strategy=strategy).fit_transform(X)
        slow, fast = agreement(Y[:, :2], phases[:, 0]), agreement(Y[:, 2:], phases[:, 1])
        print(f"{strategy}: slow phase {slow:.2f}, fast phase {fast:.2f}")
        assert slow > 0.95 and (fast > 0.95 if strategy == "priced" else fast < 0.1)
        ax.scatter(*Y[:, 2:].T, c=phases[:, 1] % (2 * np.pi), cmap="twilight", s=4)
        ax.set(title=f"{strategy}: coordinates 3 and 4", xticks=[], yticks=[], aspect="equal")
    figure.savefig("time_series.png", dpi=90)


if __name__ == "__main__":
    main()
