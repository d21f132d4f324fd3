import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { until } from "./harness/deadline.ts";
import { processesIn } from "./harness/servers/processes.ts";
import { hasEnded } from "./harness/servers/receivers.ts";
import { ROOT, temporaryFolder } from "./harness/service.ts";

const run = promisify(execFile);
// A start that goes no further than the build: this setting is refused before anything is opened.
const NO_START = { CORPRAIL_LOG_LEVEL: "none of them" };
const A_BUILD_MILLISECONDS = 180_000;

let folder: string;
let checkout: string;
beforeAll(async () => {
  folder = await temporaryFolder("corprail build ");
  checkout = join(folder, "checkout");
  await run("git", ["clone", "--quiet", ROOT, checkout]);
  // As it stands now, not as it was committed; the pages as they are built, because bundling them takes long.
  for (const part of ["scripts", "server/src", "cli/src", "sdk/src", "web/src", "web/dist", "package-lock.json"]) {
    await rm(join(checkout, part), { recursive: true, force: true });
    await cp(join(ROOT, part), join(checkout, part), { recursive: true });
  }
  for (const part of ["server", "cli", "sdk", "sdk/cjs"])
    await cp(join(ROOT, part, "tsconfig.json"), join(checkout, part, "tsconfig.json"));
  await symlink(join(ROOT, "node_modules"), join(checkout, "node_modules"));
}, A_BUILD_MILLISECONDS);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function startOnly(): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:CORPRAIL_|NODE_ENV$|VITEST)/.test(name)));
  const ended = run(process.execPath, ["scripts/start.mjs"], { cwd: checkout, env: { ...own, ...NO_START } });
  return await ended.then(
    () => Promise.reject(new Error("It started.")),
    (error: { readonly stdout: string; readonly stderr: string }) => error,
  );
}

describe("a start on a checkout that is not built", () => {
  test("says each step and how long it took, on standard error only", { timeout: A_BUILD_MILLISECONDS }, async () => {
    const { stdout, stderr } = await startOnly();
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /^Building what is missing.*\n\[1\/1\] Compile the service.* …\n\[1\/1\] Compile the service.*: done in [0-9.]+ s\nBuilt in [0-9.]+ s\. Starting the service\.\n/,
    );
    expect(stderr).toContain("CORPRAIL_LOG_LEVEL must be");
  });

  test("builds nothing a second time, and says nothing of it", { timeout: A_BUILD_MILLISECONDS }, async () => {
    expect((await startOnly()).stderr).toMatch(/^Corprail cannot start with this configuration/);
  });

  test("builds what was deleted since, although its sources are the same", { timeout: A_BUILD_MILLISECONDS }, async () => {
    await rm(join(checkout, "server/dist"), { recursive: true });
    expect((await startOnly()).stderr).toContain("[1/1] Compile the service");
    expect(existsSync(join(checkout, "server/dist/main.js"))).toBe(true);
  });

  test("ends with the compiler's words when it cannot be compiled", { timeout: A_BUILD_MILLISECONDS }, async () => {
    await writeFile(join(checkout, "server/src/broken.ts"), "export const = ;\n");
    const { stderr } = await startOnly();
    await rm(join(checkout, "server/src/broken.ts"));
    expect(stderr).toMatch(/: failed after [0-9.]+ s\nThe service could not be compiled\./);
    expect(stderr).toContain("broken.ts");
  });
});

test.runIf(existsSync("/usr/bin/script"))(
  "at a terminal the log is readable lines, and the banner stands between whole lines",
  async () => {
    const data = join(folder, "terminal");
    const command = `'${process.execPath}' '${join(ROOT, "scripts/start.mjs")}'`;
    const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:CORPRAIL_|NODE_ENV$|VITEST|CI$)/.test(name)));
    const env = { ...own, CORPRAIL_DATA_DIR: data, CORPRAIL_PORT: "0" };
    const child = spawn("/usr/bin/script", ["-qec", command, "/dev/null"], { env, stdio: ["pipe", "pipe", "ignore"] });
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await until("nothing is left running", () => processesIn(folder).length === 0);
    });
    let screen = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      screen += stripVTControlCharacters(part).replaceAll("\r", "");
    });
    const listens = () => {
      if (hasEnded(child)) throw new Error(`It ended before it listened:\n${screen}`);
      return / INFO {2}listening address=http:\/\/127\.0\.0\.1:[0-9]+\n/.test(screen);
    };
    await until("it listens", listens);
    expect(screen).not.toMatch(/^\{/m);
    expect(screen).toMatch(/^ {2}API token {7}tok_live_[\w-]{43}$/m);
    const token = /tok_live_[\w-]{43}/.exec(screen)?.[0] ?? "";
    const port = /listening address=http:\/\/127\.0\.0\.1:([0-9]+)/.exec(screen)?.[1];
    await fetch(`http://127.0.0.1:${port}/api/corp/v1/balance`, { headers: { "X-Api-Token": token } });
    await until("the call's line is there", () => / INFO {2}GET \/api\/corp\/v1\/balance 200 [0-9.]+ ms /.test(screen));
    // Control-C, as somebody at the terminal presses it.
    child.stdin.write("\u0003");
    await until("it has stopped", () => / INFO {2}stopped\n/.test(screen));
  },
);
