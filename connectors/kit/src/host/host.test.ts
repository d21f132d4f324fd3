import { expect, test, vi } from "vitest";
import { z } from "zod";
import { defineConnector, type Handlers, type OpenParts } from "../index.ts";
import type { RawWire } from "./bounded-wire.ts";
import { checkPlugin } from "./check-plugin.ts";
import { hostConnector } from "./host.ts";
import { currentProvider } from "./running.ts";

type Parts = OpenParts<unknown, string>;
type Pay = Handlers<"recharge.pay">["recharge.pay"];

const REQUEST = {
  operation: "recharge.pay",
  ...{ reference: "R1", operator: "AT", target: "9876543210", amount: "10.00", circle: null, createdAt: 0, details: {}, providerRef: null },
} as const;
const NEVER = new AbortController().signal;
const ANSWER = { kind: "answered", status: 200, headers: {}, body: new Uint8Array(), text: "", endMarked: true } as const;

function hosted(open: (parts: Parts) => unknown, wire: RawWire<never> = async () => ANSWER, limits = {}) {
  const definition = { apiVersion: 1, name: "p", settings: z.object({}), secrets: ["key"], operations: ["recharge.pay", "balance"], open };
  const checked = checkPlugin(definition);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  const lines: string[] = [];
  const held = new Map<string, string>();
  const connector = hostConnector<never>({
    plugin: checked.plugin,
    ...{ provider: "p", settings: {}, secrets: { key: "very-secret" }, clock: { now: () => 1000 }, wire, origins: ["https://p.example"] },
    store: {
      get: async (name) => held.get(name) ?? null,
      set: async (name, value) => void held.set(name, value),
      delete: async (name) => void held.delete(name),
    },
    log: (level, text, fields) => void lines.push(`${level} ${text} ${JSON.stringify(fields)}`),
    limits: { timeoutMs: 50, graceMs: 20, ...limits },
  });
  return { connector, lines };
}

const paying = (send: Pay["send"] | (() => unknown)) => () => ({ "recharge.pay": { send, status: send }, balance: () => null });
const FETCH = { operation: "recharge.pay", method: "POST", url: "https://p.example/pay" } as const;

test.each([
  [
    "throws",
    () => {
      throw new Error("with very-secret");
    },
    "Error: with [hidden]",
  ],
  ["rejects", () => Promise.reject("nothing"), "nothing"],
  ["never ends", () => new Promise(() => {}), "time limit"],
  ["returns nothing", () => undefined, "not valid"],
  ["returns another kind", () => ({ kind: "paid" }), "kind"],
  ["returns a number as reference", () => ({ kind: "succeeded", operatorRef: 7 }), "operatorRef"],
  ["returns a float as balance", () => ({ kind: "succeeded", operatorRef: "", balance: "1,5" }), "balance"],
])("a plug-in that %s gives an unknown outcome that says so, and no secret", async (_, send, words) => {
  const { connector } = hosted(paying(send));
  const outcome = await connector.send(REQUEST, NEVER);
  expect(outcome).toMatchObject({ kind: "unknown", fault: "connector", why: expect.stringContaining(words) });
  expect(JSON.stringify(outcome)).not.toContain("very-secret");
  expect((await connector.status(REQUEST, NEVER)).kind).toBe("unknown");
});

test("what could not be opened was provably not sent, and is not opened again at once", async () => {
  const open = vi.fn(() => {
    throw new Error("no");
  });
  const { connector } = hosted(open);
  expect(await connector.send(REQUEST, NEVER)).toMatchObject({ kind: "not_sent", fault: "connector" });
  await connector.send(REQUEST, NEVER);
  expect(open).toHaveBeenCalledTimes(1);
});

test("an operation that open does not return is named", async () => {
  const { connector } = hosted(() => ({ balance: () => null }));
  expect(await connector.send(REQUEST, NEVER)).toMatchObject({ kind: "not_sent", why: expect.stringContaining("recharge.pay") });
});

test("not sent is not believed when a request of the transaction left without an answer", async () => {
  const open = ({ wire }: Parts) =>
    paying(async () => {
      await wire.fetch(FETCH);
      return { kind: "not_sent", why: "I think" };
    })();
  expect((await hosted(open, async () => ({ kind: "unknown", why: "cut" })).connector.send(REQUEST, NEVER)).kind).toBe("unknown");
  const refused = hosted(open, async () => ({ kind: "not_sent", why: "no", fault: "name" }));
  expect(await refused.connector.send(REQUEST, NEVER)).toMatchObject({ kind: "not_sent", fault: "name" });
});

test("the wire takes valid requests to the plug-in's own origins only, and follows the operation's signal", async () => {
  const seen: AbortSignal[] = [];
  const wire: RawWire<never> = async (_, { signal }) => {
    seen.push(signal);
    return ANSWER;
  };
  const answers: unknown[] = [];
  const open = ({ wire: out }: Parts) =>
    paying(async () => {
      answers.push(await out.fetch({ ...FETCH, url: "https://other.example/" }));
      answers.push(await out.fetch({ ...FETCH, headers: { "a b": "c" } }));
      answers.push(await out.fetch(null as never).catch(() => "threw"));
      await out.fetch(FETCH);
      return new Promise(() => {});
    })();
  await hosted(open, wire).connector.send(REQUEST, NEVER);
  expect(answers).toEqual([
    { kind: "not_sent", why: expect.stringContaining("origins") },
    { kind: "not_sent", why: expect.stringContaining("headers") },
    { kind: "not_sent", why: expect.stringContaining("not valid") },
  ]);
  expect(seen.map((signal) => signal.aborted)).toEqual([true]);
});

test("operations beyond the limit are not sent, and the others go on", async () => {
  const { connector } = hosted(
    paying(() => new Promise(() => {})),
    undefined,
    { operationsAtOnce: 2 },
  );
  const outcomes = await Promise.all([1, 2, 3].map(() => connector.send(REQUEST, NEVER)));
  expect(outcomes.map((one) => one.kind)).toEqual(["unknown", "unknown", "not_sent"]);
  expect(outcomes[2]).toMatchObject({ fault: "capacity" });
});

test("a query's value has the operation's schema, or the place is named", async () => {
  const give = (value: unknown) => hosted(() => ({ ...paying(() => null)(), balance: () => value })).connector.query("balance", {}, NEVER);
  expect(await give({ kind: "answered", value: { balance: "10.5" } })).toEqual({ kind: "answered", value: { balance: "10.5" } });
  expect(await give({ kind: "answered", value: { balance: 10.5 } })).toMatchObject({
    kind: "unavailable",
    why: expect.stringContaining("value.balance"),
  });
  expect(await give({ kind: "refused", reason: "for very-secret" })).toEqual({ kind: "refused", reason: "for [hidden]" });
});

test("the log is bounded and shows neither secrets nor what the store holds", async () => {
  const open = ({ log, store }: Parts) =>
    paying(async () => {
      await store.set("token", "t0ken");
      for (let line = 0; line < 1000; line++) log.info("very-secret t0ken", { token: "t0ken" });
      return { kind: "pending", why: "t0ken" };
    })();
  const { connector, lines } = hosted(open);
  expect(await connector.send(REQUEST, NEVER)).toEqual({ kind: "pending", why: "[hidden]" });
  expect(lines).toHaveLength(60);
  expect(lines.join()).not.toMatch(/very-secret|t0ken/);
});

test("the store refuses odd names and large values", async () => {
  const failures: string[] = [];
  const open = ({ store }: Parts) =>
    paying(async () => {
      for (const call of [store.get("a/b"), store.set("a", "x".repeat(5000)), store.set("a", 7 as never)])
        await call.catch((error: Error) => failures.push(error.message));
      return { kind: "pending", why: "" };
    })();
  await hosted(open).connector.send(REQUEST, NEVER);
  expect(failures).toHaveLength(3);
});

test("what a plug-in leaves behind is known as its own, and what it calls is not", async () => {
  const seen: (string | null)[] = [];
  const open = ({ wire }: Parts) =>
    paying(async () => {
      seen.push(currentProvider());
      await wire.fetch(FETCH);
      return { kind: "pending", why: "" };
    })();
  const wire: RawWire<never> = async () => {
    seen.push(currentProvider());
    return ANSWER;
  };
  await hosted(open, wire).connector.send(REQUEST, NEVER);
  expect([...seen, currentProvider()]).toEqual(["p", null, null]);
});

test.each([
  [{}, /names no version/],
  [{ apiVersion: 2 }, /is for version 2; this installation has version 1/],
  [{ apiVersion: 1, name: "P 1" }, /small letters/],
  [{ apiVersion: 1, operations: ["recharge.fly"] }, /no operation that this version knows/],
  [{ apiVersion: 1, settings: {} }, /zod schema/],
])("a definition %j is refused", (given, reason) => {
  const checked = checkPlugin(given);
  expect(checked.ok ? "" : checked.faults.map(({ message }) => message).join()).toMatch(reason);
});

test("operations are typed by their names", () => {
  const defined = defineConnector({
    ...{ apiVersion: 1, name: "typed", settings: z.object({ a: z.string() }) },
    secrets: ["key"],
    operations: ["balance"],
    open: ({ settings, secrets }) => ({ balance: async () => ({ kind: "answered", value: { balance: settings.a + secrets.key } }) }),
  });
  expect(checkPlugin(defined).ok).toBe(true);
});
