import { canonicalJson } from "../../../../platform/core/canonical-json.ts";
import { finish, type Sliced } from "../../../../platform/core/slices.ts";
import type { JsonValue } from "../../../../platform/core/strict-json.ts";
import type { Description } from "../definition.ts";
import type { Reading } from "../dry-run/read-sample.ts";
import { type SampleReading, sampleReadings } from "./read-samples.ts";

/** A sample of the stored description that a new description reads otherwise. */
export type SampleChange = {
  readonly path: string;
  readonly name: string;
  readonly before: Reading;
  /** Null when the new description no longer has the call that the sample answers. */
  readonly after: Reading | null;
};

/** Reads the samples of the stored description by a new one, and lists those that are read otherwise. */
export function compareSamples(stored: Description, next: Description): readonly SampleChange[] {
  return finish(sampleChanges(stored, next));
}

/** The same, sample by sample. */
export function* sampleChanges(stored: Description, next: Description): Sliced<readonly SampleChange[]> {
  const before = yield* sampleReadings(stored);
  const after = yield* sampleReadings(withSamplesOf(next, stored));
  const byPath = new Map(after.map((one) => [one.path, one.reading]));
  return before.flatMap((one) => changeOf(one, byPath.get(one.path) ?? null));
}

function changeOf({ path, name, reading }: SampleReading, after: Reading | null): readonly SampleChange[] {
  return after !== null && comparable(reading) === comparable(after) ? [] : [{ path, name, before: reading, after }];
}

/** What matters of a reading: not the words of the rule that led to it. */
function comparable({ outcome, failure, decline, fields, value }: Reading): string {
  return canonicalJson({ outcome, failure, decline, fields, value } as JsonValue);
}

type Sampled = { readonly samples?: unknown; readonly steps?: readonly Sampled[] | undefined; readonly status?: Sampled | undefined };

/** A description with the samples of another one, at the calls that both have. */
function withSamplesOf(next: Description, stored: Description): Description {
  const operations = Object.entries(next.operations).map(([name, operation]) => [
    name,
    withOwnSamples(operation as Sampled, stored.operations[name as keyof Description["operations"]] as Sampled | undefined),
  ]);
  return {
    ...next,
    operations: Object.fromEntries(operations),
    ...(next.login === undefined ? {} : { login: { ...next.login, samples: stored.login?.samples } }),
    callbacks: next.callbacks.map((callback, index) => ({ ...callback, samples: stored.callbacks[index]?.samples })),
  };
}

function withOwnSamples(call: Sampled, stored: Sampled | undefined): Sampled {
  return {
    ...call,
    samples: stored?.samples,
    ...(call.steps === undefined ? {} : { steps: call.steps.map((step, index) => withOwnSamples(step, stored?.steps?.[index])) }),
    ...(call.status === undefined ? {} : { status: withOwnSamples(call.status, stored?.status) }),
  };
}
