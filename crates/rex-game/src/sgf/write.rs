use std::fmt;

use super::{Collection, SgfNode, SgfNodeData};
use crate::ActionKind;

/// The word for a move that is not a cell.
pub fn word(kind: ActionKind) -> &'static str {
    match kind {
        ActionKind::Play(_) | ActionKind::Pass => "pass",
        ActionKind::SwapPieces => "swap-pieces",
        ActionKind::SwapSides => "swap-sides",
        ActionKind::Resign => "resign",
        ActionKind::Forfeit => "forfeit",
    }
}

/// Text escaped for use between brackets.
pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// What is left to write.
enum Task {
    /// A node, perhaps with a parenthesis before it.
    SgfNode(SgfNode, &'static str),
    Close,
}

/// Writes everything that was read. Each game gets `FF[4]`, `GM[11]`, UTF-8, and `RU[Rex]` unless it names its rules.
impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const COLUMNS: usize = 78;
        for &root in &self.roots {
            let mut tasks = vec![Task::Close, Task::SgfNode(root, "(")];
            let mut column = 0;
            while let Some(task) = tasks.pop() {
                let text = match task {
                    Task::Close => ")".to_owned(),
                    Task::SgfNode(node, before) => {
                        let data = &self.nodes[node.0];
                        let many = data.children.len() > 1;
                        for &child in data.children.iter().rev() {
                            if many {
                                tasks.extend([Task::Close, Task::SgfNode(child, "(")]);
                            } else {
                                tasks.push(Task::SgfNode(child, ""));
                            }
                        }
                        before.to_owned() + &node_text(data, node == root)
                    }
                };
                // A node that does not fit starts a new line; closing parentheses stay on the line.
                if text.len() > 1 && column > 0 && column + text.len() > COLUMNS {
                    f.write_str("\n")?;
                    column = 0;
                }
                f.write_str(&text)?;
                column += text.len();
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

fn node_text(node: &SgfNodeData, is_root: bool) -> String {
    let mut text = ";".to_owned();
    if is_root {
        text += concat!("FF[4]GM[11]CA[UTF-8]AP[Solrex:", env!("CARGO_PKG_VERSION"), "]");
        if node.property("RU").is_none() {
            text += "RU[Rex]";
        }
    }
    for property in &node.properties {
        let name = property.key();
        if is_root && ["FF", "GM", "CA", "AP"].contains(&name.as_str()) {
            continue;
        }
        text += &name;
        for value in &property.values {
            text.push('[');
            text += &value.raw;
            text.push(']');
        }
    }
    text
}
