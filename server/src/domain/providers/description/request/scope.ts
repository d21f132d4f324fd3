import type { FailureCode } from "../../../shared/failure.ts";
import type { CodeMap, Description } from "../definition.ts";
import { render, type Scope } from "../template/render.ts";
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
export type Parts = Map<string, string>;

export type CallScope = Scope & {
  readonly parts: Parts;
  /** Values that belong into no evidence: ciphertexts, keys and signatures of this call. */
  readonly computed: ReadonlyMap<string, string>;
};

const DEFAULT_KEYS: Readonly<Record<string, string>> = { operators: "{operator}", circles: "{circle}" };

/** All values of one call. Computed values are made once, so that a signature and its time agree. */
export function callScope(context: CallContext): CallScope {
  const { definition, secrets, random } = context;
  const parts: Parts = new Map();
  const computed = new Map<string, string>();
  const unique = new Map<string, string>();
  const code = (name: string, from: Scope) => codeValue(definition, name, from);
  const scope: CallScope = { style: { amount: definition.amount, zone: definition.times }, get, code, parts, computed };

  const groups: Readonly<Record<string, (name: string) => Value | undefined>> = {
    secret: (name) => (Object.hasOwn(secrets, name) ? secrets[name] : undefined),
    constant: (name) => (Object.hasOwn(definition.constants, name) ? definition.constants[name] : undefined),
    code: (name) => code(name, scope),
    computed: (name) =>
      once(computed, name, () => (context.hidesComputed ? `___${name}___` : computedValue(definition, name, scope, random))),
    step: (name) => context.saved.get(`step.${name}`),
    page: (name) => context.page.get(name),
    request: (name) => parts.get(name),
  };

  function get(name: string): Value | undefined {
    if (name === "now") return timeOf(context.now);
    if (name === "token") return context.token ?? undefined;
    if (name === "unique_id") return once(unique, name, () => random.nonce ?? random.uuid());
    if (name === "unique_number") return once(unique, name, () => random.nonce ?? fifteenDigits(random));
    const point = name.indexOf(".");
    const group = point < 0 ? undefined : groups[name.slice(0, point)];
    return group ? group(name.slice(point + 1)) : context.given(name);
  }
  return scope;
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
  const key = render(by, scope);
  const found = Object.hasOwn(codes.values, key) ? codes.values[key] : codes.else;
  const value = attribute === undefined || typeof found !== "object" ? found : found[attribute];
  if (typeof value === "string") return value;
  throw new Inexpressible(`this provider has no code for ${key} in ${map}`, failureOf(by));
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
