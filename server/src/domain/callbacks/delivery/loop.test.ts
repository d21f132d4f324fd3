import { expect, test } from "vitest";
import { type Loop, startLoop } from "./loop.ts";

/** A loop whose runs the test completes one by one. */
function stepped(delayMilliseconds: number) {
  const ends: (() => void)[] = [];
  let runs = 0;
  let begun: () => void = () => {};
  let atOnce = 0;
  let most = 0;
  const loop: Loop = startLoop(async () => {
    runs++;
    most = Math.max(most, ++atOnce);
    begun();
    await new Promise<void>((resolve) => ends.push(resolve));
    atOnce--;
    return { delayMilliseconds, restMilliseconds: 0 };
  });
  return {
    loop,
    runs: () => runs,
    most: () => most,
    end: () => ends.shift()?.(),
    nextRun: () => new Promise<void>((resolve) => (begun = resolve)),
  };
}

const HOUR = 3_600_000;

test("calls during a run are one more run after it", async () => {
  const one = stepped(HOUR);
  for (let count = 0; count < 100; count++) one.loop.wake();
  const second = one.nextRun();
  one.end();
  await second;
  expect([one.runs(), one.most()]).toEqual([2, 1]);
  const stopped = one.loop.stop();
  one.end();
  await stopped;
});

test("a loop that is not woken runs again after its delay, and a wake-up causes no extra run", async () => {
  const one = stepped(1);
  for (let count = 0; count < 20; count++) {
    const next = one.nextRun();
    one.end();
    if (count % 2 === 0) setImmediate(one.loop.wake);
    await next;
  }
  expect(one.most()).toBe(1);
  expect(one.runs()).toBe(21);
  const stopped = one.loop.stop();
  one.end();
  await stopped;
});

test("once stopped it does not run again", async () => {
  const one = stepped(0);
  one.loop.wake();
  const stopped = one.loop.stop();
  one.end();
  await stopped;
  one.loop.wake();
  await new Promise((resolve) => setImmediate(resolve));
  expect(one.runs()).toBe(1);
});
