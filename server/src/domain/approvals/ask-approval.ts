import { canonicalJson } from "../../platform/core/canonical-json.ts";
import type { Sql, Transaction } from "../../platform/db/connection.ts";
import { refuseRetiredKey } from "../accounts/account-change.ts";
import type { Act, Approval, Asked, AskedWithPayload, Asker } from "./approval.ts";
import type { ApprovalsContext } from "./context.ts";
import { countTowardsThreshold, sumOfActs } from "./count-act.ts";
import { expireIn } from "./expire.ts";
import { insertPayload } from "./payload.ts";
import { recordApproval } from "./record.ts";
import { type Area, areaOf, isOn, isSubject, needsApprovalAlways, thresholdOf } from "./rules.ts";
import { readRules } from "./rules-store.ts";
import { insertApproval, lockOpenAbout } from "./store.ts";

const HOUR_MILLISECONDS = 60 * 60 * 1000;
// Every further attempt requires that another approval was created and ended in between.
const MAX_ATTEMPTS = 10;

export type AskResult =
  /** A new approval, or an open one for the identical request. */
  { readonly kind: "waits"; readonly approval: Approval } | { readonly kind: "conflict"; readonly reason: string };

/** Whether a second person must approve first. An action that needs no approval counts towards the person's later ones. */
async function needsApproval(ctx: ApprovalsContext, asker: Asker, request: AskedWithPayload): Promise<boolean> {
  const rules = await readRules(ctx.sql);
  if (!isOn(rules) || !isSubject(rules, asker, request.kind)) return false;
  const area = areaOf(request.kind);
  if (area === null) return needsApprovalAlways(rules, request.kind);
  const { amount, about, accountId, acts } = request;
  if (amount === null) return false;
  return await countInCells(ctx, asker, area, acts ?? [{ accountId: accountId ?? "", about, amount }]);
}

/** An account's amounts are counted in its own cell, with those that staff move there directly. */
async function countInCells(ctx: ApprovalsContext, asker: Asker, area: Area, acts: readonly Act[]): Promise<boolean> {
  const threshold = thresholdOf(await readRules(ctx.sql), area);
  if (threshold === null) return false;
  if (sumOfActs(acts) >= threshold) return true;
  const byCell = new Map<Sql, Act[]>();
  for (const act of acts) {
    const sql = act.accountId === "" ? ctx.sql : (ctx.sqlOf?.(act.accountId) ?? ctx.sql);
    const own = byCell.get(sql);
    if (own) own.push(act);
    else byCell.set(sql, [act]);
  }
  let reached = false;
  for (const [sql, own] of byCell) reached = (await countTowardsThreshold({ ...ctx, sql }, asker, own, { area, threshold })) || reached;
  return reached;
}

/** Records a requested action. It is carried out only after a second person approves. */
export async function askApproval(ctx: ApprovalsContext, asker: Asker, request: AskedWithPayload): Promise<AskResult> {
  if (!ctx.executors[request.kind]) throw new Error(`There is no executor for approvals of the kind ${request.kind}.`);
  for (let turn = 0; turn < MAX_ATTEMPTS; turn++) {
    const answer = await ctx.sql.begin((tx) => askIn(ctx, tx, asker, request));
    if (answer) return answer;
  }
  throw new Error(`An approval about ${request.about} could not be created because of concurrent requests.`);
}

/** Null when the action needs no approval. */
export async function askIfNeeded(ctx: ApprovalsContext, asker: Asker, request: AskedWithPayload): Promise<AskResult | null> {
  return (await needsApproval(ctx, asker, request)) ? await askApproval(ctx, asker, request) : null;
}

async function askIn(ctx: ApprovalsContext, tx: Transaction, asker: Asker, request: AskedWithPayload): Promise<AskResult | null> {
  const at = ctx.clock.now();
  const open = await lockOpenAbout(tx, request.about);
  if (open && !(open.state === "waiting" && open.expiresAt <= at))
    return isSame(open, request) ? { kind: "waits", approval: open } : taken(open);
  if (open) await expireIn(tx, open, at);
  const { expireHours } = await readRules(tx);
  const approvalId = ctx.ids.entry(at);
  const approval = await insertApproval(tx, { ...request, approvalId, asker, at, expiresAt: at + expireHours * HOUR_MILLISECONDS });
  if (!approval) return null;
  const sealedWith = request.payload === undefined ? null : await insertPayload(tx, ctx.vault, approvalId, request.payload);
  await recordApproval(tx, at, asker.actor, "asked", approval, { input: request.input });
  if (sealedWith !== null) await refuseRetiredKey(tx, sealedWith);
  return { kind: "waits", approval };
}

function isSame(open: Approval, request: Asked): boolean {
  return open.kind === request.kind && open.amount === request.amount && canonicalJson(open.input) === canonicalJson(request.input);
}

function taken(open: Approval): AskResult {
  return { kind: "conflict", reason: `Approval ${open.approvalId} concerns the same and is still open. Decide or withdraw it first.` };
}
