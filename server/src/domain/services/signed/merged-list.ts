import type { Account } from "../../accounts/account.ts";
import type { Reach } from "../../orders/context.ts";
import { ANY } from "../../providers/routing/routing.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import type { SignedContext } from "./context.ts";
import { type Merged, type MergeRules, mergeLists, type Source } from "./merge-lists.ts";
import type { ProviderServices } from "./provider-services.ts";
import { noProvider } from "./service-refusals.ts";

/** How a service's lists are read and merged. */
export type ListOfProviders<Service, Item> = MergeRules<Item> & {
  readonly service: string;
  readonly services: ProviderServices<Service>;
  readonly read: (providerService: Service) => Promise<readonly Item[]>;
};

export type ReadMerged<Item> = Merged<Item> & {
  readonly kind: "merged";
  /** False when a provider has never given its list, so that something may be missing. */
  readonly isComplete: boolean;
};

/** The items that an account's routes can reach, each once. */
export async function readMerged<Service, Item extends object>(
  ctx: SignedContext,
  account: Account,
  list: ListOfProviders<Service, Item>,
): Promise<ReadMerged<Item> | Refusal> {
  const { service } = list;
  const { sandbox, accountId: reference } = account;
  const general = ctx.providerRegistry.providersFor({ service, operator: ANY, sandbox, reference });
  const reach = ctx.providerRegistry.reach({ service, sandbox });
  const providers = [...new Set([...general, ...[...reach.own.values()].flat()])];
  const asked = await Promise.all(providers.map((provider) => readSource(ctx, list, provider)));
  const able = asked.filter((one) => one !== null);
  if (able.length === 0) return noProvider(ctx, service);
  const sources = able.filter((one) => one !== "unavailable");
  if (sources.length === 0) return refused("busy", "The provider is not responding. Try again with the same details.");
  return { kind: "merged", isComplete: sources.length === able.length, ...mergeOnce(sources, general, reach, list) };
}

/** Null when the provider does not have the service. */
async function readSource<Service, Item>(
  ctx: SignedContext,
  { service, services, read }: ListOfProviders<Service, Item>,
  provider: string,
): Promise<Source<Item> | "unavailable" | null> {
  const providerService = services(provider);
  if (providerService === undefined) return null;
  try {
    return { provider, items: await read(providerService) };
  } catch (error) {
    ctx.log.warn({ err: error, service, provider }, "provider query failed");
    return "unavailable";
  }
}

type Inputs = { readonly sources: readonly Source<unknown>[]; readonly general: readonly string[]; readonly reach: Reach };

// A merged list is valid as long as its inputs are the same objects, and is dropped with the first of them.
const merged = new WeakMap<readonly unknown[], Inputs & { readonly result: unknown }>();

function mergeOnce<Item>(
  sources: readonly Source<Item>[],
  general: readonly string[],
  reach: Reach,
  rules: MergeRules<Item>,
): Merged<Item> {
  const first = sources[0]?.items ?? [];
  const known = merged.get(first);
  if (known && isSame(known, { sources, general, reach })) return known.result as Merged<Item>;
  const result = mergeLists(sources, general, reach, rules);
  merged.set(first, { sources, general, reach, result });
  return result;
}

function isSame(one: Inputs, other: Inputs): boolean {
  return (
    one.reach === other.reach &&
    one.general.join() === other.general.join() &&
    one.sources.length === other.sources.length &&
    one.sources.every(({ provider, items }, at) => provider === other.sources[at]?.provider && items === other.sources[at]?.items)
  );
}
