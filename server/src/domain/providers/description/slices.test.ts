import { expect, onTestFinished, test, vi } from "vitest";
import { listShipped } from "../shipped/shipped-descriptions.ts";
import { readDescription, readDescriptionInSlices } from "./definition.ts";

/** How many turns other work has while something runs. */
async function turnsDuring(run: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await run();
  isOver = true;
  return turns;
}

test("every shipped description is read in slices as at once, and other work has its turn in between", async () => {
  // Every look at the clock is a millisecond later, so that a fast machine has as many slices as a slow one.
  let milliseconds = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => milliseconds++);
  onTestFinished(() => clock.mockRestore());
  for (const { definition: settings } of await listShipped()) {
    const sliced = structuredClone(settings);
    const turns = await turnsDuring(async () => await readDescriptionInSlices(sliced));
    expect(await readDescriptionInSlices(sliced)).toEqual(readDescription(structuredClone(settings)));
    if (JSON.stringify(settings).length > 30_000) expect(turns).toBeGreaterThan(2);
  }
});

test.each([
  null,
  "text",
  [],
  {},
  { operations: 5 },
  { operations: {} },
  { operations: { nothing: {} } },
  { operations: { balance: { x: 1 } } },
])("what is no description, such as %j, has the same faults both ways", async (value) => {
  const read = await readDescriptionInSlices(structuredClone(value));
  expect(read).toEqual(readDescription(structuredClone(value)));
  expect(read.ok).toBe(false);
});
