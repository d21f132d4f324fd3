import type { OperationName } from "@corprail/connector";
import { requireMoney } from "../../../../platform/core/money.ts";
import type { ProviderRequest } from "../../connector.ts";
import { formatReference } from "../../references.ts";
import type { Description } from "../definition.ts";
import { type KnownName, type KnownNames, knownNames, LOGIN_NAMES } from "../request/known-names.ts";
import { type Given, timeOf } from "../request/order-values.ts";
import type { Random } from "../request/scope.ts";
import type { Scope } from "../template/render.ts";
import type { Value } from "../template/value.ts";

const TEXT: KnownName = { kind: "text" };
const AMOUNT: KnownName = { kind: "amount" };
/** What only the provider knows. */
const OF_THE_PROVIDER: readonly (readonly [string, KnownName])[] = [
  ["provider_ref", TEXT],
  ["operator_ref", TEXT],
  ["balance", AMOUNT],
];

/** The placeholders of an operation's samples: those of its requests, and what only the provider knows. */
export function sampleNames(operation: OperationName): KnownNames {
  return new Map([...knownNames(operation, "status"), ...OF_THE_PROVIDER]);
}

/** Callbacks belong to any transaction of the provider, so they have what all transactions have. */
export const CALLBACK_NAMES: KnownNames = new Map([...sampleNames("recharge.pay"), ["signature", TEXT]]);
export const LOGIN_SAMPLE_NAMES: KnownNames = new Map([...LOGIN_NAMES, ["token", TEXT]]);

/** The order that samples are read for when a description is checked. */
export const SAMPLE_REQUEST: ProviderRequest = {
  reference: "01SAMPLE000REFERENCE",
  service: "recharge",
  operation: "",
  operator: "AT",
  target: "9876543000",
  amount: requireMoney("199"),
  circle: null,
  createdAt: 0,
  providerRef: "SAMPLE-PROVIDER-REF",
};

const SAMPLE_NUMBER = 4711n;
const SAMPLE_TIME = Date.UTC(2026, 0, 31, 6, 30);

/** A reference of the form that the provider demands. */
export function sampleReference({ reference }: Description): string {
  return reference === undefined ? SAMPLE_REQUEST.reference : formatReference(reference, SAMPLE_NUMBER, SAMPLE_TIME);
}

/** The provider's own values in the samples of a check. */
export const SAMPLE_PROVIDER_VALUES: Readonly<Record<string, Value>> = {
  provider_ref: "SAMPLE-PROVIDER-REF",
  operator_ref: "SAMPLE-OPERATOR-REF",
  balance: requireMoney("50000"),
  token: "sample-token",
  signature: "sample-signature",
};

export type SampleValues = {
  readonly given: Given;
  /** What only the provider knows: its references, its balance, its token. */
  readonly own: Readonly<Record<string, Value>>;
  readonly now: number;
  readonly random: Random;
};

/** Where the placeholders of a sample find their values. */
export function sampleScope(definition: Description, { given, own, now, random }: SampleValues): Scope {
  return {
    style: { amount: definition.amount, zone: definition.times },
    get: (name) => {
      if (Object.hasOwn(own, name)) return own[name];
      if (name === "now") return timeOf(now);
      if (name === "unique_id") return random.uuid();
      if (name === "unique_number") return String(100_000_000_000_000n + (random.bytes(8).readBigUInt64BE() % 900_000_000_000_000n));
      return given(name);
    },
  };
}
