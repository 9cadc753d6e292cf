//! The `chuhe` binary: arguments to subcommand, nothing else.

fn main() -> std::process::ExitCode {
    chuhe::cli::run()
}
