import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { migratedDatabase } from "../server/src/testing/database.ts";
import { until } from "./harness/deadline.ts";
import { processesIn } from "./harness/servers/processes.ts";
import { logLines, type Service, startService, temporaryFolder } from "./harness/service.ts";

const HEALTH = 'corprail_http_request_seconds_count{method="GET",route="/healthz",status="200"} ';

let folder: string;
let service: Service;
let database: Awaited<ReturnType<typeof migratedDatabase>>;
beforeAll(async () => {
  folder = await temporaryFolder("corprail-workers-");
  database = await migratedDatabase();
  // A file, because workers run the same program as the process that starts them.
  const program = join(folder, "program.cjs");
  await mkdir(join(folder, "data"));
  await writeFile(program, `require(${JSON.stringify(inject("programs")?.service)}).main();\n`);
  const environment = { CORPRAIL_PROCESSES: "2", CORPRAIL_DATABASE_URL: database.url, CORPRAIL_DATA_DIR: join(folder, "data") };
  service = await startService({ ...environment, CORPRAIL_DRAIN_SECONDS: "1" }, program);
  await until("both workers serve", async () => (await figure("corprail_workers ")) === 2);
});
afterAll(async () => {
  if (!service.hasExited()) await service.kill();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** One request on a connection of its own, so that the next one can go to another worker. */
async function status(path: string): Promise<number> {
  const reply = await fetch(service.url + path, { headers: { connection: "close" } });
  await reply.arrayBuffer();
  return reply.status;
}

async function figure(start: string): Promise<number | null> {
  const headers = { authorization: `Bearer ${service.operatorKey}`, connection: "close" };
  const text = await (await fetch(`${service.url}/metrics`, { headers })).text();
  const line = text.split("\n").find((one) => one.startsWith(start));
  return line === undefined ? null : Number(line.slice(start.length));
}

/** The process ids of workers that said that they were ready, the latest last. */
function readyWorkers(): readonly number[] {
  return logLines(service.output())
    .filter(({ message }) => message === "worker ready")
    .map(({ pid }) => Number(pid));
}

const servedBy = (path: string) =>
  logLines(service.output())
    .filter((line) => line["message"] === "request" && line["path"] === path)
    .map((line) => line["worker"]);

test("two workers share one port, each has its part of the requests, and the metrics of any of them are those of both", async () => {
  for (let made = 0; made < 20; made++) expect(await status("/healthz")).toBe(200);
  await until("the lines are there", () => servedBy("/healthz").length >= 20);
  expect(new Set(servedBy("/healthz"))).toEqual(new Set([1, 2]));
  // Of several scrapes each worker answers some.
  for (let made = 0; made < 4; made++) expect(await figure(HEALTH)).toBe(20);
});

test("the log has whole lines in the order of their times", async () => {
  await until("the lines are there", () => servedBy("/healthz").length >= 20);
  const lines = service.output().trimEnd().split("\n");
  expect(lines.filter((line) => !/^\{.*\}$/.test(line))).toEqual([]);
  const times = logLines(service.output()).map(({ time }) => String(time));
  expect(times).toEqual(times.toSorted());
});

test("a worker that is killed is replaced, requests are served meanwhile, and no counter falls", async () => {
  const before = await figure(HEALTH);
  const [victim] = readyWorkers();
  process.kill(victim ?? -1, "SIGKILL");
  await until("it is noticed", () => service.output().includes("worker ended unexpectedly"));
  expect(await status("/readyz")).toBe(200);
  await until("another one serves", () => readyWorkers().length === 3);
  expect(await figure(HEALTH)).toBe(before);
  expect([await figure("corprail_workers "), await figure("corprail_worker_replacements_total ")]).toEqual([2, 1]);
});

test("SIGHUP replaces every worker without a failed request, and /readyz never says otherwise", async () => {
  const old = new Set(readyWorkers());
  const counted = (await figure(HEALTH)) ?? 0;
  service.signal("SIGHUP");
  const seen: number[] = [];
  let healthy = 0;
  await until("all are replaced", async () => {
    seen.push(await status("/readyz"), await status("/healthz"));
    healthy++;
    return service.output().includes("all workers are replaced");
  });
  expect(new Set(seen)).toEqual(new Set([200]));
  const now = readyWorkers().slice(-2);
  expect(now.filter((pid) => old.has(pid))).toEqual([]);
  // A request is counted a moment after its reply.
  await until("every request is counted", async () => (await figure(HEALTH)) === counted + healthy);
});

test("SIGTERM to the first process ends all of them, with 0", async () => {
  expect(await service.stop()).toEqual({ code: 0, signal: null });
  expect(logLines(service.output()).filter(({ message }) => message === "stopped")).toHaveLength(5);
  expect(processesIn(folder)).toEqual([]);
});
