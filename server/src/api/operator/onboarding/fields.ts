import { z } from "zod";
import { CONTACT_KINDS, DOCUMENT_KINDS, ONBOARDING_STATES, REVIEWS } from "../../../domain/onboarding/onboarding.ts";
import { ENTITY_TYPES, type EntityType, GST_STATES, gstinFault, panFault } from "../../../domain/onboarding/tax-ids.ts";
import { timeListQuery } from "../../sites/lists.ts";
import { accountFilter, accountParams, id, newAccountBody, reason, reasonBody } from "../fields.ts";

const NO_CONTROL = /^\P{Cc}*$/u;
const words = (most: number) =>
  z.string().trim().min(1, "Must not be empty.").max(most).regex(NO_CONTROL, "Must not contain control characters.");
const capitals = z.string().trim().toUpperCase();

const company = z
  .strictObject({
    legal_name: words(200),
    entity_type: z.enum(Object.keys(ENTITY_TYPES) as [EntityType, ...EntityType[]]),
    pan: capitals,
    gstin: capitals.nullable(),
    address: z.strictObject({
      line: words(300),
      city: words(100),
      state_code: z.string().refine((code) => code in GST_STATES, "Must be the GST number of a state, such as 27."),
      pincode: z.string().regex(/^[1-9][0-9]{5}$/, "Must have six digits and not begin with 0."),
    }),
  })
  .superRefine(({ pan, gstin, entity_type: entity }, ctx) => {
    const wrongPan = panFault(pan, entity);
    if (wrongPan !== null) ctx.addIssue({ code: "custom", path: ["pan"], message: wrongPan });
    const wrongGstin = gstin === null ? null : gstinFault(gstin, pan);
    if (wrongGstin !== null) ctx.addIssue({ code: "custom", path: ["gstin"], message: wrongGstin });
  });

const contact = z.strictObject({
  kind: z.enum(CONTACT_KINDS),
  name: words(120),
  email: z.email("Must be an email address.").max(320),
  mobile: z.string().regex(/^[6-9][0-9]{9}$/, "Must be an Indian mobile number of ten digits."),
});

const MAX_CONTACTS = 10;
const version = z.int().min(1).describe("The `version` that was shown. If it has changed since, nothing is saved.");

export const newOnboardingBody = z.strictObject({ name: newAccountBody.shape.name, reason });
export const detailsBody = z.strictObject({
  version,
  name: newAccountBody.shape.name.optional(),
  company: company.optional(),
  contacts: z.array(contact).max(MAX_CONTACTS).optional(),
  reason,
});
export const reviewBody = reasonBody.extend({
  version,
  review: z.enum(REVIEWS),
  decision: z.enum(["approved", "returned"]),
});
export const onboardingQuery = timeListQuery.extend({
  state: z.enum(ONBOARDING_STATES).optional(),
  waiting: z.enum(REVIEWS).optional().describe("Submitted applications whose KYC or agreement waits for a review."),
  search: accountFilter.search,
});
export const documentQuery = z.object({ kind: z.enum(DOCUMENT_KINDS), name: words(200) });
export const documentParams = accountParams.extend({ document_id: id });
