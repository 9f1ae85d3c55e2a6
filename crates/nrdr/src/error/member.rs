//! Errors as a member of a team tells them to the others.

use super::Error;
use crate::stage::Stage;

impl Error {
    /// What the other members are told. Those that something else is tried after keep what they are.
    pub(crate) fn to_others(&self) -> String {
        match self {
            Error::NotConverged { coordinate, residual, tolerance, iterations } => {
                let (residual, tolerance) = (residual.to_bits(), tolerance.to_bits());
                format!("missed {coordinate} {residual} {tolerance} {iterations}")
            }
            Error::TooManyCoordinates { dims, available } => format!("many {dims} {available}"),
            Error::SmootherTooLarge { points, columns } => format!("smoother {points} {columns}"),
            Error::Cancelled { stage: Stage::Factorization } => "cancelled 0".to_string(),
            Error::Cancelled { .. } => "cancelled 1".to_string(),
            Error::Member { member, reason } => format!("member {member} {reason}"),
            other => format!("other {other}"),
        }
    }

    /// The error that a member has told.
    pub(crate) fn of_other(member: usize, text: String) -> Self {
        let (kind, rest) = text.split_once(' ').unwrap_or((&text, ""));
        let numbers: Vec<u64> = rest.split(' ').map_while(|word| word.parse().ok()).collect();
        let size = |at: usize| numbers[at] as usize;
        match (kind, numbers.len()) {
            ("missed", 4) => Error::NotConverged {
                coordinate: size(0),
                residual: f64::from_bits(numbers[1]),
                tolerance: f64::from_bits(numbers[2]),
                iterations: size(3),
            },
            ("many", 2) => Error::TooManyCoordinates { dims: size(0), available: size(1) },
            ("smoother", 2) => Error::SmootherTooLarge { points: size(0), columns: size(1) },
            ("cancelled", 1) if numbers[0] == 0 => {
                Error::Cancelled { stage: Stage::Factorization }
            }
            ("cancelled", 1) => Error::Cancelled { stage: Stage::Coordinates },
            ("member", _) => match rest.split_once(' ') {
                Some((first, reason)) => Error::Member {
                    member: first.parse().unwrap_or(member),
                    reason: reason.to_string(),
                },
                None => Error::Member { member, reason: rest.to_string() },
            },
            _ => Error::Member { member, reason: rest.to_string() },
        }
    }
}
