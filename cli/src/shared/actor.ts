import { userInfo } from "node:os";

/** Who the audit log names for what a command changes. */
export function actor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    // A container's user often has no name.
    return `cli:${process.getuid?.() ?? "unknown"}`;
  }
}
