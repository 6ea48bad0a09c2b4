//! A picture as a file.

use std::path::{Path, PathBuf};

use hardlim::Error;
use hardlim::model::file;

use crate::Figure;

/// A file to draw into.
#[derive(Debug, Clone)]
pub struct Picture {
    path: PathBuf,
    format: Format,
}

#[derive(Debug, Clone, Copy)]
enum Format {
    Svg,
    Png,
}

impl Picture {
    /// A picture file; the name decides the format, .svg or .png.
    pub fn new(path: impl Into<PathBuf>) -> Option<Self> {
        let path = path.into();
        let format = match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "svg" => Format::Svg,
            "png" => Format::Png,
            _ => return None,
        };
        Some(Self { path, format })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the figure.
    ///
    /// # Errors
    /// When the figure cannot be drawn, or the file cannot be written.
    pub fn write(&self, figure: &Figure) -> Result<(), Error> {
        let bytes = match self.format {
            Format::Svg => figure.svg().into_bytes(),
            Format::Png => {
                figure.png().map_err(|reason| Error::Write { path: self.path.clone(), reason })?
            }
        };
        file::write(&self.path, &bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_format() {
        assert!(Picture::new("a.svg").is_some() && Picture::new("b.PNG").is_some());
        assert!(Picture::new("svg").is_none() && Picture::new("a.pdf").is_none());
    }
}
