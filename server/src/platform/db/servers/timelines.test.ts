import { expect, test } from "vitest";
import { codeOf } from "../database-errors.ts";
import { createTimelines, OUTDATED_SERVER } from "./timelines.ts";

const server = (timeline: string | null, system = "7") => ({ system, timeline });

test("only a later timeline advances, and earlier ones of the same cluster are refused then", () => {
  const timelines = createTimelines();
  expect(["00000009", "00000009", "0000000A", "00000009"].map((one) => timelines.advance(server(one)))).toEqual([
    false,
    false,
    true,
    false,
  ]);
  expect(["00000009", "0000000A", "00000010"].map((one) => codeOf(timelines.refuse(server(one))))).toEqual([OUTDATED_SERVER, "", ""]);
});

test("standbys and servers that do not tell their timeline are not refused", () => {
  const timelines = createTimelines();
  timelines.advance(server("00000002"));
  expect(timelines.advance(server(null))).toBe(false);
  expect(timelines.refuse(server(null))).toBeNull();
});

test("a newly created cluster, such as by a restore, begins with its own timelines", () => {
  const timelines = createTimelines();
  timelines.advance(server("00000005"));
  expect(timelines.refuse(server("00000001", "8"))).toBeNull();
  expect(timelines.advance(server("00000001", "8"))).toBe(true);
  expect(timelines.refuse(server("00000001", "8"))).toBeNull();
});
