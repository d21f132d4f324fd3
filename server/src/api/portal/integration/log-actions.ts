import { z } from "zod";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { compareSignature } from "../../../domain/api-log/compare-signature.ts";
import { type CallFilter, type CallRow, groupErrors, listCalls, readCall, tailCalls } from "../../../domain/api-log/read-calls.ts";
import { readRefusedSignature } from "../../../domain/api-log/read-usage.ts";
import { isReference } from "../../../platform/core/reference.ts";
import { noSuch, Refusal } from "../../sites/actions/refusal.ts";
import { type Page, timeListQuery, writeTimeCursor } from "../../sites/lists.ts";
import { callDetailOutput, callId, callItem, callOutput, writeCallId } from "../../sites/outputs/call-view.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { BUILDERS, EVERYBODY } from "../access.ts";
import { action, type PortalAction, streamAction } from "../action.ts";
import { actorOf, changeRefusal, filter, moment, nothing, time } from "../answers.ts";
import { callGroupsOutput, signatureComparisonOutput } from "./outputs.ts";

const HOUR_MILLISECONDS = 3_600_000;
const MOST_HOURS = 168;
const MOST_PASTED = 20_000;

const filters = {
  method: filter(z.string().regex(/^[A-Z]{1,20}$/)),
  path: filter(z.string().max(200)),
  status: filter(z.string().regex(/^[1-5](?:[0-9]{2}|xx)$/, "Must be a status such as 404, or 4xx.")),
  error: filter(z.string().regex(/^[a-z_]{1,60}$/)),
  urid: filter(z.string().refine(isReference, "Must be 1 to 64 characters of A-Z a-z 0-9 . _ : -")),
};
const listQuery = timeListQuery.extend({ ...filters, since: filter(moment), until: filter(moment) });
const liveQuery = z.object(filters);
type Filters = z.infer<typeof liveQuery> & { readonly since?: number | undefined; readonly until?: number | undefined };

const browseCalls = action({
  path: "GET /logs",
  summary: "Lists requests to the client API, newest first.",
  roles: EVERYBODY,
  input: listQuery,
  output: pageOf(callOutput),
  handler: async ({ deps, session, input: { limit, after, ...wanted } }) => {
    const cursor = after ? { at: after.at, requestId: after.id } : null;
    const { rows, next } = await listCalls(deps.sql, session.accountId, toFilter(wanted), { after: cursor, limit });
    const page: Page<z.output<typeof callOutput>> = {
      ok: true,
      items: rows.map(callItem),
      next: next && writeTimeCursor({ at: next.at, id: next.requestId }),
    };
    return page;
  },
});

const groupRefusals = action({
  path: "GET /logs/groups",
  summary: "Groups refusals of the last hours by error and path.",
  roles: EVERYBODY,
  input: z.object({
    hours: z
      .string()
      .refine((text) => /^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= MOST_HOURS, `Must be from 1 to ${MOST_HOURS}.`)
      .transform(Number)
      .default(24),
  }),
  output: callGroupsOutput,
  handler: async ({ deps, session, input }) => {
    const groups = await groupErrors(deps.sql, session.accountId, new Date(deps.clock.now() - input.hours * HOUR_MILLISECONDS));
    const items = groups.map((group) => ({
      error: group.error,
      path: group.path,
      count: Number(group.count),
      last_at: time(group.last_at),
      example: writeCallId(group.last_at, group.last_request_id),
    }));
    return { items };
  },
});

const streamCalls = streamAction({
  path: "GET /logs/live",
  summary: "Streams requests as they arrive, one event each.",
  roles: EVERYBODY,
  input: liveQuery,
  mediaType: "text/event-stream",
  handler: async ({ deps, session: { accountId }, input }) => {
    const { viewers } = deps;
    if (!viewers.isBelowLimit(accountId))
      return new Refusal("too_many_tries", "Too many live views are open. Close another one and try again.", { retryAfterSeconds: 10 });
    return {
      kind: "events",
      events: (left) => viewers.watch(accountId, left, shown(tailCalls(deps, accountId, toFilter(input), left))),
    };
  },
});

async function* shown(rows: AsyncIterable<CallRow>): AsyncGenerator<z.output<typeof callOutput>> {
  for await (const row of rows) yield callItem(row);
}

const showCall = action({
  path: "GET /logs/:call_id",
  summary: "Shows a request, and for a refused signature the six lines that the service computed.",
  roles: EVERYBODY,
  input: z.strictObject({ call_id: callId }),
  output: callDetailOutput,
  handler: async ({ deps, session: { accountId }, input }) => {
    const row = await readCall(deps.sql, accountId, input.call_id);
    if (!row) return noSuch("call");
    const signature = await readRefusedSignature(deps.sql, accountId, input.call_id);
    return { ...callItem(row), request_body: row.request_body, reply_body: row.reply_body, signature };
  },
});

const debugSignature = action({
  path: "POST /signature-debugger",
  summary: "Shows which of the six lines differ from the client's string to sign.",
  roles: EVERYBODY,
  input: z.strictObject({ call_id: callId, pasted: z.string().min(1).max(MOST_PASTED) }),
  output: signatureComparisonOutput,
  handler: async ({ deps, session: { accountId }, input }) => {
    const computed = await readRefusedSignature(deps.sql, accountId, input.call_id);
    return computed ? compareSignature(computed, input.pasted) : noSuch("refused signature");
  },
});

const keptBodies = z.strictObject({ keep: z.enum(["none", "failures", "all"]) });

const showBodySetting = action({
  path: "GET /logs/bodies",
  summary: "Shows which requests are kept with their masked bodies.",
  roles: EVERYBODY,
  input: nothing,
  output: keptBodies,
  handler: async ({ deps, session: { accountId } }) => {
    const detail = await readAccount(deps, accountId);
    return detail ? { keep: detail.account.log_bodies } : noSuch("account");
  },
});

const changeBodySetting = action({
  path: "POST /logs/bodies",
  summary: "Sets which requests are kept with their masked bodies, from now on.",
  roles: BUILDERS,
  input: keptBodies,
  output: keptBodies,
  handler: async ({ deps, session, input: { keep } }) => {
    const result = await changeAccount(deps, actorOf(session), { accountId: session.accountId, logBodies: keep });
    return changeRefusal(result) ?? { keep };
  },
});

function toFilter({ method, path, status, error, urid, since, until }: Filters): CallFilter {
  return {
    method,
    path,
    status: status === undefined ? undefined : Number(status.replace("xx", "")),
    error,
    reference: urid,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
  };
}

/** The log of requests to the client API. */
export const logActions: readonly PortalAction[] = [
  ...[browseCalls, groupRefusals, streamCalls, showBodySetting, changeBodySetting],
  ...[showCall, debugSignature],
];
