import { type Call, type Folded, wasLetIn } from "./call.ts";

// This many of an account are logged individually in one flush; the rest of a flood is only counted.
const ALONE = 10;

/**
 * No budget limits refused requests, so a caller could fill the table with them. Of the refusals in one flush, all but the
 * first few of an account are merged into one row per kind.
 */
export function fold(calls: readonly Call[]): readonly Folded[] {
  const alone = new Map<string, number>();
  const floods = new Map<string, Folded>();
  const folded: Folded[] = [];
  for (const call of calls) {
    const known = wasLetIn(call) ? undefined : floodOf(call, alone, floods);
    if (known) known.times++;
    else folded.push(keep(call, floods));
  }
  return folded;
}

function floodOf(call: Call, alone: Map<string, number>, floods: ReadonlyMap<string, Folded>): Folded | undefined {
  const { accountId } = call.account;
  const before = alone.get(accountId) ?? 0;
  alone.set(accountId, before + 1);
  return before < ALONE ? undefined : floods.get(kindOf(call));
}

function keep(call: Call, floods: Map<string, Folded>): Folded {
  const made: Folded = { call, times: 1 };
  if (!wasLetIn(call)) floods.set(kindOf(call), made);
  return made;
}

function kindOf(call: Call): string {
  return `${call.account.accountId} ${call.method} ${call.path} ${call.error} ${call.address.toString()}`;
}
