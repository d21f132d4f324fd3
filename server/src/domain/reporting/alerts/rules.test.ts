import { expect, test } from "vitest";
import { ALERT_KINDS } from "./alert.ts";
import { conditionsOf, type Facts } from "./rules.ts";
import type { AlertSettings } from "./settings.ts";

const SETTINGS: AlertSettings = {
  provider_success_percent: 70,
  provider_success_orders: 20,
  breaker_open: true,
  pending_orders: 20,
  human_tasks: 1,
  callback_minutes: 15,
  job_failures: 3,
  failed_jobs: 1,
  provider_balance: 1_000,
  provider_float: true,
  clock_seconds: 5,
  close_seconds: 60,
};
const CALM: Facts = {
  ledgerViolations: 0,
  signingBehind: null,
  providers: [],
  breakers: [],
  balances: [],
  pendingOverTenMinutes: 0,
  humanTasks: 0,
  doubtfulCancellations: [],
  oldestCallback: null,
  failingJobs: [],
  failedJobs: 0,
  clocks: [],
  withoutKey: [],
  emergencySignIns: [],
  unserved: { operators: [], services: [] },
  failingLists: [],
  configurationDrift: null,
  archiveFailure: null,
};
const provider = (success: number, failed: number, passedOn = 0) => ({ provider: "first", success, failed, passedOn });
const kinds = (facts: Partial<Facts>, settings: Partial<AlertSettings> = {}) =>
  conditionsOf({ ...CALM, ...facts }, { ...SETTINGS, ...settings }).map(({ kind, subject }) =>
    subject === "" ? kind : `${kind} ${subject}`,
  );

test("a calm fixture has nothing to tell", () => {
  expect(kinds({})).toEqual([]);
});

/** Just not enough, just enough, and how it is switched off. */
const balance = (rupees: number, declined = false) => [{ provider: "first", balance: BigInt(rupees) * 10_000n, declined }];
const BORDERS: readonly (readonly [name: string, quiet: Partial<Facts>, loud: Partial<Facts>, off: Partial<AlertSettings> | null])[] = [
  ["ledger_violation", {}, { ledgerViolations: 1 }, null],
  ["signing_behind", {}, { signingBehind: { lastDay: "2026-03-01", dueDay: "2026-03-02" } }, null],
  ["provider_balance first", { balances: balance(1_000) }, { balances: balance(999) }, { provider_balance: null }],
  ["provider_float first", { balances: balance(2_000) }, { balances: balance(2_000, true) }, { provider_float: false }],
  [
    "provider_lists acme",
    {},
    { failingLists: [{ provider: "acme", name: "bills.billers", key: "", failure: "No usable answer.", refreshedAt: null }] },
    null,
  ],
  ["break_glass_used U1", {}, { emergencySignIns: [{ userId: "U1", email: "root@acme.example", at: new Date(0) }] }, null],
  ["no_provider", {}, { unserved: { operators: ["TP"], services: [] } }, null],
  ["provider_success first", { providers: [provider(14, 6)] }, { providers: [provider(13, 7)] }, { provider_success_percent: null }],
  ["breaker_open first", {}, { breakers: [{ provider: "first", operator: "AT" }] }, { breaker_open: false }],
  ["pending_orders", { pendingOverTenMinutes: 20 }, { pendingOverTenMinutes: 21 }, { pending_orders: null }],
  ["bus_cancellations", {}, { doubtfulCancellations: ["ORD1"] }, null],
  ["human_tasks", {}, { humanTasks: 1 }, { human_tasks: null }],
  [
    "callbacks_late",
    { oldestCallback: { accountId: "A1", seconds: 899 } },
    { oldestCallback: { accountId: "A1", seconds: 900 } },
    { callback_minutes: null },
  ],
  [
    "job_failing nonce sweep",
    { failingJobs: [{ name: "nonce sweep", failures: 2, error: "x" }] },
    { failingJobs: [{ name: "nonce sweep", failures: 3, error: "x" }] },
    { job_failures: null },
  ],
  ["failed_jobs", {}, { failedJobs: 1 }, { failed_jobs: null }],
  [
    "clock_differs box (process 1)",
    { clocks: [{ process: "box (process 1)", milliseconds: -4_999 }] },
    { clocks: [{ process: "box (process 1)", milliseconds: -5_000 }] },
    { clock_seconds: null },
  ],
  ["master_key_missing box (process 1)", {}, { withoutKey: [{ process: "box (process 1)", keyId: "mk1" }] }, null],
  ["archive_failing", {}, { archiveFailure: "2026-03 stays in the database: 1 orders are pending." }, null],
  ["configuration_drift", {}, { configurationDrift: "1 object differs." }, null],
];

test.each(BORDERS)("%s alerts from its threshold on, and not when it is switched off", (name, quiet, loud, off) => {
  expect(kinds(quiet)).toEqual([]);
  expect(kinds(loud)).toEqual([name]);
  if (off !== null) expect(kinds(loud, off)).toEqual([]);
});

test("every kind has a rule", () => {
  expect(new Set(BORDERS.map(([name]) => name.split(" ")[0]))).toEqual(new Set(Object.keys(ALERT_KINDS)));
});

test("what has no provider is named, operators and services alike", () => {
  const [condition] = conditionsOf({ ...CALM, unserved: { operators: ["TP", "SD"], services: ["bills"] } }, SETTINGS);
  expect(condition).toMatchObject({ kind: "no_provider", subject: "" });
  expect(condition?.message).toMatch(
    /^No provider serves the recharge operators TP, SD and the services bills, so their orders are refused\./,
  );
});

test("too few orders say nothing about a provider, and what it passed on speaks against it", () => {
  expect(kinds({ providers: [provider(0, 19)] })).toEqual([]);
  expect(kinds({ providers: [provider(20, 0, 20)] })).toEqual(["provider_success first"]);
});

test("breakers of many operators at many processes are one alert a provider", () => {
  const operators = Array.from({ length: 30 }, (_, place) => ({ provider: "first", operator: `O${place}` }));
  const [condition, ...others] = conditionsOf({ ...CALM, breakers: [...operators, ...operators] }, SETTINGS);
  expect(others).toEqual([]);
  expect(condition?.message).toMatch(/O0, O1, .* and 20 more\.$/);
});

test("late callbacks name the client and the time in the unit that people use", () => {
  const said = (seconds: number, accountName?: string) =>
    conditionsOf({ ...CALM, oldestCallback: { accountId: "A1", accountName, seconds } }, SETTINGS)[0]?.message;
  expect(said(1_000, "Asha Stores")).toBe("Callbacks of Asha Stores (A1) have been due for 16 minutes.");
  expect(said(90_000)).toBe("Callbacks of account A1 have been due for 25 hours.");
  expect(said(500_000)).toBe("Callbacks of account A1 have been due for 5 days.");
});
