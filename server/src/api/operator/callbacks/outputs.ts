import { z } from "zod";
import { SHOWN_STATES } from "../../../domain/callbacks/queries/read-callbacks.ts";
import { timeText } from "../output-fields.ts";

/** A callback and the state of its delivery. */
export const callbackOutput = z
  .strictObject({
    callback_id: z.string(),
    account_id: z.string(),
    kind: z.enum(["status", "complaint"]),
    order_id: z.string(),
    urid: z.string(),
    status: z.string(),
    complaint_ref: z.string().nullable(),
    version: z.literal([2, 3]),
    state: z.enum(SHOWN_STATES),
    attempts: z.int(),
    in_flight: z.boolean().describe("Whether it is being sent now."),
    next_at: timeText.nullable(),
    last_http_status: z.int().nullable(),
    last_error: z.string().nullable(),
    created_at: timeText,
    delivered_at: timeText.nullable(),
  })
  .meta({ id: "Callback" });
