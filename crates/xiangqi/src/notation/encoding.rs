//! The encoding of text from outside.

use encoding_rs::{BIG5, Encoding as Table, GB18030, UTF_8, UTF_16BE, UTF_16LE};
use std::{borrow::Cow, fmt, str::FromStr};

/// An encoding of Chinese text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// Unicode's.
    Utf8,
    /// What Chinese Windows writes: GBK and GB2312 are parts of it.
    Gb18030,
    /// Of traditional characters.
    Big5,
}

impl Encoding {
    const ALL: [(&'static str, Self); 6] = [
        ("utf-8", Self::Utf8),
        ("gb18030", Self::Gb18030),
        ("big5", Self::Big5),
        ("utf8", Self::Utf8),
        ("gbk", Self::Gb18030),
        ("gb2312", Self::Gb18030),
    ];

    const fn table(self) -> &'static Table {
        match self {
            Self::Utf8 => UTF_8,
            Self::Gb18030 => GB18030,
            Self::Big5 => BIG5,
        }
    }

    /// A text in this encoding. A character that it does not have becomes `?`.
    pub fn encode(self, text: &str) -> Vec<u8> {
        if let (bytes, _, false) = self.table().encode(text) {
            return bytes.into_owned();
        }
        let mut bytes = Vec::with_capacity(text.len());
        for letter in text.chars() {
            let mut buffer = [0; 4];
            match self.table().encode(letter.encode_utf8(&mut buffer)) {
                (encoded, _, false) => bytes.extend_from_slice(&encoded),
                _ => bytes.push(b'?'),
            }
        }
        bytes
    }
}

/// A name of no encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseEncodingError;

impl fmt::Display for ParseEncodingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an encoding is utf-8, gb18030 or big5")
    }
}

impl std::error::Error for ParseEncodingError {}

impl FromStr for Encoding {
    type Err = ParseEncodingError;

    /// Reads `utf-8`, `gb18030` (also `gbk`, `gb2312`) or `big5`, in any case.
    fn from_str(name: &str) -> Result<Self, ParseEncodingError> {
        let found = Self::ALL.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, encoding)| encoding).ok_or(ParseEncodingError)
    }
}

/// Text from outside: UTF-8, or else what Chinese Windows writes, GBK in its extension GB18030.
/// Bytes that are neither become replacement characters.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    decode_as(bytes, None).0
}

/// Text from outside, and whether all of it could be read; bytes that could not become replacement
/// characters. A byte order mark decides; then the encoding that is named; then the text is UTF-8
/// if it can be, or else GB18030, or Big5 where only that fits.
pub fn decode_as(bytes: &[u8], encoding: Option<Encoding>) -> (Cow<'_, str>, bool) {
    if let Some((table, mark)) = Table::for_bom(bytes)
        && [UTF_8, UTF_16LE, UTF_16BE].contains(&table)
    {
        let (text, bad) = table.decode_without_bom_handling(&bytes[mark..]);
        return (text, !bad);
    }
    if let Some(encoding) = encoding {
        let (text, bad) = encoding.table().decode_without_bom_handling(bytes);
        return (text, !bad);
    }
    if let Ok(text) = str::from_utf8(bytes) {
        return (Cow::Borrowed(text), true);
    }
    let (text, bad) = GB18030.decode_without_bom_handling(bytes);
    if bad && let Some(text) = BIG5.decode_without_bom_handling_and_without_replacement(bytes) {
        return (text, true);
    }
    (text, !bad)
}

/// The encoding that a text is most likely in, by a whole file or its beginning: a line alone may
/// be so short that it fits several. `None` for plain ASCII and for UTF-16, which has a mark.
pub fn detect(bytes: &[u8]) -> Option<Encoding> {
    if bytes.is_ascii() || Table::for_bom(bytes).is_some_and(|(table, _)| table != UTF_8) {
        return None;
    }
    // The beginning of a file may end inside a character.
    let end = bytes.iter().rposition(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let bytes = &bytes[..end];
    if str::from_utf8(bytes).is_ok() {
        return Some(Encoding::Utf8);
    }
    let fits = |table: &'static Table| !table.decode_without_bom_handling(bytes).1;
    if !fits(GB18030) && fits(BIG5) { Some(Encoding::Big5) } else { Some(Encoding::Gb18030) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_both_encodings() {
        // 炮二平五 by the code tables of the standard, row and cell plus 0xA0.
        let gbk = b"\xc5\xda\xb6\xfe\xc6\xbd\xce\xe5";
        assert_eq!(decode(gbk), "炮二平五");
        assert_eq!(decode("炮二平五".as_bytes()), "炮二平五");
        assert_eq!(decode(b"h2e2"), "h2e2");
        assert_eq!(decode(b"h2e2 \xff\xff"), "h2e2 \u{fffd}\u{fffd}");
        assert_eq!(decode("\u{feff}h2e2".as_bytes()), "h2e2");
        assert_eq!(Encoding::Gb18030.encode("炮二平五"), gbk);
    }

    #[test]
    fn other_encodings() {
        // 中文 in Big5 and in UTF-16 with its mark, by the published tables.
        let big5 = b"\xa4\xa4\xa4\xe5";
        assert_eq!(decode_as(big5, Some(Encoding::Big5)), ("中文".into(), true));
        assert_eq!(Encoding::Big5.encode("中文"), big5);
        assert_eq!(decode(b"\xff\xfe\x2d\x4e\x87\x65"), "中文");
        assert!(!decode_as(b"a\xff\xffb", Some(Encoding::Utf8)).1);
        assert_eq!(Encoding::Big5.encode("a车b"), b"a?b", "车 is simplified only");
        assert_eq!("GBK".parse(), Ok(Encoding::Gb18030));
        assert_eq!("latin1".parse::<Encoding>(), Err(ParseEncodingError));
    }
}
