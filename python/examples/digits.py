"""Handwritten digits: an embedding before an SVM, its alpha chosen by cross-validation."""

from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import nrdr


def main() -> None:
    X, y = load_digits(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0, stratify=y)
    pipeline = make_pipeline(
        nrdr.LaplacianEigenmaps(5), StandardScaler(), SVC(kernel="poly", degree=3, coef0=1.0)
    )
    search = GridSearchCV(
        pipeline, {"laplacianeigenmaps__alpha": [0.2, 0.3, 0.4, 0.6]}, cv=3, error_score="raise"
    )
    search.fit(X_train, y_train)
    print(f"best alpha: {search.best_params_['laplacianeigenmaps__alpha']}")
    print(f"accuracy on images not seen before: {search.score(X_test, y_test):.3f}")
    pipeline.set_params(laplacianeigenmaps__strategy="orthogonal").fit(X_train, y_train)
    print(f"with the original method: {pipeline.score(X_test, y_test):.3f}")


if __name__ == "__main__":
    main()
