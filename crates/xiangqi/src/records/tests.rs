//! Facts of the formats, typed in byte by byte, and what people's files look like.

use super::*;
use crate::{board::Position, notation::NodeId, types::Move};

fn read_text(text: &str) -> Vec<ReadGame> {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn moves(game: &ReadGame) -> Vec<String> {
    game.tree.main_moves().map(|m| m.to_string()).collect()
}

fn all_moves(text: &str) -> Vec<Vec<String>> {
    read_text(text).iter().map(moves).collect()
}

#[test]
fn several_games() {
    let text = "[Event \"A\"]\n[Red \"X\"]\n\n1. h2e2 h9g7 2.h0g2 {a\ncomment} i9h9 (2... b9c7) 1-0\n\
                [FEN \"4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1\"]\n1. A0-A9 *\n\n[Event \"C\"]\n\n1. g3g4 ; end\n2... g6g5";
    let games = read_text(text);
    let played: Vec<_> = games.iter().map(moves).collect();
    assert_eq!(played, [vec!["h2e2", "h9g7", "h0g2", "i9h9"], vec!["a0a9"], vec!["g3g4", "g6g5"]]);
    let tree = &games[0].tree;
    assert_eq!(
        (tree.header("Red"), tree.result),
        (Some("X"), crate::notation::GameResult::RedWins)
    );
    let line: Vec<NodeId> = tree.main_line().collect();
    assert_eq!(tree.comment(line[2]), "a\ncomment");
    let other = tree.next_sibling(line[3]).and_then(|node| tree.played(node));
    assert_eq!(other, "b9c7".parse().ok());
    let last = games[2].tree.main_line().next().unwrap();
    assert_eq!(games[2].tree.comment(last), "end");
}

/// What stands in files that people have (reports F05 and F08).
#[test]
fn the_import_format() {
    let both = [["h2e2", "h9g7"]];
    for text in [
        "1. h2e2 $1 h9g7 *",
        "1. h2e2! h9g7?! *",
        "1. h2e2+ h9g7# *",
        "1. h2e2 (1. b2e2 ; note )\n h9g7) 1... h9g7 *",
        "1. h2e2\n% a line of a program\nh9g7 *",
        "1. 炮二平五 马８进７ *",
        "1炮二平五 马8进7 *",
        "1. C2.5 h8+7 *",
    ] {
        assert_eq!(all_moves(text), both, "{text}");
    }
    let black = "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 0 5\"]\n5. ... h9g7";
    assert_eq!(all_moves(black), [["h9g7"]]);
    let torn =
        "1. H2-E2 {+0.1\n[Game \"Chinese Chess\"]\n[Result \"*\"]\n\n1. B2-E2 {+0.2} H7-E7 *\n";
    assert_eq!(all_moves(torn), [vec!["h2e2"], vec!["b2e2", "h7e7"]]);
    let signed = "1. h2e2 h9g7 *\n======\nby a program\n[Event \"B\"]\n1. b2e2 *";
    assert_eq!(all_moves(signed), [vec!["h2e2", "h9g7"], vec!["b2e2"]]);
    // Ranks from 1, as cutechess writes.
    assert_eq!(all_moves("1. Bce3 Ng8 *"), [["c0e2", "h9g7"]]);
    let headed = "; games of a match\n\n[Event \"A\"]\n1. h2e2 *\n";
    assert_eq!(all_moves(headed), [["h2e2"]]);
    let oops = "1. h2e2 {oops\n[Event \"B\"]\n\n1. b2e2 *";
    assert_eq!(all_moves(oops), [["h2e2"], ["b2e2"]]);
    let marked = read_text("1. h2e2!? $14 h9g7 *").remove(0).tree;
    assert_eq!(marked.nags(marked.main_line().next().unwrap()), [5, 14]);
}

#[test]
fn what_is_wrong_is_said_and_stops_nothing_else() {
    let losses = |text: &str| -> Vec<String> {
        let games = read_text(text);
        games.iter().flat_map(|game| game.losses.iter().map(ToString::to_string)).collect()
    };
    assert_eq!(losses("1. h2e2 h2e2 h9g7"), ["game 1, line 1, ply 2: 'h2e2' is not legal here"]);
    let three = "1. h2e2 *\n1. foo *\n1. b2e2 *";
    assert_eq!(losses(three), ["game 2, line 2, ply 1: 'foo' is no move"]);
    assert_eq!(all_moves(three), [vec!["h2e2"], vec![], vec!["b2e2"]]);
    assert_eq!(
        losses("炮二平五 帅五进九"),
        ["game 1, line 1, ply 2: '帅五进九' is not legal here (legal: e9e8)"]
    );
    assert_eq!(losses("[FEN \"x w\"]\n*"), ["game 1: 'x w': a board has 10 ranks, not 1"]);
    // A bad move ends its own line only.
    let text = "1. h2e2 h9g7 (1... h7e7 2. foo h0g2 {lost} (2. g3g4)) 2. h0g2 *";
    let game = read_text(text).remove(0);
    assert_eq!(moves(&game), ["h2e2", "h9g7", "h0g2"]);
    assert_eq!(game.tree.move_count(), 4);
    assert_eq!(game.losses.len(), 1);
    assert_eq!(read(b" \n", &ReadOptions::default()), Err(ReadError::Unknown));
    assert_eq!(read(b"[Event", &ReadOptions::default()), Err(ReadError::Unknown));
}

/// Main line h2e2 h9g7 h0g2 with comments, b2e2 for the first and two answers for the second move.
fn sample() -> GameTree {
    let mv = |text: &str| text.parse::<Move>().unwrap();
    let mut tree = GameTree::new(Position::start());
    let root = tree.root();
    tree.add_comment(root, "开局");
    let cannon = tree.add_move(root, mv("h2e2")).unwrap();
    let horse = tree.add_move(cannon, mv("h9g7")).unwrap();
    let last = tree.add_move(horse, mv("h0g2")).unwrap();
    let other = tree.add_move(root, mv("b2e2")).unwrap();
    tree.add_comment(cannon, "当头炮\n第二行");
    tree.add_comment(other, "另一只炮");
    let answer = tree.add_move(cannon, mv("h7e7")).unwrap();
    tree.add_move(answer, mv("h0g2")).unwrap();
    tree.add_move(cannon, mv("b9c7")).unwrap();
    tree.add_comment(last, "end");
    tree.set_header("Event", "杯赛");
    tree.set_header("Red", "甲");
    tree.set_header("Black", "乙");
    tree.result = crate::notation::GameResult::Draw;
    tree
}

#[test]
fn trees_are_written_and_read_back() {
    for format in [Format::Pgn, Format::Xqf, Format::DhtmlXq, Format::Cbr, Format::Cbl] {
        let bytes = write(&[sample()], format, &WriteOptions::default()).unwrap();
        assert_eq!(sniff(&bytes), Some(format));
        let games = read(&bytes, &ReadOptions::default()).unwrap();
        assert_eq!(games, [ReadGame { tree: sample(), losses: Vec::new() }], "{format}");
    }
    for encoding in [Encoding::Gb18030, Encoding::Utf8] {
        for format in [Format::Pgn, Format::DhtmlXq] {
            let options = WriteOptions { encoding, ..WriteOptions::default() };
            let bytes = write(&[sample(), sample()], format, &options).unwrap();
            let games = read(&bytes, &ReadOptions::default()).unwrap();
            assert_eq!(games.len(), 2, "{format}");
            assert!(games.iter().all(|game| game.tree == sample()), "{format}");
        }
    }
}

/// 图 in GB18030 is CD BC, which is also UTF-8: the file as a whole decides.
#[test]
fn short_texts_in_gb18030() {
    let mut tree = sample();
    let first = tree.main_line().nth(1).unwrap();
    tree.add_comment(first, "图");
    let options = WriteOptions { encoding: Encoding::Gb18030, ..WriteOptions::default() };
    for format in [Format::Xqf, Format::Pgn, Format::DhtmlXq] {
        let bytes = write(std::slice::from_ref(&tree), format, &options).unwrap();
        assert!(bytes.windows(2).any(|pair| pair == b"\xcd\xbc"));
        assert!(read(&bytes, &ReadOptions::default()).unwrap()[0].tree == tree, "{format}");
    }
}

/// What a format for main lines keeps of a tree.
#[test]
fn main_lines() {
    for format in [Format::Cbf, Format::Lines] {
        let bytes = write(&[sample()], format, &WriteOptions::default()).unwrap();
        assert_eq!(sniff(&bytes), Some(format));
        let game = read(&bytes, &ReadOptions::default()).unwrap().remove(0);
        assert_eq!(moves(&game), ["h2e2", "h9g7", "h0g2"]);
    }
    let line = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2 h9g7 h0g2\n";
    assert_eq!(
        write(&[sample()], Format::Lines, &WriteOptions::default()).unwrap(),
        line.as_bytes()
    );
    for text in ["startpos moves H2-E2 h9g7", "position startpos moves 炮二平五"] {
        assert_eq!(moves(&read_text(text)[0])[0], "h2e2");
    }
}

#[test]
fn the_text_of_a_game() {
    let text = write(&[sample()], Format::Pgn, &WriteOptions::default()).unwrap();
    let expected = "[Game \"Chinese Chess\"]\n[Event \"杯赛\"]\n[Red \"甲\"]\n[Black \"乙\"]\n\
        [Result \"1/2-1/2\"]\n[Format \"chinese\"]\n\n\
        {开局} 1. 炮二平五 {当头炮\n第二行}\n(1. 炮八平五 {另一只炮}) \
        1... 马８进７ (1... 炮８平５ 2. 马二进三)\n(1... 马２进３) 2. 马二进三 {end} 1/2-1/2\n\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}

/// 炮二平五 is 7747 for dpxq.com, whose squares count from the top left; variation 1 takes the place
/// of ply 2 of the main line.
#[test]
fn tags_of_dpxq() {
    let text = "<html>[DhtmlXQ]\n[DhtmlXQ_red]甲\\u4e59[/DhtmlXQ_red][DhtmlXQ_result]红胜[/DhtmlXQ_result]\
        [DhtmlXQ_movelist]774770627967[/DhtmlXQ_movlist][DhtmlXQ_comment1]一||二[/DhtmlXQ_comment1]\
        [DhtmlXQ_move_0_2_1]7242[/DhtmlXQ_move_0_2_1][DhtmlXQ_comment1_2]列炮[/DhtmlXQ_comment1_2][/DhtmlXQ]";
    let game = read_text(text).remove(0);
    assert_eq!(game.losses, []);
    assert_eq!(moves(&game), ["h2e2", "h9g7", "h0g2"]);
    assert_eq!(game.tree.header("Red"), Some("甲乙"));
    let first = game.tree.main_line().next().unwrap();
    assert_eq!(game.tree.comment(first), "一\n二");
    let other = game.tree.children(first).last().unwrap();
    assert_eq!(game.tree.played(other), "h7e7".parse().ok());
    assert_eq!(game.tree.comment(other), "列炮");
}

/// Two kings, a red rook on a0 (file 0, rank 0: byte 0) that Black's king answers: byte 50 says Red.
#[test]
fn an_xqf_file_by_hand() {
    let mut bytes = vec![0; 1024];
    bytes[..3].copy_from_slice(b"XQ\x0a");
    bytes[16..48].fill(0xff);
    bytes[16] = 0; // a red rook on a0
    bytes[20] = 30; // the red king on d0
    bytes[36] = 49; // the black king on e9
    bytes[51] = 1;
    bytes.extend([0x18, 0x20, 0xf0, 0xff, 0, 0, 0, 0]);
    bytes.extend([49 + 24, 48 + 32, 0xf0, 0, 0, 0, 0, 0]); // e9e8
    bytes.extend([24, 9 + 32, 0x0f, 0, 2, 0, 0, 0, b'o', b'k']); // a0a9, with an alternative
    bytes.extend([24, 90 + 32, 0, 0, 0, 0, 0, 0]); // no square
    let game = xqf::read(&bytes).unwrap();
    assert_eq!(moves(&game), ["e9e8", "a0a9"]);
    assert_eq!(game.losses.len(), 1, "{:?}", game.losses);
    assert_eq!(game.tree.comment(game.tree.main_line().last().unwrap()), "ok");
    assert_eq!(game.tree.result, crate::notation::GameResult::RedWins);
    for len in 1024..bytes.len() {
        assert!(xqf::read(&bytes[..len]).is_ok(), "cut at {len}");
    }
}

#[test]
fn xml_of_pengfei_by_its_description() {
    let text = "<n version=\"2\" m=\"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\" red=\"甲\">\
        <n m=\"b2e2\" c=\"旁\"/><n m=\"h2e2\" default=\"true\"><n m=\"h9g7\"/></n></n>";
    let game = read_text(text).remove(0);
    assert_eq!((moves(&game), game.losses.len()), (vec!["h2e2".to_owned(), "h9g7".into()], 0));
    assert_eq!((game.tree.move_count(), game.tree.header("Red")), (3, Some("甲")));
    assert_eq!(
        write(&[sample()], Format::Pfc, &WriteOptions::default()),
        Err(WriteError::ReadOnly(Format::Pfc))
    );
}

/// Files of all formats with bytes changed, cut out and doubled: every reader comes to an end.
#[test]
fn damaged_files_do_no_harm() {
    use rand::{Rng, SeedableRng, rngs::StdRng};
    let mut random = StdRng::seed_from_u64(17);
    let pfc = "<n m=\"\"><n m=\"h2e2\"><n m=\"h9g7\"/></n></n>".as_bytes().to_vec();
    let samples: Vec<Vec<u8>> = Format::ALL
        .into_iter()
        .map(|format| {
            write(&[sample()], format, &WriteOptions::default()).unwrap_or_else(|_| pfc.clone())
        })
        .collect();
    for _ in 0..300 {
        for sample in &samples {
            let mut bytes = sample.clone();
            for _ in 0..random.random_range(1..8) {
                let at = random.random_range(0..bytes.len());
                // The tree is where it hurts.
                let at = if random.random() {
                    at
                } else {
                    bytes.len() - 1 - at.min(99).min(bytes.len() - 1)
                };
                match random.random_range(0..4) {
                    0 => bytes[at] = random.random(),
                    1 => bytes[at] ^= 1 << random.random_range(0..8),
                    2 => bytes.truncate(at.max(1)),
                    _ => {
                        let len = random.random_range(0..9).min(bytes.len() - at);
                        let part = bytes[at..at + len].to_vec();
                        bytes.splice(at..at, part);
                    }
                }
            }
            let _ = read(&bytes, &ReadOptions::default());
        }
    }
}

#[test]
fn a_long_file_is_read_game_by_game() {
    let one = "[Event \"长\"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 1-0\n\n";
    let text = one.repeat(5000);
    let games = Games::open(text.as_bytes(), &ReadOptions::default()).unwrap();
    assert!(matches!(games, Games::Streamed(_)));
    assert_eq!(games.map(|game| moves(&game.unwrap()).len()).sum::<usize>(), 20_000);
}
