import type { QueryInput, QueryValue } from "@corprail/connector";
import { type KeptList, keepList } from "./kept-list.ts";
import { LISTS, type ListKey, type ListName } from "./list.ts";
import type { RefreshContext } from "./refresh-list.ts";
import { isLeased, readListStates } from "./store.ts";

export type ProviderLists = {
  /** The last good version of a list. The provider is asked only when there is none yet. */
  readonly read: <Name extends ListName>(provider: string, name: Name, input: QueryInput<Name>) => Promise<QueryValue<Name>>;
  /** Loads what other processes have refreshed, and refreshes what is due. */
  readonly refreshDue: () => Promise<void>;
};

export type ProviderListsOptions = RefreshContext & {
  /** The lists to keep up to date, given those that are stored. */
  readonly inUse: (stored: readonly ListKey[]) => readonly ListKey[];
};

// A list of several megabytes is held twice while it is checked.
const MAX_CONCURRENT = 2;

/** The lists of real providers, in memory as the database has them. */
export function createProviderLists(options: ProviderListsOptions): ProviderLists {
  const kept: { readonly [Name in ListName]: KeptList<Name> } = {
    "bills.billers": keepList(options, "bills.billers"),
    "transfers.banks": keepList(options, "transfers.banks"),
    "bus.cities": keepList(options, "bus.cities"),
    "aeps.banks": keepList(options, "aeps.banks"),
    plans: keepList(options, "plans"),
  };
  let current: Promise<void> | null = null;

  async function refreshDue(): Promise<void> {
    const states = await readListStates(options.sql);
    for (const state of states) await kept[state.name].catchUp(state);
    const now = options.clock.now();
    const waiting = new Set(states.filter((state) => state.dueAt.getTime() > now || isLeased(state, now)).map(textOf));
    const due = options.inUse(states).filter((list) => !waiting.has(textOf(list)));
    const work = async () => {
      for (let list = due.shift(); list && !options.stopping.aborted; list = due.shift())
        await kept[list.name].refresh(list.provider, list.key);
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, work));
  }

  return {
    read: (provider, name, input) => kept[name].read(provider, LISTS[name].keyOf(input)),
    refreshDue: () => {
      current ??= refreshDue().finally(() => {
        current = null;
      });
      return current;
    },
  };
}

function textOf({ provider, name, key }: ListKey): string {
  return `${provider}/${name}/${key}`;
}
