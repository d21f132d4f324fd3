import type { Transaction } from "../../../platform/db/connection.ts";
import type { Realm } from "../context.ts";
import { personActor } from "../record.ts";

export type AccessGrant = {
  readonly realm: Realm;
  readonly userId: string;
  /** The person who gave access; for a key, the person who created it. Null when it was not staff, such as the first start. */
  readonly by: string | null;
  readonly why: "invited" | "role_changed" | "enabled" | "second_factor_reset";
  readonly at: Date;
};

/** Records who gave a member of staff access. For a while neither of the two can approve for the other. */
export async function recordAccessGrant(tx: Transaction, { realm, userId, by, why, at }: AccessGrant): Promise<void> {
  const person = personActor(realm, userId);
  if (realm !== "console" || by === null || by === person) return;
  await tx`insert into staff_access_grants (person, granted_by, how, at) values (${person}, ${by}, ${why}, ${at})`;
}

type SignOn = {
  readonly realm: Realm;
  readonly userId: string;
  readonly provider: { readonly changed_by_person: string | null; readonly changed_at: Date };
};

/**
 * Who configures the identity provider decides whom it lets in. So for a while after a change, and after the first sign-in of an
 * identity, neither that person nor the one who signs in can approve for the other. Without the second, waiting would be enough.
 */
export async function linkToConfigurer(tx: Transaction, { realm, userId, provider }: SignOn): Promise<void> {
  const person = personActor(realm, userId);
  const { changed_by_person: by, changed_at: changedAt } = provider;
  if (realm !== "console" || by === null || by === person) return;
  await tx`
    insert into staff_access_grants (person, granted_by, how, at)
    select ${person}, ${by}, 'single_sign_on', link.at
    from (select greatest(${changedAt}::timestamptz, max(created_at)) as at from user_identities where user_id = ${userId}) link
    where not exists (select from staff_access_grants g
      where g.person = ${person} and g.granted_by = ${by} and g.how = 'single_sign_on' and g.at = link.at)`;
}
