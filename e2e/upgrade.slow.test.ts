import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { emptyDatabase } from "../server/src/testing/database.ts";
import { caughtUp } from "./harness/client.ts";
import { until, within } from "./harness/deadline.ts";
import { type Client, change, newClient, operator } from "./harness/operator.ts";
import { makeReleases, NEXT_VERSION, PRESENT_VERSION } from "./harness/releases.ts";
import { freePort } from "./harness/servers/receivers.ts";
import { launch, listeningPort, newOperatorKey, type Service, temporaryFolder } from "./harness/service.ts";

const A_BUILD_MILLISECONDS = 600_000;
const OLD = PRESENT_VERSION;
const NEW = NEXT_VERSION;

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder("corprail upgrade ");
  await makeReleases(folder);
}, A_BUILD_MILLISECONDS);
afterAll(() => rm(folder, { recursive: true, force: true }));

type Version = typeof OLD | typeof NEW;
const programOf = (version: Version) => join(folder, version, "bin/corprail.mjs");

type Cluster = {
  readonly environment: Readonly<Record<string, string>>;
  readonly start: (version: Version, port: number) => Promise<Service>;
  readonly command: (
    version: Version,
    ...words: readonly string[]
  ) => Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
};

async function newCluster(): Promise<Cluster> {
  const database = await emptyDatabase();
  const data = await temporaryFolder("corprail upgrade data ");
  const operatorKey = newOperatorKey();
  const environment = { CORPRAIL_DATABASE_URL: database.url, CORPRAIL_DATA_DIR: data, CORPRAIL_DRAIN_SECONDS: "1" };
  onTestFinished(async () => {
    await database.drop();
    await rm(data, { recursive: true, force: true });
  });
  const start = async (version: Version, port: number): Promise<Service> => {
    const variables = { ...environment, CORPRAIL_PORT: String(port), CORPRAIL_OPERATOR_KEY: operatorKey };
    const launched = launch(variables, programOf(version), { words: ["serve"], cwd: folder });
    onTestFinished(() => launched.signal("SIGKILL"));
    await listeningPort(launched);
    const stop = async () => {
      launched.signal("SIGTERM");
      return await launched.exited;
    };
    const kill = async () => {
      launched.signal("SIGKILL");
      return await launched.exited;
    };
    return { ...launched, port, url: `http://127.0.0.1:${port}`, operatorKey, dataFolder: data, stop, kill };
  };
  const command = async (version: Version, ...words: readonly string[]) => {
    const launched = launch(environment, programOf(version), { words, cwd: folder });
    const { code } = await launched.exited;
    return { code: code ?? -1, stdout: launched.output().replace(launched.errors(), ""), stderr: launched.errors() };
  };
  return { environment, start, command };
}

/** Why a request was sent again: nobody listened, the connection broke, 503, or the order was not final yet. */
type RetryCause = "refused" | "broken" | "busy" | "pending";
type LoadReport = { readonly made: number; readonly retries: Readonly<Record<RetryCause, number>>; readonly mostAttempts: number };
type Load = { readonly stop: () => Promise<LoadReport> };

/** Clients that make recharges without a pause. A request that gets no result is sent again, with the same reference, elsewhere. */
function startLoad(ports: readonly number[], client: Client): Load {
  const retries = { refused: 0, broken: 0, busy: 0, pending: 0 };
  let [isGoing, made, mostAttempts, number] = [true, 0, 0, 0];
  const makeOne = async (urid: string, firstPort: number) => {
    for (let attempt = 0; ; attempt++) {
      mostAttempts = Math.max(mostAttempts, attempt + 1);
      const outcome = await recharge(ports[(firstPort + attempt) % ports.length] ?? 0, client, urid);
      if (outcome === "SUCCESS") return;
      if (!isRetryCause(outcome)) throw new Error(`The recharge ${urid} ended as ${outcome}.`);
      retries[outcome]++;
    }
  };
  const loops = Array.from({ length: 4 }, async (_, firstPort) => {
    while (isGoing) {
      await makeOne(`up-${++number}`, firstPort);
      made++;
    }
  });
  return {
    stop: async () => {
      isGoing = false;
      await Promise.all(loops);
      return { made, retries, mostAttempts };
    },
  };
}

function isRetryCause(outcome: string): outcome is RetryCause {
  return ["refused", "broken", "busy", "pending"].includes(outcome);
}

async function recharge(port: number, client: Client, urid: string): Promise<string> {
  const body = JSON.stringify({ account: "9876543000", operator: "AT", amount: "10.00", urid });
  const headers = { "X-Api-Token": client.token, "Content-Type": "application/json" };
  try {
    const reply = await fetch(`http://127.0.0.1:${port}/api/corp/v1/recharge`, { method: "POST", headers, body });
    const { status } = (await reply.json()) as { readonly status: string };
    return reply.status === 503 ? "busy" : status;
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { readonly code?: string };
    return code === "ECONNREFUSED" ? "refused" : "broken";
  }
}

test("two versions run side by side through an upgrade and a back-out under load, and no request fails", { timeout: 600_000 }, async ({
  annotate,
}) => {
  const { start, command } = await newCluster();
  const ports = [await freePort(), await freePort()] as const;
  const processes = [await start(OLD, ports[0]), await start(OLD, ports[1])];
  const [first, second] = processes;
  if (!first || !second) throw new Error("Two processes are needed.");
  const client = await newClient(first, { settings: { money_per_minute: 1_000_000, get_per_minute: 1_000_000 } });
  await change(first, `/accounts/${client.accountId}/wallet`, { amount: "900000", reference: "first", note: "" });
  await caughtUp(first, second);
  const load = startLoad(ports, client);
  const replaceAll = async (version: Version) => {
    for (const [place, port] of ports.entries()) {
      expect((await within("it stops", processes[place]?.stop() ?? Promise.reject(new Error("none")))).code).toBe(0);
      processes[place] = await start(version, port);
    }
  };

  const check = await command(NEW, "upgrade", "check");
  expect(check.code, check.stderr).toBe(0);
  expect(check.stdout).toContain("alter table orders add column upgrade_note text: ACCESS EXCLUSIVE on orders");
  expect(check.stdout).toContain("SHARE UPDATE EXCLUSIVE on orders, blocks nothing");
  expect(check.stdout).toContain("9003 no_order_note, contract");
  const upgraded = await command(NEW, "upgrade", "run", "--json");
  expect(JSON.parse(upgraded.stdout)).toMatchObject({ ok: true, applied: { home: ["order_note", "order_note_index"] } });

  await replaceAll(NEW);
  // Back out: the present version accepts the database of the next one.
  await replaceAll(OLD);
  const early = await command(NEW, "upgrade", "run", "--contract");
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining("Another version still runs")]);
  await replaceAll(NEW);
  // A process tells its version some seconds after its start.
  await until("no other version is seen", async () => {
    const contracted = await command(NEW, "upgrade", "run", "--contract", "--json");
    const { ok, applied } = JSON.parse(contracted.stdout) as { readonly ok: boolean; readonly applied?: object };
    if (ok) expect(applied).toEqual({ home: ["no_order_note"] });
    return ok;
  });

  const { made, retries, mostAttempts } = await load.stop();
  await annotate(`${made} recharges; sent again: ${JSON.stringify(retries)}; at most ${mostAttempts} attempts for one`);
  expect(made).toBeGreaterThan(50);
  // No accepted connection broke. Only a stopped process refuses connections, and the other one serves then.
  expect(retries.broken).toBe(0);
  expect(mostAttempts).toBeLessThanOrEqual(3 + retries.busy + retries.pending);
  const orders = await operator(processes[0] ?? first, "GET", "/ledger/check");
  expect((orders.body["checks"] as { violations: number }[]).filter(({ violations }) => violations > 0)).toEqual([]);
  const wallet = await operator(processes[0] ?? first, "GET", `/accounts/${client.accountId}`);
  expect(wallet.body).toMatchObject({ balance: (900_000 - made * 10).toFixed(4), held: "0.0000" });
  for (const one of processes) await one.stop();
  // After the contraction the way back is closed, and says so.
  await expect(start(OLD, ports[0])).rejects.toThrow(/migration 9003 \(no_order_note\), which this version of Corprail does not know/);
});
