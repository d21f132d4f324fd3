import { expect, test } from "vitest";
import { z } from "zod";
import { OPERATOR_ACTIONS } from "../../operator/operator-actions.ts";
import { fieldFaults } from "./field-faults.ts";

/** The fields of an action's input, also if rules about several fields or conversions are added to it. */
function fieldsOf(input: z.core.$ZodType): readonly string[] {
  if (input instanceof z.ZodObject) return Object.keys(input.shape);
  if (input instanceof z.ZodPipe) return fieldsOf(input.in);
  return input instanceof z.ZodUnion ? input.options.flatMap(fieldsOf) : [];
}

const WRONG: readonly unknown[] = [undefined, null, true, -1.5, "", "\u0000 no such value", [], {}, ["?"], { "?": "?" }];

/** The faults that say nothing, of requests with each wrong value in each field. */
function emptyFaults(input: z.ZodType): readonly string[] {
  return fieldsOf(input).flatMap((field) =>
    WRONG.flatMap((value) => {
      const { error } = z.safeParse(input, { [field]: value });
      const faults = Object.entries(error ? fieldFaults(error) : {});
      return faults.filter(([, message]) => message === "Invalid input").map(([name]) => `${name} with ${JSON.stringify(value)}`);
    }),
  );
}

const INPUTS = OPERATOR_ACTIONS.flatMap((action) => {
  const inputs: readonly unknown[] = [action.query, "body" in action ? action.body : undefined];
  return inputs.filter((input) => input instanceof z.ZodType).map((input) => ({ path: action.path, input }));
});

test("every action of the operator API says of each field what is wrong", () => {
  const silent = INPUTS.map(({ path, input }) => [path, [...new Set(emptyFaults(input))]] as const);
  expect(silent.filter(([, faults]) => faults.length > 0)).toEqual([]);
});

test("nearly all inputs are looked into", () => {
  const known = INPUTS.filter(({ input }) => fieldsOf(input).length > 0);
  expect(known.length).toBeGreaterThan(INPUTS.length * 0.8);
});

test("the fault of an optional filter is that of its value", () => {
  const input = z.object({ sort: z.union([z.literal("").transform(() => undefined), z.enum(["due", "age"])]).optional() });
  const { error } = z.safeParse(input, { sort: "due_by" });
  expect(error && fieldFaults(error)).toEqual({ sort: 'Invalid option: expected one of "due"|"age"' });
});
