//! LZF, a compression that h5py has of its own: runs of bytes as they are, and copies of earlier ones.

/// Unpacks at most `most` bytes; nothing if the bytes are damaged or more.
pub(super) fn unpack(packed: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut out: Vec<u8> = Vec::new();
    let mut packed = packed.iter().copied();
    while let Some(control) = packed.next() {
        let control = usize::from(control);
        if control < 32 {
            for _ in 0..=control {
                out.push(packed.next()?);
            }
        } else {
            let mut length = control >> 5;
            if length == 7 {
                length += usize::from(packed.next()?);
            }
            let distance = ((control & 31) << 8 | usize::from(packed.next()?)) + 1;
            let start = out.len().checked_sub(distance)?;
            for at in start..start + length + 2 {
                out.push(out[at]);
            }
        }
        if out.len() > most {
            return None;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_copies() {
        // "abc", then six bytes from three back, then three from one back.
        let packed = [2, b'a', b'b', b'c', 0x80, 2, 0x20, 0];
        assert_eq!(unpack(&packed, 100).unwrap(), b"abcabcabcccc");
        assert_eq!(unpack(&packed, 5), None);
        // A long one: 7 + 4 + 2 bytes.
        assert_eq!(unpack(&[0, b'x', 0xe0, 4, 0], 100).unwrap(), [b'x'; 14]);
        for broken in [&[3, 1][..], &[0x20, 0], &[0x20], &[0xe0, 1]] {
            assert_eq!(unpack(broken, 100), None);
        }
    }
}
