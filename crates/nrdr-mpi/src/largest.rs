//! The largest component of a graph: the rows that are left are numbered anew.

use nrdr::team::Team;

use crate::components::SharedComponents;
use crate::csr::SharedCsr;
use crate::ghosts::Ghosts;
use crate::neighbors::SharedLists;
use crate::partition::Partition;
use crate::shared::Rows;

/// In place of the new number of a row that is left out.
const OUT: u64 = u64::MAX;

/// Own rows of the largest component, their lists and their graph, with the numbers that they have among those that are left.
pub(crate) fn largest(
    team: &dyn Team,
    made: Partition,
    components: &SharedComponents,
    lists: &SharedLists,
    graph: &SharedCsr,
) -> (Partition, SharedLists, SharedCsr) {
    let labels = components.labels.iter().zip(0u32..);
    let kept: Vec<u32> = labels.filter(|&(&label, _)| label == 0).map(|(_, i)| i).collect();
    let rows = Rows::of_counts(team, kept.len());
    let mut numbers = vec![OUT; components.labels.len()];
    for (&i, number) in kept.iter().zip(rows.of(team.rank())) {
        numbers[i as usize] = number;
    }
    let needed = lists.indices.iter().chain(&graph.columns).copied();
    let ghosts = Ghosts::new(team, &made.rows, needed);
    let all = ghosts.with_own(team, &numbers, 1);
    let number = |row: u64| ghosts.place(row).map_or(OUT, |place| all[place]);
    let select = |offsets: &[usize], columns: &[u64], values: &[f64]| {
        let mut selected = (vec![0], Vec::new(), Vec::new());
        for &i in &kept {
            let of = offsets[i as usize]..offsets[i as usize + 1];
            for (&column, &value) in columns[of.clone()].iter().zip(&values[of]) {
                let number = number(column);
                if number != OUT {
                    selected.1.push(number);
                    selected.2.push(value);
                }
            }
            selected.0.push(selected.1.len());
        }
        selected
    };
    let (offsets, indices, distances) = select(&lists.offsets, &lists.indices, &lists.distances);
    let lists = SharedLists { offsets, indices, distances };
    let (offsets, columns, values) = select(&graph.offsets, &graph.columns, &graph.values);
    let graph = SharedCsr { rows: rows.clone(), offsets, columns, values };
    let inputs = kept.iter().map(|&i| made.inputs[i as usize]).collect();
    let points = made.points.select(&kept);
    (Partition { rows, inputs, points, pieces: None }, lists, graph)
}
