import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import { type Description, readDescription } from "../definition.ts";
import { compareSamples } from "./compare-samples.ts";

const TEXT = readFileSync(new URL("../../../../../../docs/examples/providers/rupeelink.json", import.meta.url), "utf8");

function read(change: (text: string) => string = (text) => text): Description {
  const found = readDescription(JSON.parse(change(TEXT)) as JsonObject);
  if (!found.ok) throw new Error(JSON.stringify(found.faults));
  return found.definition;
}

test("a description that changes only its requests reads every sample as before", () => {
  expect(
    compareSamples(
      read(),
      read((text) => text.replace("/transactions", "/orders")),
    ),
  ).toEqual([]);
});

test("a rule and its sample that are changed together are still shown, because the stored answer is read otherwise", () => {
  const stored = read();
  const { samples } = stored.operations["recharge.pay"] ?? {};
  const next = JSON.parse(TEXT) as { operations: { "recharge.pay": { outcome: { means: string }[]; samples: Record<string, unknown> } } };
  const pay = next.operations["recharge.pay"];
  pay.outcome = pay.outcome.filter(({ means }) => means !== "pending");
  delete pay.samples["pending"];
  const changes = compareSamples(
    stored,
    read(() => JSON.stringify(next)),
  );
  expect(samples).toHaveProperty("pending");
  expect(changes.map(({ path, before, after }) => [path, before.outcome, after?.outcome])).toEqual([
    ["operations.recharge.pay.samples.pending", "pending", "unknown"],
  ]);
});

test("samples of a removed call are not read", () => {
  const next = JSON.parse(TEXT) as { callbacks?: unknown; callback_reply?: unknown };
  const { callbacks: _, callback_reply: __, ...rest } = next;
  const changes = compareSamples(
    read(),
    read(() => JSON.stringify(rest)),
  );
  expect(changes.length).toBeGreaterThan(0);
  expect(changes.every(({ path, after }) => path.startsWith("callbacks[0].samples.") && after === null)).toBe(true);
});
