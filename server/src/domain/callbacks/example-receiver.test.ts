import { type ChildProcess, spawn } from "node:child_process";
import { createSecretKey } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { moneyOf } from "../../platform/core/money.ts";
import { firstLine } from "../../testing/first-line.ts";
import { formatCallback, type Message } from "./delivery/formats.ts";
import type { CallbackVersion, Facts } from "./facts.ts";

// The example is a separate program, which these tests start as a client would.
const PROGRAM = fileURLToPath(new URL("../../../../examples/receiver/receiver.mjs", import.meta.url));
const KEYS: Record<CallbackVersion, string> = { 2: "tok_test_of-the-example", 3: "cbk_of-the-example" };

let folder: string;
let running: ChildProcess | null = null;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "corprail-receiver-"));
});
afterEach(async () => {
  const child = running;
  running = null;
  // A receiver that could not start has already exited.
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
});
afterAll(() => rm(folder, { recursive: true }));

async function start(environment: Record<string, string> = {}): Promise<string> {
  const env = { PATH: process.env["PATH"] ?? "", PORT: "0", CORPRAIL_TOKEN: KEYS[2], CORPRAIL_CALLBACK_SECRET: KEYS[3], ...environment };
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ["ignore", "pipe", "pipe"] });
  running = child;
  return `${(JSON.parse(await firstLine(child)) as { listening: string }).listening}cb?shop=a+b`;
}

let nonces = 0;
const status = (change: object = {}): Facts => ({
  kind: "status",
  orderId: "ORDER0000001",
  urid: "u-1",
  status: "SUCCESS",
  amount: moneyOf(105000n),
  target: "9876543210",
  operatorRef: "R1",
  ...change,
});
const complaint: Facts = {
  kind: "complaint",
  complaintRef: "CMP0123456789AB",
  orderId: "ORDER0000001",
  urid: "u-1",
  status: "REFUNDED",
  refundAmount: moneyOf(105000n),
  reason: "It was not credited – ₹10.50.",
  resolvedAt: Date.now(),
  isTest: false,
};

type Made = { readonly ageSeconds?: number; readonly nonce?: string; readonly key?: string };

function make(url: string, version: CallbackVersion, facts: Facts, made: Made = {}): Message {
  const stamp = { ts: Math.floor(Date.now() / 1000) - (made.ageSeconds ?? 0), nonce: made.nonce ?? `N${++nonces}` };
  return formatCallback(version, facts, stamp, new URL(url), createSecretKey(Buffer.from(made.key ?? KEYS[version])));
}

async function deliver(message: Message): Promise<{ status: number; text: string }> {
  const { method, origin, path, headers, body } = message;
  const reply = await fetch(origin + path, { method, headers, body: body && new Uint8Array(body) });
  return { status: reply.status, text: (await reply.text()).trim() };
}

const VERSIONS = [2, 3] as const;

test.each(VERSIONS)("version %i: each orderid and status, and each complaint, is booked once", async (version) => {
  const url = await start();
  const sent = [status(), status(), status({ status: "FAILED" }), complaint, complaint, status({ orderId: "ORDER0000002" }), status()];
  const answers = [];
  for (const facts of sent) answers.push(await deliver(make(url, version, facts)));
  expect(answers.map((answer) => answer.status)).toEqual(sent.map(() => 200));
  expect(answers.map((answer) => answer.text)).toEqual(["booked", "known", "booked", "booked", "known", "booked", "known"]);
});

test.each(VERSIONS)("version %i: stale, replayed and wrongly signed ones are refused with 403 and not booked", async (version) => {
  const url = await start();
  const refused = [
    make(url, version, status(), { ageSeconds: 302 }),
    make(url, version, status(), { ageSeconds: -302 }),
    make(url, version, status(), { key: "another" }),
    make(url, version, status(), { key: KEYS[version === 2 ? 3 : 2] }),
  ];
  for (const message of refused) expect((await deliver(message)).status).toBe(403);
  const good = make(url, version, status(), { nonce: "ONCE" });
  expect(await deliver(good)).toEqual({ status: 200, text: "booked" });
  expect((await deliver(good)).status).toBe(403);
  expect((await deliver(make(url, version, status({ orderId: "ORDER0000003" }), { nonce: "ONCE" }))).status).toBe(403);
  expect((await deliver(make(url, version, status(), { ageSeconds: 298 }))).text).toBe("known");
});

test("a parameter added, changed, repeated or taken away is noticed", async () => {
  const url = await start();
  const { path } = make(url, 2, status());
  for (const changed of [
    `${path}&extra=1`,
    path.replace("10.5000", "99.5000"),
    `${path}&status=FAILED`,
    path.replace("&account=9876543210", ""),
    path.replace(/hash=.*/, ""),
    path.replace("shop=a%20b", "shop=a"),
  ])
    expect((await deliver({ ...make(url, 2, status()), path: changed })).status).toBe(403);
});

test("a body is verified as it arrived, byte for byte", async () => {
  const url = await start();
  const message = make(url, 3, complaint);
  const text = message.body?.toString() ?? "";
  for (const body of [`${text} `, text.replace("REFUNDED", "RESOLVED"), JSON.stringify(JSON.parse(text), null, 1), "", "[]"])
    expect((await deliver({ ...message, body: Buffer.from(body) })).status).toBe(403);
  expect((await deliver(message)).text).toBe("booked");
});

test("a test complaint is recognised", async () => {
  const url = await start();
  expect((await deliver(make(url, 3, { ...complaint, complaintRef: "TEST-CMP1", isTest: true }))).text).toBe("test");
});

test("recorded callbacks are remembered after a restart", async () => {
  const file = join(folder, "book");
  expect((await deliver(make(await start({ BOOK_FILE: file }), 3, status()))).text).toBe("booked");
  running?.kill("SIGKILL");
  expect((await deliver(make(await start({ BOOK_FILE: file }), 3, status()))).text).toBe("known");
  expect((await readFile(file, "utf8")).trim().split("\n")).toHaveLength(1);
});

test("without a key it does not start", async () => {
  const child = spawn(process.execPath, [PROGRAM], { env: { PATH: process.env["PATH"] ?? "" }, stdio: "ignore" });
  expect((await once(child, "exit"))[0]).toBe(1);
});
