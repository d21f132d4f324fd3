import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { mergeLines } from "./merge-lines.ts";

const line = (milliseconds: number, text: string) =>
  `{"level":"info","time":"2026-01-31T09:30:00.${String(milliseconds).padStart(3, "0")}Z","message":"${text}"}\n`;

function merged() {
  let written = "";
  const lines = mergeLines((text) => {
    written += text;
  });
  return { ...lines, written: () => written };
}

test("lines of several processes are written in the order of their times, whenever they arrive", () => {
  const { destination, follow, flush, written } = merged();
  const [one, other] = [new PassThrough(), new PassThrough()];
  follow(one);
  follow(other);
  other.emit("data", line(30, "third") + line(50, "fifth"));
  one.emit("data", line(20, "second") + line(40, "fourth"));
  destination.write(line(10, "first"));
  flush();
  expect(written().match(/first|second|third|fourth|fifth/g)).toEqual(["first", "second", "third", "fourth", "fifth"]);
});

test("a line that arrives in pieces is written whole", () => {
  const { follow, flush, written } = merged();
  const [one, other] = [new PassThrough(), new PassThrough()];
  follow(one);
  follow(other);
  const [torn, whole] = [line(10, "torn"), line(20, "whole")];
  one.emit("data", torn.slice(0, 30));
  other.emit("data", whole);
  one.emit("data", torn.slice(30));
  flush();
  expect(written()).toBe(torn + whole);
});

test("a line without a time stays behind the line before it, and what has no line end yet is written when the process ends", () => {
  const { follow, flush, written } = merged();
  const [one, other] = [new PassThrough(), new PassThrough()];
  follow(one);
  follow(other);
  one.emit("data", "09:30:00.010 ERROR broken\n    at here\n    at");
  other.emit("data", "09:30:00.020 INFO  fine\n");
  one.emit("end");
  flush();
  expect(written()).toBe("09:30:00.010 ERROR broken\n    at here\n    at\n09:30:00.020 INFO  fine\n");
});

test("a line is held back until a line of another process that is older can no longer be on its way", async () => {
  let now = 0;
  let written = "";
  const { destination } = mergeLines(
    (text) => {
      written += text;
    },
    () => now,
  );
  destination.write(line(20, "later"));
  now = 240;
  destination.write(line(10, "earlier"));
  now = 260;
  await expect.poll(() => written).toBe(line(10, "earlier") + line(20, "later"));
});
