//! What members of a team tell each other: failures, and values as JSON.

use nrdr::team::{Team, agree};
use nrdr_cli::shared::Failure;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a member came to, or why some member failed: no member goes on alone. The first failure, by number of member, is
/// everybody's.
pub fn agreed<T>(team: &dyn Team, mine: Result<T, Failure>) -> Result<T, Failure> {
    let mine = mine.map_err(Failure::into_message);
    agree(team, mine, String::clone, |_, text| text).map_err(Failure::Usage)
}

/// What each member gives, at all of them, in order of their numbers; or why some member failed.
pub fn gathered<T: Serialize + DeserializeOwned>(
    team: &dyn Team,
    mine: Result<T, Failure>,
) -> Result<Vec<T>, Failure> {
    let mine = mine.and_then(|value| serde_json::to_vec(&value).map_err(odd));
    let mine = agreed(team, mine)?;
    team.gather(mine).iter().map(|bytes| serde_json::from_slice(bytes).map_err(odd)).collect()
}

/// What the first member came to, at all of them; the others do nothing.
pub fn from_first<T: Serialize + DeserializeOwned>(
    team: &dyn Team,
    make: impl FnOnce() -> Result<T, Failure>,
) -> Result<T, Failure> {
    // Nothing at all is a value, too: it is told apart from what the others have by being in a list.
    let mine = if team.rank() == 0 { make().map(|value| vec![value]) } else { Ok(Vec::new()) };
    let first = gathered(team, mine)?.into_iter().next().and_then(|mut first| first.pop());
    first.ok_or_else(|| Failure::Usage("the first process told nothing: run it again".to_string()))
}

fn odd(error: serde_json::Error) -> Failure {
    Failure::Usage(format!("what processes tell each other is not JSON ({error}): run it again"))
}

/// So many rows spread evenly over so many members, in order: where those of each begin, and where the last ones end.
pub fn even(rows: u64, members: usize) -> Vec<u64> {
    let members = members.max(1) as u128;
    (0..=members).map(|r| (u128::from(rows) * r / members) as u64).collect()
}

/// Numbers as bytes, and back.
pub(crate) fn bytes_of(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

pub(crate) fn numbers_of(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()
}

#[cfg(test)]
mod tests {
    use nrdr::team::of_threads;

    use super::*;

    #[test]
    fn rows_are_spread_evenly() {
        assert_eq!(even(10, 4), [0, 2, 5, 7, 10]);
        assert_eq!(even(2, 3), [0, 0, 1, 2]);
        assert_eq!(even(u64::MAX, 2), [0, u64::MAX / 2, u64::MAX]);
    }

    #[test]
    fn the_first_failure_is_everybodys() {
        let seen = of_threads(3, |team| {
            let failed = || Err(Failure::Usage(format!("disk {} is full: make room", team.rank())));
            let mine = if team.rank() > 0 { failed() } else { Ok(0) };
            gathered(team, mine).map_err(Failure::into_message)
        });
        assert!(seen.iter().all(|seen| *seen == Err("disk 1 is full: make room".to_string())));
        let told = of_threads(2, |team| from_first(team, || Ok(vec![team.rank(), 7])).ok());
        assert_eq!(told, [Some(vec![0, 7]), Some(vec![0, 7])]);
        assert!(of_threads(2, |team| from_first(team, || Ok(())).is_ok()).iter().all(|ok| *ok));
    }
}
