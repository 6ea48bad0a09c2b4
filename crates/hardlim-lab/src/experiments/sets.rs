//! The thirteen data sets of the paper's table, with the numbers printed there.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use flate2::read::GzDecoder;
use hardlim::Error;
use hardlim::data::Features;
use hardlim::table::builtin::TableSize;
use hardlim::table::{ReadOptions, Table};

use Source::{Builtin, Cifar, Csv, Mnist};

use crate::experiments::samples::Samples;

/// One data set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Set {
    /// Its name.
    pub name: &'static str,
    /// The number of rows; if there is a separate test part, without it.
    pub n: usize,
    /// The number of features.
    pub d: usize,
    source: Source,
    /// The printed accuracies: Convex-Lasso, then STE, ReLU, leaky and clipped ReLU.
    pub accuracy: [f64; 5],
    /// The printed standard deviation of Convex-Lasso's accuracy.
    pub deviation: f64,
    /// The printed times.
    pub seconds: [f64; 5],
}

/// Where a set comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// Built in.
    Builtin,
    /// A file of the data folder, `uci/NAME.csv`.
    Csv,
    /// The digits 0 and 1 of MNIST, in its own format.
    Mnist,
    /// Airplanes and automobiles of CIFAR-10, in its binary format.
    Cifar,
}

/// A set with more numbers than this is large.
const LARGE: usize = 50_000;

const MNIST: [&str; 4] = [
    "mnist01/train-images-idx3-ubyte.gz",
    "mnist01/train-labels-idx1-ubyte.gz",
    "mnist01/test-images-idx3-ubyte.gz",
    "mnist01/test-labels-idx1-ubyte.gz",
];
const CIFAR: [&str; 2] = ["cifar2/train.bin.gz", "cifar2/test.bin.gz"];

/// All of them, in the order of the table.
#[rustfmt::skip] // as printed: accuracies, then the deviation and times
pub const SETS: [Set; 13] = [
    set("cifar-10", 10000, 3072, Cifar, [0.816, 0.81, 0.803, 0.798, 0.808],
        0.008, [8.9, 83.5, 85.8, 92.1, 87.1]),
    set("mnist", 12665, 784, Mnist, [0.9991, 0.9986, 0.9984, 0.9985, 0.9985],
        0.00019, [39.4, 61.3, 63.4, 75.5, 64.9]),
    set("bank", 4521, 16, Csv, [0.895, 0.892, 0.9, 0.899, 0.897],
        0.007, [7.72, 5.83, 5.96, 8.41, 6.35]),
    set("chess-krvkp", 3196, 36, Csv, [0.945, 0.937, 0.934, 0.945, 0.941],
        0.005, [5.34, 6.78, 6.17, 7.44, 6.15]),
    set("mammographic", 961, 5, Csv, [0.818, 0.808, 0.803, 0.801, 0.817],
        0.014, [2.64, 5.4, 6.51, 5.76, 5.29]),
    set("oocytes-4d", 1022, 41, Csv, [0.787, 0.787, 0.756, 0.723, 0.732],
        0.02, [2.23, 5.61, 7.09, 6.22, 5.79]),
    set("oocytes-2f", 912, 25, Csv, [0.799, 0.776, 0.774, 0.775, 0.783],
        0.022, [1.99, 5.24, 6.97, 5.89, 5.46]),
    set("ozone", 2536, 72, Csv, [0.967, 0.967, 0.967, 0.967, 0.967],
        0.006, [3.65, 6.3, 6.89, 7.86, 6.2]),
    set("pima", 768, 8, Csv, [0.719, 0.727, 0.73, 0.734, 0.729],
        0.019, [1.67, 5.2, 6.54, 5.72, 5.23]),
    set("spambase", 4601, 57, Csv, [0.919, 0.924, 0.925, 0.921, 0.926],
        0.007, [6.91, 7.41, 6.17, 8.78, 6.61]),
    set("statlog-german", 1000, 24, Csv, [0.761, 0.755, 0.756, 0.753, 0.758],
        0.03, [2.22, 5.84, 6.39, 5.89, 5.48]),
    set("tic-tac-toe", 958, 9, Builtin, [0.98, 0.954, 0.932, 0.926, 0.951],
        0.01, [1.89, 4.97, 6.63, 5.61, 5.18]),
    set("titanic", 2201, 3, Builtin, [0.778, 0.79, 0.784, 0.796, 0.784],
        0.041, [0.35, 5.06, 6.3, 6.24, 5.19]),
];

const fn set(
    name: &'static str,
    n: usize,
    d: usize,
    source: Source,
    accuracy: [f64; 5],
    deviation: f64,
    seconds: [f64; 5],
) -> Set {
    Set { name, n, d, source, accuracy, deviation, seconds }
}

impl Set {
    /// Whether it is a set of images, with a separate test part.
    pub fn images(&self) -> bool {
        matches!(self.source, Mnist | Cifar)
    }

    /// Whether it is large; large sets get less work.
    pub fn large(&self) -> bool {
        self.n * self.d > LARGE
    }

    /// Whether it needs no file.
    pub fn builtin(&self) -> bool {
        self.source == Builtin
    }

    /// Its files in the data folder.
    pub fn files(&self) -> Vec<String> {
        match self.source {
            Builtin => Vec::new(),
            Csv => vec![format!("uci/{}.csv", self.name)],
            Mnist => MNIST.map(String::from).into(),
            Cifar => CIFAR.map(String::from).into(),
        }
    }

    /// Where to get it.
    pub fn origin(&self) -> &'static str {
        match self.source {
            Builtin => "built in",
            Csv => {
                "the archive of Fernández-Delgado et al., JMLR 15 (2014): columns x1, …, xd, y \
                 with y 0 or 1"
            }
            Mnist => "the MNIST database, digits 0 and 1 only, in the IDX format, gzipped",
            Cifar => "CIFAR-10, airplane and automobile only, in the binary format, gzipped",
        }
    }

    /// Whether all its files are there.
    pub fn available(&self, folder: Option<&Path>) -> bool {
        let there = |file: &String| folder.is_some_and(|folder| folder.join(file).is_file());
        self.files().iter().all(there)
    }

    /// The samples, from a folder in the layout of [`Set::files`].
    pub(crate) fn read(&self, folder: Option<&Path>) -> Result<Samples, Error> {
        let folder = folder.unwrap_or(Path::new("."));
        match self.source {
            Builtin => Samples::builtin(self.name, TableSize::default()),
            Csv => {
                let path = folder.join(&self.files()[0]);
                Samples::of(&Table::open(&path.to_string_lossy(), &ReadOptions::default())?)
            }
            Mnist => mnist(folder),
            Cifar => cifar(folder),
        }
    }

    /// Features and targets of all rows, from a folder in the layout of [`Set::files`].
    ///
    /// # Errors
    /// When a file is missing or does not have the expected format.
    pub fn rows(&self, folder: Option<&Path>) -> Result<(Features, Vec<f64>), Error> {
        let Samples { x, y, .. } = self.read(folder)?;
        Ok((x, y))
    }
}

/// The sets whose files are missing.
pub fn missing(folder: Option<&Path>) -> Vec<Set> {
    SETS.into_iter().filter(|set| !set.available(folder)).collect()
}

fn unpack(folder: &Path, name: &str) -> Result<Vec<u8>, Error> {
    let path = folder.join(name);
    let mut bytes = Vec::new();
    File::open(&path)
        .and_then(|file| GzDecoder::new(file).read_to_end(&mut bytes))
        .map_err(|reason| Error::Read { path, reason })?;
    Ok(bytes)
}

/// The labels of some images, and their pixels.
type Pictures = (Vec<u8>, Vec<u8>);

/// Labels 0 or 1, and images of `width` bytes: the parts for training and for testing, each with
/// its file and what it holds, if that is in order.
fn images(
    folder: &Path,
    width: usize,
    parts: Vec<(&str, Option<Pictures>)>,
) -> Result<Samples, Error> {
    let (mut values, mut y, mut test) = (Vec::new(), Vec::new(), 0);
    for (name, part) in parts {
        let whole = |(labels, pixels): &Pictures| {
            pixels.len() == width * labels.len() && labels.iter().all(|label| *label < 2)
        };
        let (labels, pixels) = part.filter(whole).ok_or_else(|| {
            let reason = std::io::Error::other("it does not have the expected format");
            Error::Read { path: folder.join(name), reason }
        })?;
        values.extend(pixels.iter().map(|&byte| f64::from(byte) / 255.0));
        y.extend(labels.iter().map(|&label| 2.0 * f64::from(label) - 1.0));
        test = labels.len();
    }
    Ok(Samples { x: Features::new(y.len(), width, values)?, y, test: Some(test) })
}

fn mnist(folder: &Path) -> Result<Samples, Error> {
    let mut parts = Vec::new();
    for pair in MNIST.chunks(2) {
        let (images, answers) = (unpack(folder, pair[0])?, unpack(folder, pair[1])?);
        let headed = images.len() >= 16
            && answers.len() >= 8
            && images[..4] == [0, 0, 8, 3]
            && answers[..4] == [0, 0, 8, 1];
        parts.push((pair[0], headed.then(|| (answers[8..].to_vec(), images[16..].to_vec()))));
    }
    images(folder, 784, parts)
}

fn cifar(folder: &Path) -> Result<Samples, Error> {
    let mut parts = Vec::new();
    for name in CIFAR {
        let bytes = unpack(folder, name)?;
        let records = bytes.chunks_exact(3073);
        let labels = records.clone().map(|record| record[0]).collect();
        let pixels = records.clone().flat_map(|record| &record[1..]).copied().collect();
        parts.push((name, records.remainder().is_empty().then_some((labels, pixels))));
    }
    images(folder, 3072, parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    fn pack(folder: &Path, name: &str, bytes: &[u8]) {
        std::fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
        let mut file =
            GzEncoder::new(File::create(folder.join(name)).unwrap(), Compression::fast());
        file.write_all(bytes).unwrap();
        file.finish().unwrap();
    }

    #[test]
    fn the_table_has_thirteen_sets_and_two_need_no_file() {
        let missing: Vec<&str> = missing(None).iter().map(|set| set.name).collect();
        assert_eq!(missing.len(), 11);
        assert!(!missing.contains(&"titanic") && !missing.contains(&"tic-tac-toe"));
        let best = |k: usize| {
            let wins = |set: &&Set| set.accuracy.iter().all(|a| set.accuracy[k] >= *a);
            SETS.iter().filter(wins).count()
        };
        assert_eq!(best(0), 9, "the paper counts nine");
    }

    #[test]
    fn images_are_read_as_parts_of_one() {
        let folder = tempfile::tempdir().unwrap();
        let mut image = vec![0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 28, 0, 0, 0, 28];
        image.extend([51; 784]);
        for (k, name) in MNIST.into_iter().enumerate() {
            let labels = [0, 0, 8, 1, 0, 0, 0, 1, (k / 2) as u8];
            pack(folder.path(), name, if k % 2 == 0 { &image } else { &labels });
        }
        let samples = mnist(folder.path()).unwrap();
        assert_eq!((samples.y, samples.test), (vec![-1.0, 1.0], Some(1)));
        assert_eq!(samples.x.row(1)[783], 0.2);

        let mut record = vec![1];
        record.extend([255; 3072]);
        CIFAR.into_iter().for_each(|name| pack(folder.path(), name, &record));
        let samples = cifar(folder.path()).unwrap();
        assert_eq!((samples.x.rows(), samples.test, samples.x.row(0)[0]), (2, Some(1), 1.0));
        pack(folder.path(), CIFAR[0], &record[1..]);
        let error = cifar(folder.path()).unwrap_err().to_string();
        assert!(error.contains("train.bin.gz"), "{error}");
    }
}
