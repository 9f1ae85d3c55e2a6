//! Writes rendered heads, those of Figure 6, and how they are seen; `bench/run.py` calls it.
//!
//! ```text
//! heads COUNT SEED IMAGES POSES
//! ```
//!
//! IMAGES and POSES hold little-endian f64, row after row: the pixels of a head; its pan, tilt and light in degrees.

#[path = "../src/head.rs"]
mod head;

use std::error::Error;
use std::fs;

use head::{poses, render};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [count, seed, images, seen] = args.as_slice() else {
        return Err("usage: heads COUNT SEED IMAGES POSES".into());
    };
    let poses = poses(count.parse()?, seed.parse()?);
    fs::write(images, bytes(poses.iter().flat_map(|&pose| render(pose))))?;
    fs::write(seen, bytes(poses.iter().flat_map(|pose| [pose.pan, pose.tilt, pose.light])))?;
    Ok(())
}

fn bytes(values: impl Iterator<Item = f64>) -> Vec<u8> {
    values.flat_map(f64::to_le_bytes).collect()
}
