import { setTimeout as pause } from "node:timers/promises";
import type { QueryValue } from "@corprail/connector";
import type { ListKey, ListName } from "./list.ts";
import { type RefreshContext, type Refreshed, refreshList } from "./refresh-list.ts";
import { isLeased, type ListState, readListState, readListValue } from "./store.ts";

/** A provider has never given this list and does not give it now. The reason is for staff. */
class ListUnavailable extends Error {}

/** One kind of list of all providers, in this process's memory. */
export type KeptList<Name extends ListName> = {
  /** The last good version. The provider is asked only when there is none yet. */
  readonly read: (provider: string, key: string) => Promise<QueryValue<Name>>;
  readonly refresh: (provider: string, key: string) => Promise<Refreshed<Name>>;
  /** Loads a list that another process has refreshed, if this process has an older copy. */
  readonly catchUp: (state: ListState) => Promise<void>;
};

// How long a first request waits for another process that is asking the provider.
const WAIT_MILLISECONDS = 5_000;
const WAIT_STEP_MILLISECONDS = 100;

export function keepList<Name extends ListName>(ctx: RefreshContext, name: Name): KeptList<Name> {
  const copies = new Map<string, { readonly value: QueryValue<Name>; readonly at: number }>();
  const reading = new Map<string, Promise<QueryValue<Name>>>();
  const refreshing = new Map<string, Promise<Refreshed<Name>>>();

  async function load(list: ListKey<Name>, { refreshedAt }: Pick<ListState, "refreshedAt">): Promise<QueryValue<Name> | null> {
    if (refreshedAt === null) return null;
    const value = await readListValue(ctx.sql, list);
    copies.set(textOf(list), { value, at: refreshedAt.getTime() });
    return value;
  }

  const refresh = (list: ListKey<Name>): Promise<Refreshed<Name>> =>
    once(refreshing, textOf(list), async () => {
      const done = await refreshList(ctx, list);
      if (done.kind === "refreshed") copies.set(textOf(list), done);
      return done;
    });

  /** The stored list, or the provider's answer. Null while another process is asking the provider. */
  async function tryFirst(list: ListKey<Name>): Promise<QueryValue<Name> | null> {
    const state = await readListState(ctx.sql, list);
    const stored = state ? await load(list, state) : null;
    if (stored) return stored;
    const done = await refresh(list);
    if (done.kind === "refreshed") return done.value;
    if (done.kind === "failed") throw unavailable(list, done.why);
    if (state !== null && state.failure !== null && !isLeased(state, ctx.clock.now())) throw unavailable(list, state.failure);
    return null;
  }

  async function readFirst(list: ListKey<Name>): Promise<QueryValue<Name>> {
    for (let waited = 0; waited < WAIT_MILLISECONDS; waited += WAIT_STEP_MILLISECONDS) {
      const found = await tryFirst(list);
      if (found) return found;
      await pause(WAIT_STEP_MILLISECONDS, undefined, { signal: ctx.stopping });
    }
    throw unavailable(list, "Another process is still asking the provider.");
  }

  return {
    read: async (provider, key) => {
      const list = { provider, name, key };
      return copies.get(textOf(list))?.value ?? (await once(reading, textOf(list), () => readFirst(list)));
    },
    refresh: (provider, key) => refresh({ provider, name, key }),
    catchUp: async ({ provider, key, refreshedAt }) => {
      const list = { provider, name, key };
      const copy = copies.get(textOf(list));
      if (copy && refreshedAt !== null && refreshedAt.getTime() !== copy.at) await load(list, { refreshedAt });
    },
  };
}

/** Runs work once at a time under a name. Whoever comes meanwhile gets the same result. */
function once<Result>(running: Map<string, Promise<Result>>, what: string, work: () => Promise<Result>): Promise<Result> {
  const known = running.get(what);
  if (known) return known;
  const started = work().finally(() => running.delete(what));
  running.set(what, started);
  return started;
}

function textOf({ provider, key }: ListKey): string {
  return `${provider}/${key}`;
}

function unavailable({ provider, name, key }: ListKey, why: string): ListUnavailable {
  return new ListUnavailable(`${name} ${key} of ${provider}: ${why}`);
}
