"""Handwritten digits: an embedding before an SVM, for images that the embedding has not seen."""

from sklearn.datasets import load_digits
from sklearn.model_selection import ShuffleSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import nrdr


def main():
    X, y = load_digits(return_X_y=True)
    halves = ShuffleSplit(4, test_size=0.5, random_state=0)
    print(f"64 pixels: {cross_val_score(SVC(), X, y, cv=halves).mean():.3f}")
    for dims in (2, 5):
        found = []
        for strategy in ("orthogonal", "priced"):
            maps = nrdr.LaplacianEigenmaps(dims, strategy=strategy)
            pipeline = make_pipeline(maps, StandardScaler(), SVC())
            found.append(cross_val_score(pipeline, X, y, cv=halves).mean())
            print(f"{dims} coordinates, {strategy}: {found[-1]:.3f}")
        assert found[0] < found[1] and found[1] > {2: 0.75, 5: 0.93}[dims]


if __name__ == "__main__":
    main()
