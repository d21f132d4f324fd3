import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LinkButton } from "../../ui/button.tsx";
import { Notice, PageHeader } from "../../ui/page.tsx";
import { PartNav } from "../../ui/part-nav.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { accountQuery } from "../accounts/account.ts";
import { OPERATIONS, useMay } from "../session.ts";
import { CompanyStep } from "./company-step.tsx";
import { ContactsStep } from "./contacts-step.tsx";
import { DocumentsStep } from "./documents-step.tsx";
import { onboardingQuery } from "./onboarding.ts";
import { ReviewStep } from "./review-step.tsx";
import { AddressesStep, CallbackStep, LimitsStep, PricesStep, ServicesStep } from "./setting-steps.tsx";
import { StateBadge } from "./state-badge.tsx";
import type { StepProps } from "./step.tsx";

const STEPS: readonly { readonly step: string; readonly name: string; readonly Content: (props: StepProps) => ReactNode }[] = [
  { step: "company", name: "Company", Content: CompanyStep },
  { step: "contacts", name: "Contacts", Content: ContactsStep },
  { step: "documents", name: "Documents", Content: DocumentsStep },
  { step: "services", name: "Services", Content: ServicesStep },
  { step: "prices", name: "Prices", Content: PricesStep },
  { step: "limits", name: "Limits", Content: LimitsStep },
  { step: "addresses", name: "Addresses", Content: AddressesStep },
  { step: "callback", name: "Callback", Content: CallbackStep },
  { step: "review", name: "Review", Content: ReviewStep },
];
const LAST = STEPS.length - 1;

/** The application of one client: the steps to fill in, and the review. Every step is saved by itself. */
export function OnboardingWizard(): ReactNode {
  const { accountId } = useParams({ from: "/console/onboarding/$accountId" });
  const onboarding = useQuery(onboardingQuery(accountId));
  const account = useQuery(accountQuery(accountId));
  return (
    <QueryView query={onboarding} skeleton={<SkeletonCard lines={10} />}>
      {(shown) => (
        <QueryView query={account} skeleton={<SkeletonCard lines={10} />}>
          {(settings) => <Steps onboarding={shown} account={settings} />}
        </QueryView>
      )}
    </QueryView>
  );
}

function Steps({ onboarding, account }: Pick<StepProps, "onboarding" | "account">): ReactNode {
  const { step } = useSearch({ from: "/console/onboarding/$accountId" });
  const navigate = useNavigate();
  const mayEdit = useMay(OPERATIONS) && onboarding.may_edit;
  const first = mayEdit ? 0 : LAST;
  const place = Math.max(
    STEPS.findIndex((one) => one.step === step),
    step === undefined ? first : 0,
  );
  const shown = STEPS[place];
  if (shown === undefined) return null;
  const next = STEPS[Math.min(place + 1, LAST)]?.step ?? "review";
  return (
    <>
      <PageHeader
        title={onboarding.name}
        actions={
          <LinkButton to="/accounts/$accountId" params={{ accountId: account.account_id }}>
            Show account
          </LinkButton>
        }
      >
        <StateBadge state={onboarding.state} /> Step {place + 1} of {STEPS.length}. Every step is saved, so you can continue later.
      </PageHeader>
      <PartNav
        label="Steps"
        parts={STEPS.map((one, number) => ({
          to: `/onboarding/${account.account_id}`,
          search: { step: one.step },
          label: `${number + 1}. ${one.name}`,
        }))}
      />
      <div className="max-w-3xl space-y-6">
        {account.closed_at !== null && <Notice>This account was closed. Its application can no longer be changed.</Notice>}
        <shown.Content
          key={shown.step}
          onboarding={onboarding}
          account={account}
          mayEdit={mayEdit}
          onNext={() => void navigate({ to: ".", search: { step: next } as never })}
        />
      </div>
    </>
  );
}
