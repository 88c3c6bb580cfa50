//! The messages that `docs/cluster.md` shows are messages.

use rex_cluster::{Answer, Beat, Job, LeadStatus, Message, News};

#[test]
fn the_messages_in_the_manual_can_be_read() {
    let text =
        std::fs::read_to_string(format!("{}/../../docs/cluster.md", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let blocks: Vec<&str> =
        text.split("```json\n").skip(1).filter_map(|rest| rest.split("\n```").next()).collect();
    let [job, answer, beat, news, status] = blocks[..] else { panic!("{} messages", blocks.len()) };
    let again = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    // They come out as they went in: nothing is missing in the manual, and nothing too much.
    assert_eq!(again(Job::read(job.as_bytes()).unwrap().write()), job);
    assert_eq!(again(Beat::read(beat.as_bytes()).unwrap().write()), beat);
    assert_eq!(again(News::read(news.as_bytes()).unwrap().write()), news);
    assert_eq!(News::read(news.as_bytes()).unwrap().met().unwrap().len(), 2);
    assert_eq!(again(LeadStatus::read(status.as_bytes()).unwrap().write()), status);
    let read = Answer::read(answer.as_bytes()).unwrap();
    assert_eq!(again(read.write()), answer);
    for fact in &read.solved {
        fact.read().unwrap();
    }
}
