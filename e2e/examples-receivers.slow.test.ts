import { createHmac } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Corprail } from "@corprail/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "./harness/deadline.ts";
import { type Command, LANGUAGES, shownRegion } from "./harness/languages.ts";
import { change, newCallbackSecret, newClient, operator } from "./harness/operator.ts";
import { type Keys, type Running, startReceiver } from "./harness/servers/receivers.ts";
import { type Installation, ROOT, sharedInstallation, temporaryFolder } from "./harness/service.ts";

type Vector = {
  readonly name: string;
  readonly version: 2 | 3;
  readonly ts: number;
  readonly key: string;
  readonly facts: { readonly kind: string; readonly status: string; readonly order_id: string };
  readonly target: string;
  readonly body_hex?: string;
  readonly signature?: string;
};
type Sent = Pick<Vector, "version" | "target"> & { readonly body?: Buffer | undefined; readonly signature?: string | undefined };
type Reply = { readonly status: number; readonly text: string };

const FILES: Readonly<Record<string, string>> = {
  typescript: "receiver.ts",
  python: "receiver.py",
  php: "receiver.php",
  java: "Receiver.java",
  go: "receiver.go",
  bash: "receiver.sh",
};
const VECTOR_TIME = 1_750_000_010;
const TOKEN = "tok_test_of-the-examples";
const SECRET = "cbk_of-the-examples";
const TEST_MILLISECONDS = 90_000;

let folder: string;
let vectors: readonly Vector[];
let installation: Installation;
const commands = new Map<string, Command>();
const running: Running[] = [];
beforeAll(async () => {
  folder = await temporaryFolder("corprail-receivers-");
  vectors = (JSON.parse(await readFile(join(ROOT, "contract/vectors/callbacks.json"), "utf8")) as { vectors: Vector[] }).vectors;
  installation = await sharedInstallation();
});
afterAll(async () => {
  await installation?.close();
  await Promise.all(running.map((receiver) => receiver.stop()));
  await rm(folder, { recursive: true });
});

async function start(name: string, keys: Keys, clockSeconds?: number): Promise<Running> {
  const language = LANGUAGES.find((one) => one.name === name);
  const place = join(folder, name);
  await mkdir(place, { recursive: true });
  const source = join(ROOT, "examples/receivers", name, FILES[name] ?? "");
  const command = commands.get(name) ?? (await language?.prepare(source, place));
  if (command === undefined) throw new Error(`There is no receiver in ${name}.`);
  commands.set(name, command);
  const receiver = await startReceiver(name, command, place, keys, clockSeconds);
  running.push(receiver);
  return receiver;
}

async function send({ port }: Running, sent: Sent): Promise<Reply> {
  const headers = { "content-type": "application/json", "x-callback-signature": sent.signature ?? "" };
  const post = { method: "POST", headers, body: new Uint8Array(sent.body ?? Buffer.alloc(0)) };
  const reply = await fetch(`http://127.0.0.1:${port}${sent.target}`, sent.version === 3 ? post : {});
  return { status: reply.status, text: (await reply.text()).trim() };
}

function hmac(key: string, message: string | Buffer): string {
  return createHmac("sha256", key).update(message).digest("hex");
}

let nonces = 0;

/** A callback made here and now, from the specification alone. */
function made(version: 2 | 3, change: Readonly<Record<string, string>> = {}): Sent {
  const now = Math.floor(Date.now() / 1000);
  const facts = { v: String(version), status: "SUCCESS", orderid: "ORDER0000001", urid: "u-1", amount: "10.5000", account: "9876543210" };
  const fields: Record<string, string> = { ...facts, ts: String(now), nonce: `N${++nonces}`, ...change };
  if (version === 3) {
    const body = Buffer.from(JSON.stringify(fields));
    return { version, target: "/cb", body, signature: hmac(SECRET, body) };
  }
  const names = Object.keys(fields).sort();
  const hash = hmac(TOKEN, names.map((name) => `${name}=${fields[name]}`).join("&"));
  return { version, target: `/cb?${names.map((name) => `${name}=${encodeURIComponent(fields[name] ?? "")}`).join("&")}&hash=${hash}` };
}

function ofVector(vector: Vector): Sent {
  const { version, target, signature } = vector;
  return { version, target, signature, body: version === 3 ? Buffer.from(vector.body_hex ?? "", "hex") : undefined };
}

async function answersTo(name: string, version: 2 | 3, clockSeconds: number): Promise<Record<string, Reply>> {
  const answers: Record<string, Reply> = {};
  const keys = new Set(vectors.filter((vector) => vector.version === version).map((vector) => vector.key));
  for (const key of keys) {
    const receiver = await start(name, version === 2 ? { token: key } : { secret: key }, clockSeconds);
    const own = vectors.filter((vector) => vector.version === version && vector.key === key);
    for (const vector of own) answers[vector.name] = await send(receiver, ofVector(vector));
  }
  return answers;
}

/** What the vectors must be answered: by each receiver anew, an order and status or a complaint is booked once. */
function expectedAnswers(version: 2 | 3): Record<string, Reply> {
  const seen = new Set<string>();
  return Object.fromEntries(
    vectors
      .filter((vector) => vector.version === version)
      .map((vector) => {
        const facts = vector.facts as Readonly<Record<string, unknown>>;
        const key = `${vector.key} ${facts["kind"] === "complaint" ? facts["complaint_ref"] : `${facts["order_id"]} ${facts["status"]}`}`;
        const first = facts["is_test"] === true || vector.name.includes("test complaint") ? "test" : "booked";
        const text = seen.has(key) ? "known" : first;
        seen.add(key);
        return [vector.name, { status: 200, text }];
      }),
  );
}

const RUNNABLE = LANGUAGES.flatMap((language) => ([2, 3] as const).map((version) => ({ ...language, version })));

describe.each(RUNNABLE)("$name, version $version", ({ name, missing, version }) => {
  test(
    "takes every vector at its time, and refuses each as stale today",
    async (context) => {
      if (missing !== null) return context.skip(missing);
      expect(await answersTo(name, version, VECTOR_TIME)).toEqual(expectedAnswers(version));
      const today = Object.values(await answersTo(name, version, Math.floor(Date.now() / 1000)));
      expect(today).toEqual(today.map(() => ({ status: 403, text: "stale" })));
    },
    TEST_MILLISECONDS,
  );

  test(
    "books once, applies a reversal, refuses what is stale, replayed or changed with 403",
    async (context) => {
      if (missing !== null) return context.skip(missing);
      const receiver = await start(name, { token: TOKEN, secret: SECRET });
      const now = Math.floor(Date.now() / 1000);
      const first = made(version);
      const failed = made(version, { status: "FAILED" });
      const complaint = { event: "complaint", complaint_ref: "CMP0123456789AB" };
      const texts = [];
      for (const sent of [
        first,
        made(version),
        failed,
        made(version, complaint),
        made(version, complaint),
        made(version, { test: "1", ...complaint, complaint_ref: "TEST-1" }),
      ])
        texts.push((await send(receiver, sent)).text);
      expect(texts).toEqual(["booked", "known", "booked", "booked", "known", "test"]);
      for (const sent of refusals(version, first, now))
        expect({ sent, status: (await send(receiver, sent)).status }).toEqual({ sent, status: 403 });
      expect(await send(receiver, made(version, { ts: String(now - 290) }))).toEqual({ status: 200, text: "known" });
      // None of the refused ones was booked.
      expect((await send(receiver, made(version, { orderid: "OTHER0000001" }))).text).toBe("booked");
    },
    TEST_MILLISECONDS,
  );

  test(
    "takes what a running service sends, from pending to reversal and complaint",
    async (context) => {
      if (missing !== null) return context.skip(missing);
      await driveService(name, version);
    },
    TEST_MILLISECONDS,
  );
});

test.each(LANGUAGES)("the guide shows the very code that is run: $name", async ({ name }) => {
  const source = await readFile(join(ROOT, "examples/receivers", name, FILES[name] ?? ""), "utf8");
  const guide = await readFile(join(ROOT, "docs/guide/callbacks.md"), "utf8");
  expect(guide).toContain(`\`\`\`${name}\n${shownRegion(source, "verify")}\n\`\`\``);
});

function refusals(version: 2 | 3, replayed: Sent, now: number): readonly Sent[] {
  const other = { orderid: "OTHER0000001" };
  const stale = [-302, 400].map((seconds) => made(version, { ...other, ts: String(now + seconds) }));
  const good = made(version, other);
  const body = good.body ?? Buffer.alloc(0);
  const changed: readonly Sent[] =
    version === 3
      ? [
          { ...good, body: Buffer.concat([body, Buffer.from(" ")]) },
          { ...good, body: Buffer.from(body.toString().replace("SUCCESS", "FAILED")) },
          { ...good, signature: "" },
          { ...good, signature: hmac(TOKEN, body) },
        ]
      : [
          { ...good, target: `${good.target}&extra=1` },
          { ...good, target: `${good.target}&status=FAILED` },
          { ...good, target: good.target.replace("10.5000", "99.5000") },
          { ...good, target: good.target.replace(/hash=.*/, "") },
          { ...good, target: "/cb" },
        ];
  return [replayed, ...stale, ...changed, made(version, { ...other, nonce: "" }), made(version, { ...other, ts: "soon" })];
}

async function driveService(name: string, version: 2 | 3): Promise<void> {
  const { service } = installation;
  const client = await newClient(service);
  const account = `/accounts/${client.accountId}`;
  await change(service, `${account}/wallet`, { amount: "100", reference: "start", note: "" });
  const secret = await newCallbackSecret(service, client.accountId);
  const { port } = await start(name, version === 2 ? { token: client.token } : { secret });
  const url = `http://127.0.0.1:${port}/cb?shop=a+b%26c`;
  await change(service, account, { callback_url: url, complaint_callback_url: url, callback_version: version });
  const corprail = new Corprail({ baseUrl: service.url, token: client.token, signingSecret: client.secret });
  await corprail.recharge.create({ urid: "cb-1", account: "9876543200", operator: "AT", amount: "10.5" });
  await delivered(client.accountId, ["status SUCCESS"]);
  const raised = await corprail.complaints.raise({ urid: "cb-1", reason: "not_credited", description: "Nothing has come – ₹." });
  await change(service, `/complaints/${raised.complaintRef}/clear`, { decision: "refund", reason: 'Not "credited" \\ at all.' });
  await delivered(client.accountId, ["complaint REFUNDED", "status FAILED", "status SUCCESS"]);
  expect(await change(service, `${account}/test-complaint`)).toMatchObject({ delivered: true, http_status: 200 });
}

/** Waits until exactly these were delivered, each by its first attempt. */
async function delivered(accountId: string, expected: readonly string[]): Promise<void> {
  const list = async () => {
    const { body } = await operator(installation.service, "GET", `/callbacks?account_id=${accountId}`);
    return body["items"] as readonly Readonly<Record<string, unknown>>[];
  };
  await until("the callbacks are delivered", async () => {
    const items = await list();
    return items.length === expected.length && items.every((item) => Number(item["attempts"]) > 0);
  });
  const seen = (await list()).map((item) => `${item["kind"]} ${item["status"]}${item["state"] === "delivered" ? "" : ` ${item["state"]}`}`);
  expect(seen.sort()).toEqual(expected);
}
