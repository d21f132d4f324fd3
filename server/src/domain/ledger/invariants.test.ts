import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { beat } from "../orders/recovery/heartbeat.ts";
import { createOrdersFixture, type OrdersFixture, type OrdersProcess } from "../orders/testing/fixture.ts";
import { checkLedger } from "./invariants.ts";
import {
  DAMAGES,
  damage,
  dropConstraints,
  EXISTS,
  GAPS,
  HELD,
  MADE,
  MONTHS,
  newLedger,
  OWNED,
  PAID,
  REFERENCED,
  RUNNING,
  STATES,
  SUMS,
  WATCHED,
} from "./testing/damages.ts";

let fixture: OrdersFixture;
let process: OrdersProcess;
let sound: string;
beforeAll(async () => {
  fixture = await createOrdersFixture();
  process = fixture.startProcess();
  // Old orders are told from new ones by the newest times of running processes.
  await beat(process.ctx);
  await dropConstraints(fixture);
  sound = await newLedger(fixture, process);
});
afterAll(() => fixture.close());

const found = async (scope: readonly string[] | "all" = "all") =>
  (await checkLedger(fixture.database.sql, scope)).filter((check) => check.violations > 0).map((check) => check.name);

describe("a sound ledger", () => {
  test("has no violation, and every check has run", async () => {
    expect(await checkLedger(fixture.database.sql)).toEqual(
      [SUMS, OWNED, MONTHS, GAPS, MADE, RUNNING, STATES, PAID, EXISTS, REFERENCED, HELD, WATCHED].map((name) => ({ name, violations: 0 })),
    );
  });

  test("that is empty has none either", async () => {
    expect(await found(["A-NOBODY"])).toEqual([]);
  });
});

test.each(DAMAGES)("$damage is found by its checks and by no other, in its own account only", async (one) => {
  const broken = await newLedger(fixture, process);
  expect(await found([broken, sound])).toEqual([]);
  await damage(fixture, broken, one);
  expect(await found([sound])).toEqual([]);
  expect(await found([sound, broken])).toEqual(one.checks);
});

test("a check of all accounts finds a violation in any of them", async () => {
  expect((await found()).length).toBeGreaterThan(0);
});
