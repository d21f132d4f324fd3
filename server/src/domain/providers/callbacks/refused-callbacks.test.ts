import { afterEach, beforeEach, expect, test } from "vitest";
import { createLog } from "../../../platform/observability/log.ts";
import { type TestSettings, testSettings } from "../../accounts/testing/settings.ts";
import { createRefusedCallbacks, listRefusedCallbacks, type RefusedCallback, type RefusedCallbacks } from "./refused-callbacks.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let settings: TestSettings;
let kept: RefusedCallbacks;
let counted: number;
let written: string[];
beforeEach(async () => {
  settings = await testSettings();
  [counted, written] = [0, []];
  const log = createLog("warn", { write: (line: string) => void written.push(line) });
  kept = createRefusedCallbacks({ ...settings.ctx, log, count: () => void counted++ });
});
afterEach(() => settings.close());

const WRONG_KEY: RefusedCallback = {
  ...{ refused: "wrong_key", authentic: false, reference: null, provider: "acme", method: "GET", source: "198.51.100.7", excerpt: "" },
};
const UNKNOWN: RefusedCallback = { ...WRONG_KEY, refused: "unknown_reference", authentic: true };

const rows = (provider = "acme") => listRefusedCallbacks(settings.ctx.sql, { provider, reason: null, before: null, limit: 1000 });
const referencesOf = async (authentic: boolean) => (await rows()).filter((row) => row.authentic === authentic).map((row) => row.reference);

/** Sends as many as a minute keeps, minute after minute, and waits until each is written. */
async function send(one: RefusedCallback, count: number, eachMinute: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) {
    // Rows of one millisecond have no order.
    settings.clock.advance(sent % eachMinute === 0 ? MINUTE : 1);
    const reference = `${one.refused}-${sent}`;
    kept.keep({ ...one, reference });
    await until(async () => (await rows())[0]?.reference === reference);
  }
}

async function until(look: () => Promise<boolean>): Promise<void> {
  while (!(await look())) await new Promise(setImmediate);
}

test("of a flood so many are kept a minute, more of those that proved to be the provider's; all are counted", async () => {
  for (let sent = 0; sent < 100; sent++) for (const one of [WRONG_KEY, UNKNOWN, { ...WRONG_KEY, provider: null }]) kept.keep(one);
  await until(async () => (await rows()).length >= 80 && (await rows("-")).length >= 20);
  const found = await rows();
  expect([found.filter((row) => row.authentic).length, found.filter((row) => !row.authentic).length, counted]).toEqual([60, 20, 300]);
  expect(await rows("-")).toHaveLength(20);
  settings.clock.advance(MINUTE);
  kept.keep({ ...WRONG_KEY, reference: "the next minute" });
  await until(async () => (await rows())[0]?.reference === "the next minute");
});

test("the newest two hundred of each kind stay, and what anybody can send does not push out what is the provider's", async () => {
  await send(UNKNOWN, 2, 60);
  await send(WRONG_KEY, 205, 20);
  expect(await referencesOf(true)).toEqual(["unknown_reference-1", "unknown_reference-0"]);
  await until(async () => (await rows()).length === 202);
  const unproved = await referencesOf(false);
  expect([unproved.length, unproved[0], unproved.at(-1)]).toEqual([200, "wrong_key-204", "wrong_key-5"]);
});

test("after thirty days they are removed", async () => {
  await send(UNKNOWN, 1, 60);
  settings.clock.advance(29 * DAY);
  await send(WRONG_KEY, 1, 20);
  await kept.sweep.run();
  expect(await rows()).toHaveLength(2);
  settings.clock.advance(DAY + MINUTE);
  await kept.sweep.run();
  expect((await rows()).map((row) => row.reason)).toEqual(["wrong_key"]);
});

test("what a stranger chose is cut and without control characters", async () => {
  kept.keep({ ...WRONG_KEY, reference: `a\u0007b${"c".repeat(100)}`, source: "s".repeat(100) });
  await until(async () => (await rows()).length === 1);
  const [row] = await rows();
  expect([row?.reference, row?.source]).toEqual([`ab${"c".repeat(62)}`, "s".repeat(64)]);
});

test("when it cannot be written, the sender is answered all the same, and the log says so", async () => {
  kept.keep({ ...WRONG_KEY, excerpt: "a\0b" });
  await until(async () => written.length > 0);
  expect(written[0]).toContain("storing a refused provider callback failed");
});
