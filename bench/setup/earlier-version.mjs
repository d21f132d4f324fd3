import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { promisify } from "node:util";
import { atEnd, temporaryFolder } from "../closing.mjs";
import { ROOT } from "./service.mjs";

const run = promisify(execFile);

/**
 * A folder with an earlier version of this project, its dependencies installed and its programs built.
 *
 * @param {string} ref a commit, branch or tag of git
 */
export async function checkOut(ref) {
  const folder = realpathSync(temporaryFolder("corprail-bench-before-"));
  const git = (...args) => run("git", ["-C", ROOT, ...args]);
  atEnd("database", () => git("worktree", "remove", "--force", folder));
  await git("worktree", "add", "--detach", folder, ref);
  process.stdout.write(`${ref}: installing its dependencies\n`);
  await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder });
  process.stdout.write(`${ref}: building\n`);
  await run("npm", ["run", "--silent", "build"], { cwd: folder });
  return folder;
}
