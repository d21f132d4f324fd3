import { QUERIES, type QueryInput, type QueryName, type QueryValue } from "@corprail/connector";
import { stableHash } from "../routing/stable-hash.ts";

/** The operations whose answers are lists that change rarely. */
export const LIST_NAMES = ["bills.billers", "transfers.banks", "bus.cities", "aeps.banks", "plans"] as const satisfies readonly QueryName[];
export type ListName = (typeof LIST_NAMES)[number];

/** Lists that a provider has once, by the service that needs them. Plans are stored when somebody asks for them. */
export const SERVICE_LISTS = {
  bills: "bills.billers",
  transfers: "transfers.banks",
  bus: "bus.cities",
  aeps: "aeps.banks",
} as const satisfies Record<string, ListName>;

type ListRules<Name extends ListName> = {
  /** The array's name in the value. */
  readonly field: string;
  /** What the list is for; empty for lists that a provider has once. */
  readonly keyOf: (input: QueryInput<Name>) => string;
  readonly inputOf: (key: string) => QueryInput<Name>;
  readonly itemsOf: (value: QueryValue<Name>) => readonly object[];
  /** Checks some items of the list. Throws when one of them is not valid. */
  readonly parse: (items: readonly unknown[]) => QueryValue<Name>;
  readonly join: (parts: readonly QueryValue<Name>[]) => QueryValue<Name>;
};

export const LISTS: { readonly [Name in ListName]: ListRules<Name> } = {
  "bills.billers": {
    field: "billers",
    keyOf: () => "",
    inputOf: () => ({}),
    itemsOf: ({ billers }) => billers,
    parse: (billers) => QUERIES["bills.billers"].value.parse({ billers }),
    join: (parts) => ({ billers: parts.flatMap(({ billers }) => billers) }),
  },
  "transfers.banks": {
    field: "banks",
    keyOf: () => "",
    inputOf: () => ({}),
    itemsOf: ({ banks }) => banks,
    parse: (banks) => QUERIES["transfers.banks"].value.parse({ banks }),
    join: (parts) => ({ banks: parts.flatMap(({ banks }) => banks) }),
  },
  "bus.cities": {
    field: "cities",
    keyOf: () => "",
    inputOf: () => ({}),
    itemsOf: ({ cities }) => cities,
    parse: (cities) => QUERIES["bus.cities"].value.parse({ cities }),
    join: (parts) => ({ cities: parts.flatMap(({ cities }) => cities) }),
  },
  "aeps.banks": {
    field: "banks",
    keyOf: () => "",
    inputOf: () => ({}),
    itemsOf: ({ banks }) => banks,
    parse: (banks) => QUERIES["aeps.banks"].value.parse({ banks }),
    join: (parts) => ({ banks: parts.flatMap(({ banks }) => banks) }),
  },
  plans: {
    field: "plans",
    keyOf: ({ operator, circle }) => `${operator}/${circle ?? ""}`,
    inputOf: (key) => {
      const [operator = "", circle = ""] = key.split("/");
      return { operator, circle: circle === "" ? null : circle };
    },
    itemsOf: ({ plans }) => plans,
    parse: (plans) => QUERIES.plans.value.parse({ plans }),
    join: (parts) => ({ plans: parts.flatMap(({ plans }) => plans) }),
  },
};

/** One list of a provider. */
export type ListKey<Name extends ListName = ListName> = { readonly provider: string; readonly name: Name; readonly key: string };

/** Why a list with so many items may not replace the one before without consent; null when it may. */
export function tooSmall(before: number, now: number): string | null {
  if (before === 0 || now * 2 >= before) return null;
  const found = now === 0 ? "The answer is empty" : `The answer has only ${now} entries`;
  return `${found}, the list before has ${before}. Refresh it with consent to a smaller list if that is right.`;
}

const HOUR_MILLISECONDS = 3_600_000;
const PLANS_AGE_MILLISECONDS = 24 * HOUR_MILLISECONDS;
const FIRST_PAUSE_MILLISECONDS = 10_000;
const LONGEST_PAUSE_MILLISECONDS = HOUR_MILLISECONDS;

/** When a list that was refreshed just now is refreshed again. The times of different lists differ by up to a tenth. */
export function nextRefresh({ provider, name, key }: ListKey, now: number, ageMilliseconds: number): number {
  const age = name === "plans" ? PLANS_AGE_MILLISECONDS : ageMilliseconds;
  const spread = (stableHash(`${provider}/${name}/${key}`) % 1_000) / 10_000;
  return now + Math.round(age * (1 - spread));
}

/** When a refresh is tried again after so many failures in a row. */
export function nextTry(now: number, failures: number): number {
  return now + Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** Math.min(failures - 1, 20), LONGEST_PAUSE_MILLISECONDS);
}
