import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { APPROVAL_KINDS } from "../../../domain/approvals/approval.ts";
import { ADMINS } from "../access.ts";
import { type Action, action } from "../action.ts";
import { OPERATOR_ACTIONS } from "../operator-actions.ts";
import { operatorDocument, operatorDocumentText } from "./document.ts";

const COMMITTED = new URL("../../../../../contract/operator-openapi.json", import.meta.url);

const withOutput = (path: Action["path"], output: z.ZodType): Action =>
  action({ path, summary: "Shows it.", roles: ADMINS, output, handler: async () => ({}) });

test("the committed description matches the actions", () => {
  expect(readFileSync(COMMITTED, "utf8"), "Run npm run openapi.").toBe(operatorDocumentText(OPERATOR_ACTIONS));
});

test("every action is described once, with a summary and a reply", () => {
  const { paths } = operatorDocument(OPERATOR_ACTIONS) as { paths: Record<string, Record<string, { summary: string; responses: object }>> };
  const operations = Object.values(paths).flatMap((one) => Object.values(one));
  expect(operations).toHaveLength(OPERATOR_ACTIONS.length);
  expect(new Set(OPERATOR_ACTIONS.map((one) => one.path)).size).toBe(OPERATOR_ACTIONS.length);
  for (const { summary, responses } of operations) {
    expect(summary).toMatch(/^[A-Z]/);
    expect(Object.keys(responses).some((status) => status.startsWith("2"))).toBe(true);
  }
});

test("every kind of approval belongs to an action, and its 202 is described", () => {
  const asking = OPERATOR_ACTIONS.flatMap((one) => ("approval" in one && one.approval ? [...one.approval.kinds] : []));
  expect(new Set(asking)).toEqual(new Set(APPROVAL_KINDS));
});

test("two different things with one name are refused, and so is a text without an example", () => {
  const one = withOutput("GET /one", z.strictObject({ name: z.string() }).meta({ id: "Thing" }));
  const other = withOutput("GET /other", z.strictObject({ operator: z.string() }).meta({ id: "Thing" }));
  expect(() => operatorDocument([one, other])).toThrow(/two different schemas have the id Thing/);
  expect(() => operatorDocument([withOutput("GET /x", z.strictObject({ colour_of_it: z.string() }))])).toThrow(
    /no example of colour_of_it/,
  );
});
