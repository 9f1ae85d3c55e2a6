//! Binary formats made by hand, then cut short, changed, or full of promises.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};

use super::tests::{Folder, HARD};
use super::*;

fn npy(descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header =
        format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

fn idx(kind: u8, sizes: &[u32], data: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0, 0, kind, sizes.len() as u8];
    sizes.iter().for_each(|size| bytes.extend(size.to_be_bytes()));
    bytes.extend(data);
    bytes
}

/// A part of a MAT file: type, size, bytes, and zeros up to a multiple of eight.
fn part(kind: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = [kind.to_le_bytes(), (data.len() as u32).to_le_bytes()].concat();
    bytes.extend(data);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

fn matrix(name: &str, class: u8, sizes: &[u32], kind: u32, data: &[u8]) -> Vec<u8> {
    let sizes: Vec<u8> = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
    let flags = part(6, &[class, 0, 0, 0, 0, 0, 0, 0]);
    part(14, &[flags, part(5, &sizes), part(1, name.as_bytes()), part(kind, data)].concat())
}

fn packed(element: &[u8]) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
    packer.write_all(element).unwrap();
    let data = packer.finish().unwrap();
    [&15u32.to_le_bytes(), &(data.len() as u32).to_le_bytes(), data.as_slice()].concat()
}

fn mat(elements: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"MATLAB 5.0 MAT-file".to_vec();
    bytes.resize(124, b' ');
    bytes.extend(b"\x00\x01IM");
    bytes.extend(elements.concat());
    bytes
}

fn doubles(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn values(name: &str, bytes: &[u8]) -> Result<Table, String> {
    values_with(name, bytes, &ReadOptions::default())
}

fn values_with(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Table, String> {
    let folder = Folder::new();
    read(&folder.file(name, bytes), options).map_err(|error| error.to_string())
}

#[test]
fn npy_of_each_type_and_order() {
    macro_rules! check {
        ($($kind:ty, $name:literal);*) => {$(
            let numbers = [1 as $kind, 2 as $kind, 3 as $kind, 100 as $kind, 0 as $kind, 5 as $kind];
            let little: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
            let big: Vec<u8> = numbers.iter().flat_map(|x| x.to_be_bytes()).collect();
            for (order, data) in [("<", little), (">", big)] {
                let descr = format!("{order}{}", $name);
                let c = values("a.npy", &npy(&descr, "False", "(2, 3)", &data)).unwrap();
                assert_eq!(c.values, [1.0, 2.0, 3.0, 100.0, 0.0, 5.0], "{descr}");
                let f = values("a.npy", &npy(&descr, "True", "(2, 3)", &data)).unwrap();
                assert_eq!(f.values, [1.0, 3.0, 0.0, 2.0, 100.0, 5.0], "{descr}");
            }
        )*};
    }
    check!(i8, "i1"; u8, "u1"; i16, "i2"; u16, "u2"; i32, "i4"; u32, "u4"; i64, "i8"; u64, "u8";
        f32, "f4"; f64, "f8");
    let bools = values("a.npy", &npy("|b1", "False", "(3,)", &[1, 0, 1])).unwrap();
    assert_eq!((bools.values, bools.rows), (vec![1.0, 0.0, 1.0], 3));
    let halves = [0x3c00u16, 0xc000, 0x3555, 0x0001, 0x7bff].map(u16::to_le_bytes).concat();
    let halves = values("a.npy", &npy("<f2", "False", "(5,)", &halves)).unwrap();
    assert_eq!(halves.values, [1.0, -2.0, 0.333251953125, 2f64.powi(-24), 65504.0]);
}

#[test]
fn npy_of_pictures_and_transposed() {
    let data: Vec<u8> = (0..12).collect();
    let c = values("a.npy", &npy("|u1", "False", "(2, 2, 3)", &data)).unwrap();
    assert_eq!(c.images, Some(ImageShape::grey(3, 2)));
    assert_eq!((&c.names[5], c.values[7]), (&"p5".to_string(), 7.0));
    let f = values("a.npy", &npy("|u1", "True", "(2, 2, 3)", &data)).unwrap();
    assert_eq!(f.values[..6], [0.0, 4.0, 8.0, 2.0, 6.0, 10.0]);
    let transpose = ReadOptions { transpose: true, ..ReadOptions::default() };
    let t = values_with("a.npy", &npy("|u1", "False", "(3, 4)", &data), &transpose).unwrap();
    assert_eq!((t.rows, &t.values[..3]), (4, &[0.0, 4.0, 8.0][..]));
}

#[test]
fn idx_of_each_type() {
    for (kind, data) in [
        (0x08, vec![1, 2, 3, 4]),
        (0x09, vec![1, 2, 3, 4]),
        (0x0b, [1i16, 2, 3, 4].map(i16::to_be_bytes).concat()),
        (0x0c, [1i32, 2, 3, 4].map(i32::to_be_bytes).concat()),
        (0x0d, [1f32, 2.0, 3.0, 4.0].map(f32::to_be_bytes).concat()),
        (0x0e, [1f64, 2.0, 3.0, 4.0].map(f64::to_be_bytes).concat()),
    ] {
        let table = values("a.idx", &idx(kind, &[2, 2], &data)).unwrap();
        assert_eq!((table.values, table.images), (vec![1.0, 2.0, 3.0, 4.0], None));
    }
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(&idx(8, &[2, 1, 2], &[1, 2, 3, 4])).unwrap();
    let table = values("train-images-idx3-ubyte.gz", &packer.finish().unwrap()).unwrap();
    assert_eq!((table.rows, table.images), (2, Some(ImageShape::grey(2, 1))));
}

#[test]
fn mat_packed_or_not_and_its_errors() {
    let x = matrix("X", 6, &[2, 3], 9, &doubles(&HARD[..6]));
    let scalar = matrix("k", 6, &[1, 1], 2, &[3]);
    let negative = matrix("Y", 6, &[3, 2], 1, &[255, 1, 2, 3, 4, 5]);
    for bytes in [mat(&[scalar.clone(), x.clone()]), mat(&[packed(&x), packed(&scalar)])] {
        let table = values("a.mat", &bytes).unwrap();
        assert_eq!((table.rows, table.values[1], table.values[3]), (2, HARD[2], HARD[1]));
        let transpose = ReadOptions { transpose: true, ..ReadOptions::default() };
        assert_eq!(values_with("a.mat", &bytes, &transpose).unwrap().values, HARD[..6]);
    }
    let several = mat(&[x.clone(), packed(&negative)]);
    let error = values("a.mat", &several).unwrap_err();
    assert!(error.contains("(X (2 x 3), Y (3 x 2)): choose one with variable"), "{error}");
    let named = |name: &str| ReadOptions { variable: Some(name.into()), ..ReadOptions::default() };
    assert_eq!(values_with("a.mat", &several, &named("Y")).unwrap().values[0], -1.0);
    assert!(values_with("a.mat", &several, &named("Z")).unwrap_err().contains("no array \"Z\""));
    let sparse = values("a.mat", &mat(&[matrix("S", 5, &[2, 2], 9, &[])])).unwrap_err();
    assert!(sparse.contains("S (2 x 2) is sparse: "), "{sparse}");
    let mut hdf = b"MATLAB 7.3 MAT-file".to_vec();
    hdf.resize(600, 0);
    assert!(values("a.mat", &hdf).unwrap_err().contains("of version 5 to 7.3: "));
}

/// The pictures of heads as they are published: a column an image. Not part of the repository.
#[test]
fn mat_of_published_images() {
    let Some(path) = std::env::var_os("NRDR_HEADS") else { return };
    let options =
        ReadOptions { variable: Some("dataY".into()), transpose: true, ..ReadOptions::default() };
    let table = read(Path::new(&path), &options).unwrap();
    assert_eq!((table.rows, table.names.len()), (698, 1024));
    let columns = read(Path::new(&path), &ReadOptions { transpose: false, ..options }).unwrap();
    assert_eq!((columns.rows, columns.values[698]), (1024, table.values[1]));
}

#[test]
fn folders_of_images() {
    let folder = Folder::new();
    let grey = |name: &str, size: (u32, u32), value: u8| {
        image::GrayImage::from_pixel(size.0, size.1, [value].into())
            .save(folder.path(name))
            .unwrap();
    };
    let error =
        |folder: &Folder| read(&folder.path(""), &ReadOptions::default()).unwrap_err().to_string();
    assert!(error(&folder).contains("has no .png"));
    grey("b.png", (3, 2), 255);
    grey("a.png", (3, 2), 51);
    folder.file("notes.txt", "not a picture");
    let table = read(&folder.path(""), &ReadOptions::default()).unwrap();
    assert_eq!((table.rows, table.values[0], table.values[6]), (2, 0.2, 1.0));
    assert_eq!(table.images, Some(ImageShape::grey(3, 2)));
    assert_eq!((table.text[0].get(0), table.text[0].get(1)), ("a.png", "b.png"));
    grey("c.jpg", (3, 3), 9);
    assert!(error(&folder).contains("a.png is 3 x 2 and c.jpg is 3 x 3: "));
    folder.file("c.jpg", b"no picture at all");
    assert!(error(&folder).contains("\"c.jpg\" cannot be read"));
}

/// A small file of each binary format.
fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let folder = Folder::new();
    let names = ["one".to_string(), "two".to_string()];
    let written = |name: &str| {
        write_table(&folder.path(name), &names, &[HARD.as_slice().into(), HARD.as_slice().into()])
            .unwrap();
        fs::read(folder.path(name)).unwrap()
    };
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(&idx(8, &[20, 4, 4], &[7; 320])).unwrap();
    let x = matrix("X", 6, &[4, 2], 9, &doubles(&HARD));
    vec![
        ("a.npy", npy("<f8", "False", "(4, 2)", &doubles(&HARD))),
        ("a.npz", written("a.npz")),
        ("a.parquet", written("a.parquet")),
        ("dictionary.parquet", parquet_texts(true)),
        ("plain.parquet", parquet_texts(false)),
        ("a.idx", idx(0x0e, &[4, 8], &[0x3f; 256])),
        ("a.idx.gz", packer.finish().unwrap()),
        ("plain.mat", mat(std::slice::from_ref(&x))),
        ("packed.mat", mat(&[packed(&x)])),
    ]
}

/// Texts, some of them null, as a dictionary or plain.
fn parquet_texts(dictionary: bool) -> Vec<u8> {
    use ::parquet::data_type::{ByteArray, ByteArrayType};
    use ::parquet::file::{properties::WriterProperties, writer::SerializedFileWriter};
    use ::parquet::schema::parser::parse_message_type;
    let schema = parse_message_type("message m { optional binary label (UTF8); }").unwrap();
    let properties = WriterProperties::builder().set_dictionary_enabled(dictionary).build();
    let mut bytes = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut bytes, schema.into(), properties.into()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let texts = ["one", "two", "one"].map(ByteArray::from);
    let levels = [1, 0, 1, 1];
    column.typed::<ByteArrayType>().write_batch(&texts, Some(&levels), None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

#[test]
fn parquet_of_texts() {
    for dictionary in [true, false] {
        let table = values("t.parquet", &parquet_texts(dictionary)).unwrap();
        let texts: Vec<&str> = (0..4).map(|row| table.text[0].get(row)).collect();
        assert_eq!((texts, table.names.len()), (vec!["one", "", "two", "one"], 0));
    }
}

fn any_array(name: &str) -> ReadOptions {
    let variable = (name == "a.npz").then(|| "embedding".to_string());
    ReadOptions { variable, ..ReadOptions::default() }
}

#[test]
fn files_cut_short_are_refused() {
    for (name, bytes) in samples() {
        values_with(name, &bytes, &any_array(name)).unwrap();
        for length in (0..200.min(bytes.len())).chain([bytes.len() - 1]) {
            let error = values_with(name, &bytes[..length], &any_array(name)).unwrap_err();
            assert!(error.contains(name) && error.contains(": "), "{name} {length} {error}");
        }
    }
}

/// Whatever a byte is changed to, the file reads or is refused.
#[test]
fn changed_bytes_do_no_harm() {
    let folder = Folder::new();
    for (name, bytes) in samples() {
        for at in 0..bytes.len() {
            for change in [0x01, 0x80, bytes[at]] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                let path = folder.file(name, &changed);
                let _ = read(&path, &any_array(name));
            }
        }
    }
}

#[test]
fn promises_of_huge_arrays_are_refused() {
    let huge = "(4294967296, 4294967296)";
    for (name, bytes) in [
        ("a.npy", npy("<f8", "False", huge, &[0; 64])),
        ("a.npy", npy("<f8", "False", "(1000000000, 100)", &[0; 64])),
        ("a.npy", npy("<f8", "False", "(0, 18446744073709551615)", &[0; 64])),
        ("a.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\xff{".to_vec()),
        ("a.idx", idx(0x0e, &[u32::MAX; 255], &[0; 64])),
        ("a.mat", mat(&[matrix("X", 6, &[u32::MAX, u32::MAX], 9, &[0; 64])])),
        ("a.mat", mat(&[packed(&matrix("X", 6, &[100_000, 100_000], 9, &[0; 64]))])),
    ] {
        let error = values(name, &bytes).unwrap_err();
        assert!(error.contains("damaged") || error.contains("empty"), "{error}");
    }
    // More numbers than any table of this length has, and some that are not there.
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(&idx(0x0e, &[1 << 16, 1 << 12], &[])).unwrap();
    let error = values("a.idx.gz", &packer.finish().unwrap()).unwrap_err();
    assert!(error.contains("unpack it first"), "{error}");
    let mut endless = limit::BoundedRows::new(io::repeat(b'1'), limit::RowBegun::default());
    assert!(io::copy(&mut endless, &mut io::sink()).unwrap_err().to_string().contains("16 MB"));
}

/// What is bounded is the memory of the table, whatever the text of it takes.
#[test]
fn packed_files_are_bounded_by_their_numbers() {
    let packed = |bytes: &[u8]| {
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    };
    let small = ReadOptions { unpacked: Some(1 << 20), ..ReadOptions::default() };
    let rows = |count: usize, row: &str| packed(row.repeat(count).as_bytes());
    // 100 000 numbers fit in a megabyte, 200 000 do not, however long their text is.
    for (name, bytes, fits) in [
        ("t.csv.gz", rows(50_000, "0,0\n"), true),
        ("t.csv.gz", rows(100_000, "0,0\n"), false),
        ("t.csv.gz", rows(50_000, "0.0000000000000000000,              0\n"), true),
        ("t.csv.gz", rows(100_000, "0,a\n"), false),
        ("t.csv.gz", rows(200_000, ",\n"), false),
        ("t.idx.gz", packed(&idx(8, &[100_000, 1], &[0; 100_000])), true),
        ("t.idx.gz", packed(&idx(8, &[200_000, 1], &[0; 200_000])), false),
        ("t.mat", mat(&[self::packed(&matrix("X", 6, &[10_000, 10], 2, &[0; 100_000]))]), true),
        ("t.mat", mat(&[self::packed(&matrix("X", 6, &[10_000, 20], 2, &[0; 200_000]))]), false),
    ] {
        let options = ReadOptions { missing: Missing::Keep, ..small.clone() };
        let table = values_with(name, &bytes, &options);
        let refused = |error: &String| error.contains("far more numbers");
        assert_eq!(table.is_ok(), fits, "{name} {:?}", table.err());
        assert!(table.as_ref().err().is_none_or(refused), "{name} {:?}", table.err());
    }
    // Each distinct text counts with all its letters.
    let texts: String = (0..4000).map(|i| format!("{i},{}{i}\n", "a".repeat(10_000))).collect();
    assert!(values_with("t.csv.gz", &packed(texts.as_bytes()), &small).is_err());
    assert!(values_with("t.csv", texts.as_bytes(), &small).is_ok(), "not packed, not bounded");
    // A table of zeros that packs by a thousand is read.
    let zeros = rows(200_000, "0,0,0,0,0\n");
    assert_eq!(values("t.csv.gz", &zeros).unwrap().rows, 200_000);
}
