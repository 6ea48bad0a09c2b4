//! A tool and all that it starts, such as the compiler behind Verilator, to be stopped together.
//!
//! The tool leads a group of processes. A shell waits beside it and ends the group when it is told
//! to, when this program ends, and on Ctrl-C, which does not reach the group by itself; only in its
//! own first milliseconds it does not listen. Elsewhere than on Unix a tool is stopped alone.

use std::io;
use std::process::{Child, Command};

#[cfg(unix)]
pub(crate) use unix::Group;

/// The processes of a tool, where there are no groups.
#[cfg(not(unix))]
pub(crate) struct Group;

#[cfg(not(unix))]
impl Group {
    pub(crate) fn start(command: &mut Command) -> io::Result<(Child, Self)> {
        Ok((command.spawn()?, Self))
    }

    pub(crate) fn stop(self, tool: &mut Child) -> io::Result<()> {
        tool.kill()?;
        tool.wait().map(drop)
    }

    pub(crate) fn leave(self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::process::CommandExt as _;
    use std::process::Stdio;

    use super::{Child, Command, io};

    /// Ends the group `$0` at the end of the input, which is also the end of who holds the other
    /// end, or by a signal.
    const WATCH: &str = r#"end() { kill -s KILL -- "-$0"; exit; }
        trap end INT TERM HUP QUIT
        read -r line
        end"#;

    /// The processes of a tool. They end with it, unless they are left.
    pub(crate) struct Group {
        pub(super) watcher: Child,
    }

    impl Group {
        /// Starts a tool at the head of a new group.
        pub(crate) fn start(command: &mut Command) -> io::Result<(Child, Self)> {
            let mut tool = command.process_group(0).spawn()?;
            let mut watch = Command::new("sh");
            watch.args(["-c", WATCH, &tool.id().to_string()]);
            watch.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
            match watch.spawn() {
                Ok(watcher) => Ok((tool, Self { watcher })),
                Err(error) => {
                    tool.kill()?;
                    tool.wait()?;
                    // The tool is not missing.
                    Err(io::Error::other(format!("no shell to watch it: {error}")))
                }
            }
        }

        pub(crate) fn stop(mut self, tool: &mut Child) -> io::Result<()> {
            drop(self.watcher.stdin.take());
            self.watcher.wait()?;
            tool.kill()?; // if the shell was ended by others
            tool.wait().map(drop)
        }

        /// The tool ended: nobody has to watch it.
        pub(crate) fn leave(mut self) -> io::Result<()> {
            self.watcher.kill()?;
            self.watcher.wait().map(drop)
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;
    use std::time::Duration;

    use super::*;

    /// A tool that waits for a child, and its group.
    fn started() -> (Child, Group) {
        Group::start(Command::new("sh").args(["-c", "sleep 100 & wait"])).unwrap()
    }

    #[test]
    fn a_tool_ends_with_the_program_that_started_it() {
        let (mut tool, group) = started();
        drop(group); // its end of the pipe closes, as at the end of a program
        assert_eq!(tool.wait().unwrap().signal(), Some(9));
    }

    #[test]
    fn an_interrupt_reaches_the_tool() {
        // A shell that was just started may not listen yet.
        for wait in [50, 500, 5000] {
            let (mut tool, mut group) = started();
            std::thread::sleep(Duration::from_millis(wait));
            let interrupt = format!("kill -s INT {}", group.watcher.id());
            assert!(Command::new("sh").args(["-c", &interrupt]).status().unwrap().success());
            if group.watcher.wait().unwrap().signal().is_none() {
                assert_eq!(tool.wait().unwrap().signal(), Some(9));
                return;
            }
            let all = format!("kill -s KILL -- -{}", tool.id());
            assert!(Command::new("sh").args(["-c", &all]).status().unwrap().success());
        }
        panic!("the shell did not listen");
    }
}
