import { indiaMidnight } from "../../../../platform/core/india-time.ts";
import { add, formatMoney, type Money, NO_MONEY, parseMoney, subtract } from "../../../../platform/core/money.ts";
import type { JsonValue } from "../../../../platform/core/strict-json.ts";
import type { Description } from "../definition.ts";
import { type ChoiceReader, isListReader, type ListReader, type Reader, type ScalarReader, type SumReader } from "../language/read.ts";
import { parseDate, parseIso } from "../template/dates.ts";
import { render, type Scope } from "../template/render.ts";
import { boundedMatch } from "./bounded-match.ts";
import { allHold, lookupIn } from "./conditions.ts";
import { converted, type Shape } from "./convert.ts";
import { itemsAt, type Place, scalarText, valueAt } from "./path.ts";

/** What reading needs besides the answer. */
export type ReadContext = { readonly definition: Description; readonly scope: Scope; readonly ignoreCase: boolean };

/** A value of ours, nothing where the answer has none, or why it cannot be read and where. */
export type ReadValue =
  | { readonly ok: true; readonly value: JsonValue | undefined }
  | { readonly ok: false; readonly at: string; readonly why: string };

/** Reads one value. The schema of the operation says which type it must have. */
export function readValue(reader: Reader, place: Place, shape: Shape, context: ReadContext): ReadValue {
  if (typeof reader === "string") return readScalar({ path: reader }, place, shape, context);
  if ("object" in reader) return readMembers(reader.object, place, shape, context);
  if ("choices" in reader) return readChoice(reader, place, context);
  if ("sum" in reader) return readSum(reader, place, shape, context);
  if (isListReader(reader)) return readList(reader, place, shape, context);
  return readScalar(reader, place, shape, context);
}

/** Reads an object of ours. Members without a value are left out, so that the schema's defaults apply. */
export function readMembers(readers: Readonly<Record<string, Reader>>, place: Place, shape: Shape, context: ReadContext): ReadValue {
  const members: [string, JsonValue][] = [];
  for (const [name, reader] of Object.entries(readers)) {
    const read = readValue(reader, place, shape.properties?.[name] ?? {}, context);
    if (!read.ok) return { ...read, at: joined(name, read.at) };
    if (read.value !== undefined) members.push([name, read.value]);
  }
  return { ok: true, value: Object.fromEntries(members) };
}

function readChoice({ choices, default: otherwise }: ChoiceReader, place: Place, { scope, ignoreCase }: ReadContext): ReadValue {
  const lookup = lookupIn(place, scope);
  return { ok: true, value: choices.find(({ when }) => allHold(when, lookup, ignoreCase))?.value ?? otherwise };
}

function readSum({ sum, less }: SumReader, place: Place, shape: Shape, context: ReadContext): ReadValue {
  const [added, taken] = [sum, ...(less === undefined ? [] : [less])].map((list) => readList(list, place, { items: shape }, context));
  if (!added?.ok) return added ?? { ok: true, value: undefined };
  if (taken?.ok === false) return taken;
  const [whole, part] = [totalOf(added.value), taken === undefined ? NO_MONEY : totalOf(taken.value)];
  if (whole === null || part === null) return { ok: true, value: undefined };
  return part > whole ? { ok: false, at: "", why: "is less than nothing" } : { ok: true, value: formatMoney(subtract(whole, part)) };
}

/** Null when there is no amount, because a missing list is not a sum of nothing. */
function totalOf(values: JsonValue | undefined): Money | null {
  const amounts = Array.isArray(values) ? values.map((value: JsonValue) => parseMoney(String(value))) : [];
  return amounts.reduce<Money | null>((sum, one) => (one === null ? null : add(sum ?? NO_MONEY, one)), null);
}

function joined(name: string, rest: string): string {
  if (rest === "") return name;
  return rest.startsWith("[") ? `${name}${rest}` : `${name}.${rest}`;
}

function readList(reader: ListReader, place: Place, shape: Shape, context: ReadContext): ReadValue {
  const values: JsonValue[] = [];
  for (const one of plannedItems(reader, place, context)) {
    const read = one.read(shape.items ?? {});
    if (!read.ok) return { ...read, at: joined(`[${values.length}]`, read.at) };
    if (read.value !== undefined) values.push(read.value);
  }
  return { ok: true, value: reader.reversed ? values.reverse() : values };
}

type Planned = { readonly read: (shape: Shape) => ReadValue };

function plannedItems(reader: ListReader, place: Place, context: ReadContext): readonly Planned[] {
  if (reader.items !== undefined) {
    const lookup = lookupIn(place, context.scope);
    const wanted = reader.items.filter(({ when }) => when === undefined || allHold(when, lookup, context.ignoreCase));
    return wanted.map(({ item }) => ({ read: (shape) => readMembers(item, place, shape, context) }));
  }
  const { item, value, where } = reader;
  const places = listPlaces(reader, place, context.scope);
  const wanted = where === undefined ? places : places.filter((one) => allHold(where, lookupIn(one, context.scope), context.ignoreCase));
  return wanted.map((one) => ({
    read: (shape) => (value === undefined ? readMembers(item ?? {}, one, shape, context) : readValue(value, one, shape, context)),
  }));
}

function listPlaces({ list, split, parts }: ListReader, place: Place, scope: Scope): readonly Place[] {
  if (split === undefined) {
    return itemsAt(place, list ?? "", scope).map(({ item, key }) => ({ ...place, here: partsOf(item, parts), key }));
  }
  const text = scalarText(valueAt(place, list ?? "", scope)) ?? "";
  const items = text.split(split).filter((item) => item.trim() !== "");
  return items.map((item, position) => ({ ...place, here: partsOf(item.trim(), parts), key: String(position) }));
}

function partsOf(item: JsonValue, separator: string | undefined): JsonValue {
  const text = scalarText(item);
  return separator === undefined || text === null ? item : text.split(separator).map((part) => part.trim());
}

function readScalar(reader: ScalarReader, place: Place, shape: Shape, context: ReadContext): ReadValue {
  if (reader.json === true) return jsonText(reader, place, context);
  const found = sourceText(reader, place, context);
  if (found === TOO_LONG) return { ok: false, at: "", why: "takes too long to be matched" };
  if (found === null && reader.default !== undefined) return { ok: true, value: reader.default };
  if (found === null) return { ok: true, value: undefined };
  const mapped = mappedText(reader, found, context);
  if (mapped === null) return { ok: false, at: "", why: `has ${JSON.stringify(found.slice(0, 60))}, which is not in its map` };
  if (typeof mapped !== "string") return { ok: true, value: mapped };
  const timed = timeText(reader, mapped, context);
  if (timed === null) return { ok: false, at: "", why: `has ${JSON.stringify(mapped.slice(0, 60))}, which is not a time of its form` };
  const result = converted(timed, shape, reader.unit ?? "rupees");
  return result.ok ? result : { ok: false, at: "", why: `${result.why}: ${JSON.stringify(timed.slice(0, 60))}` };
}

function jsonText({ path = "" }: ScalarReader, place: Place, { scope }: ReadContext): ReadValue {
  const value = valueAt(place, path, scope);
  return { ok: true, value: value === undefined ? undefined : JSON.stringify(value) };
}

const TOO_LONG = Symbol("too long");

/** The text that a reader starts from; null when there is none. Text that is empty counts as none. */
function sourceText(reader: ScalarReader, place: Place, { scope }: ReadContext): string | null | typeof TOO_LONG {
  if (reader.constant !== undefined) return String(reader.constant);
  if (reader.given !== undefined) return render(reader.given, scope);
  const text = reader.paths === undefined ? textAt(place, reader.path ?? "", scope) : joinedTexts(reader.paths, reader.join, place, scope);
  const filled = filledText(text);
  if (filled === null || reader.match === undefined) return filled;
  const match = boundedMatch(new RegExp(reader.match, "u"), filled);
  return match === "too long" ? TOO_LONG : (match?.groups?.["value"] ?? null);
}

function textAt(place: Place, path: string, scope: Scope): string | null {
  return scalarText(valueAt(place, path, scope));
}

function filledText(text: string | null): string | null {
  return text === null || text.trim() === "" ? null : text;
}

/** Several values as one text; null when one of them is missing. */
function joinedTexts(paths: readonly string[], separator: string | undefined, place: Place, scope: Scope): string | null {
  const texts = paths.map((path) => textAt(place, path, scope));
  return texts.every((text) => text !== null && text.trim() !== "") ? texts.join(separator ?? "") : null;
}

/** Their value as ours; null when the map does not have it. */
function mappedText(reader: ScalarReader, text: string, { definition, ignoreCase }: ReadContext): string | number | boolean | null {
  const same = (one: string) => (ignoreCase ? one.toLowerCase() === text.toLowerCase() : one === text);
  if (reader.map !== undefined) return Object.entries(reader.map).find(([theirs]) => same(theirs))?.[1] ?? reader.map["*"] ?? null;
  if (reader.code === undefined) return text;
  const codes = Object.entries(definition.codes[reader.code]?.values ?? {});
  return codes.find(([, theirs]) => (typeof theirs === "string" ? same(theirs) : Object.values(theirs).some(same)))?.[0] ?? null;
}

/** A time as milliseconds since 1970, where the reader says that the value is one; null when it is not. */
function timeText(reader: ScalarReader, text: string, { definition, scope }: ReadContext): string | null {
  if (reader.minutes_after !== undefined) return minutesAfter(render(reader.minutes_after, scope), text);
  if (reader.time === undefined) return text;
  const at = momentOf(text, reader.time, definition.times);
  return at === null ? null : String(at);
}

export function momentOf(text: string, form: string, zone: Description["times"]): number | null {
  if (form === "seconds" || form === "milliseconds") {
    if (!/^[0-9]{1,16}(?:\.[0-9]+)?$/.test(text.trim())) return null;
    return Math.floor(Number(text) * (form === "seconds" ? 1000 : 1));
  }
  return form === "iso" ? parseIso(text, zone) : parseDate(text, form, zone);
}

function minutesAfter(day: string, minutes: string): string | null {
  const midnight = indiaMidnight(day);
  return midnight === null || !/^[0-9]{1,5}$/.test(minutes.trim()) ? null : String(midnight + Number(minutes) * 60_000);
}

/** A scalar as text, for facts and saved values. */
export function readText(reader: Reader | undefined, place: Place, context: ReadContext): string | null {
  if (reader === undefined) return null;
  // Most readers are paths. What such a reader finds is the text itself, or nothing where that is blank.
  if (typeof reader === "string") return filledText(textAt(place, reader, context.scope));
  const read = readValue(reader, place, {}, context);
  return read.ok && read.value !== undefined ? scalarText(read.value) : null;
}
