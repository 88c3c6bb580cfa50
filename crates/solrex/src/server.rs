//! `solrex serve`: the page in a browser, and the JSON API behind it (`docs/api.md`).
//!
//! `connections` accepts clients, `wire` is one client's stream, `guard` refuses requests from elsewhere, `api` is the
//! table of requests, `engine` has the session of a request, `turns` decides which search runs now, `certificates` are
//! made, checked and read, and `assets` holds the page. The answers are those of [`rex_answers`].

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use rex_answers::page_search::TIME;

use crate::arguments::solver::SearchArgs;
use crate::arguments::solver::StoreArgs;
use crate::cli::Show;
use crate::{Ending, show::log, show::output, system::interrupt};

mod api;
mod assets;
mod certificates;
mod connections;
mod engine;
mod guard;
mod turns;
mod wire;

/// Explore Rex in the browser: solve positions, ask why, play, solve puzzles
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The port to listen on; 0 picks a free one
    #[arg(long, value_name = "PORT", default_value_t = 7373)]
    port: u16,
    /// The address to listen on; anything but a loopback address needs --remote
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Let other machines connect: there is no password, and they can keep this machine busy
    #[arg(long)]
    remote: bool,
    /// Another name under which browsers may reach the server; may be repeated
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
    /// How many searches run at once; others take turns
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    searches: u16,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    store: StoreArgs,
}

const EXAMPLES: &str = "\
Examples:
  solrex serve --open
  solrex serve --port 8080 --time 10m --memory 8G

Known positions and the first 50 ms of a search never wait. After that, --searches searches run at once; others take
turns of half a second, and the one that has searched least comes first. Each search uses all --threads. Searches on
boards of one size share a table, and --memory is divided among --searches + 2 tables and one for proofs. A search ends
after 5 minutes of its own turns (or --time), or when its page is closed. Answers are kept in the store. Ctrl-C or SIGTERM
stops the server.";

/// How long requests may take to end after a signal.
const GRACE: Duration = Duration::from_secs(5);

/// Serves until Ctrl-C or another signal.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    if !args.listen.is_loopback() && !args.remote {
        bail!("{} can be reached from other machines; expected a loopback address or --remote", args.listen);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start the server")?;
    let (settings, kept) = (args.search.settings(), args.store.open()?);
    let about = json!({
        "engine": "server",
        "threads": settings.threads,
        "memory": settings.memory,
        "store": kept.store.is_some(),
    });
    let engine = Arc::new(engine::Engine::new(
        settings,
        kept,
        args.searches.into(),
        args.search.time().unwrap_or(TIME),
        args.search.nodes(),
    ));
    let served = runtime.block_on(serve(args, show, engine.clone(), about));
    engine.stop();
    runtime.shutdown_timeout(GRACE);
    // Dropping the engine writes what is not yet in the store.
    drop(engine);
    served.map(|()| Ending::Answered)
}

async fn serve(args: &Args, show: Show, engine: Arc<engine::Engine>, about: Value) -> Result<()> {
    let wanted = SocketAddr::new(args.listen, args.port);
    let listener = tokio::net::TcpListener::bind(wanted)
        .await
        .with_context(|| format!("cannot listen on {wanted}; is another server running? Try --port 0"))?;
    let address = listener.local_addr().context("cannot listen")?;
    let guard = guard::Guard::new(address, &args.host);
    let router = guard::guarded(api::router(engine.clone(), about), guard);
    // Listen for signals before the address is printed: whoever reads it may send one at once.
    interrupt::watch()?;
    announce(args, show, address)?;
    let until = async move {
        interrupt::wait().await;
        // Searches end, and the server waits until their answers are sent.
        engine.stop();
    };
    connections::serve(listener, router, until).await;
    Ok(())
}

fn announce(args: &Args, show: Show, address: SocketAddr) -> Result<()> {
    let host = match address.ip() {
        ip if ip.is_unspecified() => "localhost".to_owned(),
        IpAddr::V6(ip) => format!("[{ip}]"),
        ip => ip.to_string(),
    };
    let url = format!("http://{host}:{}/", address.port());
    let said = || format!("Solrex is running at {url} (Ctrl-C stops it).\n");
    output::answer(show, || json!({ "url": url }), said)?;
    if !address.ip().is_loopback() {
        log::warn("other machines can use this server without a password");
    }
    if args.open
        && let Err(error) = open::that_detached(&url)
    {
        log::remark(&format!("cannot open a browser: {error}"));
    }
    Ok(())
}
