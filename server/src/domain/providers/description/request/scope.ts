import type { FailureCode } from "../../../shared/failure.ts";
import { HIDDEN } from "../../masking/mask-secrets.ts";
import type { CodeMap, Description } from "../definition.ts";
import { keepsWhole } from "../template/filters.ts";
import { type Placeholder, placeholdersIn } from "../template/parse.ts";
import { isJsonFilter, render, type Scope } from "../template/render.ts";
import { Inexpressible, type Value } from "../template/value.ts";
import { computeValue } from "./compute.ts";
import { type Given, timeOf } from "./order-values.ts";

export type Secrets = Readonly<Record<string, string>>;

/** Randomness comes in, so that a dry run and a recorded conversation can repeat it. */
export type Random = {
  readonly bytes: (count: number) => Buffer;
  readonly uuid: () => string;
  /** Taken instead of every random value, for the worked example of a manual. */
  readonly nonce?: string | undefined;
};

export type CallContext = {
  readonly definition: Description;
  readonly secrets: Secrets;
  readonly given: Given;
  /** Values that earlier steps saved, as `step.name.value`. */
  readonly saved: ReadonlyMap<string, string>;
  readonly token: string | null;
  /** `page.number` and its like. */
  readonly page: ReadonlyMap<string, string>;
  readonly now: number;
  readonly random: Random;
  /** For sending: with a map of circles, other circles are not served, even if no placeholder sends the circle. */
  readonly checksCircle: boolean;
  /** For a dry run: computed values are shown by name, because they would be made of masked secrets. */
  readonly hidesComputed?: boolean;
};

/** The finished parts of the request, for signatures: request.method, request.url, request.body and so on. */
export type Parts = { readonly get: (name: string) => string | undefined };

export type CallScope = Scope & {
  readonly parts: Parts;
  /** Values that belong into no evidence: ciphertexts, keys and signatures of this call. */
  readonly computed: ReadonlyMap<string, string>;
};

const DEFAULT_KEYS: Readonly<Record<string, string>> = { operators: "{operator}", circles: "{circle}" };

const NOTHING_COMPUTED: ReadonlyMap<string, string> = new Map();

/** All values of one call. Computed values are made once, so that a signature and its time agree. */
export class CallValues implements CallScope {
  readonly style: Scope["style"];
  readonly parts = new RequestParts();
  readonly #context: CallContext;
  // Most calls need no computed and no unique value, so these two are made when they are needed.
  #computed: Map<string, string> | null = null;
  #unique: Map<string, string> | null = null;
  readonly #altered = new Set<string>();
  readonly #masksAltered: boolean;

  constructor(context: CallContext, masksAltered = false) {
    this.#context = context;
    this.#masksAltered = masksAltered;
    this.style = { amount: context.definition.amount, zone: context.definition.times };
  }

  /** The same values for writing the call once more as evidence. What filters left of secrets is masked where it stands. */
  masked(): CallValues {
    const copy = new CallValues(this.#context, true);
    copy.#computed = this.#computed;
    copy.#unique = this.#unique;
    return copy;
  }

  /** What filters left of secrets, of the token and of computed values. */
  get altered(): ReadonlySet<string> {
    return this.#altered;
  }

  replacement(placeholder: Placeholder, text: string): string | null {
    if (!isMaskedInPlace(placeholder)) return null;
    this.#altered.add(text);
    if (!this.#masksAltered) return null;
    return placeholder.filters.some((filter) => isJsonFilter(filter.name)) ? JSON.stringify(HIDDEN) : HIDDEN;
  }

  get computed(): ReadonlyMap<string, string> {
    return this.#computed ?? NOTHING_COMPUTED;
  }

  get(name: string): Value | undefined {
    const { now, token, random, given } = this.#context;
    if (name === "now") return timeOf(now);
    if (name === "token") return token ?? undefined;
    if (name === "unique_id") return this.#uniqueValue(name, () => random.nonce ?? random.uuid());
    if (name === "unique_number") return this.#uniqueValue(name, () => random.nonce ?? fifteenDigits(random));
    const point = name.indexOf(".");
    return point < 0 ? given(name) : this.#member(name, point);
  }

  code(name: string, from: Scope): Value | undefined {
    return codeValue(this.#context.definition, name, from);
  }

  #member(name: string, point: number): Value | undefined {
    const { definition, secrets, saved, page, given } = this.#context;
    const member = name.slice(point + 1);
    switch (name.slice(0, point)) {
      case "secret":
        return Object.hasOwn(secrets, member) ? secrets[member] : undefined;
      case "constant":
        return Object.hasOwn(definition.constants, member) ? definition.constants[member] : undefined;
      case "code":
        return this.code(member, this);
      case "computed":
        return this.#computedValue(member);
      case "step":
        return saved.get(name);
      case "page":
        return page.get(member);
      case "request":
        return this.parts.get(member);
      default:
        return given(name);
    }
  }

  #uniqueValue(name: string, make: () => string): string {
    this.#unique ??= new Map();
    return once(this.#unique, name, make);
  }

  #computedValue(name: string): string {
    this.#computed ??= new Map();
    const { definition, random, hidesComputed } = this.#context;
    return once(this.#computed, name, () => (hidesComputed ? `___${name}___` : computedValue(definition, name, this, random)));
  }
}

/** Whether a value belongs into no evidence. */
function isHidden(name: string): boolean {
  return name === "token" || name.startsWith("secret.") || name.startsWith("computed.");
}

const ONE_TIME_PASSWORD = /(?:^|\.)(?:otp|code)$/;
const IDENTITY = /(?:^|\.)(?:aadhaar|pid|pan|payer_pan|account|id_number)$|(?:^|\.)params\./;

/** Whether the place of a value must be known to mask it: nothing in the finished request tells what it is. */
function isMaskedInPlace({ name, filters }: Placeholder): boolean {
  if (isHidden(name)) return filters.length > 0 && !(name.startsWith("secret.") && keepsWhole(filters));
  return ONE_TIME_PASSWORD.test(name) || (IDENTITY.test(name) && filters.some((filter) => filter.name === "base64"));
}

const PART_NAMES = ["method", "url", "path", "query", "body", "form", "envelope"] as const;

/** Fields instead of a Map, which would be a tenth of the work on a request. */
class RequestParts implements Parts {
  method: string | undefined = undefined;
  url: string | undefined = undefined;
  path: string | undefined = undefined;
  query: string | undefined = undefined;
  body: string | undefined = undefined;
  form: string | undefined = undefined;
  envelope: string | undefined = undefined;

  get(name: string): string | undefined {
    const known = PART_NAMES.find((part) => part === name);
    return known === undefined ? undefined : this[known];
  }
}

function once(known: Map<string, string>, name: string, make: () => string): string {
  const value = known.get(name) ?? make();
  known.set(name, value);
  return value;
}

function fifteenDigits(random: Random): string {
  const number = random.bytes(8).readBigUInt64BE() % 900_000_000_000_000n;
  return (number + 100_000_000_000_000n).toString();
}

function computedValue(definition: Description, name: string, scope: CallScope, random: Random): string {
  const made = definition.computed[name];
  if (made === undefined) throw new Inexpressible(`there is no computed value ${name}`);
  return computeValue(made, scope, random);
}

/** The provider's code for what the order has. Undefined when the order has no such value, for example no circle. */
function codeValue(definition: Description, name: string, scope: Scope): string | undefined {
  const [map = "", attribute] = name.split(".");
  const codes = definition.codes[map];
  if (codes === undefined) return undefined;
  const by = keyTemplate(map, codes);
  if (map === "circles" && codes.by === undefined && scope.get("circle") === undefined) return undefined;
  // Nobody gets the key, so it is not masked in evidence either.
  const key = render(by, { style: scope.style, get: (used) => scope.get(used) });
  const found = Object.hasOwn(codes.values, key) ? codes.values[key] : codes.else;
  const value = attribute === undefined || typeof found !== "object" ? found : found[attribute];
  if (typeof value === "string") return value;
  const shown = placeholdersIn(by).some(({ name: used }) => isHidden(used)) ? "this value" : key;
  throw new Inexpressible(`this provider has no code for ${shown} in ${map}`, failureOf(by));
}

export function keyTemplate(map: string, codes: CodeMap): string {
  return codes.by ?? DEFAULT_KEYS[map] ?? "";
}

function failureOf(by: string): FailureCode {
  if (by.includes("{circle")) return "circle_not_served";
  return by.includes("{amount") ? "amount_not_accepted" : "unavailable";
}

/** Throws when the description has a map of circles without the order's circle. */
export function checkCircle(definition: Description, scope: Scope): void {
  if (definition.codes["circles"] !== undefined && scope.get("circle") !== undefined) codeValue(definition, "circles", scope);
}
