//! Everything that is added survives the file, and what does not fit is refused.
#![allow(clippy::unwrap_used)]

use nrdr::datasets::SwissRoll;
use nrdr::{LaplacianEigenmaps, Model, Options, Pca, Points, fit};
use nrdr_report::Facts;

use super::*;

fn roll(seed: u64) -> Points {
    SwissRoll { n: 120, ..Default::default() }.generate(seed).unwrap().points
}

/// A fit of the roll's two components of standardised columns.
fn prepared() -> (Model, Preparation) {
    let mut preparation = Preparation::default();
    let standard = preparation.standardize(&roll(1)).unwrap();
    let (components, pca) = Pca::fit(&standard, 2).unwrap();
    preparation.pca = Some(pca);
    let fitted = fit(&components, &LaplacianEigenmaps::default(), &Options::default());
    (fitted.unwrap().1, preparation)
}

fn names() -> Option<Vec<String>> {
    Some(["a", "b", "c"].map(str::to_string).to_vec())
}

/// Of two coordinates.
fn facts() -> Facts {
    Facts {
        eigenvalues: vec![0.9, 0.8],
        lengths: vec![1.0, 2.0],
        residual: vec![1e-9; 2],
        iterations: vec![3; 2],
        alpha: vec![None, Some(0.3)],
        ..Facts::default()
    }
}

#[test]
fn what_is_done_to_columns_is_done_again() {
    let (model, preparation) = prepared();
    let facts = Facts { warnings: vec!["no".into()], ..facts() };
    let file = ModelFile::new(model, preparation.clone(), names(), &facts).unwrap();
    let again = ModelFile::from_bytes(&file.to_bytes().unwrap()).unwrap();
    assert_eq!((again.columns(), again.names()), (3, names().as_deref()));
    assert_eq!(again.preparation(), &preparation);
    let kept: Facts = serde_json::from_str(again.facts().unwrap()).unwrap();
    assert_eq!(kept, Facts { warnings: Vec::new(), ..facts });
    // Training points have their coordinates, new ones those of the model that was not written.
    let found = again.transform(roll(1), &()).unwrap();
    assert_eq!(Some(found.values().to_vec()), again.model().embedding());
    assert_eq!(again.transform(roll(2), &()).unwrap(), file.transform(roll(2), &()).unwrap());
    let narrow = Points::from_rows([[0.0, 1.0]]).unwrap();
    let refused = again.transform(narrow, &()).unwrap_err();
    assert_eq!(refused, Error::WrongColumns { got: 2, expected: 3 });
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let (model, preparation) = prepared();
    let file = ModelFile::new(model, preparation, names(), &facts()).unwrap();
    let table =
        |rows: usize, columns: usize| Points::new(vec![1.0; rows * columns], columns).unwrap();
    for (name, wrong) in [
        (preparation::STANDARDIZE, table(2, 2)),
        (preparation::STANDARDIZE, table(3, 3)),
        (preparation::PCA_MEANS, table(1, 2)),
        (preparation::PCA_DIRECTIONS, table(3, 3)),
    ] {
        let mut model = file.model().clone();
        model.set_table(name, wrong);
        let refused = ModelFile::of(model).unwrap_err().to_string();
        assert!(refused.contains("does not fit its other parts: make it again"), "{refused}");
    }
    for (name, wrong) in [
        (COLUMNS, "[\"a\",\"b\"]"),
        (COLUMNS, "a, b, c"),
        (FACTS, "{"),
        (FACTS, "{\"eigenvalues\": [0.9]}"),
    ] {
        let mut model = file.model().clone();
        model.set_note(name, wrong);
        let refused = ModelFile::of(model).unwrap_err().to_string();
        assert!(refused.contains(&format!("its list of {name}")), "{refused}");
    }
}

#[test]
fn a_file_that_holds_no_model_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    std::fs::write(&path, "x,y\n1,2\n").unwrap();
    let refused = ModelFile::read(&path).unwrap_err();
    assert!(matches!(refused, Unread::Content(..)));
    let told = refused.to_string();
    assert!(
        told.starts_with(&format!("{}: ", path.display())) && told.contains("no model"),
        "{told}"
    );
    let refused = ModelFile::read(&folder.path().join("none")).unwrap_err();
    assert!(
        matches!(&refused, Unread::File(_, error) if error.kind() == std::io::ErrorKind::NotFound)
    );
    assert!(refused.to_string().contains("check the path"), "{refused}");
}
