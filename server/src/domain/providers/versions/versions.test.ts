import { createServer } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { randomIds } from "../../../platform/core/ids.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { type TestSettings, testSettings } from "../../accounts/testing/settings.ts";
import { audited, type ChangeFeed, followChanges } from "../../audit/feed.ts";
import type { SaveContext } from "../context.ts";
import { loadProviders, type ProviderRegistry, providerChanges } from "../registry.ts";
import { type ProviderInput, saveProvider } from "../settings/save-provider.ts";
import { setSecret } from "../settings/set-secret.ts";
import { testEgress } from "../testing/egress.ts";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { closeAll, listen } from "../wire/testing/servers.ts";
import { changeRollout, dropCandidate, promoteVersion } from "./change-rollout.ts";
import { saveCandidate } from "./save-candidate.ts";
import { createShadowLog, type ShadowLog } from "./shadow-log.ts";
import { listDifferences, listVersions } from "./version-store.ts";

let settings: TestSettings;
let registry: ProviderRegistry;
let feed: ChangeFeed;
let ctx: SaveContext;
let log: ShadowLog;
let heard: string[];
let answer: string;
let origin: string;
beforeEach(async () => {
  settings = await testSettings();
  const { sql, vault, clock } = settings.ctx;
  log = createShadowLog({ sql, clock, ids: randomIds() });
  registry = await loadProviders({
    ...{ sql, vault, clock, log: createLog("silent"), reportTo: () => {}, egress: testEgress(), noteCompared: log.note },
  });
  feed = followChanges({ sql, from: await audited(sql), apply: providerChanges(registry), onError: () => {} });
  ctx = { ...settings.ctx, refresh: feed.refresh, egress: testEgress() };
  heard = [];
  answer = JSON.stringify({ status: "OK", id: "T1" });
  const port = await listen(
    createServer((request, reply) => {
      heard.push(request.url ?? "");
      reply.end(answer);
    }),
  );
  origin = `http://127.0.0.1:${port}`;
});
afterEach(async () => {
  feed.close();
  await registry.close();
  await closeAll();
  await settings.close();
});

/** A description whose success is the given word, at the given path. */
function described(success: string, more: JsonObject = {}): JsonObject {
  const outcome = [
    { when: { status: success }, means: "success" },
    { when: { status: "NO" }, means: "declined" },
  ];
  const call = { request: { url: `/${success}`, query: { ref: "{reference}" } }, outcome };
  const auth = { kind: "key", query: "key", secret: "token" };
  return {
    ...{ version: 2, name: "acme", base_url: origin, plain_http: true, secrets: ["token"], read: { format: "json", operator_ref: "id" } },
    operations: { "recharge.pay": { ...call, status: call } },
    callbacks: [{ auth, from: "query", reference: "ref", outcome: [{ when: { st: success }, means: "pending" }] }],
    ...more,
  } as unknown as JsonObject;
}

const input = (success: string, more: Partial<ProviderInput> = {}): ProviderInput => ({
  ...{ provider: "acme", connector: "description", settings: described(success), reason: `reads ${success}`, guardSecrets: {} },
  ...more,
});

async function start(): Promise<void> {
  expect(await saveProvider(ctx, "staff:A", input("OK", { secrets: { token: "tok" } }))).toMatchObject({ kind: "done" });
  expect(await saveCandidate(ctx, "staff:B", input("DONE"))).toMatchObject({ kind: "done" });
}

const states = async () =>
  (await listVersions(ctx.sql, "acme")).map(({ version, created_by: by, retired_at: at }) => [version, by, at !== null]);
const versionsOf = (orders: number) => new Set(Array.from({ length: orders }, (_, number) => registry.versionFor("acme", `O${number}`)));
const send = (version: number | null) => registry.connector("acme", version)?.send(providerRequest({ reference: "R1" }), NEVER);

test("every change of a description is a version with its author; a changed secret is none", async () => {
  await start();
  await setSecret(ctx, "staff:A", { provider: "acme", name: "token", value: "tok2", reason: undefined });
  await saveProvider(ctx, "staff:C", input("YES"));
  expect(await states()).toEqual([
    [3, "staff:C", false],
    [2, "staff:B", false],
    [1, "staff:A", true],
  ]);
  expect(registry.versionFor("acme", "O1")).toBe(3);
  expect(registry.versionFor("simulator", "O1")).toBeNull();
  await saveProvider(
    ctx,
    "staff:C",
    input("YES", { settings: { ...described("YES"), operations: described("OK")["operations"] ?? null } }),
  );
  expect(registry.providers().find(({ row }) => row.provider === "acme")).toMatchObject({ callbackVersions: [2, 1] });
});

test("a candidate in shadow reads every answer again and sends nothing; differences are counted and listed", async () => {
  await start();
  expect(versionsOf(50)).toEqual(new Set([1]));
  expect(await send(1)).toMatchObject({ kind: "succeeded", operatorRef: "T1" });
  expect(await registry.connector("acme", 1)?.ask(providerRequest({ reference: "R1" }), NEVER)).toMatchObject({ kind: "succeeded" });
  answer = JSON.stringify({ status: "NO" });
  expect(await send(1)).toMatchObject({ kind: "declined" });
  registry.readCallback("acme", { method: "GET", path: "", source: "", query: { key: "tok", ref: "R1", st: "OK" }, headers: {}, body: "" });
  expect(heard).toEqual(["/OK?ref=R1", "/OK?ref=R1", "/OK?ref=R1"]);
  const counted = async () => {
    await log.flush();
    return await listVersions(ctx.sql, "acme");
  };
  await expect.poll(counted).toMatchObject([
    { version: 2, compared: 4n, differing: 3n },
    { version: 1, compared: 0n },
  ]);
  const differences = await listDifferences(ctx.sql, "acme", 2, 10);
  expect(differences.map(({ operation, fields }) => [operation, fields["outcome"]?.candidate]).sort()).toEqual([
    ["callback", "refused: unknown_status"],
    ["recharge", "unknown"],
    ["recharge.status", "unknown"],
  ]);
  expect(differences[0]?.reference).toBe("R1");
});

test("a share of new orders uses the candidate, and an order's version keeps working when it is dropped or replaced", async () => {
  await start();
  expect(await changeRollout(ctx, "staff:A", { provider: "acme", version: 9, percent: 50, reason: undefined })).toMatchObject({
    kind: "conflict",
  });
  await changeRollout(ctx, "staff:A", { provider: "acme", version: 2, percent: 50, reason: "half" });
  expect(versionsOf(50)).toEqual(new Set([1, 2]));
  answer = JSON.stringify({ status: "DONE", id: "T2" });
  expect(await send(2)).toMatchObject({ kind: "succeeded" });
  await dropCandidate(ctx, "staff:A", { provider: "acme", version: 2, reason: undefined });
  expect(versionsOf(50)).toEqual(new Set([1]));
  expect(await send(2)).toMatchObject({ kind: "succeeded" });
  expect(await send(1)).toMatchObject({ kind: "unknown" });
  expect(heard.at(-2)).toBe("/DONE?ref=R1");
});

test("the candidate is made current and an earlier version is brought back by one call each", async () => {
  await start();
  const promote = (version: number) => promoteVersion(ctx, "staff:A", { provider: "acme", version, reason: undefined, guardSecrets: {} });
  expect(await promote(2)).toMatchObject({ kind: "done" });
  expect(versionsOf(5)).toEqual(new Set([2]));
  expect(registry.providers().find(({ row }) => row.provider === "acme")?.row).toMatchObject({ version: 2, candidate_version: null });
  expect(await promote(1)).toMatchObject({ kind: "done" });
  expect(versionsOf(5)).toEqual(new Set([1]));
  expect(await states()).toEqual([
    [2, "staff:B", true],
    [1, "staff:A", false],
  ]);
  expect(await promote(1)).toMatchObject({ kind: "conflict" });
  expect(await promote(7)).toMatchObject({ kind: "not_found" });
});

test("a callback is read by the version of its order, and never by another version's rules", async () => {
  await start();
  const message = (st: string) => ({ method: "GET", path: "", source: "", query: { key: "tok", ref: "R1", st }, headers: {}, body: "" });
  const read = registry.readCallback("acme", message("DONE"));
  expect(read).toMatchObject({ version: 2, finding: { kind: "pending" } });
  if ("refused" in read) throw new Error("It was refused.");
  expect(read.readAs?.(1)).toMatchObject({ refused: "unknown_status" });
  expect(read.readAs?.(2)).toMatchObject({ finding: { kind: "pending" } });
  expect(registry.readCallback("acme", { ...message("DONE"), query: { key: "wrong", ref: "R1", st: "DONE" } })).toMatchObject({
    refused: "wrong_key",
  });
});

test("a candidate neither takes secrets of the current version to a new address nor changes them", async () => {
  await start();
  const elsewhere = described("DONE", { base_url: "http://127.0.0.1:9" });
  expect(await saveCandidate(ctx, "staff:B", input("DONE", { settings: elsewhere }))).toMatchObject({
    kind: "invalid",
    faults: [{ path: "secrets.token", message: expect.stringContaining("another name") }],
  });
  expect(await saveCandidate(ctx, "staff:B", input("YES", { secrets: { token: "other" } }))).toMatchObject({
    kind: "invalid",
    faults: [{ path: "secrets.token" }],
  });
  expect(await saveCandidate(ctx, "staff:B", input("OK"))).toMatchObject({ kind: "invalid" });
});

/** Like `described`, with a secret of another name. */
function describedWith(secret: string, success: string, more: JsonObject = {}): JsonObject {
  return JSON.parse(JSON.stringify(described(success, more)).replaceAll('"token"', `"${secret}"`)) as JsonObject;
}

test("the secrets of a version that still finishes orders are kept, and no other version does its work", async () => {
  await saveProvider(ctx, "staff:A", input("OK", { secrets: { token: "tok" } }));
  await saveProvider(ctx, "staff:A", input("DONE", { settings: describedWith("pin", "DONE"), secrets: { pin: "1" } }));
  await setSecret(ctx, "staff:A", { provider: "acme", name: "pin", value: "2", reason: undefined });
  await saveProvider(ctx, "staff:A", input("YES", { settings: describedWith("pin", "YES") }));
  expect(await send(1)).toMatchObject({ kind: "succeeded" });
  expect(heard).toEqual(["/OK?ref=R1"]);
  expect(registry.connector("acme", null)).toBe(registry.connector("acme", 3));
  expect(registry.connector("acme", 4)).toBeNull();
});

test("a version with a secret of its own is made current, but takes no secret that was used with another address", async () => {
  const elsewhere = { base_url: "http://127.0.0.1:9" };
  const promote = (version: number) => promoteVersion(ctx, "staff:A", { provider: "acme", version, reason: undefined, guardSecrets: {} });
  await start();
  const candidate = input("DONE", { settings: describedWith("pin", "DONE", elsewhere), secrets: { pin: "1" } });
  expect(await saveCandidate(ctx, "staff:B", candidate)).toMatchObject({ kind: "done" });
  expect(await promote(3)).toMatchObject({ kind: "done" });
  expect(await promote(1)).toMatchObject({ kind: "done" });
  await saveProvider(ctx, "staff:A", input("YES", { settings: described("YES", elsewhere), secrets: { token: "theirs" } }));
  expect(await promote(1)).toMatchObject({ kind: "invalid", faults: [{ path: "secrets.token" }] });
});

test("a candidate that could not serve the provider's routes is refused", async () => {
  await start();
  await ctx.sql`insert into provider_routes (service, operator, provider) values ('recharge', 'AT', 'acme')`;
  const without = described("YES", { codes: { operators: { values: { JO: "J" } } } });
  expect(await saveCandidate(ctx, "staff:B", input("YES", { settings: without }))).toMatchObject({
    kind: "invalid",
    faults: [{ message: expect.stringContaining("recharge AT") }],
  });
});

test("a process that cannot decrypt a new version sends by the one it has, and says so", async () => {
  await saveProvider(ctx, "staff:A", input("OK", { secrets: { token: "tok" } }));
  const { sql, vault, clock } = settings.ctx;
  const late = await loadProviders({ sql, vault, clock, log: createLog("silent"), reportTo: () => {}, egress: testEgress() });
  await saveProvider(ctx, "staff:A", input("DONE"));
  await sql`update providers set secret = 'broken' where provider = 'acme'`;
  await late.reload();
  expect(late.versionFor("acme", "O1")).toBe(1);
  expect(await late.connector("acme", 1)?.send(providerRequest({ reference: "R1" }), NEVER)).toMatchObject({ kind: "succeeded" });
  expect(late.connector("acme", 2)).toBeNull();
  await late.close();
});

test("a version at another address keeps the value that a secret had there", async () => {
  const request = { url: "/OK", query: { key: "{secret.token}", ref: "{reference}" } };
  const call = { request, outcome: [{ when: { status: "OK" }, means: "success" }] };
  const operations = { "recharge.pay": { ...call, status: call } };
  const at = (base_url: string) => ({ settings: described("OK", { base_url, operations }) });
  await saveProvider(ctx, "staff:A", input("OK", { ...at(origin), secrets: { token: "theirs" } }));
  await saveProvider(ctx, "staff:A", input("OK", { ...at("http://127.0.0.1:9"), secrets: { token: "ours" } }));
  expect(await send(1)).toMatchObject({ kind: "succeeded" });
  expect(heard).toEqual(["/OK?key=theirs&ref=R1"]);
  expect(registry.providers().find(({ row }) => row.provider === "acme")?.secrets).toEqual(["token"]);
});
