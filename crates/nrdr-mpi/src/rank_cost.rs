//! What a run took of each of its processes.

use nrdr_report::memory::peak_megabytes;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a run took of one process.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RankCost {
    /// The most memory that it had.
    pub peak_memory_mb: Option<f64>,
    /// Bytes that it sent to others, by stage.
    pub sent: Map<String, Value>,
}

impl RankCost {
    /// That of this process.
    pub fn of_this(sent: Vec<(String, u64)>) -> Self {
        let sent = sent.into_iter().map(|(stage, bytes)| (stage, Value::from(bytes)));
        RankCost { peak_memory_mb: peak_megabytes(), sent: sent.collect() }
    }
}
