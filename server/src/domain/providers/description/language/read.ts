import { z } from "zod";
import { type Check, fault } from "../check/fault.ts";
import { decrypt } from "./computed.ts";
import { ownName, path, template, text } from "./words.ts";

const scalar = z.union([z.string(), z.number(), z.boolean()]);
/** A condition on one value. Numbers and booleans are compared as text. */
const condition = z.union([
  scalar.describe("The value equals this."),
  z.array(scalar).min(1, "Name at least one value.").describe("The value equals one of these."),
  z.strictObject({ is: z.enum(["present", "absent", "empty_list", "nonempty_list"]) }),
  z.strictObject({ not: z.union([scalar, z.array(scalar).min(1)]).describe("The value is present and equals none of these.") }),
  z.strictObject({ starts_with: text }),
  z.strictObject({ contains: text }),
  z.strictObject({ matches: text.describe("A regular expression.") }),
]);
export type Condition = z.infer<typeof condition>;

/** All of these must hold. `$http` is the HTTP status. */
export const conditions = z
  .record(path, condition)
  .meta({ id: "DescriptionConditions", description: "Conditions by path; all must hold. `$http` is the HTTP status." });
export type Conditions = z.infer<typeof conditions>;

/** How a value of ours is taken from an answer. */
export type Reader = string | ScalarReader | ListReader | ChoiceReader | SumReader | { readonly object: Readonly<Record<string, Reader>> };
/** A value that depends on several fields of the answer. */
export type ChoiceReader = {
  readonly choices: readonly { readonly when: Conditions; readonly value: string | number | boolean }[];
  readonly default?: string | number | boolean | undefined;
};
/** A sum of amounts, less others. */
export type SumReader = { readonly sum: ListReader; readonly less?: ListReader | undefined };
export type ScalarReader = {
  readonly path?: string | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly join?: string | undefined;
  readonly constant?: string | number | boolean | undefined;
  readonly given?: string | undefined;
  readonly map?: Readonly<Record<string, string | number | boolean>> | undefined;
  readonly code?: string | undefined;
  readonly default?: string | number | boolean | undefined;
  readonly unit?: "rupees" | "paise" | undefined;
  readonly time?: string | undefined;
  readonly minutes_after?: string | undefined;
  readonly match?: string | undefined;
  readonly json?: boolean | undefined;
};
export type ListReader = {
  readonly list?: string | undefined;
  readonly split?: string | undefined;
  readonly parts?: string | undefined;
  readonly where?: Conditions | undefined;
  readonly item?: Readonly<Record<string, Reader>> | undefined;
  readonly value?: Reader | undefined;
  readonly items?: readonly { readonly when?: Conditions | undefined; readonly item: Readonly<Record<string, Reader>> }[] | undefined;
  readonly reversed?: boolean | undefined;
};

export function isListReader(reader: ScalarReader | ListReader): reader is ListReader {
  return "list" in reader || "items" in reader;
}

const scalarReader = z
  .strictObject({
    path: path.optional(),
    paths: z
      .array(path)
      .min(2, "Give at least two paths.")
      .optional()
      .describe("Several values that become one text. All must be present."),
    join: z.string().max(10).optional().describe("With paths: what is put between the values."),
    constant: scalar.optional().describe("Always this value."),
    given: template.optional().describe("A value of ours, such as {reference}."),
    map: z.record(z.string(), scalar).optional().describe("Their value to ours; `*` is every other value."),
    code: ownName.optional().describe("A map of `codes`, from their value back to ours."),
    default: scalar.optional().describe("Taken when the answer has no such value."),
    unit: z.enum(["rupees", "paise"]).optional().describe("The unit of an amount, rupees by default."),
    time: text.optional().describe("The form of a time: milliseconds, seconds, iso, or a pattern such as dd/MM/yyyy HH:mm:ss."),
    minutes_after: template.optional().describe("The value counts minutes after the midnight of this day, such as {date}."),
    match: text.optional().describe("A regular expression with a group named value, which is the part that is taken."),
    json: z.boolean().optional().describe("Keeps the whole value as JSON text."),
  })
  .check(checkReader);

function checkReader(check: Check<{ readonly [name: string]: unknown }>): void {
  const sources = ["path", "paths", "constant", "given"].filter((name) => check.value[name] !== undefined);
  if (sources.length !== 1) fault(check, [], "Give exactly one of path, paths, constant and given.");
  if (check.value["join"] !== undefined && check.value["paths"] === undefined) fault(check, ["join"], "Belongs to paths.");
  if (check.value["map"] !== undefined && check.value["code"] !== undefined) fault(check, ["code"], "Give either map or code.");
}

const choiceReader = z.strictObject({
  choices: z
    .array(z.strictObject({ when: conditions, value: scalar }))
    .min(1)
    .describe("The value of the first choice whose conditions all hold."),
  default: scalar.optional().describe("Taken when no choice holds."),
});

const readers: z.ZodType<Readonly<Record<string, Reader>>> = z.lazy(() => z.record(z.string(), reader));
const listReader = z
  .strictObject({
    list: path.optional().describe("Where the list is; `*` goes through every item or member. One object counts as a list of one."),
    split: z.string().min(1).max(10).optional().describe("The list is one text with this separator between the items."),
    parts: z.string().min(1).max(10).optional().describe("Every item is a text with this separator; its parts are 0, 1, 2, …"),
    where: conditions.optional().describe("Only the items that fulfil these conditions."),
    item: readers
      .optional()
      .describe("The members of each item, read below it. `$value` is the item, `$key` its name, `$.` the whole answer."),
    value: z
      .lazy(() => reader)
      .optional()
      .describe("For a list of plain values: how each is read, for example $value."),
    items: z
      .array(z.strictObject({ when: conditions.optional(), item: readers }))
      .optional()
      .describe("A list written out, each item with a condition if needed."),
    reversed: z.boolean().optional().describe("Turns the order round."),
  })
  .check(checkList);

function checkList(check: Check<{ readonly [name: string]: unknown }>): void {
  const { list, items, item, value } = check.value;
  if ((list === undefined) === (items === undefined)) fault(check, [], "Give either list with item or value, or items.");
  if (list !== undefined && (item === undefined) === (value === undefined))
    fault(check, ["item"], "Say how each item is read: give either item or value.");
}

const sumReader = z.strictObject({
  sum: listReader.describe("The amounts that are added: a list with value. Without any amount there is no sum."),
  less: listReader.optional().describe("The amounts that are subtracted."),
});

export const reader: z.ZodType<Reader> = z
  .lazy(() =>
    z.union([path, z.strictObject({ object: readers }), choiceReader, sumReader, listReader, scalarReader], { error: readerMessage }),
  )
  .meta({ id: "DescriptionReader" });
const readerMessage = "Must be a path, or an object with one of path, paths, constant, given, choices, sum, list, items and object.";

/** What every answer may carry. */
const facts = {
  message: reader.optional().describe("The provider's words, for staff."),
  reference: reader.optional().describe("Our reference in the answer. An answer about another reference is unknown."),
  provider_ref: reader.optional().describe("The provider's own id of the transaction."),
  operator_ref: reader
    .optional()
    .describe("The operator's, biller's or bank's reference. A success needs it unless its rule says otherwise."),
  balance: reader.optional().describe("Our balance at the provider."),
  cost: reader.optional().describe("What the provider charged us."),
};
/** What a success must repeat of the order. */
const confirmed = z.union([
  template.describe("A value of the order, such as {amount}, {target|last:10} or {reference}. Amounts are compared as numbers."),
  z.strictObject({
    value: template.describe("A value of the order, such as {amount}."),
    match: text.optional().describe("A regular expression with a group named value: the part of the provider's value that is compared."),
    optional: z.boolean().optional().describe("An answer without the field is a success too. One with another value never is."),
  }),
]);
export const FACTS = ["message", "reference", "provider_ref", "operator_ref", "balance", "cost"] as const;

const inner = z.strictObject({
  at: path.describe("Where the text is that contains another document."),
  format: z.enum(["json", "xml", "form", "pairs", "text"]),
  optional: z
    .boolean()
    .optional()
    .describe("An answer without that text is read all the same, by what $outer has. Otherwise it is not understood."),
});

const readFields = {
  format: z
    .enum(["json", "xml", "form", "pairs", "text"])
    .describe(
      "pairs: lines NAME=VALUE. text: parts 0, 1, … by separator, groups by pattern; $text is all of it and $count the number of parts.",
    ),
  encoding: z.enum(["utf-8", "windows-1252"]),
  separator: z.string().min(1).max(10).optional().describe("For text: between the parts."),
  pattern: text.optional().describe("For text: a regular expression with named groups, which are then paths."),
  unmarked_end: z.boolean().describe("For text: accepts an answer that does not say where it ends."),
  ignore_case: z.boolean().describe("Conditions ignore the difference between capitals and small letters."),
  inner: inner
    .optional()
    .describe(
      "A document inside the document, for example JSON in an XML string. Paths lead into the inner one, and paths with $outer. before them into the outer one.",
    ),
  decrypt: decrypt.optional(),
  confirm: z
    .record(path, confirmed)
    .optional()
    .describe(
      "What a success must repeat of the order, by the field that has it. If a field is missing or has another value, the answer is no success: the order stays pending.",
    ),
  ...facts,
};

/** How an answer is read. What an operation leaves out comes from the description's own `read`. */
export const read = z.strictObject(readFields).partial().meta({ id: "DescriptionRead", description: "How an answer is read." });
export type ReadDefinition = z.infer<typeof read>;
