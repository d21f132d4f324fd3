import type { Clock } from "../../platform/core/clock.ts";
import { indiaDate } from "../../platform/core/india-time.ts";
import type { Sql } from "../../platform/db/connection.ts";
import type { ReferenceForm } from "./connector.ts";

/** References in the form that a provider demands, and the way back to ours. */
export type ProviderReferences = {
  /** The provider's reference of one of ours: made and committed at the first call, the same one ever after. Throws NoFreeReference. */
  readonly allocate: (provider: string, form: ReferenceForm, subject: string) => Promise<string>;
  /** Our reference of a provider's; null when there is none. */
  readonly subjectOf: (provider: string, reference: string) => Promise<string | null>;
};

/** Nearly all references of the provider's form are in use, so a new order cannot be sent to it. */
export class NoFreeReference extends Error {}

// A provider's orders take consecutive numbers, so that more tries would hardly find a free one.
const MOST_TRIES = 50;

export function createProviderReferences(sql: Sql, clock: Clock): ProviderReferences {
  return {
    allocate: async (provider, form, subject) => {
      // A number that wrapped around may be taken, so the next one is tried.
      for (let tried = 0; tried < MOST_TRIES; tried++) {
        const known = await findReference(sql, provider, subject);
        if (known !== null) return known;
        const [row] = await sql<{ number: bigint }[]>`select nextval('provider_reference_numbers') as number`;
        const reference = formatReference(form, BigInt(row?.number ?? 0n), clock.now());
        const { count } = await sql`
          insert into provider_references (provider, reference, subject) values (${provider}, ${reference}, ${subject})
          on conflict do nothing`;
        if (count === 1) return reference;
      }
      throw new NoFreeReference(`No reference of the form that ${provider} demands is free.`);
    },
    subjectOf: async (provider, reference) => {
      const [row] = await sql<{ subject: string }[]>`
        select subject from provider_references where provider = ${provider} and reference = ${reference}`;
      return row?.subject ?? null;
    },
  };
}

async function findReference(sql: Sql, provider: string, subject: string): Promise<string | null> {
  const [row] = await sql<{ reference: string }[]>`
    select reference from provider_references where provider = ${provider} and subject = ${subject}`;
  return row?.reference ?? null;
}

const RADIX = { digits: 10, capitals_and_digits: 36 } as const;

/** Prefix, date and the number, filled up to the form's length. */
export function formatReference(form: ReferenceForm, number: bigint, now: number): string {
  const start = form.prefix + dateText(form.date, now);
  const places = form.length - start.length;
  if (places < 4) throw new Error("A reference's form leaves no room for a number.");
  const radix = RADIX[form.characters];
  const rest = number % BigInt(radix) ** BigInt(places);
  return start + rest.toString(radix).toUpperCase().padStart(places, "0");
}

function dateText(date: ReferenceForm["date"], now: number): string {
  if (date === "none") return "";
  const day = indiaDate(now).replaceAll("-", "");
  return date === "yyMMdd" ? day.slice(2) : day;
}
