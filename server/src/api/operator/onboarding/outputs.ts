import { z } from "zod";
import { CONTACT_KINDS, DOCUMENT_KINDS, ONBOARDING_STATES, REVIEWS } from "../../../domain/onboarding/onboarding.ts";
import { ENTITY_TYPES, type EntityType } from "../../../domain/onboarding/tax-ids.ts";
import { timeText } from "../../sites/outputs/output-fields.ts";

const person = { by: z.string().describe("The actor, as in the audit log."), by_name: z.string().nullable() };

const summaryFields = {
  account_id: z.string(),
  name: z.string(),
  state: z.enum(ONBOARDING_STATES),
  kyc: z.enum(["verified", "pending"]),
  agreement: z.enum(["signed", "pending"]),
  legal_name: z.string().nullable(),
  gstin: z.string().nullable(),
  created_at: timeText,
  updated_at: timeText,
  submitted_at: timeText.nullable(),
  completed_at: timeText.nullable(),
};

/** An application in the queue. */
export const onboardingSummaryOutput = z.strictObject(summaryFields).meta({ id: "OnboardingSummary" });

const documentOutput = z
  .strictObject({
    document_id: z.string(),
    kind: z.enum(DOCUMENT_KINDS),
    name: z.string(),
    media_type: z.string(),
    bytes: z.int(),
    ...person,
    uploaded_at: timeText,
    erased_at: timeText.nullable(),
  })
  .meta({ id: "OnboardingDocument" });

const reviewOutput = z
  .strictObject({
    review_id: z.string(),
    review: z.enum(REVIEWS),
    decision: z.enum(["approved", "returned"]),
    reason: z.string(),
    ...person,
    at: timeText,
  })
  .meta({ id: "OnboardingReview" });

/** An application with everything that a reviewer needs. */
export const onboardingOutput = z
  .strictObject({
    ...summaryFields,
    version: z.int(),
    company: z
      .strictObject({
        legal_name: z.string(),
        entity_type: z.enum(Object.keys(ENTITY_TYPES) as [EntityType, ...EntityType[]]),
        pan: z.string(),
        gstin: z.string().nullable(),
        address: z.strictObject({ line: z.string(), city: z.string(), state_code: z.string(), pincode: z.string() }),
      })
      .nullable(),
    contacts: z.array(z.strictObject({ kind: z.enum(CONTACT_KINDS), name: z.string(), email: z.string(), mobile: z.string() })).readonly(),
    documents: z.array(documentOutput).readonly(),
    reviews: z.array(reviewOutput).readonly().describe("Decisions, the newest first."),
    created_by: z.string(),
    created_by_name: z.string().nullable(),
    missing: z
      .strictObject({ kyc: z.array(z.string()).readonly(), agreement: z.array(z.string()).readonly() })
      .describe("What is needed before KYC and agreement can be approved."),
    warnings: z.array(z.string()).readonly().describe("What a reviewer should look at."),
    same_pan: z
      .array(z.strictObject({ account_id: z.string(), name: z.string() }))
      .readonly()
      .describe("Other accounts with this PAN."),
    may_edit: z.boolean().describe("Whether details and documents can be changed now."),
    barred: z.string().nullable().describe("Why the caller may not review this application; null if they may."),
  })
  .meta({ id: "Onboarding" });

export const onboardingCountsOutput = z
  .strictObject({ draft: z.int(), returned: z.int(), kyc: z.int(), agreement: z.int() })
  .meta({ id: "OnboardingCounts" });
