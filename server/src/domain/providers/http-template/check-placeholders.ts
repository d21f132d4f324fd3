import { type Check, fault } from "./checks.ts";
import { BUILT_IN_PLACEHOLDERS, type JsonTemplate, numberFault, placeholdersIn } from "./template.ts";

type Body = {
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly json?: JsonTemplate | undefined;
  readonly raw?: string | undefined;
};
type Call = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body?: Body | undefined };
type Described = {
  readonly secrets: readonly string[];
  readonly request: Call;
  readonly status: Call;
  readonly callback?: { readonly auth: { readonly secret: string } } | undefined;
};

export type Place = { readonly path: PropertyKey[]; readonly text: string; readonly inJson: boolean };

/** Checks that every placeholder is known, every secret is declared, and both calls identify the order. */
export function checkPlaceholders(check: Check<Described>): void {
  const { secrets, callback } = check.value;
  const known = new Set([...BUILT_IN_PLACEHOLDERS, ...secrets]);
  secrets.forEach((name, place) => {
    if (secrets.indexOf(name) !== place) fault(check, ["secrets", place], "Is listed twice.");
  });
  for (const name of ["request", "status"] as const) checkCall(check, name, known);
  if (callback && !secrets.includes(callback.auth.secret)) fault(check, ["callback", "auth", "secret"], "Is not listed under secrets.");
}

function checkCall(check: Check<Described>, name: "request" | "status", known: ReadonlySet<string>): void {
  const places = placesOf(check.value[name], name);
  for (const { path, text, inJson } of places) {
    for (const placeholder of placeholdersIn(text)) {
      const why = known.has(placeholder.name) ? numberFault(placeholder, inJson) : unknown(placeholder.name, known);
      if (why !== null) fault(check, path, why);
    }
  }
  if (!places.some(({ text }) => text.includes("{reference}"))) {
    fault(check, [name], "Must contain {reference}. Without it the order's status cannot be queried later.");
  }
}

function unknown(name: string, known: ReadonlySet<string>): string {
  return `There is no placeholder {${name}}. Known placeholders: ${[...known].map((one) => `{${one}}`).join(" ")}. List secrets under secrets.`;
}

export function placesOf(call: Call, name: string): readonly Place[] {
  return [
    { path: [name, "url"], text: call.url, inJson: false },
    ...Object.entries(call.headers).map(([header, text]) => ({ path: [name, "headers", header], text, inJson: false })),
    ...Object.entries(call.body?.form ?? {}).map(([field, text]) => ({ path: [name, "body", "form", field], text, inJson: false })),
    ...(call.body?.raw === undefined ? [] : [{ path: [name, "body", "raw"], text: call.body.raw, inJson: false }]),
    ...(call.body?.json === undefined ? [] : jsonPlaces(call.body.json, [name, "body", "json"])),
  ];
}

function jsonPlaces(template: JsonTemplate, path: PropertyKey[]): readonly Place[] {
  if (typeof template === "string") return [{ path, text: template, inJson: true }];
  if (Array.isArray(template)) return template.flatMap((item: JsonTemplate, place) => jsonPlaces(item, [...path, place]));
  if (typeof template !== "object" || template === null) return [];
  return Object.entries(template).flatMap(([name, item]) => jsonPlaces(item, [...path, name]));
}
