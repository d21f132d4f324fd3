import { z } from "zod";
import { anyObject, timeText } from "../../sites/outputs/output-fields.ts";

const providerVersionOutput = z
  .strictObject({
    version: z.int(),
    state: z.enum(["current", "candidate", "earlier"]),
    created_at: timeText,
    created_by: z.string(),
    reason: z.string().nullable(),
    retired_at: timeText.nullable().describe("When it stopped being current or the candidate; null if it is one of them."),
    compared: z.int().describe("How many answers it read again as the candidate."),
    differing: z.int().describe("How many of them it read otherwise than the current version."),
    last_day: z
      .strictObject({ succeeded: z.int(), failed: z.int(), pending: z.int() })
      .describe("Its orders of the last day, of at most 50,000 orders in all."),
  })
  .meta({ id: "ProviderVersion" });

const differenceOutput = z
  .strictObject({
    difference_id: z.string(),
    at: timeText,
    operation: z.string(),
    reference: z.string().describe("Our reference of the order, as the provider knows it."),
    fields: z.array(z.strictObject({ field: z.string(), current: z.string().nullable(), candidate: z.string().nullable() })).readonly(),
  })
  .meta({ id: "ProviderVersionDifference" });

/** The versions of a provider's description, newest first. */
export const providerVersionsOutput = z
  .strictObject({
    provider: z.string(),
    current: z.int(),
    candidate: z.int().nullable(),
    percent: z.int().describe("The share of new orders that the candidate gets; 0 if it only reads again."),
    versions: z.array(providerVersionOutput).readonly(),
    differences: z.array(differenceOutput).readonly().describe("The newest answers that the candidate reads otherwise."),
  })
  .meta({ id: "ProviderVersions" });

export const versionDefinitionOutput = z
  .strictObject({ provider: z.string(), version: z.int(), definition: anyObject })
  .meta({ id: "ProviderVersionDefinition" });
