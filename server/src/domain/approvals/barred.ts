import type { Queryable } from "../../platform/db/connection.ts";
import type { Asker } from "./approval.ts";
import { readRules } from "./rules-store.ts";

const HOUR_MILLISECONDS = 60 * 60 * 1000;

const NOBODYS_KEY = "Nobody of the staff made this key, so it cannot approve. Approve it at the console.";
const STAFF = "staff:";
const OWN = "You have asked for it yourself: somebody else has to decide. You can withdraw it.";

/** Why somebody cannot approve what each of these people has asked for; people for whom they can are left out. */
export type Barred = ReadonlyMap<string, string>;

/**
 * Nobody approves their own request, nor one of somebody whom they let in, or who let them in, within the time that is set,
 * also through others: a second self would else be enough. The database refuses both as well. A key approves as whoever made
 * it; one that nobody of the staff made, such as the environment's, could be anybody's, also the maker's.
 */
export async function readBarred(sql: Queryable, checker: Asker, makers: readonly string[], now: number): Promise<Barred> {
  const people = [...new Set(makers)];
  if (!checker.person.startsWith(STAFF)) return new Map(people.map((maker) => [maker, maker === checker.person ? OWN : NOBODYS_KEY]));
  const others = people.filter((maker) => maker !== checker.person);
  const tied = others.length === 0 ? [] : await readTied(sql, checker, others, now);
  const own = people.filter((maker) => maker === checker.person).map((maker) => [maker, OWN] as const);
  return new Map([...own, ...tied]);
}

async function readTied(sql: Queryable, checker: Asker, makers: readonly string[], now: number): Promise<[string, string][]> {
  const { newPersonHours: hours } = await readRules(sql);
  const since = new Date(now - hours * HOUR_MILLISECONDS);
  const rows = await sql<{ maker: string }[]>`
    select maker from unnest(${makers as string[]}::text[]) as m (maker) where are_tied(maker, ${checker.person}, ${since})`;
  return rows.map(({ maker }) => [maker, tiedWords(hours)]);
}

function tiedWords(hours: number): string {
  const time = hours === 1 ? "an hour" : `${hours} hours`;
  return (
    `You cannot approve this: an invitation or a change of access less than ${time} ago connects you with whoever asked for it. ` +
    "Somebody else has to approve it."
  );
}
