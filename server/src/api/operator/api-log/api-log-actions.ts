import { z } from "zod";
import { listAllCalls } from "../../../domain/api-log/list-all-calls.ts";
import { readCall } from "../../../domain/api-log/read-calls.ts";
import { readRefusedSignature } from "../../../domain/api-log/read-usage.ts";
import { isReference } from "../../../platform/core/reference.ts";
import { timeListQuery, withCursor, writeTimeCursor } from "../../sites/lists.ts";
import { callDetailOutput, callId, callItem, callOutput } from "../../sites/outputs/call-view.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY } from "../access.ts";
import { type Action, action } from "../action.ts";
import { MERGED_LIST } from "../cell-rules.ts";
import { accountParams, id, momentText } from "../fields.ts";
import { noSuch } from "../refusal.ts";

const callOfAccount = callOutput.extend({ account_id: z.string() }).meta({ id: "CallOfAccount" });

const status = z
  .string()
  .regex(/^[1-5](?:[0-9]{2}|xx)$/, "Must be a status such as 404, or 4xx.")
  .transform((text) => Number(text.replace("xx", "")));

const filters = {
  account_id: id.optional(),
  path: z
    .string()
    .max(200)
    .regex(/^[\x20-\x7e]*$/, "Must be a path such as /api/corp/v1/recharge.")
    .optional(),
  code: z
    .string()
    .regex(/^[0-9]{1,6}$/, "Must be a code such as 331.")
    .transform(Number)
    .optional(),
  status: status.optional(),
  error: z
    .string()
    .regex(/^[a-z_]{1,60}$/)
    .optional(),
  request_id: z
    .string()
    .regex(/^[0-9A-Z]{20}$/, "Must be the X-Request-Id of a reply, 20 characters.")
    .optional(),
  urid: z.string().refine(isReference, "Must be a reference.").optional(),
  since: momentText.optional(),
  until: momentText.optional(),
};

const browseCalls = action({
  path: "GET /api-calls",
  summary: "Lists the requests of all accounts to the client API, newest first. A page can be short and still have a next one.",
  roles: EVERYBODY,
  query: timeListQuery.extend(filters),
  output: pageOf(callOfAccount),
  // The log is not replicated.
  cells: { ...MERGED_LIST, fromPrimary: true },
  handler: async ({ deps, caller: { mode }, query }) => {
    const { limit, after, account_id: accountId, request_id: requestId, urid: reference, since, until, ...rest } = query;
    const time = { since: since === undefined ? undefined : new Date(since), until: until === undefined ? undefined : new Date(until) };
    const cursor = after ? { at: after.at, requestId: after.id } : null;
    const found = await listAllCalls(deps, { accountId, mode, requestId, reference, ...time, ...rest }, { after: cursor, limit });
    const items = found.rows.map((row) =>
      withCursor({ account_id: row.account_id, ...callItem(row) }, () => writeTimeCursor({ at: row.at, id: row.request_id })),
    );
    return { ok: true as const, items, next: found.next && writeTimeCursor({ at: found.next.at, id: found.next.requestId }) };
  },
});

const showCall = action({
  path: "GET /accounts/:account_id/api-calls/:call_id",
  summary: "Shows a request with its masked bodies.",
  roles: EVERYBODY,
  params: accountParams.extend({ call_id: callId }),
  output: callDetailOutput,
  handler: async ({ deps, params: { account_id: accountId, call_id: call } }) => {
    const row = await readCall(deps.sql, accountId, call);
    if (!row) return noSuch("call");
    const signature = await readRefusedSignature(deps.sql, accountId, call);
    return { ...callItem(row), request_body: row.request_body, reply_body: row.reply_body, signature };
  },
});

/** The log of requests to the client API, over all accounts. */
export const apiLogActions: readonly Action[] = [browseCalls, showCall];
