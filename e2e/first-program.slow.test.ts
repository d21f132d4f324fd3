import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "./harness/deadline.ts";
import { blocksOf, ownEnvironment, type Started, scriptOf, startByBlock } from "./harness/pages.ts";
import { processesIn } from "./harness/servers/processes.ts";
import { ROOT, temporaryFolder } from "./harness/service.ts";

// Cloning, installing, building and a database of its own.
const NEWCOMER_MILLISECONDS = 420_000;
// What npm ci fetched for the tests is not fetched again, and the simulator need not be slow.
const ENVIRONMENT = { npm_config_prefer_offline: "true", npm_config_update_notifier: "false", CORPRAIL_SIMULATOR_DELAY_MS: "500" };
const run = promisify(execFile);

let folder: string;
let started: Started | null = null;
beforeEach(async () => {
  folder = await temporaryFolder("corprail newcomer ");
});
afterEach(async () => {
  await started?.stop();
  started = null;
  await until("nothing is left running", () => processesIn(folder).length === 0);
  await rm(folder, { recursive: true, force: true });
});

test(
  "a newcomer gets from a fresh clone to a verified refund by the page and the SDK alone, and every rupee is accounted for",
  async () => {
    const clone = join(folder, "corprail");
    const environment = { ...ownEnvironment(), ...ENVIRONMENT };
    await run("git", ["clone", "--quiet", ROOT, clone], { env: environment });
    const [first, ...rest] = await blocksOf(join(clone, "docs/guide/first-program.md"));
    expect([first?.language, ...rest.map((block) => block.language)]).toEqual(["sh", ...rest.map(() => "bash")]);
    started = await startByBlock(first, { cwd: clone, dataFolder: join(clone, "data"), environment });
    const script = await scriptOf(rest, started);
    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script], { cwd: clone, env: environment });
    expectShop(stdout.split("==\n").at(-1)?.trim().split("\n") ?? []);
    await expectOperatorSees(started);
  },
  NEWCOMER_MILLISECONDS,
);

/** What the page says of each line. */
function expectShop(lines: readonly string[]): void {
  expect(lines.slice(0, 5)).toEqual([
    "balance: 10000.0000",
    "recharge: pending, customer's refund: wait",
    "callback: status SUCCESS, version 3",
    "recharge: succeeded",
    expect.stringMatching(/^complaint: CMP[0-9A-Z]{12} is OPEN$/),
  ]);
  expect(lines.slice(5, 7).toSorted()).toEqual(["callback: complaint REFUNDED, version 3", "callback: status FAILED, version 3"]);
  expect(lines.slice(7)).toEqual([
    "complaint: REFUNDED, 10.0000 back: The operator did not credit it.",
    "recharge: failed, customer's refund: due",
    "balance: 10000.0000",
  ]);
}

async function expectOperatorSees({ proxy, credential }: Started): Promise<void> {
  const ask = async (path: string) => {
    const reply = await fetch(`${proxy.url}/api/operator/v1${path}`, {
      headers: { authorization: `Bearer ${credential("operator key")}` },
    });
    return (await reply.json()) as Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  };
  const delivered = { state: "delivered", version: 3, attempts: 1, last_http_status: 200 };
  const sent = await until("every callback is written down as delivered", async () => {
    const { items = [] } = await ask(`/callbacks?account_id=${credential("account id")}`);
    return items.length === 3 && items.every((one) => one["state"] === "delivered") ? items : null;
  });
  expect(sent).toMatchObject([delivered, delivered, delivered]);
  const ledger = await ask("/ledger/check");
  expect(ledger).toMatchObject({ ok: true });
  expect(ledger["checks"]?.filter((check) => check["violations"] !== 0)).toEqual([]);
}
