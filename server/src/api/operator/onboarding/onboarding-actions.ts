import { z } from "zod";
import type { Conflict, Done, NotFound } from "../../../domain/accounts/context.ts";
import { saveDetails, submitOnboarding } from "../../../domain/onboarding/change-onboarding.ts";
import { reviewOnboarding } from "../../../domain/onboarding/review-onboarding.ts";
import { startOnboarding } from "../../../domain/onboarding/start-onboarding.ts";
import { countOnboardings, listOnboardings } from "../../../domain/onboarding/store.ts";
import { GST_STATES } from "../../../domain/onboarding/tax-ids.ts";
import { toPage, writeTimeCursor } from "../../sites/lists.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, OPERATIONS, SETTLERS } from "../access.ts";
import { type Action, action } from "../action.ts";
import type { Caller } from "../caller.ts";
import { MERGED_LIST, SUMMED } from "../cell-rules.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { accountParams, noBody } from "../fields.ts";
import { conflict, noSuch } from "../refusal.ts";
import { detailsBody, newOnboardingBody, onboardingQuery, reviewBody } from "./fields.ts";
import { onboardingCountsOutput, onboardingOutput, onboardingSummaryOutput } from "./outputs.ts";
import { onboardingOrRefusal, summaryView } from "./views.ts";

const start = action({
  path: "POST /onboardings",
  summary: "Creates an account for a new client, with KYC and agreement pending and without a token, and the draft of its application.",
  roles: OPERATIONS,
  body: newOnboardingBody,
  output: onboardingOutput,
  status: 201,
  cells: "new account",
  handler: async ({ deps, caller, body }) => await onboardingOrRefusal(deps, caller, await startOnboarding(deps, caller, body)),
});

const browse = action({
  path: "GET /onboardings",
  summary: "Lists the applications of new clients, newest first.",
  roles: EVERYBODY,
  query: onboardingQuery,
  output: pageOf(onboardingSummaryOutput),
  cells: MERGED_LIST,
  handler: async ({ deps, caller: { mode }, query: { limit, after = null, ...filter } }) => {
    // A sandbox account is never onboarded.
    const rows = mode === "test" ? [] : await listOnboardings(deps.sql, { ...filter, after, limit: limit + 1 });
    return toPage(rows, limit, summaryView, (row) => writeTimeCursor({ at: row.created_at, id: row.account_id }));
  },
});

const count = action({
  path: "GET /onboardings/counts",
  summary: "Counts the applications that are unfinished or wait for a review.",
  roles: EVERYBODY,
  output: onboardingCountsOutput,
  cells: SUMMED,
  handler: async ({ deps }) => await countOnboardings(deps.sql),
});

const states = action({
  path: "GET /onboardings/states",
  summary: "Lists the states of India with the numbers that GSTINs begin with.",
  roles: EVERYBODY,
  output: z
    .strictObject({ items: z.array(z.strictObject({ state_code: z.string(), name: z.string() })).readonly() })
    .meta({ id: "GstStates" }),
  handler: async () => ({
    items: Object.entries(GST_STATES)
      .map(([code, name]) => ({ state_code: code, name }))
      .sort(byCode),
  }),
});

// Numbers without a leading zero come first in an object, whatever their order in the source.
function byCode(one: { readonly state_code: string }, other: { readonly state_code: string }): number {
  return Number(one.state_code) - Number(other.state_code);
}

const show = action({
  path: "GET /accounts/:account_id/onboarding",
  summary: "Shows the application of an account, with its documents and reviews.",
  roles: EVERYBODY,
  params: accountParams,
  output: onboardingOutput,
  handler: async ({ deps, caller, params }) => await onboardingOrRefusal(deps, caller, params.account_id),
});

const save = action({
  path: "POST /accounts/:account_id/onboarding",
  summary: "Saves details of an application. PAN and GSTIN are checked. Fields that are absent stay unchanged.",
  roles: OPERATIONS,
  params: accountParams,
  body: detailsBody,
  output: onboardingOutput,
  handler: async ({ deps, caller, params: { account_id: accountId }, body: { version, reason, ...details } }) =>
    await changed(deps, caller, accountId, await saveDetails(deps, caller, { accountId, version, reason, details })),
});

const submit = action({
  path: "POST /accounts/:account_id/onboarding/submit",
  summary: "Hands an application to the reviewers.",
  roles: OPERATIONS,
  params: accountParams,
  body: noBody,
  output: onboardingOutput,
  handler: async ({ deps, caller, params: { account_id: accountId }, body: { reason } }) =>
    await changed(deps, caller, accountId, await submitOnboarding(deps, caller, { accountId, reason })),
});

const review = action({
  path: "POST /accounts/:account_id/onboarding/review",
  summary: "Approves KYC or agreement, or returns the application to its authors. With both approved the account can transact.",
  roles: SETTLERS,
  proof: "recent",
  params: accountParams,
  body: reviewBody,
  output: onboardingOutput,
  handler: async ({ deps, caller, params: { account_id: accountId }, body }) =>
    await changed(deps, caller, accountId, await reviewOnboarding(deps, caller, { accountId, ...body })),
});

/** The application after a change, as its GET shows it. */
export async function changed(deps: OperatorApiDependencies, caller: Caller, accountId: string, result: Done | NotFound | Conflict) {
  if (result.kind === "conflict") return conflict(result.reason);
  return result.kind === "not_found" ? noSuch("onboarding") : await onboardingOrRefusal(deps, caller, accountId);
}

/** Applications of new clients. */
export const onboardingActions: readonly Action[] = [start, browse, count, states, show, save, submit, review];
