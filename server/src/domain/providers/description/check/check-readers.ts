import type { Fault } from "../../settings/faults.ts";
import type { ChoiceReader, Condition, Conditions, ListReader, ReadDefinition, Reader, ScalarReader, SumReader } from "../language/read.ts";
import { FACTS, isListReader } from "../language/read.ts";
import { isAmount, type Shape } from "../read/convert.ts";
import { pathFault } from "../read/path.ts";
import { patternFault } from "../template/dates.ts";
import { placeholdersIn } from "../template/parse.ts";
import { type NameContext, templateFaults } from "./check-names.ts";
import { costFault } from "./pattern-cost.ts";

// Checks of everything that reads an answer: paths, conditions, readers and what they are mapped to.

export function readFaults(read: ReadDefinition, place: string, context: NameContext): readonly Fault[] {
  return [
    ...FACTS.flatMap((name) => {
      const reader = read[name];
      return reader === undefined ? [] : readerFaults(reader, `${place}.${name}`, {}, context);
    }),
    ...(read.pattern === undefined ? [] : regexFaults(read.pattern, `${place}.pattern`)),
    ...(read.inner === undefined ? [] : pathFaults(read.inner.at, `${place}.inner.at`, context)),
    ...(read.decrypt === undefined ? [] : decryptFaults(read.decrypt, `${place}.decrypt`, context)),
  ];
}

/** The values of the order that a success must repeat. Only a transaction has an order. */
export function confirmFaults({ confirm = {} }: ReadDefinition, place: string, context: NameContext): readonly Fault[] {
  return Object.entries(confirm).flatMap(([path, written]) => {
    const here = `${place}.confirm.${path}`;
    const { value, match } = typeof written === "string" ? { value: written, match: undefined } : written;
    const ofValue = textFaults(value, here, context);
    const isOurs = ofValue.length > 0 || placeholdersIn(value).some(({ name }) => context.known.has(name));
    return [
      ...pathFaults(path, here, context),
      ...ofValue,
      ...(match === undefined ? [] : matchFaults(match, `${here}.match`)),
      ...(isOurs ? [] : [{ path: here, message: "Name the order's value that it must be, such as {amount}." }]),
    ];
  });
}

function decryptFaults(decrypt: NonNullable<ReadDefinition["decrypt"]>, place: string, context: NameContext): readonly Fault[] {
  const texts = { key: decrypt.key, ...(decrypt.iv === "prefixed" ? {} : { iv: decrypt.iv }) };
  return Object.entries(texts).flatMap(([name, text]) => textFaults(text, `${place}.${name}`, context));
}

function textFaults(text: string, path: string, context: NameContext): readonly Fault[] {
  return templateFaults({ path, text, position: "header", inJson: false }, context, ["read"]);
}

export function conditionFaults(conditions: Conditions, place: string, context: NameContext): readonly Fault[] {
  return Object.entries(conditions).flatMap(([path, condition]) => [
    ...pathFaults(path, `${place}.${path}`, context),
    ...patternFaults(condition, `${place}.${path}`),
  ]);
}

function patternFaults(condition: Condition, place: string): readonly Fault[] {
  return typeof condition === "object" && "matches" in condition ? regexFaults(condition.matches, `${place}.matches`) : [];
}

function pathFaults(path: string, place: string, context: NameContext): readonly Fault[] {
  const fault = pathFault(path);
  if (fault !== null) return [{ path: place, message: fault }];
  return placeholdersIn(path).length === 0 ? [] : textFaults(path, place, context);
}

export function regexFaults(pattern: string, path: string): readonly Fault[] {
  try {
    new RegExp(pattern, "u");
  } catch {
    return [{ path, message: "Is not a valid regular expression." }];
  }
  const why = costFault(pattern);
  return why === null ? [] : [{ path, message: why }];
}

/** Faults of a reader, and whether it can give what the operation needs. */
export function readerFaults(reader: Reader, place: string, shape: Shape, context: NameContext): readonly Fault[] {
  if (typeof reader === "string") return [...kindFaults(shape, place, "value"), ...pathFaults(reader, place, context)];
  if ("object" in reader) return membersFaults(reader.object, `${place}.object`, shape, context);
  if ("choices" in reader) return [...kindFaults(shape, place, "value"), ...choiceFaults(reader, place, context)];
  if ("sum" in reader) return [...kindFaults(shape, place, "value"), ...sumFaults(reader, place, shape, context)];
  if (isListReader(reader)) return listFaults(reader, place, shape, context);
  return [...kindFaults(shape, place, "value"), ...scalarFaults(reader, place, context)];
}

function choiceFaults({ choices }: ChoiceReader, place: string, context: NameContext): readonly Fault[] {
  return choices.flatMap(({ when }, index) => conditionFaults(when, `${place}.choices[${index}].when`, context));
}

function sumFaults({ sum, less }: SumReader, place: string, shape: Shape, context: NameContext): readonly Fault[] {
  const notAmount = isAmount(shape) ? [] : [{ path: place, message: "A sum is for amounts only." }];
  const lists = Object.entries({ sum, ...(less === undefined ? {} : { less }) });
  const amounts: Shape = { type: "array", items: shape };
  return [...notAmount, ...lists.flatMap(([name, list]) => listFaults(list, `${place}.${name}`, amounts, context))];
}

function kindFaults(shape: Shape, path: string, given: "value" | "list"): readonly Fault[] {
  if (given === "value" && shape.type === "array") return [{ path, message: "Needs a list: give list with item, or items." }];
  if (given === "list" && shape.type !== undefined && shape.type !== "array") return [{ path, message: "Needs one value, not a list." }];
  return [];
}

function scalarFaults(reader: ScalarReader, place: string, context: NameContext): readonly Fault[] {
  const { code, time, match } = reader;
  if (code !== undefined) context.used.add(`codes.${code}`);
  return [
    ...(reader.path === undefined ? [] : pathFaults(reader.path, `${place}.path`, context)),
    ...(reader.paths ?? []).flatMap((path, index) => pathFaults(path, `${place}.paths[${index}]`, context)),
    ...(reader.given === undefined ? [] : textFaults(reader.given, `${place}.given`, context)),
    ...(reader.minutes_after === undefined ? [] : textFaults(reader.minutes_after, `${place}.minutes_after`, context)),
    ...(code === undefined || context.definition.codes[code] !== undefined
      ? []
      : [{ path: `${place}.code`, message: "There is no such map under codes." }]),
    ...(time === undefined ? [] : timeFaults(time, `${place}.time`)),
    ...(match === undefined ? [] : matchFaults(match, `${place}.match`)),
  ];
}

function timeFaults(form: string, path: string): readonly Fault[] {
  if (["milliseconds", "seconds", "iso"].includes(form)) return [];
  const part = patternFault(form);
  return part === null
    ? []
    : [{ path, message: `Has ${JSON.stringify(part)}. Write milliseconds, seconds, iso, or a pattern such as dd/MM/yyyy HH:mm:ss.` }];
}

function matchFaults(match: string, path: string): readonly Fault[] {
  if (!match.includes("(?<value>")) return [{ path, message: "Must have a group named value: (?<value>…)." }];
  return regexFaults(match, path);
}

function listFaults(reader: ListReader, place: string, shape: Shape, context: NameContext): readonly Fault[] {
  const items = shape.items ?? {};
  return [
    ...kindFaults(shape, place, "list"),
    ...(reader.list === undefined ? [] : pathFaults(reader.list, `${place}.list`, context)),
    ...(reader.where === undefined ? [] : conditionFaults(reader.where, `${place}.where`, context)),
    ...(reader.item === undefined ? [] : membersFaults(reader.item, `${place}.item`, items, context)),
    ...(reader.value === undefined ? [] : readerFaults(reader.value, `${place}.value`, items, context)),
    ...(reader.items ?? []).flatMap(({ when, item }, index) => [
      ...(when === undefined ? [] : conditionFaults(when, `${place}.items[${index}].when`, context)),
      ...membersFaults(item, `${place}.items[${index}].item`, items, context),
    ]),
  ];
}

/** Faults of the members of one of our objects: unknown ones, and missing ones that the operation needs. */
export function membersFaults(
  readers: Readonly<Record<string, Reader>>,
  place: string,
  shape: Shape,
  context: NameContext,
): readonly Fault[] {
  const known = Object.keys(shape.properties ?? {});
  const faults = Object.entries(readers).flatMap(([name, reader]) => {
    const path = `${place}.${name}`;
    if (shape.properties !== undefined && !known.includes(name))
      return [
        {
          path,
          message: known.length === 0 ? "This operation has no values." : `There is no such value. It may have ${known.join(", ")}.`,
        },
      ];
    return readerFaults(reader, path, shape.properties?.[name] ?? {}, context);
  });
  return [...faults, ...missingMembers(readers, place, shape)];
}

function missingMembers(readers: Readonly<Record<string, Reader>>, place: string, shape: Shape): readonly Fault[] {
  const missing = (shape.required ?? []).filter((name) => !Object.hasOwn(readers, name));
  return missing.map((name) => ({ path: `${place}.${name}`, message: "Is missing: say where the answer has it, or give a constant." }));
}

/** The paths that a rule must have, so that half an answer cannot be a success. */
export function textRuleFault(read: ReadDefinition, conditions: Conditions): string | null {
  if (read.format !== "text" || read.separator === undefined || read.pattern !== undefined) return null;
  return Object.hasOwn(conditions, "$count")
    ? null
    : "A success in a separated text must say $count, so that a part of an answer cannot be one.";
}
