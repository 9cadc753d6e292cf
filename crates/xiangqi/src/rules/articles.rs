//! The words of the articles of 1999 that rulings rest on: short quotations, with a translation.

use super::explain::Text;

/// The article with this number in the words of the rules of 1999, and in English. `None` for
/// numbers of other rules, or where the text is not quoted here.
pub fn article(number: &str) -> Option<Text> {
    let at = ARTICLES.iter().find(|(id, ..)| *id == number);
    at.map(|&(_, zh, en)| Text { zh: zh.to_owned(), en: en.to_owned() })
}

const ARTICLES: [(&str, &str, &str); 30] = [
    (
        "23.3",
        "审核回合时，提出方对非提出方“将军”的着数，最多只计10着。",
        "When rounds are counted, at most ten checks given by the side that claims count.",
    ),
    ("24.1", "一方“长将”，立即判负。", "A side that checks perpetually loses at once."),
    (
        "24.2",
        "双方均为允许着法或禁止着法，符合不变作和规定，立即判和。",
        "If both sides play allowed moves, or both forbidden ones, the game is drawn at once.",
    ),
    (
        "24.3",
        "一方为禁止着法，另一方为允许着法，犯禁方必须立即变着，若再重复一次循环，即判负。",
        "If one side plays forbidden moves and the other allowed ones, the former must change at once; it loses if it repeats the cycle once more.",
    ),
    (
        "25.2",
        "长将、长杀、长捉、一将一杀、一将一捉、一杀一捉等循环重复的攻击手段，统称为“禁止着法”。闲着（含：兑、献、拦、跟）、数将一闲、数杀一闲、数捉一闲等着法，无论是否重复，统称为“允许着法”。",
        "Perpetual check, kill or chase, and their alternations, are forbidden moves; idle moves (exchange, offer, block, follow among them), and attacks with an idle move between them, are allowed, repeated or not.",
    ),
    (
        "25.3",
        "原则上，一车相当于双马、双炮或一马一炮；马炮相等；士相（象）相等；过河兵（卒）价值浮动，一兵换取数子或一子换取数兵均不算得子。",
        "A rook is worth two horses, two cannons or one of each; horse and cannon are equal, advisor and elephant are equal; a soldier across the river floats in value: a soldier for pieces, or a piece for soldiers, wins nothing.",
    ),
    (
        "26.1",
        "在任何情况下，均不允许单方面长将。",
        "Perpetual check by one side alone is never allowed.",
    ),
    (
        "26.2",
        "双方均为允许着法，双方不变作和。",
        "If both sides play allowed moves and neither changes, it is a draw.",
    ),
    (
        "26.3",
        "双方均为禁止着法（不包括一方为长将），双方不变作和。",
        "If both sides play forbidden moves (unless one of them checks perpetually) and neither changes, it is a draw.",
    ),
    (
        "26.4",
        "一方为禁止着法，另一方为允许着法，应由前者变着，不变判负。",
        "If one side plays forbidden moves and the other allowed ones, the former must change or loses.",
    ),
    (
        "27.1",
        "允许帅（将）本身步步叫吃对方的棋子，按闲着处理。其他棋子和帅（将）同时捉吃或借帅（将）之力捉吃对方的棋子，均按捉处理。",
        "The king itself may attack pieces on every move: idle. Other pieces that attack together with the king, or by its power, chase.",
    ),
    (
        "27.2",
        "兵（卒）本身捉吃对方的棋子（不含将、杀），按闲处理；如形成相互长打局面，则应按捉处理。",
        "A soldier's own attack on a piece (not a check or kill) is idle; where both sides attack perpetually it is a chase.",
    ),
    (
        "27.3",
        "占据防守要点，立即构成简明和棋，附带产生的捉士相（象），按闲处理。",
        "Where a move takes a key point of defence and makes a plain draw at once, the attack on advisors or elephants that comes with it is idle.",
    ),
    (
        "27.4",
        "凡走子兼具多种作用时，应从重称呼和裁处。",
        "A move with several effects is named and judged by the gravest.",
    ),
    (
        "28.1",
        "凡走子直接攻击对方帅（将）者，称为“照将”，简称“将”。",
        "A move that attacks the king directly is a check.",
    ),
    (
        "28.2",
        "凡走子企图在下一着照将或连续照将，将死对方者，称为“杀着”，简称“杀”。",
        "A move that threatens to mate by a check, or by continuous checks, from the next move on is a kill.",
    ),
    (
        "28.3",
        "凡走子后能够造成在下一着（包括从下一着开始运用连续照将或连续交换的手段）吃掉对方某个无根子，称为“捉”。",
        "A move after which an unrooted piece can be taken on the next move, or from it on by continuous checks or exchanges, is a chase.",
    ),
    ("28.4", "将、杀、捉等攻击手段，统称为“打”。", "Check, kill and chase are attacks."),
    (
        "28.5",
        "凡走子可与同等子力互换吃去者，称为“邀兑”，简称“兑”。",
        "A move that offers to trade pieces of equal value is an exchange.",
    ),
    (
        "28.6",
        "凡无根子送吃，而对方同兵种子一旦吃掉此子后，不致立即被将死或立即在子力价值上遭受损失者，称为“献”。",
        "An unrooted piece put before a piece of its kind is an offer, if the taker is not mated at once and does not lose value at once.",
    ),
    (
        "28.7",
        "凡走子阻拦对方棋子的活动，而又不具攻击作用者，称为“拦”。",
        "A move that hinders a piece and attacks nothing is a block.",
    ),
    (
        "28.8",
        "凡走子盯牵对方有根子，而又不具攻击作用者，称为“跟”。",
        "A move that ties a rooted piece and attacks nothing is a follow.",
    ),
    (
        "28.9",
        "凡走子性质不属于将、杀、捉，统称为“闲”。兑、献、拦、跟，均属“闲”的范畴。",
        "A move that is no check, kill or chase is idle; exchange, offer, block and follow are idle.",
    ),
    (
        "28.12",
        "凡走子连续追捉一子或数子，而形成循环者，称为“长捉”。",
        "To chase one or several pieces without a break in a cycle is a perpetual chase.",
    ),
    (
        "28.16",
        "凡有己方其他棋子（包括暗根）充分保护的子，称为“有根子”；反之，称为“无根子”。形式上是根，实际上起不到充分保护作用，称为假根或少根。假根子和少根子按无根子处理。",
        "A piece that others (hidden roots too) protect in full is rooted. Roots in form only are false or too few; a piece so protected counts as unrooted.",
    ),
    (
        "29.1",
        "捉子的形式可以有：能够直接吃子；能够通过连续照将吃子；能够通过完整的交换过程得子。",
        "A chase threatens to take directly, by continuous checks, or by a complete exchange.",
    ),
    (
        "29.2",
        "“捉”产生于刚走的这着棋，上一着尚不存在。",
        "A chase arises from the move just played and was not there before.",
    ),
    (
        "29.3",
        "直接或间接被捉的，是有子力价值的无根子（含：假根子、少根子）。",
        "What is chased is an unrooted piece of value, false and too few roots included.",
    ),
    ("29.4", "下一着吃子或得子后，不致被将死。", "The side that takes must not be mated for it."),
    (
        "23.2",
        "双方走棋出现循环反复，符合“棋例”中“不变作和”的有关规定，循环反复局面达三次后仍在延续，即使双方都没有提和，裁判有权判和。",
        "Where a cycle that is drawn by these rules goes on after three times, the arbiter may declare the draw unasked.",
    ),
];
