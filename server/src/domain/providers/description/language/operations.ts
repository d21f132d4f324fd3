import { isQuery, isTransaction, QUERIES, type QueryName, TRANSACTIONS, type TransactionName } from "@corprail/connector";
import { z } from "zod";
import type { Sliced } from "../../../../platform/core/slices.ts";
import { type Fault, faultsOf } from "../../settings/faults.ts";
import { type Check, fault } from "../check/fault.ts";
import { conditions, read, reader } from "./read.ts";
import { request } from "./request.ts";
import { queryRules, sendRules, statusRules } from "./rules.ts";
import { loginSamples, querySamples, sendSamples, statusSamples } from "./samples.ts";
import { ownName, path, seconds } from "./words.ts";

const save = z.record(ownName, reader).optional().describe("Values that later steps use as {step.name.value}.");
const timeout = {
  timeout_seconds: seconds(0.1, 600).optional().describe("How long the answer may take, instead of timeouts.whole_seconds."),
};

/** One call of an operation. */
function stepOf<Rules extends z.ZodType, Samples extends z.ZodType>(rules: Rules, samples: Samples) {
  return {
    request: request.optional(),
    read: read.optional(),
    outcome: rules.optional(),
    save,
    samples,
  };
}

function namedStep<Rules extends z.ZodType, Samples extends z.ZodType>(rules: Rules, samples: Samples) {
  return z.strictObject({
    name: ownName,
    when: conditions.optional().describe("Skips the step unless these values of ours, such as details.fetch_ref, fulfil the conditions."),
    sends: z.boolean().optional().describe("This call moves the money. By default it is the last one."),
    ...stepOf(rules, samples),
    request,
  });
}

/** When the status of a transaction in doubt is queried. */
export const polling = {
  first_after_seconds: seconds(1, 7 * 86_400)
    .optional()
    .describe("How long after the answer the status is queried first."),
  every_seconds: seconds(1, 7 * 86_400)
    .optional()
    .describe("The time between two status queries."),
  quiet_seconds: seconds(0, 7 * 86_400)
    .describe("How long not_found may mean not received yet.")
    .optional(),
};
const idempotent = z.strictObject({
  resend_after_seconds: seconds(10, 86_400).describe(
    "How long after the sending. It is sent again with the next status query that finds nothing.",
  ),
  times: z.int().min(1).max(10).default(1).describe("How often it is sent again at most."),
});

const result = z.record(z.string(), reader).optional().describe("What a success adds to the reply, by our names.");

const status = z
  .strictObject({
    ...stepOf(statusRules, statusSamples),
    steps: z.array(namedStep(statusRules, statusSamples)).min(1).optional(),
    result,
    ...timeout,
  })
  .check(checkSteps);

export const transaction = z
  .strictObject({
    ...stepOf(sendRules, sendSamples),
    steps: z.array(namedStep(sendRules, sendSamples)).min(1).optional().describe("Several calls, in this order."),
    result,
    status: status.describe("How the transaction is queried later, by {reference}, {provider_ref} or both."),
    polling: z.strictObject(polling).optional().describe("Where this operation differs from the description's own polling."),
    idempotent: idempotent
      .optional()
      .describe(
        "The provider promises to carry the same reference out once, however often it is sent. A transaction whose sending had no usable answer, and which the status query does not find, is then sent again with the same reference.",
      ),
    ...timeout,
  })
  .check(checkSteps)
  .meta({ id: "DescriptionTransaction" });
export type TransactionDefinition = z.infer<typeof transaction>;
export type StatusDefinition = z.infer<typeof status>;

const pages = z.strictObject({
  by: z.enum(["number", "offset", "cursor"]).describe("What the next page is asked with: {page.number}, {page.offset} or {page.cursor?}."),
  first: z.int().min(0).max(1).default(1).describe("The number of the first page."),
  size: z.int().min(1).max(10_000).default(100).describe("{page.size}. A shorter page is the last one."),
  next: reader.optional().describe("For cursor: where the next cursor is. Its absence means that the page was the last."),
  last_when: conditions.optional().describe("The page was the last one when these conditions hold."),
  limit: z.int().min(1).max(500).default(100).describe("The most pages that are read."),
});
export type PagesDefinition = z.infer<typeof pages>;

/** For what a provider publishes outside its API, such as a list of banks in its manual. */
const fixed = z
  .record(z.string(), z.json())
  .describe("Instead of a request: the answer itself, for a list that the provider publishes on paper only.");

export const query = z
  .strictObject({
    ...stepOf(queryRules, querySamples),
    steps: z.array(namedStep(queryRules, querySamples)).min(1).optional(),
    fixed: fixed.optional(),
    value: z.record(z.string(), reader).default({}).describe("Our names of the answer's values, each with where it is found."),
    pages: pages.optional().describe("The list comes page by page."),
    ...timeout,
  })
  .check(checkSteps)
  .meta({ id: "DescriptionQuery" });
export type QueryDefinition = z.infer<typeof query>;

type Stepped = {
  readonly request?: unknown;
  readonly outcome?: unknown;
  readonly steps?: readonly { readonly name: string }[] | undefined;
  readonly fixed?: unknown;
};

function checkSteps(check: Check<Stepped & { readonly [name: string]: unknown }>): void {
  const { steps, request: own, fixed: written } = check.value;
  if ([steps, own, written].filter((one) => one !== undefined).length !== 1) fault(check, [], "Give either request, or steps.");
  if (written !== undefined) fixedFaults(check);
  if (steps === undefined) return;
  for (const name of ["read", "outcome", "save", "samples"]) {
    if (check.value[name] !== undefined) fault(check, [name], "Belongs into the steps.");
  }
  steps.forEach((step, position) => {
    if (steps.findIndex((other) => other.name === step.name) !== position) fault(check, ["steps", position, "name"], "Is used twice.");
  });
}

function fixedFaults(check: Check<{ readonly [name: string]: unknown }>): void {
  for (const name of ["read", "outcome", "save", "samples", "pages"]) {
    if (check.value[name] !== undefined) fault(check, [name], "Is of no use where no request is sent.");
  }
}

const NO_OPERATION = "Describe at least one operation.";

type Shape<Name extends string, Type extends z.ZodType> = { readonly [Key in Name]: z.ZodOptional<Type> };

function shapeOf<Name extends string, Type extends z.ZodType>(names: readonly Name[], type: Type): Shape<Name, Type> {
  return Object.fromEntries(names.map((name) => [name, type.optional()])) as Shape<Name, Type>;
}

/** Written out, because the compiler does not serialize the inferred type of all operations. */
export type Operations = { readonly [Name in TransactionName]?: TransactionDefinition | undefined } & {
  readonly [Name in QueryName]?: QueryDefinition | undefined;
};

export const operations: z.ZodType<Operations> = z
  .strictObject({
    ...shapeOf(Object.keys(TRANSACTIONS) as TransactionName[], transaction),
    ...shapeOf(Object.keys(QUERIES) as QueryName[], query),
  })
  .refine((all) => Object.keys(all).length > 0, NO_OPERATION)
  .describe("What the provider can do, by the names of docs/providers.md.");

type ReadOperations = { readonly operations: Operations; readonly faults: readonly Fault[] };

/** Reads the operations one by one, as `operations` would. */
export function* readOperations(written: Readonly<Record<string, unknown>>): Sliced<ReadOperations> {
  const read: [string, unknown][] = [];
  const faults: Fault[] = [];
  for (const [name, value] of Object.entries(written)) {
    const path = `operations.${name}`;
    const type = isTransaction(name) ? transaction : isQuery(name) ? query : null;
    const parsed = type?.safeParse(value);
    if (parsed?.success) read.push([name, parsed.data]);
    else if (parsed === undefined) faults.push({ path, message: "There is no such field." });
    else faults.push(...faultsOf(parsed.error).map((one) => ({ ...one, path: below(path, one.path) })));
    yield;
  }
  if (Object.keys(written).length === 0) faults.push({ path: "operations", message: NO_OPERATION });
  return { operations: Object.fromEntries(read) as Operations, faults };
}

function below(path: string, rest: string): string {
  return rest === "" || rest.startsWith("[") ? `${path}${rest}` : `${path}.${rest}`;
}

/** The call that gives a token, which the others use as {token}. */
export const login = z.strictObject({
  request,
  read: read.optional(),
  token: reader.describe("Where the token is."),
  samples: loginSamples,
  expires_in: path.optional().describe("Where its life in seconds is."),
  expires_at: reader.optional().describe("Where the time of its end is; say its form with time."),
  lasts_seconds: seconds(10, 365 * 86_400)
    .optional()
    .describe("Its life, if the answer does not say it."),
  renew_before_seconds: seconds(0, 3600).default(30).describe("A token is renewed this long before its end."),
  unauthorized: z
    .array(conditions)
    .default([{ $http: 401 }])
    .describe("Answers that say that the token is not accepted and nothing was done. The call is repeated once with a new token."),
});
export type LoginDefinition = z.infer<typeof login>;
