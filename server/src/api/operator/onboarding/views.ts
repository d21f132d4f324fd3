import type { z } from "zod";
import { type Company, mayEdit, missingFor, warningsAbout } from "../../../domain/onboarding/onboarding.ts";
import { readReviewObstacle } from "../../../domain/onboarding/review-onboarding.ts";
import { type OnboardingRow, readDocuments, readOnboarding, readReviews, readSamePan } from "../../../domain/onboarding/store.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { readActorNames } from "../approvals/view.ts";
import type { Caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { noSuch, type Refusal } from "../refusal.ts";
import type { onboardingOutput, onboardingSummaryOutput } from "./outputs.ts";

export function summaryView(row: OnboardingRow): z.output<typeof onboardingSummaryOutput> {
  return {
    account_id: row.account_id,
    name: row.name,
    state: row.state,
    kyc: row.kyc,
    agreement: row.agreement,
    legal_name: row.company?.legal_name ?? null,
    gstin: row.company?.gstin ?? null,
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
    submitted_at: row.submitted_at && time(row.submitted_at),
    completed_at: row.completed_at && time(row.completed_at),
  };
}

export async function onboardingOrRefusal(
  deps: OperatorApiDependencies,
  caller: Caller,
  accountId: string,
): Promise<z.output<typeof onboardingOutput> | Refusal> {
  const row = await readOnboarding(deps.sql, accountId);
  if (!row) return noSuch("onboarding");
  const [documents, reviews] = await Promise.all([readDocuments(deps.sql, accountId), readReviews(deps.sql, accountId)]);
  const actors = new Set([row.created_by, ...documents.map((one) => one.uploaded_by), ...reviews.map((one) => one.reviewed_by)]);
  const [names, samePan, barred] = await Promise.all([
    readActorNames(deps.staff.sql, [...actors]),
    readSamePanEverywhere(deps, accountId, row.company),
    row.state === "submitted" ? readReviewObstacle(deps.sql, caller, row, deps.clock.now()) : null,
  ]);
  const nameOf = (actor: string) => names.get(actor) ?? null;
  const given = { ...row, documents: documents.filter((one) => one.erased_at === null).map(({ kind }) => kind) };
  return {
    ...summaryView(row),
    version: row.version,
    company: row.company,
    contacts: row.contacts,
    documents: documents.map(({ uploaded_by: by, uploaded_at: at, erased_at: erased, ...one }) => ({
      ...one,
      ...{ by, by_name: nameOf(by), uploaded_at: time(at), erased_at: erased && time(erased) },
    })),
    reviews: reviews.map(({ reviewed_by: by, four_eyes: _, at, ...one }) => ({ ...one, by, by_name: nameOf(by), at: time(at) })),
    created_by: row.created_by,
    created_by_name: nameOf(row.created_by),
    missing: { kyc: missingFor("kyc", given), agreement: missingFor("agreement", given) },
    warnings: warningsAbout(row.company),
    same_pan: samePan,
    may_edit: row.closed_at === null && mayEdit(row, "details"),
    barred,
  };
}

/** A client can have accounts in several cells. */
async function readSamePanEverywhere(deps: OperatorApiDependencies, accountId: string, company: Company | null) {
  if (company === null) return [];
  const found = await Promise.all((deps.cells?.all() ?? [deps]).map(({ sql }) => readSamePan(sql, accountId, company.pan)));
  return found.flat();
}

function time(at: Date): string {
  return indiaDateTime(at.getTime());
}
