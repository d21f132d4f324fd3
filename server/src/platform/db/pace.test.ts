import { expect, test } from "vitest";
import { createPace } from "./pace.ts";

function paceAt() {
  const clock = { now: 0 };
  const pace = createPace(() => clock.now);
  const run = (items: number, milliseconds: number) => {
    pace.woken();
    const finished = pace.started(items);
    clock.now += milliseconds;
    finished();
  };
  return { clock, pace, run };
}

test("it learns from large batches how long a queue takes", () => {
  const { pace, run } = paceAt();
  for (let batch = 0; batch < 50; batch++) run(500, 1_000);
  expect(pace.secondsFor(1_000)).toBeCloseTo(2, 1);
  for (let batch = 0; batch < 50; batch++) run(500, 100);
  expect(pace.secondsFor(1_000)).toBeCloseTo(0.2, 1);
});

test("slow single items do not make a long queue look slow", () => {
  const { pace, run } = paceAt();
  for (let batch = 0; batch < 50; batch++) run(1, 100);
  expect(pace.secondsFor(1_000)).toBeLessThan(0.5);
});

test("the time between two batches counts as long as something waits", () => {
  const { clock, pace } = paceAt();
  pace.woken();
  for (let batch = 0; batch < 50; batch++) {
    clock.now += 400;
    const finished = pace.started(500);
    clock.now += 100;
    finished();
  }
  expect(pace.secondsFor(1_000)).toBeCloseTo(1, 1);
});

test("two batches under way at once count as one stream", () => {
  const { clock, pace } = paceAt();
  pace.woken();
  let before = pace.started(500);
  for (let batch = 0; batch < 50; batch++) {
    const finished = pace.started(500);
    clock.now += 500;
    before();
    before = finished;
  }
  expect(pace.secondsFor(500)).toBeCloseTo(1, 1);
});

test("what is under way is waited for too", () => {
  const { pace, run } = paceAt();
  for (let batch = 0; batch < 50; batch++) run(500, 500);
  pace.woken();
  pace.started(500);
  expect(pace.secondsFor(500)).toBeCloseTo(1, 1);
});

test("a queue that does not move any more is as slow as it has stood still, until it moves", () => {
  const { clock, pace } = paceAt();
  pace.woken();
  const finished = pace.started(1);
  clock.now += 1_500;
  expect(pace.secondsFor(1)).toBeLessThan(1);
  clock.now += 1_500;
  expect(pace.secondsFor(1)).toBe(3);
  finished();
  expect(pace.secondsFor(1)).toBeLessThan(1);
});
