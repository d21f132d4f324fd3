import { expect, test } from "vitest";
import { openBoard } from "./board.ts";

test("a job that was never run has nothing to tell, failures count in a row, and a success ends them", () => {
  const board = openBoard();
  board.expect("sweep", 1_000);
  expect(board.jobs()).toEqual([
    { name: "sweep", everyMilliseconds: 1_000, ranAt: null, tookMilliseconds: null, succeededAt: null, failures: 0, error: null },
  ]);
  board.ran("sweep", { tookMilliseconds: 1.4, error: new Error("no room") });
  board.ran("sweep", { tookMilliseconds: 2, error: "no words" });
  expect(board.jobs()).toMatchObject([{ failures: 2, error: "no words", succeededAt: null, tookMilliseconds: 2 }]);
  board.ran("sweep", { tookMilliseconds: 3, error: null });
  expect(board.jobs()).toMatchObject([{ failures: 0, error: null, succeededAt: expect.any(Number) }]);
});

test("an error is told in few words that the database can keep", () => {
  const board = openBoard();
  board.ran("sweep", { tookMilliseconds: 1, error: new Error(`\0${"x".repeat(1_000)}`) });
  expect(board.jobs()[0]?.error).toBe("x".repeat(300));
});
