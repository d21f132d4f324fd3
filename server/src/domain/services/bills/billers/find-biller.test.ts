import { expect, test } from "vitest";
import { cpuMilliseconds } from "../../../../testing/cpu-time.ts";
import { billerOf, EXACT } from "../testing/payer.ts";
import type { BillerParam, Params } from "./biller.ts";
import { refuseParams } from "./find-biller.ts";

const param = (name: string, pattern: RegExp, optional = false): BillerParam => ({ name, label: name, pattern, example: "1", optional });
const refuse = (params: readonly BillerParam[], given: Params) => refuseParams({ ...billerOf(EXACT), params }, given)?.fields ?? null;

test.each(["a&status=FAILED", "a=b", "50%", "a b", "é", "1".repeat(65)])("a provider's pattern does not make %s a target", (value) => {
  const [id, note] = [param("id", /^.{1,100}$/), param("note", /^.{1,100}$/, true)];
  expect(refuse([id], { id: value })).toEqual({ "params.id": expect.stringContaining("printable") });
  expect(refuse([id, note], { id: "1", note: value })).toBeNull();
});

test.each([
  ["a long value", /^[A-Z]{0,3}[0-9]+[A-Z0-9]*$/, `${"1".repeat(60_000)}!`],
  ["a costly pattern", /^1*1*1*1*1*1*1*1*b$/, "1".repeat(60)],
])("%s of a provider's biller takes little time", (_, pattern, value) => {
  expect(cpuMilliseconds(() => refuse([param("id", pattern)], { id: value }))).toBeLessThan(1_500);
});
