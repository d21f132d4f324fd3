import type { Queryable } from "../../platform/db/connection.ts";
import type { Asker } from "./approval.ts";
import { readRules } from "./rules-store.ts";

const HOUR_MILLISECONDS = 60 * 60 * 1000;

const KEY_WITHOUT_OWNER = "This key was not created by a member of staff, so it cannot approve. Approve at the console.";
const STAFF = "staff:";
const OWN = "You requested this yourself, so somebody else has to decide. You can withdraw it.";

/** Whether a person, who may be behind a key, is a member of staff. */
export function isStaff(person: string): boolean {
  return person.startsWith(STAFF);
}

/** For each requester, why the person cannot approve their requests; requesters without an obstacle are absent. */
export type ApprovalObstacles = ReadonlyMap<string, string>;

/**
 * Nobody may approve their own request, nor that of a person with whom an invitation or change of access connects them, also
 * indirectly, within the configured time: otherwise one person could approve with a second user. The database enforces both.
 * A key approves as its creator; a key without a creator on staff could be anybody's, so it cannot approve.
 */
export async function readApprovalObstacles(
  sql: Queryable,
  checker: Asker,
  makers: readonly string[],
  now: number,
): Promise<ApprovalObstacles> {
  const people = [...new Set(makers)];
  if (!isStaff(checker.person)) return new Map(people.map((maker) => [maker, maker === checker.person ? OWN : KEY_WITHOUT_OWNER]));
  const others = people.filter((maker) => maker !== checker.person);
  const tied = others.length === 0 ? [] : await readConnected(sql, checker, others, now);
  const own = people.filter((maker) => maker === checker.person).map((maker) => [maker, OWN] as const);
  return new Map([...own, ...tied]);
}

async function readConnected(sql: Queryable, checker: Asker, makers: readonly string[], now: number): Promise<[string, string][]> {
  const { newPersonHours: hours } = await readRules(sql);
  const since = new Date(now - hours * HOUR_MILLISECONDS);
  const rows = await sql<{ maker: string }[]>`
    select maker from unnest(${makers as string[]}::text[]) as m (maker) where have_access_link(first_person => maker, second_person => ${checker.person}, since => ${since})`;
  return rows.map(({ maker }) => [maker, connectedText(hours)]);
}

function connectedText(hours: number): string {
  const time = hours === 1 ? "an hour" : `${hours} hours`;
  return (
    `You cannot approve this, because an invitation or a change of access less than ${time} ago connects you with the requester. ` +
    "Somebody else has to approve it."
  );
}
