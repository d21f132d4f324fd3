import { ApiError } from "../../../ui/requests/api.ts";
import { findSyntaxFault } from "../editor/json-syntax.ts";
import type { Definition } from "../provider.ts";

export type Parsed =
  | { readonly ok: true; readonly definition: Definition }
  /** `at` is the position of the error in the text. */
  | { readonly ok: false; readonly why: string; readonly at: number };

export function parseDefinition(text: string): Parsed {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ok: true, definition: value as Definition };
    return { ok: false, why: "It must be an object: { … }.", at: 0 };
  } catch {
    const { message, at } = findSyntaxFault(text) ?? { message: "It cannot be parsed.", at: 0 };
    return { ok: false, why: message, at };
  }
}

const NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** The provider name in a definition; null when it is not a valid name. */
export function nameIn({ name }: Definition): string | null {
  return typeof name === "string" && NAME.test(name) ? name : null;
}

/** The names of the secrets that a definition uses. */
export function secretsIn({ connector = "description", secrets }: Definition): readonly string[] {
  if (connector === "corprail") return ["token", "signing_secret", "callback_secret"];
  return Array.isArray(secrets) ? secrets.filter((name): name is string => typeof name === "string") : [];
}

export type Faults = {
  /** Errors by path in the definition; the empty path means the whole definition. */
  readonly places: readonly (readonly [place: string, message: string])[];
  readonly secrets: Readonly<Record<string, string>>;
};

export const NO_FAULTS: Faults = { places: [], secrets: {} };

/** The definition errors in an error response; null when the error is about something else. */
export function faultsIn(error: unknown): Faults | null {
  if (!(error instanceof ApiError) || error.error !== "invalid_request") return null;
  const fields = Object.entries(error.fields);
  const about = (start: string) =>
    fields
      .filter(([name]) => name === start || name.startsWith(`${start}.`))
      .map(([name, text]) => [name.slice(start.length + 1), text] as const);
  const faults: Faults = { places: about("definition"), secrets: Object.fromEntries(about("secrets")) };
  return faults.places.length + Object.keys(faults.secrets).length === fields.length ? faults : null;
}

const HTTP_EXAMPLE = {
  version: 2,
  name: "acme",
  base_url: "https://api.acme.example",
  secrets: ["token"],
  codes: { operators: { values: { AT: "AIRTEL", JO: "JIO" } } },
  headers: { authorization: "Bearer {secret.token}" },
  read: { format: "json", message: "message", reference: "ref", provider_ref: "id", operator_ref: "operator_id" },
  operations: {
    "recharge.pay": {
      request: {
        url: "/recharge",
        body: { json: { ref: "{reference}", operator: "{code.operators}", number: "{target}", amount: "{amount}" } },
      },
      outcome: [
        { when: { status: "SUCCESS" }, means: "success" },
        { when: { status: "FAILED" }, means: "declined" },
        { when: { status: "PENDING" }, means: "pending" },
      ],
      status: {
        request: { url: "/status", query: { ref: "{reference}" } },
        outcome: [
          { when: { status: "SUCCESS" }, means: "success" },
          { when: { status: "FAILED" }, means: "declined" },
          { when: { status: "PENDING" }, means: "pending" },
          { when: { status: "NOT_FOUND" }, means: "not_found" },
        ],
      },
    },
  },
};

// The database does not keep the order of keys. This is the order in docs/providers.md.
const ORDER = [
  ...["$schema", "version", "name", "connector", "plugin", "base_url", "plain_http", "secrets", "constants", "codes", "amount", "times"],
  ...["headers", "query", "read", "computed", "login", "limits", "polling", "timeouts", "network", "operations", "when", "means", "sends"],
  ...[
    "request",
    "method",
    "url",
    "body",
    "envelope",
    "save",
    "outcome",
    "value",
    "result",
    "pages",
    "status",
    "callbacks",
    "callback_reply",
  ],
  ...["format", "message", "reference", "provider_ref", "operator_ref", "balance", "cost"],
];

export function written(definition: object): string {
  return JSON.stringify(arranged(definition), null, 2);
}

function arranged(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(arranged);
  if (typeof value !== "object" || value === null) return value;
  const rank = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  const entries = Object.entries(value).sort(([a], [b]) => rank(a) - rank(b));
  return Object.fromEntries(entries.map(([name, inner]) => [name, arranged(inner)]));
}

const BLANK = { version: 2, name: "acme", base_url: "https://api.acme.example", secrets: [], operations: {} };

/** What a new provider's definition can start from, besides the descriptions that come with Corprail. */
export const EXAMPLES = [
  {
    value: "example:http",
    label: "Example of an HTTP provider",
    about: "Recharges with a token in a header, JSON answers and a status query.",
    text: written(HTTP_EXAMPLE),
  },
  {
    value: "example:blank",
    label: "Blank description",
    about: "Only what every description has. Add operations in the sections.",
    text: written(BLANK),
  },
  {
    value: "example:corprail",
    label: "Another Corprail installation",
    about: "Uses another installation of this service as a provider.",
    text: written({ name: "partner", connector: "corprail", base_url: "https://pay.partner.example" }),
  },
] as const;
