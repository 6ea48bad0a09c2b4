//! From bytes to lines of text: decompression, line ends, and limits on length.

use std::cell::Cell;
use std::io::{self, Cursor, ErrorKind, Read};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;

use super::error::Fault;

/// The longest row of a text file, in bytes.
pub(crate) const LONGEST_ROW: u64 = 16 << 20;
/// The longest file that is decompressed, in bytes.
pub(crate) const LONGEST_FILE: u64 = 8 << 30;
/// The bytes that are read before we decide how to read the rest.
const HEAD: u64 = 64 << 10;

/// The first bytes of `.xlsx` and `.ods` files (zip archives), and of `.xls` files.
const SPREADSHEETS: [&[u8]; 2] = [b"PK\x03\x04", b"\xd0\xcf\x11\xe0"];

/// A source of bytes whose first bytes are known.
pub(crate) struct Stream<'a> {
    /// The first 64 KiB, or everything when there is less.
    pub(crate) head: Vec<u8>,
    /// Whether the bytes were decompressed on the way.
    pub(crate) compressed: bool,
    /// The number of bytes, if it is known.
    pub(crate) length: Option<u64>,
    /// The encoding, if it was turned into UTF-8 on the way.
    pub(crate) encoding: Option<&'static str>,
    rest: Box<dyn Read + 'a>,
}

impl<'a> Stream<'a> {
    /// Reads the first bytes, and decompresses if they are those of a gzip file.
    pub(crate) fn open(bytes: impl Read + 'a) -> io::Result<Self> {
        let plain = Self::peek(Box::new(bytes), false)?;
        if SPREADSHEETS.iter().any(|start| plain.head.starts_with(start)) {
            return Err(io::Error::other(Fault::Spreadsheet));
        }
        if !plain.head.starts_with(&[0x1f, 0x8b]) {
            return plain.in_utf8();
        }
        let unpacked = Capped { inner: MultiGzDecoder::new(plain.into_read()), left: LONGEST_FILE };
        Self::peek(Box::new(unpacked), true)?.in_utf8()
    }

    fn peek(mut rest: Box<dyn Read + 'a>, compressed: bool) -> io::Result<Self> {
        let mut head = Vec::new();
        rest.by_ref().take(HEAD).read_to_end(&mut head)?;
        Ok(Self { head, compressed, length: None, encoding: None, rest })
    }

    /// The same text in UTF-8, if a mark at its start says that it is in UTF-16.
    fn in_utf8(self) -> io::Result<Self> {
        let little = match self.head.get(..2) {
            Some([0xff, 0xfe]) => true,
            Some([0xfe, 0xff]) => false,
            _ => return Ok(self),
        };
        let compressed = self.compressed;
        let wide = Wide { inner: self.into_read(), little, ready: Cursor::default() };
        Ok(Self { encoding: Some("UTF-16"), ..Self::peek(Box::new(wide), compressed)? })
    }

    /// All bytes, the first ones included.
    pub(crate) fn into_read(self) -> Box<dyn Read + 'a> {
        Box::new(Cursor::new(self.head).chain(self.rest))
    }

    /// The fault behind an error while reading.
    pub(crate) fn fault(error: io::Error) -> Fault {
        match error.downcast::<Fault>() {
            Ok(fault) => fault,
            Err(error) => Fault::Io(error),
        }
    }
}

/// A reader that fails when there are more bytes than allowed.
struct Capped<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Capped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        let too_long = || io::Error::other(Fault::LongFile { limit: LONGEST_FILE });
        self.left = self.left.checked_sub(n as u64).ok_or_else(too_long)?;
        Ok(n)
    }
}

/// Text in UTF-16, turned into UTF-8. Units without their partner become `�`.
struct Wide<R> {
    inner: R,
    /// Whether the low byte of a unit comes first.
    little: bool,
    ready: Cursor<Vec<u8>>,
}

impl<R: Read> Wide<R> {
    /// The next bytes, at most `most`, as units.
    fn units(&mut self, most: u64) -> io::Result<Vec<u16>> {
        let mut bytes = Vec::new();
        self.inner.by_ref().take(most).read_to_end(&mut bytes)?;
        let unit = |pair: &[u8]| {
            let pair = [pair[0], *pair.get(1).unwrap_or(&0)];
            if self.little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
        };
        Ok(bytes.chunks(2).map(unit).collect())
    }
}

impl<R: Read> Read for Wide<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.ready.read(buffer)?;
        if read > 0 || buffer.is_empty() {
            return Ok(read);
        }
        let mut units = self.units(1 << 13)?;
        if units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
            units.extend(self.units(2)?); // the second one of a pair
        }
        let text: String = char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect();
        self.ready = Cursor::new(text.into_bytes());
        self.ready.read(buffer)
    }
}

/// Text with `\n` at the end of every line, the last one included, and no row too long.
pub(crate) struct Lines<R> {
    inner: R,
    /// Bytes read since the last row ended. The code that finds the end of a row resets it to zero.
    pub(crate) row_bytes: Rc<Cell<u64>>,
    after_return: bool,
    ended: bool,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(inner: R) -> Self {
        Self { inner, row_bytes: Rc::default(), after_return: false, ended: false }
    }

    /// Turns `\r\n` and `\r` into `\n` in place, and returns how many bytes are left.
    fn unify_line_ends(&mut self, bytes: &mut [u8]) -> usize {
        if !self.after_return && !bytes.contains(&b'\r') {
            return bytes.len();
        }
        let mut kept = 0;
        for k in 0..bytes.len() {
            let byte = bytes[k];
            let second_of_two = self.after_return && byte == b'\n';
            self.after_return = byte == b'\r';
            if !second_of_two {
                bytes[kept] = if byte == b'\r' { b'\n' } else { byte };
                kept += 1;
            }
        }
        kept
    }
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let n = match self.inner.read(buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                n => n?,
            };
            if n == 0 {
                if !self.ended && !buffer.is_empty() {
                    self.ended = true;
                    buffer[0] = b'\n';
                    return Ok(1);
                }
                return Ok(0);
            }
            if buffer[..n].contains(&0) {
                return Err(io::Error::other(Fault::Nul));
            }
            self.row_bytes.set(self.row_bytes.get() + n as u64);
            if self.row_bytes.get() > LONGEST_ROW {
                return Err(io::Error::other(Fault::LongRow { limit: LONGEST_ROW }));
            }
            match self.unify_line_ends(&mut buffer[..n]) {
                0 => {}
                kept => return Ok(kept),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A reader that returns its bytes in pieces of a given length.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let n = self.1.min(buffer.len()).min(self.0.len());
            buffer[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    proptest! {
        #[test]
        fn every_line_ends_alike(text in "[a\r\n]{0,20}", piece in 1usize..5) {
            let mut read = String::new();
            Lines::new(Pieces(text.as_bytes(), piece)).read_to_string(&mut read).unwrap();
            prop_assert_eq!(read, text.replace("\r\n", "\n").replace('\r', "\n") + "\n");
        }
    }

    #[test]
    fn spreadsheets_are_told_to_be_saved_as_csv() {
        for bytes in [&b"PK\x03\x04\x14\0\x06\0"[..], b"\xd0\xcf\x11\xe0\xa1\xb1"] {
            let fault = Stream::fault(Stream::open(bytes).err().unwrap());
            assert!(fault.to_string().ends_with("save it as CSV"), "{fault}");
        }
        assert!(Stream::open(&b"PK,y\n1,2\n"[..]).is_ok());
    }

    #[test]
    fn a_cap_allows_what_fits() {
        let read = |left| Capped { inner: &b"abcd"[..], left }.read_to_end(&mut Vec::new());
        assert_eq!(read(4).unwrap(), 4);
        let fault = Stream::fault(read(3).unwrap_err());
        assert!(matches!(fault, Fault::LongFile { limit: LONGEST_FILE }));
    }

    #[test]
    fn a_row_that_does_not_end_is_refused() {
        let mut lines = Lines::new(io::repeat(b'x'));
        let error = io::copy(&mut lines, &mut io::sink()).unwrap_err();
        assert!(matches!(Stream::fault(error), Fault::LongRow { limit: LONGEST_ROW }));
    }
}
