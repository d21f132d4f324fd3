import { z } from "zod";
import { amount, id, query, text } from "./fields.ts";

/** What a paid bill may add to the reply. */
export const billResult = z.object({});

const biller = z.object({
  biller_id: id,
  name: text,
  category: id,
  /** How it is paid: after a fetch, after a validation of the customer, or directly. */
  flow: z.enum(["fetch", "validate", "direct"]),
  /** Which amounts a fetched bill accepts. */
  exactness: z.enum(["exact", "exact_up", "exact_down", "range", "any"]),
  min_amount: amount.default("1"),
  max_amount: amount.default("200000"),
  params: z
    .array(
      z.object({
        name: id,
        label: text,
        pattern: z.string().max(200).default("^.{1,100}$"),
        example: text.default(""),
        optional: z.boolean().default(false),
      }),
    )
    .min(1),
  payment_modes: z.array(id).default(["CASH"]),
  active: z.boolean().default(true),
});

const fetchInput = z.object({
  reference: id,
  biller_id: id,
  params: z.record(z.string(), z.string()),
  customer_mobile: id,
  created_at: z.int(),
  /** What an earlier answer to the same fetch gave. */
  provider_ref: z.string().default(""),
});

const fetched = z.object({
  status: z.enum(["found", "pending"]),
  /** The provider's id of the fetch. The payment gets it. */
  provider_ref: z.string().default(""),
  bills: z
    .array(
      z.object({
        bill_number: text.default(""),
        amount,
        customer_name: text.default(""),
        bill_date: text.default(""),
        due_date: text.default(""),
      }),
    )
    .default([]),
  min_amount: amount.optional(),
  max_amount: amount.optional(),
});

export const billQueries = {
  "bills.billers": query({ input: z.object({}), value: z.object({ billers: z.array(biller) }) }),
  "bills.fetch": query({ input: fetchInput, value: fetched }),
  /** The result of a fetch that was answered pending. */
  "bills.fetch_status": query({ input: fetchInput, value: fetched }),
} as const;
