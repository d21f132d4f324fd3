import { z } from "zod";

// The small pieces of the description language: names, texts and templates. Their messages say what to write instead.

export const providerName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, "Must be 1 to 32 small letters, digits or -, a letter first.")
  .describe("The provider's name in this installation.");

/** The name of a secret, constant, code map, computed value or step, as placeholders write it. */
export const ownName = z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, "Must be 1 to 32 small letters, digits or _, a letter first.");

export const text = z.string().min(1, "Must not be empty.").max(2000, "Must not be longer than 2000 characters.");

/** Text with placeholders such as {reference}. */
export const template = z
  .string()
  .max(4000, "Must not be longer than 4000 characters.")
  .describe("Text with placeholders such as {reference}.");

/** Where a value is in an answer, such as `data.items.0.id`. */
export const path = text.describe(
  "Where a value is in the answer: `data.items.0.id`; `a|b` takes the first that is present; `items[ref={reference}]` chooses from a list, with & between several conditions.",
);

export const seconds = (least: number, most: number) =>
  z.number().min(least, `Must be at least ${least} seconds.`).max(most, `Must be at most ${most} seconds.`);

export const httpStatus = z.int().min(200, "Must be an HTTP status from 200 to 599.").max(599, "Must be an HTTP status from 200 to 599.");

export type JsonTemplate = string | number | boolean | null | readonly JsonTemplate[] | { readonly [name: string]: JsonTemplate };

export const jsonTemplate: z.ZodType<JsonTemplate> = z
  .lazy(() => z.union([template, z.number(), z.boolean(), z.null(), z.array(jsonTemplate), z.record(z.string(), jsonTemplate)]))
  .meta({ id: "DescriptionJson" });
