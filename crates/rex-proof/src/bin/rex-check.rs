//! `rex-check FILE`: checks a certificate. It contains only the rules of the game and the checker.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use rex_proof::{CheckLimits, RuleKind, check, open};

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let (Some(path), None) = (args.next(), args.next()) else {
        eprintln!("usage: rex-check FILE");
        return ExitCode::from(2);
    };
    let started = Instant::now();
    let input = match open(Path::new(&path)) {
        Ok(input) => input,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let result = check(input, &CheckLimits::default(), &mut |_, _| {});
    let mut out = std::io::stdout().lock();
    // It does not matter if nobody reads the output.
    let _ = match &result {
        Ok(report) => {
            let rules = if report.explicit { "explicit" } else { "full" };
            let by_rule: Vec<String> = RuleKind::ALL
                .iter()
                .zip(report.by_rule)
                .filter(|(_, count)| *count > 0)
                .map(|(kind, count)| format!("{} {count}", kind.word()))
                .collect();
            let seconds = started.elapsed().as_secs_f64();
            writeln!(out, "proved: {}", report.state)
                .and_then(|()| writeln!(out, "winner: {}", report.winner))
                .and_then(|()| writeln!(out, "rules: {rules}"))
                .and_then(|()| writeln!(out, "claims: {} ({})", report.claims, by_rule.join(", ")))
                .and_then(|()| writeln!(out, "bytes: {}", report.bytes))
                .and_then(|()| writeln!(out, "seconds: {seconds:.3}"))
        }
        Err(error) => writeln!(out, "not a proof: {error}"),
    };
    ExitCode::from(u8::from(result.is_err()))
}
