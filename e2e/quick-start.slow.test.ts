import { execFile, execFileSync } from "node:child_process";
import { chmod, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Block, blocksOf, ownEnvironment, type Started, scriptOf, startByBlock } from "./harness/pages.ts";
import { newOperatorKey, ROOT, temporaryFolder } from "./harness/service.ts";

// Building, a database of its own, and the pauses that the page itself makes.
const PAGE_MILLISECONDS = 420_000;

let folder: string;
let environment: Readonly<Record<string, string>>;
let started: Started | null = null;
beforeEach(async () => {
  folder = await temporaryFolder("corprail-quick-start-");
  environment = await cleanEnvironment();
  for (const name of ["docs", "examples"]) await symlink(join(ROOT, name), join(folder, name));
});
afterEach(async () => {
  await started?.stop();
  started = null;
  await rm(folder, { recursive: true, force: true });
});

/** `npm ci` may not replace the packages under the tests that are running: it checks the lock and changes nothing. */
async function cleanEnvironment(): Promise<Readonly<Record<string, string>>> {
  const npm = execFileSync("which", ["npm"], { encoding: "utf8" }).trim();
  const shim = `#!/bin/sh\nif [ "$1" = ci ]; then exec ${npm} ci --dry-run --ignore-scripts --prefer-offline; fi\nexec ${npm} "$@"\n`;
  await writeFile(join(folder, "npm"), shim);
  await chmod(join(folder, "npm"), 0o755);
  return { ...ownEnvironment(), PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}` };
}

/** As the page says, with the data in a folder of the test's. */
async function start(block: Block | undefined): Promise<Started> {
  const dataFolder = join(folder, "data");
  const own = { ...environment, CORPRAIL_DATA_DIR: dataFolder, CORPRAIL_OPERATOR_KEY: newOperatorKey() };
  started = await startByBlock(block, { cwd: ROOT, dataFolder, environment: own });
  return started;
}

test(
  "the README's first block starts the service, and its other block is run by readme.test.ts",
  async () => {
    const blocks = await blocksOf(join(ROOT, "README.md"));
    expect(blocks.map((block) => block.language)).toEqual(["sh", "bash"]);
    const { proxy, credential } = await start(blocks[0]);
    expect((await fetch(`${proxy.url}/readyz`)).status).toBe(200);
    expect(credential("API token")).toMatch(/^tok_live_/);
  },
  PAGE_MILLISECONDS,
);

test(
  "every block of the quick start works as it is printed, one after the other",
  async () => {
    const [first, ...rest] = await blocksOf(join(ROOT, "docs/guide/quick-start.md"));
    expect([first?.language, ...rest.map((block) => block.language)]).toEqual(["sh", ...rest.map(() => "bash")]);
    const script = await scriptOf(rest, await start(first));
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
