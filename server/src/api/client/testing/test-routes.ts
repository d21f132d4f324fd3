import { z } from "zod";
import { type Route, route } from "../../../domain/client-api/route.ts";
import { refused } from "../../../domain/shared/refusals.ts";

const base = { summary: "A route for tests", reply: z.object({}) };
const anything = z.object({});

/** The text of an unexpected error, which must not reach the client. */
export const INSIDE = "relation credentials at 10.1.2.3 password=hunter2";

/** A body with every kind of field that requests have. */
const sample = z.object({
  urid: z.string().regex(/^[A-Za-z0-9._:-]{1,64}$/, "must be a reference"),
  amount: z.string().regex(/^(0|[1-9][0-9]{0,9})(\.[0-9]{1,4})?$/, "must be an amount"),
  note: z.string().optional(),
  contact: z.object({ mobile: z.string() }).optional(),
  age: z.int().optional(),
});

/** One route of every kind that the gate distinguishes, on a signed service and on recharge. */
export const TEST_ROUTES: readonly Route[] = [
  route({ ...base, method: "POST", path: "/test/pay", service: "bills", kind: "transaction", input: anything, handle: made }),
  route({
    ...base,
    method: "GET",
    path: "/test/pay",
    service: "bills",
    kind: "lookup",
    input: z.object({ request_id: z.string().optional() }),
    handle: ({ input }) => (input.request_id === "KNOWN" ? made() : refused("not_found", "There is no such transaction.")),
  }),
  route({
    ...base,
    method: "POST",
    path: "/test/fetch",
    service: "bills",
    kind: "plain",
    input: z.object({ request_id: z.string() }),
    handle: made,
  }),
  route({ ...base, method: "GET", path: "/test/billers", service: "bills", kind: "plain", input: anything, handle: made }),
  route({ ...base, method: "GET", path: "/test/things/{ref}", service: "recharge", kind: "plain", input: anything, handle: made }),
  route({
    ...base,
    method: "POST",
    path: "/test/sample",
    service: "recharge",
    kind: "plain",
    input: sample,
    handle: ({ input }) => ({ kind: "record", fields: { ok: true, seen: JSON.stringify(input) } }),
  }),
  route({
    ...base,
    method: "POST",
    path: "/test/large",
    service: "recharge",
    kind: "plain",
    bodyLimitBytes: 256 * 1024,
    input: anything,
    handle: made,
  }),
  route({ ...base, method: "POST", path: "/test/throws", service: "recharge", kind: "plain", input: anything, handle: thrown }),
  route({ ...base, method: "GET", path: "/test/throws", service: "recharge", kind: "plain", input: anything, handle: thrown }),
  route({ ...base, method: "POST", path: "/test/throws-signed", service: "bills", kind: "plain", input: anything, handle: thrown }),
];

function made() {
  return { kind: "record" as const, fields: { ok: true } };
}

function thrown(): never {
  throw new Error(INSIDE);
}
