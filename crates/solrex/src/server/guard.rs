//! Who may send requests, and what the browser may do with the response.
//!
//! A page from elsewhere could send requests to this machine's loopback address, or make its own name point there. So
//! the `Host` must be one of ours, and an `Origin`, where there is one, must be the page itself.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::api::{Failure, error};
use super::connections::PATIENCE;

/// Large enough for a game with all its variations.
const BODY: usize = 64 << 10;
/// Large enough for every certificate of an opening on 7x7.
const FILE: usize = 8 << 20;
/// Where certificates are sent to, and how many at a time.
const FILES_GO_TO: &str = "/api/check";
const MOST_FILES: usize = 4;
const HEADERS: usize = 16 << 10;
const ADDRESS: usize = 8 << 10;

/// Scripts, styles and pictures come from here and nowhere else; `blob:` is for the picture that is saved as PNG.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// Headers of every answer. The browser sends a `Referer` to this server alone, where it shows that the page asks (see
/// [`Guard::refusal`]); one that does not know `same-origin` takes the value before it.
pub const ON_EVERYTHING: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer, same-origin"),
    (header::CACHE_CONTROL, "no-cache"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Requests that cost work and need no more than an address.
const COSTLY: [&str; 2] = ["/api/solve", "/api/explain"];

const LARGE_FILE: &str = "the file is larger than 8 MiB; 'solrex check' has no limit";
pub const LARGE_HEADER: &str = "the header is too large";
pub const LONG_ADDRESS: &str = "the address is too long";

/// Held as long as a file that was sent is in memory.
#[derive(Clone)]
pub struct Upload(#[allow(dead_code, reason = "it is there to be dropped")] Arc<OwnedSemaphorePermit>);

/// The names of this server.
pub struct Guard {
    address: SocketAddr,
    names: Vec<String>,
    files: Arc<Semaphore>,
}

impl Guard {
    /// A guard for a server that listens here and also has these names.
    pub fn new(address: SocketAddr, names: &[String]) -> Guard {
        let mut names: Vec<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        names.push("localhost".to_owned());
        Guard { address, names, files: Arc::new(Semaphore::new(MOST_FILES)) }
    }

    /// Whether this is one of our names. With `--host` the port may differ (a proxy).
    fn is_ours(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let (name, port) = name_and_port(&host);
        if name != "localhost" && self.names.iter().any(|ours| ours == name) {
            return true;
        }
        if port.map_or(Some(80), |port| port.parse().ok()) != Some(self.address.port()) {
            return false;
        }
        let number = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        match number {
            // A numeric address cannot be made to point elsewhere, so any is fine if the server listens on all addresses.
            Ok(ip) => ip == self.address.ip() || self.address.ip().is_unspecified(),
            Err(_) => name == "localhost",
        }
    }

    fn refusal(&self, method: &Method, headers: &HeaderMap, uri: &Uri) -> Option<(StatusCode, &'static str)> {
        let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let size: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
        let host = text(header::HOST).unwrap_or_default();
        if size > HEADERS {
            return Some((StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, LARGE_HEADER));
        }
        if uri.path_and_query().is_some_and(|path| path.as_str().len() > ADDRESS) {
            return Some((StatusCode::URI_TOO_LONG, LONG_ADDRESS));
        }
        if !self.is_ours(host) {
            return Some((StatusCode::FORBIDDEN, "this is not a name of the server; see --host"));
        }
        let origin = headers.get(header::ORIGIN).map(|origin| is_at(origin, host));
        // A page on another port of this machine is of the same site; only its links may lead here.
        let site = headers.get("sec-fetch-site").map(|site| site == "same-origin" || site == "none");
        if origin == Some(false) || site == Some(false) && uri.path() != "/" {
            return Some((StatusCode::FORBIDDEN, "the request comes from another page"));
        }
        // A picture's address on a foreign page asks without an `Origin`, and without `Sec-Fetch-Site` unless the address
        // is this machine's own or is secure. Then it must show that it is not one. (Other methods have an `Origin`.)
        let shown = origin == Some(true)
            || site == Some(true)
            || headers.get(header::REFERER).is_some_and(|page| is_at(page, host));
        let asks = method == Method::GET || method == Method::HEAD;
        if asks && COSTLY.contains(&uri.path()) && !shown && !is_loopback(host) {
            let message = "the request does not say where it comes from; see docs/api.md";
            return Some((StatusCode::FORBIDDEN, message));
        }
        None
    }
}

impl Guard {
    /// Reads a request to its end. Bodies are small, so it should not take long; files are not, so only a few may come at
    /// a time.
    async fn whole(&self, mut request: Request) -> Result<Request, Failure> {
        let is_file = request.uri().path() == FILES_GO_TO;
        if is_file {
            let busy = "the server is checking other certificates; try again in a moment";
            let permit = self.files.clone().try_acquire_owned();
            let permit = permit.map_err(|_| error(StatusCode::SERVICE_UNAVAILABLE, busy))?;
            request.extensions_mut().insert(Upload(Arc::new(permit)));
            DefaultBodyLimit::max(FILE).apply(&mut request);
        }
        let (parts, body) = request.into_parts();
        let body = Bytes::from_request(Request::from_parts(parts.clone(), body), &());
        let bytes = tokio::time::timeout(PATIENCE, body)
            .await
            .map_err(|_| error(StatusCode::REQUEST_TIMEOUT, "the request took too long to arrive"))?
            .map_err(|what| match what.status() {
                StatusCode::PAYLOAD_TOO_LARGE if is_file => error(what.status(), LARGE_FILE),
                status => error(status, what.body_text()),
            })?;
        Ok(Request::from_parts(parts, bytes.into()))
    }
}

/// Whether this address (of a page, or an origin) belongs to this host.
fn is_at(address: &HeaderValue, host: &str) -> bool {
    let address = address.to_str().unwrap_or_default();
    let rest = address.strip_prefix("http://").or_else(|| address.strip_prefix("https://"));
    rest.and_then(|rest| rest.split('/').next()).is_some_and(|at| at.eq_ignore_ascii_case(host))
}

/// Whether browsers know that this name means their own machine.
fn is_loopback(host: &str) -> bool {
    let name = name_and_port(host).0;
    let number = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    number.map_or_else(|_| name.eq_ignore_ascii_case("localhost"), |ip| ip.is_loopback())
}

fn name_and_port(host: &str) -> (&str, Option<&str>) {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (name, Some(port)),
        _ => (host, None),
    }
}

/// The same with the guard before it and limits on what is sent.
pub fn guarded(router: Router, guard: Guard) -> Router {
    router.layer(middleware::from_fn_with_state(Arc::new(guard), check)).layer(DefaultBodyLimit::max(BODY))
}

async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match guard.refusal(request.method(), request.headers(), request.uri()) {
        Some((status, message)) => error(status, message).into_response(),
        None => match guard.whole(request).await {
            Ok(request) => next.run(request).await,
            Err(failure) => failure.into_response(),
        },
    };
    for (name, value) in ON_EVERYTHING {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_names_are_ours() {
        let guard = Guard::new("127.0.0.1:7373".parse().unwrap(), &["rex.example".to_owned()]);
        for host in ["127.0.0.1:7373", "localhost:7373", "LOCALHOST:7373", "rex.example", "rex.example:80"] {
            assert!(guard.is_ours(host), "{host}");
        }
        for host in [
            "",
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost",
            "evil.example:7373",
            "10.0.0.1:7373",
            "localhost.evil:7373",
        ] {
            assert!(!guard.is_ours(host), "{host}");
        }
        let six = Guard::new("[::1]:7373".parse().unwrap(), &[]);
        assert!(six.is_ours("[::1]:7373") && !six.is_ours("[::2]:7373"));
        let all = Guard::new("0.0.0.0:80".parse().unwrap(), &[]);
        assert!(all.is_ours("192.168.1.7") && !all.is_ours("evil.example"));
    }

    /// A page on a plain web server has no header but what it says itself. Only there the solver runs in the browser.
    #[test]
    fn the_page_says_the_same_policy_but_for_what_the_worker_needs() {
        let page = solrex_page::FILES.iter().find(|file| file.path == "index.html").unwrap();
        let page = std::str::from_utf8(page.content).unwrap();
        let (_, rest) = page.split_once("http-equiv=\"Content-Security-Policy\" content=\"").unwrap();
        let said: Vec<&str> = rest.split('"').next().unwrap().split("; ").collect();
        let differ = ["script-src ", "trusted-types ", "frame-ancestors "];
        for part in POLICY.split("; ").filter(|part| !differ.iter().any(|name| part.starts_with(name))) {
            assert!(said.contains(&part), "{part}");
        }
        for part in ["script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'", "trusted-types solrex"] {
            assert!(said.contains(&part), "{part}");
        }
    }
}
