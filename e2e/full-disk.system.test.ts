import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { until } from "./harness/deadline.ts";
import { type Client, change, newClient, operator } from "./harness/operator.ts";
import { type Launched, launch, newOperatorKey, type Service, startService, temporaryFolder } from "./harness/service.ts";

const DISK_FULL = "disk full: the database has no space left";
const operatorKey = newOperatorKey();

let disk: string;
let isMounted = false;
let client: Client;
let port: number;

// A disk that can be filled has to be mounted, which root alone may do.
function mounts(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=320m", "tmpfs", disk], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

beforeAll(async () => {
  disk = await temporaryFolder("corprail-disk-");
  isMounted = mounts();
  port = await freePort();
});
afterAll(() => {
  if (isMounted) execFileSync("umount", ["--lazy", disk]);
  rmSync(disk, { recursive: true, force: true });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

const environment = () => ({
  ...{ CORPRAIL_PORT: String(port), CORPRAIL_OPERATOR_KEY: operatorKey, CORPRAIL_DATA_DIR: join(disk, "data") },
});
const filler = () => join(disk, "filler");

/** Leaves not a byte. */
function fillDisk(): void {
  const file = openSync(filler(), "w");
  try {
    for (let size = 1024 * 1024; size > 0; )
      try {
        if (writeSync(file, Buffer.alloc(size)) < size) size = size >> 1;
      } catch {
        size = size >> 1;
      }
  } finally {
    closeSync(file);
  }
}

async function answerOf(path: string, init: RequestInit = {}) {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers: { connection: "close", ...init.headers } });
  return { status: reply.status, retryAfter: reply.headers.get("retry-after"), body: (await reply.json()) as Record<string, unknown> };
}

const recharge = (urid: string) =>
  answerOf("/api/corp/v1/recharge", {
    method: "POST",
    headers: { "x-api-token": client.token, "content-type": "application/json" },
    body: JSON.stringify({ account: "9876543000", operator: "AT", amount: "10.00", urid }),
  });

/** One that a failed test leaves behind would hold the next one's folder: a new disk may have the same number. */
function endedWithTest<Started extends Launched>(service: Started): Started {
  onTestFinished(async () => {
    service.signal("SIGKILL");
    await service.exited;
  });
  return service;
}

async function untilFull(service: Launched): Promise<void> {
  await until("the service says that the disk is full", async () => {
    if (service.hasExited()) throw new Error(`The service has ended:\n${service.output()}`);
    const ready = await answerOf("/readyz").catch(() => null);
    return ready?.status === 503 && ready.body["reason"] === DISK_FULL ? true : null;
  });
}

async function untilReady(): Promise<void> {
  await until("the service is ready", async () => ((await answerOf("/readyz").catch(() => null))?.status === 200 ? true : null));
}

async function expectBusy(urid: string): Promise<void> {
  expect(await recharge(urid)).toMatchObject({ status: 503, retryAfter: "2", body: { status: "rejected", error: "busy", code: 140 } });
  expect(await answerOf("/healthz")).toMatchObject({ status: 200 });
}

test("a service whose disk becomes full stays up, says so, and goes on by itself", async ({ skip }) => {
  if (!isMounted) skip("A disk to fill can be mounted by root only.");
  const service: Service = endedWithTest(await startService(environment()));
  client = await newClient(service);
  await change(service, `/accounts/${client.accountId}/wallet`, { amount: "1000", reference: "first", note: "" });
  expect((await recharge("before")).body["status"]).toBe("SUCCESS");
  fillDisk();
  // What still fits into files that are there is written; a new segment of the log is not.
  let sent = 0;
  await until(
    "an order is refused",
    async () => {
      const replies = await Promise.all(Array.from({ length: 50 }, () => recharge(`filling-${++sent}`)));
      return replies.some((reply) => reply.status === 503) ? true : null;
    },
    120_000,
  );
  await untilFull(service);
  await expectBusy("while-full");
  // The console's system page: the database still answers reads, or the call is refused with the same reason.
  const { body: system } = await operator(service, "GET", "/system");
  expect(JSON.stringify(system["parts"] ?? system["message"])).toContain(DISK_FULL);
  rmSync(filler());
  await untilReady();
  await until("an order is carried out", async () => ((await recharge("after")).body["status"] === "SUCCESS" ? true : null));
  expect(await service.stop()).toEqual({ code: 0, signal: null });
});

test("a start on a full disk waits, answers busy and not ready meanwhile, and goes on by itself", async ({ skip }) => {
  if (!isMounted) skip("A disk to fill can be mounted by root only.");
  fillDisk();
  const service = endedWithTest(launch(environment()));
  await untilFull(service);
  await expectBusy("at-the-start");
  for (const path of ["/api/operator/v1/accounts", "/portal/api/session", "/console"])
    expect(await answerOf(path)).toMatchObject({ status: 503, retryAfter: "2", body: { error: "busy" } });
  const signed = await answerOf("/api/corp/v1/bills/categories");
  expect(signed).toMatchObject({ status: 503, body: { ok: false, status: "rejected", error: "busy", code: 140 } });
  // The log is written in blocks, a moment later.
  await until("the log says why", () => service.output().includes(DISK_FULL));
  rmSync(filler());
  await untilReady();
  expect((await recharge("at-the-start")).body["status"]).toBe("SUCCESS");
  service.signal("SIGTERM");
  expect(await service.exited).toEqual({ code: 0, signal: null });
});

test("a start that waits for space can be stopped", async ({ skip }) => {
  if (!isMounted) skip("A disk to fill can be mounted by root only.");
  fillDisk();
  const service = endedWithTest(launch(environment()));
  await untilFull(service);
  service.signal("SIGTERM");
  expect(await service.exited).toEqual({ code: 0, signal: null });
  rmSync(filler());
});
