import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { until } from "./harness/deadline.ts";
import { processesIn } from "./harness/servers/processes.ts";
import { launch, listeningPort, logLines, ROOT, startService, temporaryFolder } from "./harness/service.ts";

const START = join(ROOT, "scripts", "start.mjs");

test("on an empty folder several workers share one embedded PostgreSQL, make one demo account, and leave nothing behind", {
  timeout: 600_000,
}, async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const data = join(folder, "data");
  const launched = launch({ CORPRAIL_DATA_DIR: data, CORPRAIL_PORT: "0", CORPRAIL_PROCESSES: "3" }, START);
  const port = await listeningPort(launched);
  const messages = () => logLines(launched.output()).map(({ message }) => String(message));
  await until("all workers serve", () => messages().filter((message) => message === "worker ready").length === 3);
  expect(messages().filter((message) => message === "embedded PostgreSQL ready")).toHaveLength(1);
  expect(messages().filter((message) => message.startsWith("demo account created"))).toHaveLength(1);
  const token = /tok_live_[\w-]{43}/.exec(await readFile(join(data, "first-run.txt"), "utf8"))?.[0] ?? "";
  for (let made = 0; made < 6; made++) {
    const headers = { "X-Api-Token": token, connection: "close" };
    expect((await fetch(`http://127.0.0.1:${port}/api/corp/v1/balance`, { headers })).status).toBe(200);
  }
  const workers = logLines(launched.output()).flatMap(({ message, pid }) => (message === "worker ready" ? [String(pid)] : []));
  // The process that supervises is killed: workers and PostgreSQL end with it.
  launched.signal("SIGKILL");
  await until("nothing is left running", () => !workers.some((pid) => existsSync(`/proc/${pid}`)) && processesIn(data).length === 0);
  const next = await startService({ CORPRAIL_DATA_DIR: data, CORPRAIL_PROCESSES: "2" }, START);
  expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
  expect((await next.stop()).code).toBe(0);
  expect(processesIn(data)).toEqual([]);
});

test("if the first worker cannot start, the start fails once, with its message", async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const refused = { CORPRAIL_DATABASE_URL: "postgres://nobody@127.0.0.1:1/none", CORPRAIL_PROCESSES: "2" };
  const launched = launch({ CORPRAIL_DATA_DIR: folder, CORPRAIL_PORT: "0", ...refused }, START);
  expect(await launched.exited).toMatchObject({ code: 1 });
  expect(launched.errors().match(/The database of CORPRAIL_DATABASE_URL cannot be used/g)).toHaveLength(1);
  expect(launched.errors()).toContain("The message of its first worker is above.");
});
