//! lab
use rex::*;
use rex_search::*;
use rex_theory::Options;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut st = Settings { memory: 1 << 29, ..Default::default() };
    let mut positions = vec![];
    for a in &args[1..] {
        if let Some(n) = a.strip_prefix("--no-") {
            let i = Options::TABLE.iter().find(|i| i.name == n).expect(n);
            (i.set)(&mut st.theory, false);
        } else if let Some(n) = a.strip_prefix("--with-") {
            let i = Options::TABLE.iter().find(|i| i.name == n).expect(n);
            (i.set)(&mut st.theory, true);
        } else if let Some(v) = a.strip_prefix("--steps=") {
            st.tuning.pairing_steps = v.parse().unwrap();
        } else if let Some(v) = a.strip_prefix("--eps=") {
            st.tuning.epsilon_share = v.parse().unwrap();
        } else if let Some(v) = a.strip_prefix("--wb=") {
            st.tuning.widening_base = v.parse().unwrap();
        } else if let Some(v) = a.strip_prefix("--ws=") {
            st.tuning.widening_share = v.parse().unwrap();
        } else if let Some(v) = a.strip_prefix("--threads=") {
            st.threads = v.parse().unwrap();
        } else if a == "suite" {
            let s: State = "5x5 a1".parse().unwrap();
            for c in s.moves() {
                positions.push(s.play(c));
            }
        } else {
            positions.push(a.parse::<State>().unwrap());
        }
    }
    let solver = Solver::new(positions[0].board(), st).unwrap();
    let mut total = 0;
    let t0 = std::time::Instant::now();
    for s in &positions {
        let r = solver.verdict(s, &Limits::default(), &mut |_| {});
        total += r.nodes;
        if positions.len() < 20 {
            println!("{s} {} {} nodes {:.3}s", r.winner.unwrap(), r.nodes, r.time.as_secs_f64());
        }
    }
    println!(
        "total {total} {:.3}s  {:.0}/s",
        t0.elapsed().as_secs_f64(),
        total as f64 / t0.elapsed().as_secs_f64()
    );
}
