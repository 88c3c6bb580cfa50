//! What the desk says, natively. `scripts/test-wasm` asks the same of the engine in WebAssembly.

use std::collections::BTreeMap;

use rex_oracle::testing::ENDLESS;

use super::*;
use crate::answer::names;

/// No machine answers a request of these tests in so short a time.
const TOO_SHORT: Duration = Duration::from_micros(100);

/// Asks until the job is finished, and returns its events, the bytes it handed out, and the number of steps.
fn asked(
    desk: &mut Desk,
    request: Value,
    file: &[u8],
    slice: Option<Duration>,
) -> (Vec<(String, Value)>, Vec<u8>, u32) {
    let job = desk.begin(request.to_string().as_bytes(), file.to_vec());
    let (mut events, mut bytes, mut steps) = (Vec::new(), Vec::new(), 1);
    let mut tell = |event: Event| match event {
        Event::Named(name, value) => events.push((name.to_owned(), value)),
        Event::File(file) => bytes.extend_from_slice(file),
    };
    while !desk.step(job, slice, &mut tell) {
        steps += 1;
    }
    (events, bytes, steps)
}

fn desk() -> Desk {
    Desk::new(64 << 20, |_| None)
}

/// The last event, which must be this one.
fn last(events: &[(String, Value)], name: &str) -> Value {
    let (found, value) = events.last().expect("there are events");
    assert_eq!(found, name, "{value}");
    value.clone()
}

#[test]
fn a_stream_in_slices_tells_the_same_verdicts_as_in_one_run() {
    let request = json!({ "ask": "stream", "position": "5x5 a1" });
    let verdicts = |events: &[(String, Value)]| -> BTreeMap<String, String> {
        let moves = events.iter().filter(|(name, _)| name == "move");
        moves.map(|(_, value)| (value["cell"].to_string(), value["value"].to_string())).collect()
    };
    let (whole, _, steps) = asked(&mut desk(), request.clone(), b"", None);
    assert_eq!(steps, 1);
    assert_eq!(last(&whole, "done")["winner"], "white");
    let (sliced, _, steps) = asked(&mut desk(), request, b"", Some(TOO_SHORT));
    assert!(steps > 1, "{steps} steps");
    assert_eq!(verdicts(&sliced), verdicts(&whole));
    assert_eq!(last(&sliced, "done")["moves"], last(&whole, "done")["moves"]);
}

/// The events of this name.
fn told<'a>(events: &'a [(String, Value)], wanted: &str) -> Vec<&'a Value> {
    events.iter().filter(|(name, _)| name == wanted).map(|(_, value)| value).collect()
}

/// The winning moves of a position, counted from its list of moves; none if the game is over.
fn winning(desk: &mut Desk, position: &str) -> Option<usize> {
    let (events, ..) = asked(desk, json!({ "ask": "moves", "position": position }), b"", None);
    let moves = last(&events, "answer")["moves"].clone();
    let values: Vec<&Value> = moves.as_object().unwrap().values().collect();
    (!values.is_empty()).then(|| values.iter().filter(|value| **value == "win").count())
}

#[test]
fn grades_are_the_winning_moves_of_the_winner_after_the_hardest_reply() {
    let mut desk = desk();
    for position in ["4x4 d1", "4x4 d1 a1", "3x3 b2 a1", "3x4 a1"] {
        let request = json!({ "ask": "stream", "position": position, "replies": true });
        let (events, ..) = asked(&mut desk, request, b"", Some(Duration::from_millis(1)));
        let grades = told(&events, "grade");
        assert!(!grades.is_empty(), "{position}");
        for grade in grades {
            let after = format!("{position} {}", grade["cell"].as_str().unwrap());
            let expected = if grade["value"] == "loss" {
                assert_eq!(grade.get("reply"), None, "{after}");
                winning(&mut desk, &after)
            } else {
                let state: State = after.parse().unwrap();
                let replies = names(state.board(), state.moves());
                let counts: Vec<_> = replies
                    .iter()
                    .filter_map(|reply| {
                        Some((winning(&mut desk, &format!("{after} {reply}"))?, reply.as_str()))
                    })
                    .collect();
                let fewest = counts.iter().map(|(count, _)| *count).min();
                let named = grade["reply"].as_str().unwrap();
                assert!(counts.contains(&(fewest.unwrap(), named)), "{after}: {grade} {counts:?}");
                fewest
            };
            assert_eq!(grade["winning"], expected.unwrap(), "{after}");
        }
    }
}

#[test]
fn a_net_has_an_opinion_on_every_move() {
    for (position, moves) in [("5x5 a1", 24), ("4x4", 16), ("3x8 b2", 23), ("2x2 a1 b1 b2", 1)] {
        let request = json!({ "ask": "stream", "position": position, "nodes": 0 });
        let (events, ..) = asked(&mut desk(), request, b"", None);
        let shares: Vec<f64> = told(&events, "opinion")
            .iter()
            .flat_map(|said| said["moves"].as_object().unwrap().values())
            .map(|share| share.as_f64().unwrap())
            .collect();
        assert_eq!(shares.len(), moves, "{position}");
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
    }
}

#[test]
fn a_line_ends_where_the_theory_decides_for_the_winner() {
    let mut desk = desk();
    for (position, winner) in
        [("4x4 d1", "black"), ("4x4 d1 a1", "black"), ("5x5 a1 c3", "black"), ("3x3", "white")]
    {
        let request = json!({ "ask": "line", "position": position });
        let (events, ..) = asked(&mut desk, request, b"", Some(Duration::from_micros(500)));
        let answer = last(&events, "answer");
        assert_eq!(
            (&answer["winner"], &answer["there"]["winner"]),
            (&json!(winner), &json!(winner)),
            "{position}"
        );
        let line: Vec<&str> = answer["line"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let end: State = format!("{position} {}", line.join(" ")).parse().unwrap();
        assert_eq!(answer["there"]["position"], end.to_string(), "{position}");
    }
    // Decided where it is: no moves, and at once.
    let (events, _, steps) =
        asked(&mut desk, json!({ "ask": "line", "position": "1b1w/3w/w2b/2b1 b" }), b"", None);
    let answer = last(&events, "answer");
    assert_eq!((&answer["line"], &answer["end"], steps), (&json!([]), &json!("pairing"), 1));
    let (events, ..) = asked(&mut desk, json!({ "ask": "line", "position": "4y4" }), b"", None);
    last(&events, "failed");
}

#[test]
fn a_lost_position_has_its_replies_counted_however_short_the_slices() {
    let micros = |number| Some(Duration::from_micros(number));
    for (position, slice, moves, best, fewest) in [
        ("4x4 d1", None, 15, "a1", 2),
        ("4x4 d1", micros(1_000), 15, "a1", 2),
        ("3x3 b2 a1 c3 c1", micros(1), 5, "a2", 3),
    ] {
        let request = json!({ "ask": "stream", "position": position, "replies": true });
        let (events, ..) = asked(&mut desk(), request, b"", slice);
        assert_eq!((events[0].0.as_str(), told(&events, "move").len()), ("start", moves), "{position}");
        let answer = last(&events, "replies");
        assert_eq!((&answer["best"], &answer["replies"][best]), (&json!(best), &json!(fewest)), "{position}");
    }
}

#[test]
fn one_question_in_one_run_counts_the_nodes_of_a_plain_solver() {
    let state: State = "5x5 c3 d2".parse().unwrap();
    let solver = Solver::new(state.board(), Settings { memory: 64 << 20, ..Settings::default() }).unwrap();
    let solution = solver.ask(&state).solve();
    let request = json!({ "ask": "solve", "position": "5x5 c3 d2" });
    let (events, ..) = asked(&mut desk(), request, b"", None);
    let answer = last(&events, "answer");
    assert_eq!(answer["nodes"], solution.nodes);
    assert_eq!(answer["struck"], solution.struck);
    assert_eq!(answer["winner"], solution.winner.unwrap().to_string());
}

#[test]
fn limits_end_a_request_with_what_is_known() {
    for (limit, stopped) in [(json!({ "nodes": 50 }), "nodes"), (json!({ "seconds": 0 }), "time")] {
        for ask in ["solve", "moves", "stream"] {
            let mut request = json!({ "ask": ask, "position": ENDLESS });
            request.as_object_mut().unwrap().extend(limit.as_object().unwrap().clone());
            let (events, ..) = asked(&mut desk(), request, b"", None);
            let answer = &events.last().unwrap().1;
            assert_eq!((&answer["stopped"], &answer["winner"]), (&json!(stopped), &Value::Null), "{ask}");
        }
    }
}

#[test]
fn a_move_is_that_of_a_level() {
    for slice in [None, Some(Duration::from_micros(300))] {
        let request = json!({ "ask": "move", "position": "3x3", "level": "perfect" });
        let (events, ..) = asked(&mut desk(), request, b"", slice);
        let answer = last(&events, "answer");
        assert_eq!((&answer["winner"], &answer["replies"]), (&json!("white"), &json!(7)));
    }
    for level in ["novice", "casual", "skilled", "expert", "perfect"] {
        let request = json!({ "ask": "move", "position": "4x4", "level": level, "seed": 7 });
        let (events, ..) = asked(&mut desk(), request.clone(), b"", None);
        assert!(last(&events, "answer")["move"].is_string(), "{level}");
        assert_eq!(last(&events, "answer"), last(&asked(&mut desk(), request, b"", None).0, "answer"));
    }
    let request = json!({ "ask": "move", "position": "4x4", "level": "easy" });
    let refused = last(&asked(&mut desk(), request, b"", None).0, "failed")["error"].to_string();
    assert!(refused.contains("novice") && refused.contains("perfect"), "{refused}");
}

#[test]
fn what_is_proved_is_checked_and_a_changed_file_is_refused() {
    for compressed in [false, true] {
        let request =
            json!({ "ask": "prove", "position": "4x4 d1", "explicit": true, "compressed": compressed });
        let (events, file, _) = asked(&mut desk(), request, b"", Some(Duration::from_millis(1)));
        let proved = last(&events, "answer");
        assert_eq!((&proved["winner"], &proved["rules"]), (&json!("black"), &json!("explicit")));
        let (events, ..) = asked(&mut desk(), json!({ "ask": "check" }), &file, None);
        let checked = last(&events, "answer");
        assert_eq!((&checked["winner"], &checked["claims"]), (&proved["winner"], &proved["claims"]));
        let half = &file[..file.len() / 2];
        let (events, ..) = asked(&mut desk(), json!({ "ask": "check" }), half, None);
        assert!(last(&events, "answer")["error"].is_string());
    }
}

/// However short the slices are, each one goes on from the claims before.
#[test]
fn a_proof_is_found_in_slices_and_kept() {
    for (position, explicit) in [("5x5 a1 d2", true), ("6x6 a1", false)] {
        let mut desk = desk();
        let request = json!({ "ask": "prove", "position": position, "explicit": explicit, "keep": true });
        let (events, file, steps) = asked(&mut desk, request, b"", Some(TOO_SHORT));
        assert!(steps > 5, "{position}: {steps} steps");
        let proved = last(&events, "answer");
        let state: State = position.parse().unwrap();
        assert_eq!(proved["position"], state.to_string());
        let claim = json!({ "ask": "claim", "certificate": proved["certificate"] });
        let (events, ..) = asked(&mut desk, claim, b"", None);
        assert_eq!(last(&events, "answer")["position"], state.to_string());
        let (events, ..) = asked(&mut desk, json!({ "ask": "check" }), &file, None);
        assert_eq!(last(&events, "answer")["claims"], proved["claims"]);
    }
    // A job that is ended leaves the desk to others.
    let mut desk = desk();
    let request = json!({ "ask": "prove", "position": ENDLESS, "explicit": true });
    let job = desk.begin(request.to_string().as_bytes(), Vec::new());
    for _ in 0..20 {
        assert!(!desk.step(job, Some(Duration::from_millis(5)), &mut |_| {}));
    }
    desk.end(job);
    assert!(desk.step(job, None, &mut |_| {}));
    let (events, ..) = asked(&mut desk, json!({ "ask": "prove", "position": "4x4 d1" }), b"", None);
    assert_eq!(last(&events, "answer")["winner"], "black");
}

#[test]
fn games_and_explanations_come_at_once() {
    let import = json!({ "ask": "import", "text": "d1 a1", "board": "4x4" });
    let (events, ..) = asked(&mut desk(), import, b"", None);
    let game = last(&events, "answer");
    assert_eq!(game, json!({ "position": "4/4/4/4 b", "moves": "d1a1", "at": 2 }));
    let mut export = game;
    export["ask"] = "export".into();
    assert_eq!(last(&asked(&mut desk(), export, b"", None).0, "answer")["moves"], "4x4 d1 a1");
    let explain = json!({ "ask": "explain", "position": "1b1w/3w/w2b/2b1 b" });
    assert_eq!(last(&asked(&mut desk(), explain, b"", None).0, "answer")["reason"], "pre-join pairing");
}

#[test]
fn bad_requests_fail_with_a_sentence() {
    for (request, says) in [
        (json!({ "ask": "solve", "position": "9x9" }), "9x9"),
        (json!({ "ask": "solve", "position": "4x4", "seconds": -1 }), "bad seconds"),
        (json!({ "ask": "dance" }), "unknown variant"),
        (json!([]), "ask"),
        (json!({ "ask": "move", "position": "4x4", "level": "hard" }), "unknown variant"),
        (json!({ "ask": "export", "position": "4x4", "moves": "a1a1" }), "already has a stone"),
    ] {
        let (events, ..) = asked(&mut desk(), request.clone(), b"", None);
        let error = last(&events, "failed")["error"].to_string();
        assert!(error.contains(says), "{request}: {error}");
    }
}

#[test]
fn a_job_that_nobody_wants_any_more_is_gone_and_the_others_go_on() {
    let mut desk = desk();
    let [one, two] = [ENDLESS, "4x4 d1"].map(|position| {
        let request = json!({ "ask": "stream", "position": position });
        desk.begin(request.to_string().as_bytes(), Vec::new())
    });
    let slice = Some(Duration::from_millis(1));
    assert!(!desk.step(one, slice, &mut |_| {}));
    desk.end(one);
    assert!(desk.step(one, slice, &mut |_| panic!("it has nothing to say any more")));
    let mut steps = 0;
    while !desk.step(two, slice, &mut |_| {}) {
        steps += 1;
        assert!(steps < 100_000);
    }
}
