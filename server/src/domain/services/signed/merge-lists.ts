import type { Reach } from "../../orders/context.ts";

/** The list of one provider. */
export type Source<Item> = { readonly provider: string; readonly items: readonly Item[] };

/** What one provider says about an item. */
export type Offer<Item> = { readonly provider: string; readonly item: Item };

/** An item once, with every provider that has it. The first offer is the one that clients see. */
export type Listed<Item> = { readonly offers: readonly [Offer<Item>, ...Offer<Item>[]] };

export type MergeRules<Item> = {
  readonly idOf: (item: Item) => string;
  /** Whether the item can be used at that provider now. Providers where it can come first. */
  readonly isUsable: (item: Item) => boolean;
  /**
   * Whether two items with the same id are the same. Ids that are a provider's own may mean something else at another one,
   * and then the second one must never be used for the first.
   */
  readonly isSame: (one: Item, other: Item) => boolean;
};

export type Merged<Item> = { readonly items: readonly Item[]; readonly byId: ReadonlyMap<string, Listed<Item>> };

/** Merges the lists of several providers. `general` names the providers of codes without routes of their own, best first. */
export function mergeLists<Item>(
  sources: readonly Source<Item>[],
  general: readonly string[],
  reach: Reach,
  rules: MergeRules<Item>,
): Merged<Item> {
  const offers = new Map<string, [Offer<Item>, ...Offer<Item>[]]>();
  for (const { provider, item } of reachedItems(sources, general, reach, rules)) {
    const id = rules.idOf(item);
    const known = offers.get(id);
    if (!known) offers.set(id, [{ provider, item }]);
    else if (rules.isSame(known[0].item, item) && !known.some((one) => one.provider === provider)) known.push({ provider, item });
  }
  const byId = new Map([...offers].map(([id, known]) => [id, { offers: usableFirst(known, rules) }] as const));
  return { items: [...byId.values()].map(({ offers: [first] }) => first.item), byId };
}

function reachedItems<Item>(
  sources: readonly Source<Item>[],
  general: readonly string[],
  reach: Reach,
  { idOf }: MergeRules<Item>,
): readonly Offer<Item>[] {
  const offersOf = (provider: string, isReached: (id: string) => boolean) => {
    const items = sources.find((source) => source.provider === provider)?.items ?? [];
    return items.filter((item) => isReached(idOf(item))).map((item) => ({ provider, item }));
  };
  return [
    ...general.map((provider) => offersOf(provider, (id) => !reach.own.has(id) && reach.takes(provider, id))),
    ...[...reach.own].flatMap(([code, providers]) => providers.map((provider) => offersOf(provider, (id) => id === code))),
  ].flat();
}

function usableFirst<Item>(offers: Listed<Item>["offers"], { isUsable }: MergeRules<Item>): Listed<Item>["offers"] {
  const [first, ...others] = offers;
  if (others.length === 0 || isUsable(first.item)) return offers;
  const usable = others.find(({ item }) => isUsable(item));
  return usable ? [usable, ...offers.filter((one) => one !== usable)] : offers;
}

/** Names as they are compared between providers: letters and digits only. */
export function isSameName(one: string, other: string): boolean {
  return plainName(one) === plainName(other);
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
