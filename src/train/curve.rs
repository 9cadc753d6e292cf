//! The loss curve as a table and as a picture.

use super::recipe::EpochReport;
use std::fmt::Write;

/// The epochs as comma-separated values with a head line.
pub fn csv(history: &[EpochReport]) -> String {
    let mut text = String::from(
        "epoch,steps,rate,result_share,training_loss,validation_loss,records_per_second\n",
    );
    for r in history {
        let _ = writeln!(
            text,
            "{},{},{:e},{:.3},{:.8},{:.8},{:.0}",
            r.epoch,
            r.steps,
            r.rate,
            r.result_share,
            r.training_loss,
            r.validation_loss,
            r.records_per_second
        );
    }
    text
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const MARGIN: f64 = 60.0;
const TRAINING: &str = "training";
const VALIDATION: &str = "validation";

/// The training and validation loss over the epochs as an SVG picture.
pub fn svg(history: &[EpochReport]) -> String {
    let losses = history.iter().flat_map(|r| [r.training_loss, r.validation_loss]);
    let finite: Vec<f64> = losses.filter(|loss| loss.is_finite()).collect();
    let low = finite.iter().copied().fold(f64::INFINITY, f64::min).min(1.0);
    let high = finite.iter().copied().fold(low, f64::max).max(low + 1e-6);
    let last = f64::from(history.last().map_or(1, |r| r.epoch).max(2));
    let x = |epoch: f64| MARGIN + (epoch - 1.0) / (last - 1.0) * (WIDTH - 2.0 * MARGIN);
    let y = |loss: f64| HEIGHT - MARGIN - (loss - low) / (high - low) * (HEIGHT - 2.0 * MARGIN);

    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for step in 0..=4 {
        let loss = low + (high - low) * f64::from(step) / 4.0;
        let epoch = 1.0 + (last - 1.0) * f64::from(step) / 4.0;
        let _ = writeln!(
            text,
            "<line x1=\"{MARGIN}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{loss:.5}</text>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{epoch:.0}</text>",
            WIDTH - MARGIN,
            y(loss),
            y(loss),
            MARGIN - 6.0,
            y(loss) + 4.0,
            x(epoch),
            HEIGHT - MARGIN + 18.0,
        );
    }
    let loss_of = |report: &EpochReport, name| match name {
        TRAINING => report.training_loss,
        _ => report.validation_loss,
    };
    for (number, name) in [TRAINING, VALIDATION].into_iter().enumerate() {
        let colour = if name == TRAINING { "#3465a4" } else { "#cc0000" };
        let points = history
            .iter()
            .map(|report| (report.epoch, loss_of(report, name)))
            .filter(|(_, loss)| loss.is_finite())
            .map(|(epoch, loss)| format!("{:.1},{:.1}", x(f64::from(epoch)), y(loss)))
            .collect::<Vec<_>>()
            .join(" ");
        let _ = writeln!(
            text,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{name} loss</text>",
            WIDTH - MARGIN - 100.0,
            MARGIN + 16.0 * number as f64,
        );
    }
    text.push_str("</svg>\n");
    text
}
