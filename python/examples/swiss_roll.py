"""A Swiss roll: what the original method wastes, and what new points get."""

import matplotlib.pyplot as plt
from sklearn.neighbors import KNeighborsRegressor

import nrdr
import nrdr.plot


def main() -> None:
    X, truth = nrdr.datasets.make_swiss_roll(2500, height=10, random_state=0)
    train, new = slice(0, 2000), slice(2000, None)
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for ax, strategy in zip(axes, ["orthogonal", "unpredictable"]):
        maps = nrdr.LaplacianEigenmaps(strategy=strategy).fit(X[train])
        nrdr.plot.embedding(maps, truth[train, 1], ax=ax)
        scale = maps.embedding_.std(axis=0)
        model = KNeighborsRegressor(10).fit(maps.embedding_ / scale, truth[train])
        score = model.score(maps.transform(X[new]) / scale, truth[new])
        print(f"{strategy}: {maps.report_['verdict']}")
        print(f"{strategy}: angle and height of new points, R2 {score:.2f}")
    figure.savefig("swiss_roll.png")
    nrdr.report(maps, "swiss_roll.html", X[train], y=truth[train, 1], title="Swiss roll")
    print(nrdr.compare(X[train], truth=truth[train]).round(2).to_string())


if __name__ == "__main__":
    main()
