import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import type { Tone } from "../../ui/formats/badge.tsx";
import { get } from "../api.ts";

export type Onboarding = Schemas["Onboarding"];
export type OnboardingSummary = Schemas["OnboardingSummary"];
export type DocumentKind = Schemas["OnboardingDocument"]["kind"];
export type Company = NonNullable<Onboarding["company"]>;
export type Contact = Onboarding["contacts"][number];

export function onboardingQuery(accountId: string) {
  return queryOptions({
    queryKey: ["/onboardings", accountId],
    queryFn: ({ signal }) => get("/accounts/:account_id/onboarding", { account_id: accountId }, signal),
  });
}

export const countsQuery = queryOptions({
  queryKey: ["/onboardings", "counts"],
  queryFn: ({ signal }) => get("/onboardings/counts", {}, signal),
});

export const statesQuery = queryOptions({
  queryKey: ["/onboardings", "states"],
  queryFn: async ({ signal }) => (await get("/onboardings/states", {}, signal)).items,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Shows a changed application at once and reads the lists and the account again. */
export function useShowChange(): (changed: Onboarding) => Promise<void> {
  const queries = useQueryClient();
  return async (changed) => {
    queries.setQueryData(onboardingQuery(changed.account_id).queryKey, changed);
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["/onboardings", "counts"] }),
      queries.invalidateQueries({ queryKey: ["/onboardings", "list"] }),
      queries.invalidateQueries({ queryKey: ["/accounts"] }),
    ]);
  };
}

export const STATES: Readonly<Record<Onboarding["state"], { readonly label: string; readonly tone: Tone }>> = {
  draft: { label: "Draft", tone: "plain" },
  submitted: { label: "In review", tone: "wait" },
  returned: { label: "Returned", tone: "bad" },
  completed: { label: "Completed", tone: "good" },
};

export const ENTITY_NAMES: Readonly<Record<Company["entity_type"], string>> = {
  company: "Company",
  partnership: "Partnership or LLP",
  proprietorship: "Proprietorship",
  hindu_family: "Hindu undivided family",
  trust: "Trust",
  association: "Association or society",
  body_of_individuals: "Body of individuals",
  local_authority: "Local authority",
  government: "Government body",
  juridical_person: "Artificial juridical person",
};

export const CONTACT_NAMES: Readonly<Record<Contact["kind"], string>> = {
  owner: "Owner",
  finance: "Finance",
  technical: "Technical",
  support: "Support",
};

export const DOCUMENT_NAMES: Readonly<Record<DocumentKind, string>> = {
  pan_card: "PAN card",
  gst_certificate: "GST certificate",
  incorporation: "Certificate of incorporation",
  address_proof: "Proof of address",
  bank_proof: "Proof of bank account",
  signatory_proof: "Identity of the signatory",
  resolution: "Board resolution",
  agreement: "Signed agreement",
  other: "Other",
};

export const REVIEW_NAMES = { kyc: "KYC", agreement: "Agreement" } as const;

export function optionsOf<Value extends string>(names: Readonly<Record<Value, string>>) {
  return (Object.entries(names) as [Value, string][]).map(([value, label]) => ({ value, label }));
}
