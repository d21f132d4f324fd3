import { randomBytes, randomUUID } from "node:crypto";
import type { OperationName } from "@corprail/connector";
import { parseMoney } from "../../../platform/core/money.ts";
import type { Description } from "../description/definition.ts";
import { sampleValues } from "../description/dry-run/sample-values.ts";
import type { ReadDefinition } from "../description/language/read.ts";
import type { Sample } from "../description/language/samples.ts";
import { type RenderedSample, renderSample } from "../description/samples/render-sample.ts";
import { CALLBACK_NAMES, sampleNames, sampleScope } from "../description/samples/sample-scope.ts";
import type { Scope } from "../description/template/render.ts";
import type { Value } from "../description/template/value.ts";
import type { Found } from "./match-template.ts";
import type { TwinOrder } from "./orders.ts";

/** What the values of an answer come from. */
export type AnswerSource = {
  readonly definition: Description;
  /** Null for the login. */
  readonly operation: OperationName | null;
  readonly found: Found;
  readonly order: TwinOrder | null;
  readonly own: Readonly<Record<string, Value>>;
  readonly now: number;
};

/** The sample of a result: the one of exactly this name, or any of this result. */
export function sampleFor<Type>(samples: Readonly<Record<string, Type>>, names: readonly string[]): Type | null {
  for (const name of names) {
    const key = Object.hasOwn(samples, name) ? name : Object.keys(samples).find((one) => one.startsWith(`${name}.`));
    if (key !== undefined) return samples[key] ?? null;
  }
  return null;
}

/** The values of the request count, then those of the order that it is about, then samples. */
export function answerScope({ definition, operation, found, order, own, now }: AnswerSource): Scope {
  const asked = (name: string): string | undefined => found.get(name) ?? order?.found.get(name);
  const names = operation === null ? CALLBACK_NAMES : sampleNames(operation);
  const given = (name: string): Value | undefined => {
    if (name === "operator") return operatorOf(definition, asked) ?? asked(name);
    const text = asked(name);
    const kind = names.get(name)?.kind ?? "text";
    if (text === undefined || kind === "many") return undefined;
    if (kind === "amount") return parseMoney(text) ?? undefined;
    // The form of a time in a request is not read back; the order's own time is near enough for a rehearsal.
    return kind === "time" ? { kind: "time", at: order?.at ?? now, text } : text;
  };
  const theirs = order === null ? {} : { reference: order.reference, provider_ref: order.providerRef, operator_ref: order.operatorRef };
  const random = { bytes: randomBytes, uuid: () => randomUUID() };
  return sampleScope(definition, { given: sampleValues(names, given, now), own: { ...theirs, ...own }, now, random });
}

/** Our code for what the request names with the provider's. */
function operatorOf({ codes }: Description, asked: (name: string) => string | undefined): string | undefined {
  const theirs = asked("code.operators");
  const values = Object.entries(codes["operators"]?.values ?? {});
  return theirs === undefined ? undefined : values.find(([, value]) => value === theirs)?.[0];
}

export function answerOf(sample: Sample, read: ReadDefinition, source: AnswerSource): RenderedSample {
  return renderSample(sample, read, answerScope(source));
}
