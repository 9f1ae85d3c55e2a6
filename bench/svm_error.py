"""The test error of a cubic SVM on coordinates of unit variance, run by a Python with scikit-learn.

Arguments: coordinates of training points and of new points (.npy), an IDX file of labels, and the
number of training points, whose labels come first. A file named twice holds both, the training
points first.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

IDX_HEADER = 8


def main() -> None:
    """Prints the errors of the SVM and of ten nearest neighbours in per cent."""
    known, new, labels, count = sys.argv[1:]
    train, test = np.load(known)[: int(count)], np.load(new)
    if known == new:
        test = test[int(count) :]
    answers = np.frombuffer(Path(labels).read_bytes()[IDX_HEADER:], dtype=np.uint8)
    deviation = train.std(axis=0)
    train, test = train / deviation, test / deviation
    y, truth = answers[: len(train)], answers[len(train) : len(train) + len(test)]
    svm = SVC(kernel="poly", degree=3, coef0=1.0, gamma=1.0 / train.shape[1])
    for classifier in (svm, KNeighborsClassifier(10)):
        wrong = classifier.fit(train, y).predict(test) != truth
        print(100 * wrong.mean())


if __name__ == "__main__":
    main()
