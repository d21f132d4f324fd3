import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Transaction } from "../../platform/db/connection.ts";
import { changeUnderLock, type Decided } from "../accounts/account-change.ts";
import type { AccountsContext, Conflict, Done, NotFound, WithReason } from "../accounts/context.ts";
import type { Asker } from "../approvals/approval.ts";
import {
  type Company,
  type Contact,
  type DocumentKind,
  mayEdit,
  missingFor,
  nextOnboardingState,
  type Review,
  reviewOf,
} from "./onboarding.ts";
import { type OnboardingRow, readDocuments, readOnboarding, updateOnboarding } from "./store.ts";

type Subject = WithReason & { readonly accountId: string };
export type OnboardingResult = Done | NotFound | Conflict;
export type DecidedOnboarding = Decided<OnboardingResult>;

const NOT_FOUND: DecidedOnboarding = { result: { kind: "not_found" }, audit: null };

export function conflictOf(reason: string): DecidedOnboarding {
  return { result: { kind: "conflict", reason }, audit: null };
}

/** The frame of every change of an onboarding: the account is locked, and is neither closed nor onboarded otherwise. */
export async function changeOnboarding(
  ctx: AccountsContext,
  actor: string,
  subject: Subject,
  decide: (tx: Transaction, row: OnboardingRow, at: Date) => Promise<DecidedOnboarding>,
): Promise<OnboardingResult> {
  return await changeUnderLock<OnboardingResult>(ctx, actor, subject, async (tx, _account, at) => {
    const row = await readOnboarding(tx, subject.accountId);
    if (!row) return NOT_FOUND;
    return row.closed_at ? conflictOf("The account is closed.") : await decide(tx, row, at);
  });
}

export type Details = {
  readonly name?: string | undefined;
  readonly company?: Company | undefined;
  readonly contacts?: readonly Contact[] | undefined;
};

export const CHANGED_MEANWHILE =
  "Somebody else has changed this application in the meantime. Reload the page and enter your changes again.";
const SUBMITTED = "The application was submitted. It can be changed after a reviewer returns it.";

/** Saves a step of the draft. An approval of KYC is taken back, because it was about other details. */
export async function saveDetails(
  ctx: AccountsContext,
  asker: Asker,
  input: Subject & { readonly version: number; readonly details: Details },
): Promise<OnboardingResult> {
  const { accountId, version, details } = input;
  return await changeOnboarding(ctx, asker.actor, input, async (tx, row, at) => {
    if (!mayEdit(row, "details")) return conflictOf(SUBMITTED);
    if (row.version !== version) return conflictOf(CHANGED_MEANWHILE);
    const { name, company = row.company, contacts = row.contacts } = details;
    if (name !== undefined) await tx`update accounts set name = ${name}, updated_at = ${at} where account_id = ${accountId}`;
    await updateOnboarding(tx, accountId, { company, contacts, author_people: withAuthor(row, asker) }, at);
    const undone = await takeBack(tx, row, "kyc", at);
    const saved = Object.keys(details).filter((part) => details[part as keyof Details] !== undefined);
    return { result: { kind: "done" }, audit: { action: "onboarding.saved", details: { saved, ...undone } } };
  });
}

function withAuthor(row: OnboardingRow, asker: Asker): string[] {
  return [...new Set([...row.author_people, asker.person])];
}

/** Sets KYC or agreement to pending again, if it was approved. */
async function takeBack(tx: Transaction, row: OnboardingRow, review: Review, at: Date): Promise<JsonObject> {
  if (row[review] === "pending") return {};
  await setReview(tx, row.account_id, review, "pending", at);
  return { changes: { [review]: { from: row[review], to: "pending" } } };
}

export async function setReview(tx: Transaction, accountId: string, review: Review, value: string, at: Date): Promise<void> {
  await tx`update accounts set ${tx(review)} = ${value}, updated_at = ${at} where account_id = ${accountId}`;
}

/** Puts the application into the review queue. */
export async function submitOnboarding(ctx: AccountsContext, asker: Asker, subject: Subject): Promise<OnboardingResult> {
  return await changeOnboarding(ctx, asker.actor, subject, async (tx, row, at) => {
    const state = nextOnboardingState(row.state, "submit");
    if (state === null) return conflictOf("The application was submitted already.");
    const missing = missingFor("kyc", { ...row, documents: await presentDocuments(tx, row.account_id) });
    if (missing.length > 0) return conflictOf(`Something is missing: ${missing.join("; ")}.`);
    await updateOnboarding(tx, row.account_id, { state, submitted_by: asker.actor, submitted_at: at }, at);
    return { result: { kind: "done" }, audit: { action: "onboarding.submitted", details: {} } };
  });
}

/** The kinds of the documents that are there. */
export async function presentDocuments(tx: Transaction, accountId: string): Promise<readonly DocumentKind[]> {
  return (await readDocuments(tx, accountId)).filter((document) => document.erased_at === null).map(({ kind }) => kind);
}

/** Writes a change of a document: who made it is an author, and an approval that relied on it is taken back. */
export async function noteDocumentChange(
  tx: Transaction,
  row: OnboardingRow,
  asker: Asker,
  kind: DocumentKind,
  at: Date,
): Promise<JsonObject> {
  await updateOnboarding(tx, row.account_id, { author_people: withAuthor(row, asker) }, at);
  return await takeBack(tx, row, reviewOf(kind), at);
}
