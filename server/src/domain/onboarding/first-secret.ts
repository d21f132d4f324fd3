import type { Queryable } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";

type CredentialKind = Row<"credentials">["kind"];

/**
 * Whether the client must create the next credential of the kind in the portal: the account came from an onboarding and never
 * had one. So staff never see the first secret of a new client.
 */
export async function isLeftToClient(sql: Queryable, accountId: string, kind: CredentialKind): Promise<boolean> {
  const [row] = await sql<{ left_to_client: boolean }[]>`
    select exists (select from onboardings where account_id = ${accountId})
      and not exists (select from credentials where account_id = ${accountId} and kind = ${kind}) as left_to_client`;
  return row?.left_to_client ?? false;
}
