import type { Queryable, Transaction } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";
import type { Company, Contact, Decision, DocumentKind, OnboardingState, Review } from "./onboarding.ts";

export type OnboardingRow = Omit<Row<"onboardings">, "company" | "contacts" | "state"> & {
  readonly state: OnboardingState;
  readonly company: Company | null;
  readonly contacts: readonly Contact[];
  readonly name: string;
  readonly kyc: "verified" | "pending";
  readonly agreement: "signed" | "pending";
  readonly closed_at: Date | null;
};

function selected(sql: Queryable) {
  return sql`
    select o.account_id, o.state, o.company, o.contacts, o.version, o.author_people, o.created_by, o.created_at, o.updated_at,
      o.submitted_by, o.submitted_at, o.completed_at, a.name, a.kyc, a.agreement, a.closed_at
    from onboardings o join accounts a on a.account_id = o.account_id`;
}

export async function readOnboarding(sql: Queryable, accountId: string): Promise<OnboardingRow | undefined> {
  const [row] = await sql<OnboardingRow[]>`${selected(sql)} where o.account_id = ${accountId}`;
  return row;
}

export type OnboardingFilter = {
  readonly state?: OnboardingState | undefined;
  /** Submitted, and this review is still to be made. */
  readonly waiting?: Review | undefined;
  readonly search?: string | undefined;
  readonly after: { readonly at: Date; readonly id: string } | null;
  readonly limit: number;
};

/** The newest applications of accounts that are not closed. */
export async function listOnboardings(sql: Queryable, filter: OnboardingFilter): Promise<readonly OnboardingRow[]> {
  const { state, waiting, after } = filter;
  const pattern = `%${(filter.search ?? "").replaceAll(/[\\%_]/g, "\\$&")}%`;
  return await sql<OnboardingRow[]>`
    ${selected(sql)} where a.closed_at is null
      ${state === undefined ? sql`` : sql`and o.state = ${state}`}
      ${waiting === undefined ? sql`` : sql`and o.state = 'submitted'`}
      ${waiting === "kyc" ? sql`and a.kyc = 'pending'` : sql``}
      ${waiting === "agreement" ? sql`and a.agreement = 'pending'` : sql``}
      ${
        filter.search === undefined
          ? sql``
          : sql`and (a.name ilike ${pattern} or o.company ->> 'legal_name' ilike ${pattern} or o.company ->> 'pan' ilike ${pattern}
              or o.company ->> 'gstin' ilike ${pattern})`
      }
      ${after === null ? sql`` : sql`and (o.created_at, o.account_id) < (${after.at}, ${after.id})`}
    order by o.created_at desc, o.account_id desc limit ${filter.limit}`;
}

export type WaitingCounts = Readonly<Record<"draft" | "returned" | "kyc" | "agreement", number>>;

export async function countOnboardings(sql: Queryable): Promise<WaitingCounts> {
  const [row] = await sql<WaitingCounts[]>`
    select count(*) filter (where o.state = 'draft')::int as draft, count(*) filter (where o.state = 'returned')::int as returned,
      count(*) filter (where o.state = 'submitted' and a.kyc = 'pending')::int as kyc,
      count(*) filter (where o.state = 'submitted' and a.agreement = 'pending')::int as agreement
    from onboardings o join accounts a on a.account_id = o.account_id where o.state <> 'completed' and a.closed_at is null`;
  return row ?? { draft: 0, returned: 0, kyc: 0, agreement: 0 };
}

/** Other accounts with the same PAN. */
export async function readSamePan(
  sql: Queryable,
  accountId: string,
  pan: string,
): Promise<readonly { account_id: string; name: string }[]> {
  return await sql<{ account_id: string; name: string }[]>`
    select a.account_id, a.name from onboardings o join accounts a on a.account_id = o.account_id
    where o.company ->> 'pan' = ${pan} and o.account_id <> ${accountId} order by a.name limit 10`;
}

/** The account as the onboarding creates it: nothing is switched on, and KYC and agreement are pending. */
export async function insertPendingAccount(tx: Transaction, accountId: string, name: string, at: Date): Promise<void> {
  await tx`
    insert into accounts (account_id, name, sandbox, kyc, agreement, services, created_at, updated_at)
    values (${accountId}, ${name}, false, 'pending', 'pending', '{}', ${at}, ${at})`;
}

export async function insertOnboarding(
  tx: Transaction,
  row: { readonly accountId: string; readonly actor: string; readonly person: string; readonly at: Date },
): Promise<void> {
  await tx`
    insert into onboardings (account_id, author_people, created_by, created_at, updated_at)
    values (${row.accountId}, ${[row.person]}, ${row.actor}, ${row.at}, ${row.at})`;
}

export type OnboardingChange = Partial<
  Pick<Row<"onboardings">, "state" | "author_people" | "submitted_by" | "submitted_at" | "completed_at">
> & {
  readonly company?: Company | null;
  readonly contacts?: readonly Contact[];
};

export async function updateOnboarding(tx: Transaction, accountId: string, change: OnboardingChange, at: Date): Promise<void> {
  const { company, contacts, ...others } = change;
  const columns = {
    ...others,
    ...(company === undefined ? {} : { company: tx.json(company) }),
    ...(contacts === undefined ? {} : { contacts: tx.json(contacts) }),
    updated_at: at,
  };
  await tx`update onboardings set ${tx(columns)}, version = version + 1 where account_id = ${accountId}`;
}

export type ReviewRow = Pick<Row<"onboarding_reviews">, "review_id" | "reason" | "reviewed_by" | "at" | "four_eyes"> & {
  readonly review: Review;
  readonly decision: Decision;
};

export async function readReviews(sql: Queryable, accountId: string): Promise<readonly ReviewRow[]> {
  return await sql<ReviewRow[]>`
    select review_id, review, decision, reason, reviewed_by, four_eyes, at from onboarding_reviews
    where account_id = ${accountId} order by at desc, review_id desc`;
}

export type NewReview = ReviewRow & Pick<Row<"onboarding_reviews">, "account_id" | "reviewer_person" | "author_people">;

export async function insertReview(tx: Transaction, review: NewReview): Promise<void> {
  await tx`insert into onboarding_reviews ${tx(review)}`;
}

export type DocumentRow = Pick<
  Row<"onboarding_documents">,
  "document_id" | "name" | "media_type" | "bytes" | "uploaded_by" | "uploaded_at" | "erased_at"
> & { readonly kind: DocumentKind };

/** The documents of an account, without their contents. */
export async function readDocuments(sql: Queryable, accountId: string): Promise<readonly DocumentRow[]> {
  return await sql<DocumentRow[]>`
    select document_id, kind, name, media_type, bytes, uploaded_by, uploaded_at, erased_at from onboarding_documents
    where account_id = ${accountId} order by uploaded_at, document_id`;
}
