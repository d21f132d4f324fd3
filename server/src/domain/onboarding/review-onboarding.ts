import type { Queryable, Transaction } from "../../platform/db/connection.ts";
import type { AccountsContext, WithReason } from "../accounts/context.ts";
import type { Asker } from "../approvals/approval.ts";
import { isStaff, readApprovalObstacles } from "../approvals/approval-obstacles.ts";
import { isOn } from "../approvals/rules.ts";
import { readRules } from "../approvals/rules-store.ts";
import {
  CHANGED_MEANWHILE,
  changeOnboarding,
  conflictOf,
  type DecidedOnboarding,
  type OnboardingResult,
  presentDocuments,
  setReview,
} from "./change-onboarding.ts";
import { type Decision, missingFor, nextOnboardingState, type Review } from "./onboarding.ts";
import { insertReview, type OnboardingRow, updateOnboarding } from "./store.ts";

const APPROVED = { kyc: "verified", agreement: "signed" } as const satisfies Record<Review, string>;
const OWN = "You entered details or documents of this application, so somebody else has to review it.";

type Reviewed = WithReason & {
  readonly accountId: string;
  readonly review: Review;
  readonly decision: Decision;
  readonly reason: string;
  /** What the reviewer has seen, so that nobody approves a document that was exchanged meanwhile. */
  readonly version: number;
};

/** Approves KYC or agreement, or returns the application. With both approved the account can transact. */
export async function reviewOnboarding(ctx: AccountsContext, asker: Asker, input: Reviewed): Promise<OnboardingResult> {
  const { review, decision, reason } = input;
  return await changeOnboarding(ctx, asker.actor, input, async (tx, row, at) => {
    const obstacle = await readObstacle(tx, asker, row, input, at);
    if (obstacle !== null) return conflictOf(obstacle);
    await insertReview(tx, {
      ...{ account_id: row.account_id, review_id: ctx.ids.entry(at.getTime()), review, decision, reason, at },
      ...{ reviewed_by: asker.actor, reviewer_person: asker.person, author_people: row.author_people },
      four_eyes: await fourEyesApply(tx, asker, row),
    });
    return decision === "approved" ? await approve(tx, row, review, at) : await giveBack(tx, row, review, at);
  });
}

async function readObstacle(tx: Transaction, asker: Asker, row: OnboardingRow, input: Reviewed, at: Date): Promise<string | null> {
  const { review, decision, version } = input;
  if (row.state !== "submitted") return "The application does not wait for a review.";
  if (row[review] !== "pending") return "This review was made already.";
  if (row.version !== version) return CHANGED_MEANWHILE;
  const barred = await readReviewObstacle(tx, asker, row, at.getTime());
  if (barred !== null || decision === "returned") return barred;
  const missing = missingFor(review, { ...row, documents: await presentDocuments(tx, row.account_id) });
  return missing.length === 0 ? null : `Something is missing: ${missing.join("; ")}.`;
}

async function approve(tx: Transaction, row: OnboardingRow, review: Review, at: Date): Promise<DecidedOnboarding> {
  await setReview(tx, row.account_id, review, APPROVED[review], at);
  const isLast = row[review === "kyc" ? "agreement" : "kyc"] !== "pending";
  const completed = isLast ? { state: nextOnboardingState(row.state, "complete") ?? row.state, completed_at: at } : {};
  await updateOnboarding(tx, row.account_id, completed, at);
  const changes = { [review]: { from: row[review], to: APPROVED[review] } };
  return { result: { kind: "done" }, audit: { action: "onboarding.approved", details: { review, changes } } };
}

async function giveBack(tx: Transaction, row: OnboardingRow, review: Review, at: Date): Promise<DecidedOnboarding> {
  await updateOnboarding(tx, row.account_id, { state: nextOnboardingState(row.state, "return") ?? row.state }, at);
  return { result: { kind: "done" }, audit: { action: "onboarding.returned", details: { review } } };
}

/**
 * As for approvals by a second person: while a threshold is set, whenever a member of staff takes part, also with a key of
 * their own. Keys that nobody on staff created are exempt among themselves unless keys are included.
 */
async function fourEyesApply(
  sql: Queryable,
  asker: Asker,
  { author_people: authors }: Pick<OnboardingRow, "author_people">,
): Promise<boolean> {
  const rules = await readRules(sql);
  return isOn(rules) && (rules.keysIncluded || [asker.person, ...authors].some(isStaff));
}

/** Why this person may not review the application; null if they may. The database refuses an author too. */
export async function readReviewObstacle(sql: Queryable, asker: Asker, row: OnboardingRow, now: number): Promise<string | null> {
  if (!(await fourEyesApply(sql, asker, row))) return null;
  if (row.author_people.includes(asker.person)) return OWN;
  const [barred] = (await readApprovalObstacles(sql, asker, row.author_people, now)).values();
  return barred ?? null;
}

/** Refuses to set KYC or agreement directly while they are reviewed, because that would pass by the reviewer. */
export async function refuseDirectApproval(
  tx: Transaction,
  accountId: string,
  change: { readonly kyc?: string | undefined; readonly agreement?: string | undefined },
): Promise<string | null> {
  if (change.kyc !== "verified" && change.agreement !== "signed") return null;
  const open = await tx`select 1 from onboardings where account_id = ${accountId} and state <> 'completed'`;
  return open.length === 0 ? null : "KYC and agreement of this account are decided in its onboarding. Review it there.";
}
