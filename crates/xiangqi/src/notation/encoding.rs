//! The encoding of text from outside.

use encoding_rs::GB18030;
use std::borrow::Cow;

/// Text from outside: UTF-8, or else what Chinese Windows writes, GBK in its extension GB18030.
/// Bytes that are neither become replacement characters.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => GB18030.decode_without_bom_handling(bytes).0,
    }
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
    }
}
