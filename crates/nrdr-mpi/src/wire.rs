//! Numbers on their way between members.

use bytemuck::Pod;
use nrdr::team::Team;

/// Sends `to[r]` to member r; what each of them has sent here.
pub(crate) fn exchange<T: Pod>(team: &dyn Team, to: Vec<Vec<T>>) -> Vec<Vec<T>> {
    let bytes = to.into_iter().map(|numbers| bytemuck::cast_slice(&numbers).to_vec()).collect();
    team.exchange(bytes).iter().map(|bytes| bytemuck::pod_collect_to_vec(bytes)).collect()
}

/// What every member gives, at all of them.
pub(crate) fn gather<T: Pod>(team: &dyn Team, mine: &[T]) -> Vec<Vec<T>> {
    let all = team.gather(bytemuck::cast_slice(mine).to_vec());
    all.iter().map(|bytes| bytemuck::pod_collect_to_vec(bytes)).collect()
}

/// Each entry's sum over all members. Counts are exact below 2^53.
pub(crate) fn sum_counts(team: &dyn Team, counts: &mut [u64]) {
    let mut sums: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
    team.sum(&mut sums);
    counts.iter_mut().zip(sums).for_each(|(count, sum)| *count = sum as u64);
}

/// The largest of what members have.
pub(crate) fn most(team: &dyn Team, mine: u64) -> u64 {
    gather(team, &[mine]).into_iter().flatten().max().unwrap_or(mine)
}

/// Reduces each entry over all members: each of them reduces a share of the entries, which then all get.
pub(crate) fn reduce<T: Pod>(team: &dyn Team, values: &mut [T], join: impl Fn(T, T) -> T) {
    let size = team.size();
    let share = values.len().div_ceil(size).max(1);
    let mut to: Vec<Vec<T>> = values.chunks(share).map(<[T]>::to_vec).collect();
    to.resize_with(size, Vec::new);
    let mut got = exchange(team, to).into_iter();
    let mut own = got.next().unwrap_or_default();
    for theirs in got {
        own.iter_mut().zip(theirs).for_each(|(a, b)| *a = join(*a, b));
    }
    let all = gather(team, &own).into_iter().flatten();
    values.iter_mut().zip(all).for_each(|(value, reduced)| *value = reduced);
}
