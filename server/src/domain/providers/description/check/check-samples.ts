import type { Sliced } from "../../../../platform/core/slices.ts";
import type { Fault } from "../../settings/faults.ts";
import type { Description } from "../definition.ts";
import type { CallbackAuth, CallbackDefinition } from "../language/callbacks.ts";
import type { CallbackSample, Sample } from "../language/samples.ts";
import type { KnownNames } from "../request/known-names.ts";
import { allPlans } from "../run/plan.ts";
import { sampleReadings } from "../samples/read-samples.ts";
import { CALLBACK_NAMES, LOGIN_SAMPLE_NAMES, sampleNames } from "../samples/sample-scope.ts";
import { filterFault } from "../template/filters.ts";
import { placeholdersIn } from "../template/parse.ts";
import { isJsonFilter } from "../template/render.ts";
import { jsonPlaces, type TemplatePlace } from "./template-places.ts";

/** A sample that its own description reads otherwise than it is filed shows that one of the two is wrong. */
export function* sampleFaults(definition: Description): Sliced<readonly Fault[]> {
  const named = yield* placeholderFaults(definition);
  // A placeholder that does not exist has no value, so such samples cannot be read.
  if (named.length > 0) return named;
  return (yield* sampleReadings(definition)).flatMap(({ path, fault }) => (fault === null ? [] : [{ path, message: fault }]));
}

function* placeholderFaults(definition: Description): Sliced<readonly Fault[]> {
  const faults: Fault[] = [];
  for (const { name, plan } of allPlans(definition)) {
    const names = sampleNames(name);
    for (const step of plan.steps) faults.push(...answerFaults(step.samples, `${step.place}.samples`, names));
    yield;
  }
  return [
    ...faults,
    ...answerFaults(definition.login?.samples ?? {}, "login.samples", LOGIN_SAMPLE_NAMES),
    ...definition.callbacks.flatMap((callback, index) => callbackFaults(callback, `callbacks[${index}].samples`)),
  ];
}

function answerFaults(samples: Readonly<Record<string, Sample>>, path: string, names: KnownNames): readonly Fault[] {
  return Object.entries(samples).flatMap(([name, { headers, body }]) =>
    [...textPlaces(headers, `${path}.${name}.headers`), ...bodyPlaces(body, `${path}.${name}.body`)].flatMap((place) =>
      templateFaults(place, names),
    ),
  );
}

function callbackFaults({ samples = {}, auth, from }: CallbackDefinition, path: string): readonly Fault[] {
  return Object.entries(samples).flatMap(([name, sample]) => {
    const here = `${path}.${name}`;
    const places = [
      ...textPlaces(sample.headers, `${here}.headers`),
      ...textPlaces(sample.query, `${here}.query`),
      ...bodyPlaces(sample.body, `${here}.body`),
    ];
    // A header or query parameter can be added to a message; a field of the body has its place in the sample.
    const written = signatureField(auth);
    const needs = written !== undefined && !mentionsSignature(sample);
    const missing = needs ? [{ path: `${here}.${from}`, message: `Write {signature} where ${written} is, which proves the message.` }] : [];
    return [...places.flatMap((place) => templateFaults(place, CALLBACK_NAMES)), ...missing];
  });
}

/** The field of the message's own text that carries its proof. */
function signatureField(auth: CallbackAuth): string | undefined {
  return auth.kind === "jwt" || auth.kind === "addresses" || auth.kind === "hint" ? undefined : (auth.field ?? auth.inner);
}

function mentionsSignature({ body, query }: CallbackSample): boolean {
  return placeholdersIn(JSON.stringify([body, query])).some(({ name }) => name === "signature");
}

type Place = Pick<TemplatePlace, "path" | "text" | "inJson">;

function textPlaces(texts: Readonly<Record<string, string>>, path: string): readonly Place[] {
  return Object.entries(texts).map(([name, text]) => ({ path: `${path}.${name}`, text, inJson: false }));
}

function bodyPlaces(body: Sample["body"], path: string): readonly Place[] {
  return typeof body === "string" ? [{ path, text: body, inJson: false }] : jsonPlaces(body, path, "body").templates;
}

function templateFaults({ path, text, inJson }: Place, names: KnownNames): readonly Fault[] {
  return placeholdersIn(text).flatMap((placeholder) => {
    const known = names.get(placeholder.name);
    if (known === undefined) {
      const list = [...names.keys()].map((name) => `{${name}}`).join(" ");
      return [{ path, message: `There is no placeholder {${placeholder.name}} in this sample. Known placeholders: ${list}.` }];
    }
    const fault = filterFault(placeholder, known.kind);
    if (fault !== null) return [{ path, message: fault }];
    const needsJson = placeholder.filters.some(({ name }) => isJsonFilter(name)) && inJson && placeholder.source !== text;
    return needsJson ? [{ path, message: "|number, |boolean and |json must be the whole string of a JSON value." }] : [];
  });
}
