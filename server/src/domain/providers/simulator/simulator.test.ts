import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Connector, Finding, Report } from "../connector.ts";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { createSimulator } from "./simulator.ts";

const OPTIONS = { delayMilliseconds: 3000, timeoutMilliseconds: 3000 };

let reports: Report[];
let simulator: Connector;
beforeEach(() => {
  vi.useFakeTimers();
  reports = [];
  simulator = open();
});
afterEach(async () => {
  await simulator.close();
  vi.useRealTimers();
});

function open(): Connector {
  return createSimulator({ ...OPTIONS, clock: { now: () => Date.now() }, reportTo: (report) => reports.push(report) });
}

const SIM = expect.stringMatching(/^SIM[0-9]{12}$/);
const succeeded = { kind: "succeeded", operatorRef: SIM };

// Contract, section 9: what is said at once, and what is found by asking before and after the delay.
test.each([
  ["000", "succeeded", "succeeded", "succeeded"],
  ["102", "declined", "declined", "declined"],
  ["202", "pending", "pending", "declined"],
  ["200", "pending", "pending", "succeeded"],
  ["110", "pending", "pending", "pending"],
  ["120", "succeeded", "succeeded", "reversed"],
  ["140", "not_sent", "not_found", "not_found"],
  ["141", "unknown", "unknown", "succeeded"],
  ["130", "unknown", "unknown", "succeeded"],
  ["131", "unknown", "unknown", "declined"],
  ["150", "succeeded", "unknown", "succeeded"],
])("a number that ends in %s is answered %s, found %s before the delay and %s after it", async (ending, sent, early, late) => {
  const request = providerRequest({ target: `9876543${ending}` });
  const asked = simulator.ask(request, NEVER);
  expect((await asked).kind).toBe(early);
  const sending = simulator.send(request, NEVER);
  await vi.advanceTimersByTimeAsync(OPTIONS.timeoutMilliseconds);
  expect((await sending).kind).toBe(sent);
  // Another process, started later, that never saw the request.
  const afterRestart = open();
  expect((await afterRestart.ask(request, NEVER)).kind).toBe(late);
  await afterRestart.close();
});

test.each<[string, Partial<Finding>]>([
  ["200", succeeded as Partial<Finding>],
  ["202", { kind: "declined" }],
  ["120", { kind: "reversed" }],
])("the later result of %s is pushed once, when the delay is over", async (ending, finding) => {
  const request = providerRequest({ target: `9876543${ending}` });
  await simulator.send(request, NEVER);
  await vi.advanceTimersByTimeAsync(OPTIONS.delayMilliseconds - 1);
  expect(reports).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(reports).toEqual([{ reference: request.reference, finding: expect.objectContaining(finding) }]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reports).toHaveLength(1);
});

test.each([
  ["110", "the number ends in 110, so staff must settle it"],
  ["200", "the number ends in 200, final after 3 seconds"],
])("a pending answer for %s says why it is pending", async (ending, why) => {
  const request = providerRequest({ target: `9876543${ending}` });
  expect([await simulator.send(request, NEVER), await simulator.ask(request, NEVER)]).toEqual([
    { kind: "pending", why },
    { kind: "pending", why },
  ]);
});

test("the delay counts from the order's time, so that push and question agree", async () => {
  const request = providerRequest({ target: "9876543200", createdAt: Date.now() - 2000 });
  await simulator.send(request, NEVER);
  await vi.advanceTimersByTimeAsync(999);
  expect([reports.length, (await simulator.ask(request, NEVER)).kind]).toEqual([0, "pending"]);
  await vi.advanceTimersByTimeAsync(1);
  expect([reports.length, (await simulator.ask(request, NEVER)).kind]).toEqual([1, "succeeded"]);
});

test.each(["000", "102", "110", "130", "131", "140", "141", "150"])("nothing is pushed for %s", async (ending) => {
  const sending = simulator.send(providerRequest({ target: `9876543${ending}` }), NEVER);
  await vi.advanceTimersByTimeAsync(60_000);
  await sending;
  expect(reports).toEqual([]);
});

test("a success that will be taken back says when to look again", async () => {
  const request = providerRequest({ target: "9876543120" });
  expect(await simulator.send(request, NEVER)).toEqual({ ...succeeded, recheckAt: request.createdAt + OPTIONS.delayMilliseconds });
});

test("an ordinary success needs no timer, and its reference follows from ours", async () => {
  const request = providerRequest();
  const [first, again] = [await simulator.send(request, NEVER), await simulator.send(request, NEVER)];
  expect(vi.getTimerCount()).toBe(0);
  expect(first).toEqual(succeeded);
  expect(again).toEqual(first);
  expect(await simulator.send(providerRequest(), NEVER)).not.toEqual(first);
});

test("a target that is not a number goes by its last three characters", async () => {
  expect((await simulator.send(providerRequest({ target: "XXXXXXX102" }), NEVER)).kind).toBe("declined");
  expect((await simulator.send(providerRequest({ target: "12" }), NEVER)).kind).toBe("succeeded");
  expect((await simulator.send(providerRequest({ target: "102x" }), NEVER)).kind).toBe("succeeded");
});

test("closing ends what waits and pushes nothing any more", async () => {
  const silent = simulator.send(providerRequest({ target: "9876543130" }), NEVER);
  await simulator.send(providerRequest({ target: "9876543200" }), NEVER);
  await simulator.close();
  expect((await silent).kind).toBe("unknown");
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reports).toEqual([]);
});

test("a slow success beyond the time-out is in doubt, and found by asking", async () => {
  const impatient = createSimulator({ ...OPTIONS, timeoutMilliseconds: 500, clock: { now: () => Date.now() }, reportTo: () => {} });
  const request = providerRequest({ target: "9876543150" });
  const sending = impatient.send(request, NEVER);
  await vi.advanceTimersByTimeAsync(500);
  expect((await sending).kind).toBe("unknown");
  await vi.advanceTimersByTimeAsync(1500);
  expect((await impatient.ask(request, NEVER)).kind).toBe("succeeded");
  await impatient.close();
});
