//! `rex-check FILE`: checks a certificate. It contains only the rules of the game and the checker.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use rex_proof::{CheckLimits, check, open};

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
    let text = match &result {
        Ok(report) => {
            let by_rule: Vec<String> =
                report.rules_used().map(|(rule, count)| format!("{rule} {count}")).collect();
            format!(
                "proved: {}\nwinner: {}\n{}rules: {}\nclaims: {} ({})\nbytes: {}\nseconds: {:.3}",
                report.state,
                report.winner,
                report.moves_in_words(),
                if report.explicit { "explicit" } else { "full" },
                report.claims,
                by_rule.join(", "),
                report.bytes,
                started.elapsed().as_secs_f64(),
            )
        }
        Err(error) => format!("not a proof: {error}"),
    };
    // It does not matter if nobody reads the output.
    let _ = writeln!(std::io::stdout(), "{text}");
    ExitCode::from(u8::from(result.is_err()))
}
