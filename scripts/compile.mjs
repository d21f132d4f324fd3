// Compiles what `npm start` runs. Types are checked by `npm run check`: leaving that out takes a quarter of the time.
import { spawn } from "node:child_process";
import { readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiler = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));
// What each is built from. The compiler writes its own record last, into the folder of its results.
const PROJECTS = { server: "server/src", cli: "cli/src", sdk: "sdk/src", "sdk/cjs": "sdk/src" };

/** Whether every result is there and newer than its sources, which is how the compiler itself decides. */
export function isCompiled() {
  return Object.entries(PROJECTS).every(([project, sources]) => {
    const built = statSync(recordOf(project), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const settings = [join(root, project, "tsconfig.json"), join(root, "tsconfig.base.json")];
    return [...settings, ...everythingIn(join(root, sources))].every((path) => statSync(path).mtimeMs <= built);
  });
}

function recordOf(project) {
  return join(root, project, "dist/tsconfig.tsbuildinfo");
}

// Folders too: theirs is the only time that tells of a file that was deleted.
function everythingIn(folder) {
  return [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, name))];
}

export function compile() {
  return new Promise((done, failed) => {
    const words = [compiler, "-b", root, "--noCheck", "--pretty", "false"];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
    const from = new Date();
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (part) => {
      said += part;
    });
    child.once("error", failed);
    child.once("close", (code) => {
      if (code === 0) {
        // The compiler leaves the record of what did not change as it was, a test's change included.
        for (const project of Object.keys(PROJECTS)) utimesSync(recordOf(project), from, from);
        return done();
      }
      failed(new Error(`The service could not be compiled. If packages are missing, run npm ci first.\n${said}`.trimEnd()));
    });
  });
}
