import type { EntityType } from "./tax-ids.ts";

// The names are those of the API and of the stored JSON.
export type Company = {
  readonly legal_name: string;
  readonly entity_type: EntityType;
  readonly pan: string;
  /** Null for a client that is not registered for GST. */
  readonly gstin: string | null;
  readonly address: { readonly line: string; readonly city: string; readonly state_code: string; readonly pincode: string };
};

export const CONTACT_KINDS = ["owner", "finance", "technical", "support"] as const;
export type Contact = {
  readonly kind: (typeof CONTACT_KINDS)[number];
  readonly name: string;
  readonly email: string;
  readonly mobile: string;
};

export const DOCUMENT_KINDS = [
  ...(["pan_card", "gst_certificate", "incorporation", "address_proof", "bank_proof"] as const),
  ...(["signatory_proof", "resolution", "agreement", "other"] as const),
] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export const ONBOARDING_STATES = ["draft", "submitted", "returned", "completed"] as const;
export type OnboardingState = (typeof ONBOARDING_STATES)[number];
export const REVIEWS = ["kyc", "agreement"] as const;
export type Review = (typeof REVIEWS)[number];
export type Decision = "approved" | "returned";

type Cause = "submit" | "return" | "complete";

const NEXT: Record<OnboardingState, Partial<Record<Cause, OnboardingState>>> = {
  draft: { submit: "submitted" },
  submitted: { return: "returned", complete: "completed" },
  returned: { submit: "submitted" },
  completed: {},
};

/** The state that follows; null when the transition is not allowed. */
export function nextOnboardingState(state: OnboardingState, cause: Cause): OnboardingState | null {
  return NEXT[state][cause] ?? null;
}

/** Whether details and documents may be changed. The agreement may follow later, until it is approved. */
export function mayEdit(
  { state, agreement }: { readonly state: OnboardingState; readonly agreement: "signed" | "pending" },
  kind: DocumentKind | "details",
): boolean {
  return state === "draft" || state === "returned" || (state === "submitted" && kind === "agreement" && agreement === "pending");
}

/** The review that a document or a detail belongs to. A change of it takes an approval back. */
export function reviewOf(kind: DocumentKind | "details"): Review {
  return kind === "agreement" ? "agreement" : "kyc";
}

export type Given = {
  readonly company: Company | null;
  readonly contacts: readonly Contact[];
  readonly documents: readonly DocumentKind[];
};

/** What a review needs and is not there yet, in words for staff. An application is submitted for KYC first. */
export function missingFor(review: Review, { company, contacts, documents }: Given): readonly string[] {
  if (review === "agreement") return documents.includes("agreement") ? [] : ["The signed agreement"];
  return [
    ...(company === null ? ["The company's name, PAN and address"] : []),
    ...(contacts.some(({ kind }) => kind === "owner") ? [] : ["A contact of the kind Owner"]),
    ...(documents.includes("pan_card") ? [] : ["A copy of the PAN card"]),
    ...(company !== null && company.gstin !== null && !documents.includes("gst_certificate") ? ["The GST registration certificate"] : []),
  ];
}

/** What a reviewer should look at. It does not stop anything. */
export function warningsAbout(company: Company | null): readonly string[] {
  if (company === null) return [];
  const { gstin, address, pan, legal_name: name, entity_type: entity } = company;
  const state = gstin?.slice(0, 2);
  const initial = name
    .replace(/^the\s+/i, "")
    .charAt(0)
    .toUpperCase();
  return [
    ...(gstin === null ? ["The client states that it is not registered for GST."] : []),
    ...(state !== undefined && state !== address.state_code ? ["The GSTIN is of another state than the address."] : []),
    // The fifth letter of an individual's PAN is that of the surname, which is not known here.
    ...(entity !== "proprietorship" && pan.charAt(4) !== initial
      ? ["The fifth letter of the PAN is not the first letter of the legal name."]
      : []),
  ];
}
