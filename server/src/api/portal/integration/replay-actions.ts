import { z } from "zod";
import { chooseCallbacksByFilter } from "../../../domain/bulk/choose-callbacks.ts";
import { skippedReasons } from "../../../domain/bulk/selection.ts";
import { deletePreviews, findSelection, insertSelection, listItems, markStarted } from "../../../domain/bulk/store.ts";
import { SHOWN_STATES } from "../../../domain/callbacks/queries/read-callbacks.ts";
import { HOME_CELL } from "../../../platform/core/ids.ts";
import type { Transaction } from "../../../platform/db/connection.ts";
import { conflict, noSuch, wrongFields } from "../../sites/actions/refusal.ts";
import { WORKERS } from "../access.ts";
import { action, type PortalAction } from "../action.ts";
import { actorOf, filter, id, moment } from "../answers.ts";
import type { ReplayInput } from "../jobs/replay-callbacks.ts";
import { startedJobOutput, startPortalJob } from "../jobs/start-portal-job.ts";

const replayPreview = z
  .strictObject({
    selection_id: z.string(),
    count: z.int().describe("How many callbacks the replay sends again."),
    skipped: z.array(z.strictObject({ reason: z.string(), count: z.int() })).readonly(),
    has_more: z.boolean().describe("Whether more match than one replay takes."),
  })
  .meta({ id: "ReplayPreview" });

const previewReplay = action({
  path: "POST /callbacks/replay/preview",
  summary: "Counts the callbacks of an order or of a window of time that a replay would send again.",
  roles: WORKERS,
  input: z
    .strictObject({
      order_id: filter(id),
      state: filter(z.enum(SHOWN_STATES)),
      kind: filter(z.enum(["status", "complaint"])),
      since: filter(moment),
      until: filter(moment),
    })
    .refine(({ order_id, since }) => order_id !== undefined || since !== undefined, {
      path: ["since"],
      message: "Give an order or a time.",
    }),
  output: replayPreview,
  handler: async ({ deps, session, input: { order_id: orderId, state = null, ...rest } }) => {
    const chosen = await chooseCallbacksByFilter(deps.sql, { accountId: session.accountId, orderId, state, ...rest });
    const now = deps.clock.now();
    const made = { selectionId: deps.ids.entry(now), action: "resend", mode: null, madeBy: actorOf(session), createdAt: now } as const;
    // The selection is in the account's own database, so that it has no other cells.
    const candidates = chosen.candidates.map((one) => ({ ...one, cell: HOME_CELL }));
    // One member has one preview: each may hold ten thousand callbacks, and nothing else limits their number.
    await deletePreviews(deps.sql, made);
    const selection = await insertSelection([{ cell: HOME_CELL, sql: deps.sql }], made, candidates);
    const { selectionId, items } = selection;
    return { selection_id: selectionId, count: items, skipped: skippedReasons(chosen.candidates), has_more: chosen.hasMore };
  },
});

const STARTED = "The replay was started already. Preview it again for what is left.";

const startReplay = action({
  path: "POST /callbacks/replay",
  summary: "Starts a job that sends the callbacks of a preview again, also delivered ones.",
  roles: WORKERS,
  input: z.strictObject({ selection_id: id, count: z.int() }),
  output: startedJobOutput,
  handler: async ({ deps, session, input }) => {
    const selection = await findSelection(deps.sql, input.selection_id);
    // Only the member who saw the preview starts it, in the mode in which it was made.
    if (selection?.action !== "resend" || selection.madeBy !== actorOf(session)) return noSuch("preview");
    const [first] = await listItems(deps.sql, selection.selectionId, { state: null, after: 0, limit: 1 });
    if (first?.accountId !== session.accountId) return noSuch("preview");
    if (selection.items !== input.count) return wrongFields({ count: `Must be ${selection.items}, as the preview showed.` });
    const job: ReplayInput = {
      selection_id: selection.selectionId,
      count: selection.items,
      amount: "0.0000",
      reason: "",
      status: null,
      approval_id: null,
      made_by: null,
    };
    const markFirst = async (tx: Transaction) =>
      (await markStarted(tx, selection.selectionId, new Date(deps.clock.now()))) ? null : conflict(STARTED);
    return await startPortalJob(deps, session, { kind: "replay", input: job, action: "callbacks.replay_started", first: markFirst });
  },
});

/** Sending the callbacks of a window of time again. */
export const replayActions: readonly PortalAction[] = [previewReplay, startReplay];
