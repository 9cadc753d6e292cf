//! Any text is a legal position or an error; a position prints a FEN that comes back as itself, and
//! its legal moves can be made and taken back.
#![no_main]

use xiangqi::board::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match text.parse::<Position>() {
        Ok(mut position) => {
            let fen = position.fen();
            let again: Position = fen.parse().expect("a printed FEN is legal");
            assert!(again == position, "{fen}");
            for m in position.legal_moves() {
                let undo = position.make(m);
                position.unmake(m, undo);
                assert!(again == position, "{m} in {fen}");
            }
        }
        Err(error) => assert!(error.to_string().len() < 300, "{error}"),
    }
});
