import type { Fault } from "../../settings/faults.ts";
import type { Description } from "../definition.ts";
import type { ComputedDefinition } from "../language/computed.ts";
import { isNamed, type KnownName, type KnownNames } from "../request/known-names.ts";
import { keyTemplate } from "../request/scope.ts";
import { filterFault } from "../template/filters.ts";
import { type Placeholder, placeholdersIn } from "../template/parse.ts";
import { isJsonFilter } from "../template/render.ts";
import { literalPlaceholder } from "./stray-braces.ts";
import { jsonPlaces, type OtherPlace, type Places, type Position, type TemplatePlace } from "./template-places.ts";

/** What the templates of one call may use. */
export type NameContext = {
  readonly definition: Description;
  /** The values of the operation. */
  readonly known: KnownNames;
  /** `step.name.value` of earlier steps. */
  readonly saved: readonly string[];
  readonly hasPages: boolean;
  readonly hasToken: boolean;
  /** Computed values and code maps that were found in use. */
  readonly used: Set<string>;
};

const TEXT: KnownName = { kind: "text" };
const PAGE_NAMES = ["page.number", "page.offset", "page.size", "page.cursor"];
const ITEM_NAMES = ["number", "first"];
const REQUEST_PARTS: Readonly<Record<Position, readonly string[]>> = {
  url: [],
  body: ["method", "url", "path", "query"],
  envelope: ["method", "url", "path", "query", "body"],
  header: ["method", "url", "path", "query", "body", "envelope"],
};

/** The faults of all templates of a call. */
export function placeFaults(places: Places, context: NameContext): readonly Fault[] {
  return [
    ...places.templates.flatMap((place) => templateFaults(place, context)),
    ...places.others.flatMap((place) => otherFaults(place, context)),
  ];
}

function otherFaults(place: OtherPlace, { known }: NameContext): readonly Fault[] {
  if ("name" in place) {
    if (!/[{}]/.test(place.name)) return [];
    return [{ path: place.path, message: "Placeholders are filled into values only, not into names or the content type." }];
  }
  if (known.get(place.each)?.kind === "many") return [];
  const lists = [...known].filter(([, { kind }]) => kind === "many").map(([name]) => name);
  return [
    {
      path: place.path,
      message: `There is no list ${place.each} here. ${lists.length === 0 ? "This operation has none." : `Lists: ${lists.join(", ")}.`}`,
    },
  ];
}

type Here = NameContext & { readonly place: TemplatePlace /** The computed values that lead here. */; readonly within: readonly string[] };

export function templateFaults(place: TemplatePlace, context: NameContext, within: readonly string[] = []): readonly Fault[] {
  const here: Here = { ...context, place, within };
  const faults = placeholdersIn(place.text).flatMap((placeholder) => placeholderFaults(placeholder, here));
  const stray = literalPlaceholder(place.text);
  if (stray === null) return faults;
  const message = `Has ${JSON.stringify(stray)}, which is not a placeholder and would be sent literally. ${namesText(here)}`;
  return [...faults, { path: place.path, message }];
}

function placeholderFaults(placeholder: Placeholder, here: Here): readonly Fault[] {
  const { place } = here;
  const found = resolve(placeholder.name, here);
  if (typeof found === "string") return [{ path: place.path, message: found }];
  const filter = filterFault(placeholder, found.kind);
  if (filter !== null) return [{ path: place.path, message: filter }];
  const needsJson = placeholder.filters.some(({ name }) => isJsonFilter(name));
  const isWhole = place.inJson && placeholder.source === place.text;
  if (needsJson && !isWhole)
    return [{ path: place.path, message: "|number, |boolean and |json must be the whole string of a value in a json body." }];
  return found.faults ?? [];
}

type Resolved = KnownName & { readonly faults?: readonly Fault[] };

/** The kind of a value, or why there is none. */
function resolve(name: string, here: Here): Resolved | string {
  const known = here.known.get(name);
  if (known) return known;
  if (isMemberOfNamed(name, here.known)) return TEXT;
  if (name === "token" && here.hasToken) return TEXT;
  if (here.hasPages && PAGE_NAMES.includes(name)) return TEXT;
  if (here.saved.includes(name)) return TEXT;
  const point = name.indexOf(".");
  const [group, rest] = point < 0 ? ["", name] : [name.slice(0, point), name.slice(point + 1)];
  const found = GROUPS[group]?.(rest, here) ?? null;
  return found ?? `There is no placeholder {${name}} here. ${namesText(here)}`;
}

/** `params.consumer_no`: one of the values that a list has by name. */
function isMemberOfNamed(name: string, known: KnownNames): boolean {
  const point = name.lastIndexOf(".");
  return point > 0 && isNamed(known.get(name.slice(0, point)));
}

const GROUPS: Readonly<Record<string, (name: string, here: Here) => Resolved | string | null>> = {
  secret: (name, { definition }) => (definition.secrets.includes(name) ? TEXT : `The secret ${name} is not listed under secrets.`),
  constant: (name, { definition }) => (Object.hasOwn(definition.constants, name) ? TEXT : `There is no constant ${name} under constants.`),
  code: codeName,
  computed: computedName,
  item: (name, { place, known }) => {
    const items = place.each === undefined ? [] : [...(known.get(place.each)?.items ?? []), ...ITEM_NAMES];
    if (items.includes(name)) return TEXT;
    return place.each === undefined
      ? "{item.…} belongs into what each or $each repeats."
      : `An item has no ${name}. It has ${items.join(", ")}.`;
  },
  request: (name, { place, within }) => {
    if (within.length === 0) return "{request.…} belongs into computed values only.";
    const parts = REQUEST_PARTS[place.position];
    return parts.includes(name)
      ? TEXT
      : `{request.${name}} is not known there. Use the computed value in a later part of the request, such as a header.`;
  },
};

function codeName(name: string, here: Here): Resolved | string {
  const [map = "", attribute, ...others] = name.split(".");
  const codes = here.definition.codes[map];
  if (codes === undefined || others.length > 0) return `There is no map ${map} under codes.`;
  here.used.add(`codes.${map}`);
  const by = keyTemplate(map, codes);
  if (by === "") return `The map ${map} needs by, for example {operator}.`;
  const lacking = Object.entries(codes.values).find(([, value]) => lacks(value, attribute));
  if (lacking !== undefined)
    return attribute === undefined
      ? `${lacking[0]} has attributes; write {code.${map}.attribute}.`
      : `${lacking[0]} has no attribute ${attribute}.`;
  if (here.within.includes(`codes.${map}`)) return `The map ${map} uses itself.`;
  const place = { ...here.place, path: `codes.${map}.by`, text: by, inJson: false };
  return { ...TEXT, faults: templateFaults(place, here, [...here.within, `codes.${map}`]) };
}

function lacks(value: string | Readonly<Record<string, string>>, attribute: string | undefined): boolean {
  if (attribute === undefined) return typeof value !== "string";
  return typeof value === "string" || !Object.hasOwn(value, attribute);
}

function computedName(name: string, here: Here): Resolved | string {
  const made = here.definition.computed[name];
  if (made === undefined) return `There is no value ${name} under computed.`;
  here.used.add(`computed.${name}`);
  const own = `computed.${name}`;
  if (here.within.includes(own)) return `The computed value ${name} uses itself.`;
  if (made.kind === "oauth1" && here.place.position !== "header") return "An oauth1 value belongs into a header.";
  const within = [...here.within, own];
  const places = computedPlaces(made, own, here.place);
  return { ...TEXT, faults: places.flatMap((place) => templateFaults(place, here, within)) };
}

const NOT_TEMPLATES = new Set([
  "kind",
  "digest",
  "output",
  "key_format",
  "iv_format",
  "text_format",
  "padding",
  "cipher",
  "algorithm",
  "bytes",
]);

function computedPlaces(made: ComputedDefinition, path: string, { position, each }: TemplatePlace): readonly TemplatePlace[] {
  return Object.entries(made).flatMap(([name, value]) => {
    if (NOT_TEMPLATES.has(name) || value === undefined || (name === "iv" && value === "random")) return [];
    const inJson = name === "claims" || name === "header";
    return jsonPlaces(value, `${path}.${name}`, position, each).templates.map((one) => ({ ...one, inJson }));
  });
}

function namesText({ known, definition, saved, hasToken, hasPages }: NameContext): string {
  const groups = [
    ...[...known].flatMap(([name, value]) => (isNamed(value) ? [name, `${name}.…`] : [name])),
    ...(hasToken ? ["token"] : []),
    ...(hasPages ? PAGE_NAMES : []),
    ...saved,
    ...definition.secrets.map((name) => `secret.${name}`),
    ...Object.keys(definition.constants).map((name) => `constant.${name}`),
    ...Object.keys(definition.codes).map((name) => `code.${name}`),
    ...Object.keys(definition.computed).map((name) => `computed.${name}`),
  ];
  return `Known placeholders: ${groups.map((name) => `{${name}}`).join(" ")}.`;
}
