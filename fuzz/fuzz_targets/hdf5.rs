#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| nrdr_fuzz::entries::hdf5(bytes));
