import fc from "fast-check";
import { expect, test } from "vitest";
import { createLagMeter } from "./replica-lag.ts";

test("a replica that has replayed everything has no lag, however long there is no write", () => {
  const meter = createLagMeter();
  meter.noteWritten(1_000, 100n);
  expect(meter.lagMilliseconds(1_000, 100n)).toBe(0);
  meter.noteWritten(60_000, 100n);
  expect(meter.lagMilliseconds(60_000, 100n)).toBe(0);
});

test("the lag counts from the last time at which the replica had everything, because more may have been written right after", () => {
  const meter = createLagMeter();
  meter.noteWritten(1_000, 100n);
  meter.noteWritten(2_000, 200n);
  meter.noteWritten(3_000, 300n);
  expect(meter.lagMilliseconds(3_500, 150n)).toBe(2_500);
  expect(meter.lagMilliseconds(4_000, 200n)).toBe(2_000);
  expect(meter.lagMilliseconds(4_500, 300n)).toBe(1_500);
});

test("a pause without writes is no lag", () => {
  const meter = createLagMeter();
  meter.noteWritten(1_000, 100n);
  meter.noteWritten(60_000, 100n);
  meter.noteWritten(61_000, 200n);
  expect(meter.lagMilliseconds(61_500, 100n)).toBe(1_500);
});

test("before the primary has answered the lag is unknown", () => {
  expect(createLagMeter().lagMilliseconds(1_000, 100n)).toBeNull();
});

test("after a failover to a shorter log the old positions do not count", () => {
  const meter = createLagMeter();
  meter.noteWritten(1_000, 500n);
  meter.noteWritten(2_000, 400n);
  expect(meter.lagMilliseconds(2_500, 400n)).toBe(500);
  meter.noteWritten(3_000, 450n);
  expect(meter.lagMilliseconds(4_000, 400n)).toBe(2_000);
});

test("a replica that stops replaying has a lag that never shrinks until it replays again", () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 1n, max: 1_000n }), { minLength: 2, maxLength: 40 }), (steps) => {
      const meter = createLagMeter();
      const [first = 1n] = steps;
      meter.noteWritten(0, first);
      meter.lagMilliseconds(0, first);
      let [position, before] = [first, 0];
      steps.slice(1).forEach((step, index) => {
        position += step;
        const now = (index + 1) * 1_000;
        meter.noteWritten(now, position);
        const lag = meter.lagMilliseconds(now + 1, first) ?? -1;
        expect(lag).toBeGreaterThanOrEqual(before);
        before = lag;
      });
      expect(meter.lagMilliseconds((steps.length - 1) * 1_000, position)).toBe(0);
    }),
  );
});
