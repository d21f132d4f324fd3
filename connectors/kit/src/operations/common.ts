import { z } from "zod";
import { amount, id, query, text } from "./fields.ts";

const circle = z.string().max(40).nullable();

export const commonQueries = {
  /** Our balance at the provider. */
  balance: query({ input: z.object({}), value: z.object({ balance: amount }) }),
  /** The operator and circle of a mobile number, as our codes. */
  lookup: query({
    input: z.object({ number: id }),
    value: z.object({ operator: id, circle: circle.default(null), ported: z.boolean().default(false) }),
  }),
  plans: query({
    input: z.object({ operator: id, circle }),
    value: z.object({
      plans: z.array(
        z.object({
          amount,
          validity: text.default(""),
          data: text.default(""),
          talktime: text.default(""),
          category: text.default(""),
          description: z.string().max(2000).default(""),
        }),
      ),
    }),
  }),
  "complaints.raise": query({
    input: z.object({
      reference: id,
      /** Our reference of the complaint itself: asking again with the same one raises no second complaint. */
      complaint_reference: z.string().max(64).optional(),
      provider_ref: z.string(),
      operator_ref: z.string(),
      service: id,
      amount,
      created_at: z.int(),
      reason: id,
      description: text,
    }),
    value: z.object({ complaint_ref: id }),
  }),
  "complaints.status": query({
    input: z.object({ complaint_ref: id, reference: id, provider_ref: z.string() }),
    value: z.object({ status: z.enum(["open", "resolved", "refunded"]), reason: text.default("") }),
  }),
  /** Sends a one-time password that we minted. Not needed by a provider that mints its own. */
  "otp.send": query({
    input: z.object({ mobile: id, code: id, purpose: id }),
    value: z.object({}),
  }),
} as const;
