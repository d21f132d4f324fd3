import { z } from "zod";
import { headers } from "./request.ts";
import { httpStatus, jsonTemplate, template } from "./words.ts";

// Samples are answers from the provider's manual or its test environment. Each is read through the description's own rules when
// the description is read, and the twin serves them.

const LONGEST_BODY = 64 * 1024;
const text = z.string().max(LONGEST_BODY, "Must not be longer than 64 kB.");
const sampleBody = z
  .union([text, jsonTemplate])
  .default("")
  .describe("Text, or a JSON value. It may contain placeholders such as {reference}, {provider_ref} and {now|date:dd/MM/yyyy}.");

const sample = z
  .strictObject({ http: httpStatus.default(200).describe("The HTTP status."), headers: headers.default({}), body: sampleBody })
  .meta({ id: "DescriptionSample", description: "An answer of the provider." });
export type Sample = z.infer<typeof sample>;
export type Samples = Readonly<Record<string, Sample>>;

const callbackSample = z
  .strictObject({
    query: z.record(z.string(), template).default({}).describe("Query parameters."),
    headers: headers.default({}),
    body: sampleBody,
  })
  .meta({ id: "DescriptionCallbackSample", description: "A message of the provider. {signature} is its key, signature or token." });
export type CallbackSample = z.infer<typeof callbackSample>;

function keyOf(results: readonly string[]) {
  const words = `${results.slice(0, -1).join(", ")}${results.length > 1 ? " or " : ""}${results.at(-1)}`;
  return z
    .string()
    .regex(
      new RegExp(`^(?:${results.join("|")})(?:\\.[a-z][a-z0-9_]{0,31})?$`),
      `Must be ${words}, with a name after a point if there are several, such as ${results[0]}.other.`,
    );
}

/** Its type is written out, because the compiler does not serialize the whole language otherwise. */
function samplesOf<Value>(results: readonly string[], type: z.ZodType<Value>): z.ZodOptional<z.ZodType<Readonly<Record<string, Value>>>> {
  return z.record(keyOf(results), type).optional().describe("Answers by what they mean, such as success or declined.float.");
}

export const sendSamples = samplesOf(["success", "declined", "pending", "unknown", "continue"], sample);
export const statusSamples = samplesOf(["success", "declined", "pending", "reversed", "not_found", "unknown", "continue"], sample);
export const querySamples = samplesOf(["answered", "refused", "unavailable", "continue"], sample);
export const callbackSamples = samplesOf(["success", "declined", "pending", "reversed", "ask"], callbackSample);
export const loginSamples = samplesOf(["success"], sample);
