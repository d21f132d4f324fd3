import { expect, test } from "vitest";
import { createQueueSpeed } from "./queue-speed.ts";

function paceAt() {
  const clock = { now: 0 };
  const queueSpeed = createQueueSpeed(() => clock.now);
  const run = (items: number, milliseconds: number) => {
    queueSpeed.resumed();
    const finished = queueSpeed.started(items);
    clock.now += milliseconds;
    finished();
  };
  return { clock, queueSpeed, run };
}

test("the speed is learned from large batches", () => {
  const { queueSpeed, run } = paceAt();
  for (let batch = 0; batch < 50; batch++) run(500, 1_000);
  expect(queueSpeed.secondsFor(1_000)).toBeCloseTo(2, 1);
  for (let batch = 0; batch < 50; batch++) run(500, 100);
  expect(queueSpeed.secondsFor(1_000)).toBeCloseTo(0.2, 1);
});

test("slow single items do not make a long queue appear slow", () => {
  const { queueSpeed, run } = paceAt();
  for (let batch = 0; batch < 50; batch++) run(1, 100);
  expect(queueSpeed.secondsFor(1_000)).toBeLessThan(0.5);
});

test("the time between two batches counts while items wait", () => {
  const { clock, queueSpeed } = paceAt();
  queueSpeed.resumed();
  for (let batch = 0; batch < 50; batch++) {
    clock.now += 400;
    const finished = queueSpeed.started(500);
    clock.now += 100;
    finished();
  }
  expect(queueSpeed.secondsFor(1_000)).toBeCloseTo(1, 1);
});

test("two concurrent batches count as one stream", () => {
  const { clock, queueSpeed } = paceAt();
  queueSpeed.resumed();
  let before = queueSpeed.started(500);
  for (let batch = 0; batch < 50; batch++) {
    const finished = queueSpeed.started(500);
    clock.now += 500;
    before();
    before = finished;
  }
  expect(queueSpeed.secondsFor(500)).toBeCloseTo(1, 1);
});

test("the estimate includes items in flight", () => {
  const { queueSpeed, run } = paceAt();
  for (let batch = 0; batch < 50; batch++) run(500, 500);
  queueSpeed.resumed();
  queueSpeed.started(500);
  expect(queueSpeed.secondsFor(500)).toBeCloseTo(1, 1);
});

test("while a queue is stalled, the estimate is at least the time it has been stalled", () => {
  const { clock, queueSpeed } = paceAt();
  queueSpeed.resumed();
  const finished = queueSpeed.started(1);
  clock.now += 1_500;
  expect(queueSpeed.secondsFor(1)).toBeLessThan(1);
  clock.now += 1_500;
  expect(queueSpeed.secondsFor(1)).toBe(3);
  finished();
  expect(queueSpeed.secondsFor(1)).toBeLessThan(1);
});
