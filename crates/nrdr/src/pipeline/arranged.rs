//! An input arranged as a method needs it: points in their working order, neighbours, graph.

use std::borrow::Cow;

use crate::checkpoint::Kept;
use crate::error::{Error, Result};
use crate::graph::components::links_between_rows;
use crate::graph::neighbors::neighbors_from_distances;
use crate::graph::prepare::{
    EmbeddedRows, GraphOptions, connect, prepare_points, select_component,
};
use crate::graph::symmetric::symmetric;
use crate::graph::{Components, EdgeKind, Graph, Neighborhoods, Symmetry};
use crate::input::Input;
use crate::linalg::Matrix;
use crate::method::{Data, Method, Needs};
use crate::points::Points;
use crate::progress::{Progress, Watch};
use crate::stage::Stage;

/// What is embedded, in the order of the problem's rows.
pub(super) struct Arranged<'a> {
    pub(super) points: Option<Cow<'a, Points>>,
    pub(super) rows: EmbeddedRows,
    kind: Kind<'a>,
}

/// What a method is built from.
enum Kind<'a> {
    Graph(Cow<'a, Graph>),
    Neighborhoods(Neighborhoods),
    Points,
    Matrix(&'a Matrix),
}

impl<'a> Arranged<'a> {
    pub(super) fn new(
        input: Input<'a>,
        method: &dyn Method,
        options: &GraphOptions,
        kept: Kept<'_>,
        watch: &Watch<'_>,
    ) -> Result<Self> {
        match (method.needs(), input) {
            (Needs::Graph, Input::Points(points)) => {
                let (points, made) = prepare_points(points, options, kept, watch)?;
                let graph = Graph { edges: made.graph, kind: EdgeKind::Length };
                let kind = Kind::Graph(Cow::Owned(graph));
                Ok(Arranged { points: Some(points), rows: made.rows, kind })
            }
            (Needs::Neighborhoods, Input::Points(points)) => {
                let (points, made) = prepare_points(points, options, kept, watch)?;
                let kind = Kind::Neighborhoods(made.lists);
                Ok(Arranged { points: Some(points), rows: made.rows, kind })
            }
            (Needs::Graph, Input::Distances(distances)) => {
                let lists = watch.stage(Stage::Neighbors, |progress| {
                    neighbors_from_distances(distances, options.neighbors, progress)
                })?;
                let made = watch.stage(Stage::Graph, |progress| {
                    let join = |components: &Components| {
                        links_between_rows(distances, components, progress)
                    };
                    connect(lists, join, options)
                })?;
                let graph = Graph { edges: made.graph, kind: EdgeKind::Length };
                let kind = Kind::Graph(Cow::Owned(graph));
                Ok(Arranged { points: None, rows: made.rows, kind })
            }
            (Needs::Graph, Input::Graph(graph)) => {
                let select = |_: &Progress<'_>| select_component(graph, options);
                let (graph, rows) = watch.stage(Stage::Graph, select)?;
                Ok(Arranged { points: None, rows, kind: Kind::Graph(graph) })
            }
            (Needs::Points, Input::Points(points)) => {
                let rows = EmbeddedRows::all(points.rows());
                Ok(Arranged { points: Some(Cow::Borrowed(points)), rows, kind: Kind::Points })
            }
            (Needs::Matrix, Input::Matrix(matrix)) => {
                let rows = EmbeddedRows::all(matrix.size());
                Ok(Arranged { points: None, rows, kind: Kind::Matrix(matrix) })
            }
            (needs, given) => Err(Error::WrongInput {
                method: method.name(),
                needed: needs.describe(),
                given: given.describe(),
            }),
        }
    }

    /// The graph of neighbours, where there is one; of neighbour lists it is made anew.
    pub(super) fn graph(&self, symmetry: Symmetry) -> Option<Cow<'_, Graph>> {
        match &self.kind {
            Kind::Graph(graph) => Some(Cow::Borrowed(graph)),
            Kind::Neighborhoods(lists) => {
                let edges = symmetric(lists, symmetry);
                Some(Cow::Owned(Graph { edges, kind: EdgeKind::Length }))
            }
            Kind::Points | Kind::Matrix(_) => None,
        }
    }

    /// What the method's problem is built from.
    pub(super) fn data(&self) -> Result<Data<'_>> {
        match (&self.kind, &self.points) {
            (Kind::Graph(graph), _) => Ok(Data::Graph(graph)),
            (Kind::Neighborhoods(lists), Some(points)) => Ok(Data::Neighborhoods(points, lists)),
            (Kind::Points, Some(points)) => Ok(Data::Points(points)),
            (Kind::Matrix(matrix), _) => Ok(Data::Matrix(matrix)),
            (_, None) => Err(Error::Empty),
        }
    }
}
