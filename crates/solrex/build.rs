//! Tells the program how it was built, for `solrex version --verbose`.

use std::process::Command;

fn main() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = Command::new(rustc).arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    println!("cargo:rustc-env=SOLREX_RUSTC={}", version.unwrap_or_default());
    for name in ["TARGET", "PROFILE"] {
        println!("cargo:rustc-env=SOLREX_{name}={}", std::env::var(name).unwrap_or_default());
    }
    println!("cargo:rerun-if-changed=build.rs");
}
