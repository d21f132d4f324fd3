import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { chmod, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "./harness/deadline.ts";
import { freePort } from "./harness/receivers.ts";
import { newOperatorKey, ROOT, temporaryFolder } from "./harness/service.ts";

// Building, a database of its own, and the pauses that the page itself makes.
const PAGE_MILLISECONDS = 180_000;
const START_MILLISECONDS = 90_000;

let folder: string;
let environment: Record<string, string>;
let started: ChildProcess | null = null;
beforeEach(async () => {
  folder = await temporaryFolder("corprail-quick-start-");
  environment = await cleanEnvironment();
  for (const name of ["docs", "examples"]) await symlink(join(ROOT, name), join(folder, name));
});
afterEach(async () => {
  if (started?.pid !== undefined && started.exitCode === null) {
    const gone = new Promise((resolve) => started?.once("exit", resolve));
    process.kill(-started.pid, "SIGTERM");
    await gone;
  }
  started = null;
  await rm(folder, { recursive: true, force: true });
});

/** `npm ci` may not replace the packages under the tests that are running: it checks the lock and changes nothing. */
async function cleanEnvironment(): Promise<Record<string, string>> {
  const npm = execFileSync("which", ["npm"], { encoding: "utf8" }).trim();
  const shim = `#!/bin/sh\nif [ "$1" = ci ]; then exec ${npm} ci --dry-run --ignore-scripts --prefer-offline; fi\nexec ${npm} "$@"\n`;
  await writeFile(join(folder, "npm"), shim);
  await chmod(join(folder, "npm"), 0o755);
  const own = Object.entries(process.env).filter(([name]) => !/^(?:CORPRAIL_|NODE_ENV$|VITEST|npm_)/.test(name));
  return { ...(Object.fromEntries(own) as Record<string, string>), PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}` };
}

type Block = { readonly language: string; readonly code: string };

async function blocksOf(page: string): Promise<readonly Block[]> {
  const text = await readFile(join(ROOT, page), "utf8");
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = "", code = ""]) => ({ language, code }));
}

/** Runs a page's first block as it is printed; only the port and the folder are our own. */
async function start(block: Block | undefined): Promise<{ readonly port: number; readonly credentials: string }> {
  const port = await freePort();
  const env = {
    ...environment,
    CI: "true",
    CORPRAIL_PORT: String(port),
    CORPRAIL_DATA_DIR: join(folder, "data"),
    CORPRAIL_OPERATOR_KEY: newOperatorKey(),
  };
  const child = spawn("bash", ["-euo", "pipefail", "-c", block?.code ?? "false"], {
    cwd: ROOT,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  started = child;
  const ready = () => {
    if (child.exitCode !== null) throw new Error(`The block ended before the service listened:\n${output}`);
    return output.includes('"message":"listening"');
  };
  await until("the service listens", ready, START_MILLISECONDS);
  return { port, credentials: await readFile(join(folder, "data", "first-run.txt"), "utf8") };
}

function credential(text: string, label: string): string {
  return new RegExp(`^ *${label} +(\\S+)`, "m").exec(text)?.[1] ?? "";
}

test(
  "the README's first block starts the service, and its other block is run by readme.test.ts",
  async () => {
    const blocks = await blocksOf("README.md");
    expect(blocks.map((block) => block.language)).toEqual(["sh", "bash"]);
    const { port, credentials } = await start(blocks[0]);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    expect(credential(credentials, "API token")).toMatch(/^tok_live_/);
  },
  PAGE_MILLISECONDS,
);

test(
  "every block of the quick start works as it is printed, one after the other",
  async () => {
    const [first, ...rest] = await blocksOf("docs/guide/quick-start.md");
    expect([first?.language, ...rest.map((block) => block.language)]).toEqual(["sh", ...rest.map(() => "bash")]);
    const { port, credentials } = await start(first);
    const receiverPort = await freePort();
    const script = rest
      .map((block) => block.code)
      .join("\necho '=='\n")
      .replace("ACCOUNT=A...", `ACCOUNT=${credential(credentials, "account id")}`)
      .replace("tok_live_...", credential(credentials, "API token"))
      .replace("sig_...", credential(credentials, "signing secret"))
      .replace("opk_...", credential(credentials, "operator key"))
      .replaceAll("127.0.0.1:8080", `127.0.0.1:${port}`)
      .replaceAll(/\b3000\b(?!\d)/g, String(receiverPort));
    const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], { cwd: folder, env: environment });
    expectPage(stdout.split("==\n").map((part) => part.trim().split("\n").map(reply)));
  },
  PAGE_MILLISECONDS,
);

type Reply = { readonly http: number | null; readonly body: Readonly<Record<string, unknown>> };

// `show` prints the HTTP status and the body; the receiver prints a body alone.
function reply(line: string): Reply {
  const [, http, body] = /^(?:([0-9]{3}) )?(\{.*\})$/.exec(line) ?? [];
  return { http: http === undefined ? null : Number(http), body: JSON.parse(body ?? "{}") as Reply["body"] };
}

/** What the page says of each block. */
function expectPage([, balance, twice, pending, refused, callback, bills]: readonly (readonly Reply[])[]): void {
  expect(balance).toMatchObject([{ http: 200, body: { balance: "10000.0000" } }]);
  const done = { http: 200, body: { status: "SUCCESS", urid: "quick-1", balance: "9990.0000" } };
  expect(twice).toMatchObject([done, done]);
  expect(twice?.[1]?.body["order_id"]).toBe(twice?.[0]?.body["order_id"]);
  expect(pending).toMatchObject([{ body: { status: "pending" } }, { body: { status: "SUCCESS", urid: "quick-2" } }]);
  const duplicate = { http: 409, body: { error: "duplicate_reference", order_id: twice?.[0]?.body["order_id"] } };
  expect(refused).toMatchObject([{ body: { status: "FAILED", balance: "9980.0000" } }, duplicate]);
  expect(callback).toMatchObject([{ body: { result: "booked", status: "FAILED", urid: "quick-4" } }]);
  expect(bills).toMatchObject([{ http: 200, body: { ok: true, items: [{ biller_id: "BESCOM000KAR01" }] } }]);
}
