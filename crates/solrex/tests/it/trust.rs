//! What is believed in a cluster, with a real NATS server and the permissions of the manual: a worker's user cannot tell anybody
//! who wins, except in the answer to a job.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use crate::common::nats::{Server, User};
use crate::common::parts::{Part, check_answer, status_when};
use crate::common::wait_until;
use rex_cluster::{Fact, Message, News};
use rex_game::State;
use rex_search::{Bounds, Entry, Limits, Node, Numbers, Part as Side, Settings, Solved, Solver, Work};
use rex_store::record_of;
use rex_theory::fill_in::RULES;

const POSITION: &str = "6x6 a1";

/// The position asked about and those that its moves lead to, each with the part that loses: to say that it wins is a lie.
fn losers(state: &State) -> Vec<(Node, Side)> {
    let solver = Solver::new(state.board(), Settings { memory: 1 << 24, ..Settings::default() }).unwrap();
    let root = solver.node_of(state).unwrap();
    let below = solver.children(&root).unwrap().into_iter().map(|child| child.node);
    let explore = |node: Node, budget: u64| {
        let limits = Limits::default();
        let found = solver.at(&node).budget(budget).limits(&limits).explore().unwrap();
        Some((node, found.bounds.winner()?.other()))
    };
    let mut losers = vec![explore(root, u64::MAX).unwrap()];
    // Where it takes long to know the truth, nobody can lie with certainty.
    losers.extend(below.filter_map(|node| explore(node, 1000)));
    assert!(losers.len() > 1, "{}", losers.len());
    losers
}

/// News as a liar would send them: the numbers of each position replaced by others.
fn false_news(state: &State, lies: &[(Node, Bounds)]) -> String {
    let honest = |&(node, _): &(Node, Bounds)| Numbers {
        node,
        entry: Entry { bounds: Bounds::UNKNOWN, work: Work::of(1 << 40) },
    };
    let met: Vec<Numbers> = lies.iter().map(honest).collect();
    let mut news = News::new("liar", 1, state.board(), &met);
    let entries = news.entries.as_bytes().chunks(2 * Numbers::BYTES).zip(lies);
    let entry = |(entry, (_, bounds)): (&[u8], &(Node, Bounds))| {
        let text = std::str::from_utf8(entry).unwrap();
        let (node, rest) = text.split_at(2 * Node::BYTES);
        format!("{node}{:08x}{:08x}{}", bounds.last, bounds.notlast, &rest[16..])
    };
    news.entries = entries.map(entry).collect();
    String::from_utf8(news.write()).unwrap()
}

#[test]
fn a_workers_user_cannot_write_facts_jobs_or_claims() {
    let server = Server::start("forbidden");
    let store = server.folder().join("forbidden.redb");
    let _coordinator = Part::coordinator(&server, POSITION, &store, "20");
    status_when(&server, |status| status["jobs"] != 0);
    let state: State = POSITION.parse().unwrap();
    let (node, winner) = losers(&state)[0];
    let (place, record) =
        record_of(state.board(), &Solved { node, winner, best: None, nodes: 1 << 20 }, RULES);
    let Fact { at, is } = Fact::new(&place, &record);
    let subjects = [
        format!("$KV.solrex_solved.6x6.{at}"),
        "$KV.solrex_leaders.x".to_owned(),
        "solrex.job.x".to_owned(),
        "_INBOX.x".to_owned(),
        "$JS.API.STREAM.PURGE.SOLREX_JOBS".to_owned(),
        "$JS.API.STREAM.DELETE.KV_solrex_solved".to_owned(),
        "$JS.API.STREAM.CREATE.MINE".to_owned(),
        "$JS.API.STREAM.UPDATE.SOLREX_ANSWERS".to_owned(),
        "$JS.API.CONSUMER.CREATE.SOLREX_ANSWERS.mine".to_owned(),
    ];
    for subject in subjects {
        let refused = server.try_to_publish(User::Worker, &subject, &is).unwrap_err();
        assert!(refused.contains("Permissions Violation"), "{subject}: {refused}");
    }
    // A coordinator is believed.
    server.publish(User::Coordinator, &format!("$KV.solrex_solved.6x6.{at}"), &is);
}

/// While a search runs, somebody with a worker's password says at every moment that the wrong player wins, and that what is
/// hopeless is promising.
#[test]
fn false_facts_and_false_news_change_no_answer() {
    let server = Server::start("false");
    let state: State = POSITION.parse().unwrap();
    let losers = losers(&state);
    let facts: Vec<Fact> = losers
        .iter()
        .map(|&(node, winner)| {
            let (place, record) =
                record_of(state.board(), &Solved { node, winner, best: None, nodes: 1 << 20 }, RULES);
            Fact::new(&place, &record)
        })
        .collect();
    let winners: Vec<_> = losers.iter().map(|&(node, loser)| (node, Bounds::won_by(loser))).collect();
    let hopes: Vec<_> = losers.iter().map(|&(node, loser)| (node, Bounds::of(loser, 1, 9_999_999))).collect();
    let news = [false_news(&state, &winners), false_news(&state, &hopes)];
    let coordinator = Part::coordinator(&server, POSITION, &server.folder().join("false.redb"), "20");
    let (over, told) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let liar = scope.spawn(|| {
            while !over.load(Relaxed) {
                for news in &news {
                    server.publish(User::Worker, "solrex.news.6x6", news);
                }
                let Fact { at, is } = &facts[told.fetch_add(1, Relaxed) % facts.len()];
                let refused = server.try_to_publish(User::Worker, &format!("$KV.solrex_solved.6x6.{at}"), is);
                assert!(refused.is_err());
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        wait_until("some lies are told", || told.load(Relaxed) > 10 || liar.is_finished());
        let _workers = ["w1", "w2"].map(|name| Part::worker(&server, name));
        let end = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| coordinator.end()));
        over.store(true, Relaxed);
        liar.join().unwrap();
        check_answer(POSITION, end.expect("it ends"));
    });
}

/// Who has the wrong user is told so, and does not wait for what does not get better.
#[test]
fn a_coordinator_with_a_workers_user_says_what_is_forbidden() {
    let server = Server::start("wrong-user");
    let store = server.folder().join("wrong.redb");
    let args = ["coordinate", "5x5", "a1", "--store", store.to_str().unwrap()];
    let (code, _, err) = Part::start(&server, User::Worker, "wrong", &args).end();
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("the server forbids it") && err.contains("docs/cluster.md"), "{err}");
}
