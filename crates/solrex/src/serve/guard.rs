//! Who may ask, and what the browser may do with the answer.
//!
//! A page from elsewhere could send requests to this machine's loopback address, or make its own name point there. So
//! the `Host` must be one of ours, and an `Origin`, where there is one, must be the page itself.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};

use super::api::{Failure, error};
use super::connections::PATIENCE;

/// A game with all its variations fits well into this.
const BODY: usize = 64 << 10;
const HEADERS: usize = 16 << 10;
const ADDRESS: usize = 8 << 10;

/// Scripts, styles and pictures come from here and nowhere else; `blob:` is for the picture that is saved as PNG.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// Knows the names of this server.
pub struct Guard {
    address: SocketAddr,
    names: Vec<String>,
}

impl Guard {
    /// A guard for what listens here and also has these names.
    pub fn new(address: SocketAddr, names: &[String]) -> Guard {
        let mut names: Vec<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        names.push("localhost".to_owned());
        Guard { address, names }
    }

    /// Whether this is a name of ours. Behind `--host` there may be another port (a proxy).
    fn is_ours(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (name, Some(port)),
            _ => (host.as_str(), None),
        };
        if name != "localhost" && self.names.iter().any(|ours| ours == name) {
            return true;
        }
        if port.map_or(Some(80), |port| port.parse().ok()) != Some(self.address.port()) {
            return false;
        }
        let number = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        match number {
            // Nobody can make a number point elsewhere, so any is fine where all addresses are listened to.
            Ok(ip) => ip == self.address.ip() || self.address.ip().is_unspecified(),
            Err(_) => name == "localhost",
        }
    }

    fn refusal(&self, headers: &HeaderMap, uri: &Uri) -> Option<(StatusCode, &'static str)> {
        let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let size: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
        let host = text(header::HOST).unwrap_or_default();
        if size > HEADERS {
            return Some((StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "the header is too large"));
        }
        if uri.path_and_query().is_some_and(|path| path.as_str().len() > ADDRESS) {
            return Some((StatusCode::URI_TOO_LONG, "the address is too long"));
        }
        if !self.is_ours(host) {
            return Some((StatusCode::FORBIDDEN, "this is no name of the server; see --host"));
        }
        let foreign = headers.get(header::ORIGIN).is_some_and(|origin| {
            let origin = origin.to_str().unwrap_or_default();
            let from = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            !from.is_some_and(|from| from.eq_ignore_ascii_case(host))
        });
        // A page on another port of this machine is of the same site; only its links may lead here.
        let site = headers.get("sec-fetch-site");
        if foreign || site.is_some_and(|site| site != "same-origin" && site != "none") && uri.path() != "/" {
            return Some((StatusCode::FORBIDDEN, "the request comes from another page"));
        }
        None
    }
}

/// The same with the guard before it and limits on what is sent.
pub fn guarded(router: Router, guard: Guard) -> Router {
    router.layer(middleware::from_fn_with_state(Arc::new(guard), check)).layer(DefaultBodyLimit::max(BODY))
}

async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match guard.refusal(request.headers(), request.uri()) {
        Some((status, message)) => error(status, message).into_response(),
        None => match whole(request).await {
            Ok(request) => next.run(request).await,
            Err(failure) => failure.into_response(),
        },
    };
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response.headers_mut().insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    response
}

/// A request that has come in whole. A body is small, so nobody needs long to send it.
async fn whole(request: Request) -> Result<Request, Failure> {
    let (parts, body) = request.into_parts();
    let body = Bytes::from_request(Request::from_parts(parts.clone(), body), &());
    let bytes = tokio::time::timeout(PATIENCE, body)
        .await
        .map_err(|_| error(StatusCode::REQUEST_TIMEOUT, "the request took too long to come"))?
        .map_err(|what| error(what.status(), what.body_text()))?;
    Ok(Request::from_parts(parts, bytes.into()))
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
}
