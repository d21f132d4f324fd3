import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Card, type Fact, Facts, Notice } from "../../ui/page.tsx";
import { UsersTab } from "../accounts/users-tab.tsx";
import { post } from "../api.ts";
import { ReasonDialog } from "../reason-dialog.tsx";
import { OPERATIONS, SETTLERS, useMay } from "../session.ts";
import { DocumentList } from "./documents-step.tsx";
import { CONTACT_NAMES, ENTITY_NAMES, type Onboarding, REVIEW_NAMES, statesQuery, useShowChange } from "./onboarding.ts";
import { Pending } from "./state-badge.tsx";
import type { StepProps } from "./step.tsx";

/** The whole application, its submission, its two reviews with their history, and the first invitation. */
export function ReviewStep({ onboarding, account }: StepProps): ReactNode {
  const [returned] = onboarding.state === "returned" ? onboarding.reviews : [];
  return (
    <>
      {returned !== undefined && (
        <Notice tone="bad">
          <p>
            <b>
              Returned by {returned.by_name ?? returned.by} ({REVIEW_NAMES[returned.review]}):
            </b>{" "}
            {returned.reason}
          </p>
        </Notice>
      )}
      <Summary onboarding={onboarding} />
      <DocumentList onboarding={onboarding} mayDelete={() => false} />
      <Submit onboarding={onboarding} />
      <Reviews onboarding={onboarding} />
      <UsersTab account={account} ownerEmail={onboarding.contacts.find(({ kind }) => kind === "owner")?.email} />
      <History onboarding={onboarding} />
    </>
  );
}

function Summary({ onboarding }: { readonly onboarding: Onboarding }): ReactNode {
  const { company, contacts, warnings, same_pan: samePan } = onboarding;
  const states = useQuery(statesQuery).data ?? [];
  const stateName = states.find((one) => one.state_code === company?.address.state_code)?.name ?? "";
  const facts: readonly Fact[] =
    company === null
      ? []
      : [
          ["Legal name", company.legal_name],
          ["Kind of entity", ENTITY_NAMES[company.entity_type]],
          ["PAN", <TaxNumber key="pan" text={company.pan} />],
          ["GSTIN", company.gstin === null ? "Not registered for GST" : <TaxNumber key="gstin" text={company.gstin} />],
          ["Address", `${company.address.line}, ${company.address.city} ${company.address.pincode}, ${stateName}`],
        ];
  const people: readonly Fact[] = contacts.map((one) => [CONTACT_NAMES[one.kind], `${one.name}, ${one.email}, ${one.mobile}`]);
  return (
    <Card title="Application">
      <div className="space-y-4">
        {company === null ? <p className="text-soft">The company's details are missing.</p> : <Facts facts={[...facts, ...people]} />}
        {warnings.length + samePan.length > 0 && (
          <Notice>
            <ul className="list-disc space-y-1 pl-5">
              {warnings.map((text) => (
                <li key={text}>{text}</li>
              ))}
              {samePan.map((other) => (
                <li key={other.account_id}>
                  The account{" "}
                  <Link className="underline" to="/accounts/$accountId" params={{ accountId: other.account_id }}>
                    {other.name}
                  </Link>{" "}
                  has the same PAN.
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
    </Card>
  );
}

function TaxNumber({ text }: { readonly text: string }): ReactNode {
  return <span className="font-mono text-[0.8125rem]">{text}</span>;
}

function Submit({ onboarding }: { readonly onboarding: Onboarding }): ReactNode {
  const [asking, setAsking] = useState(false);
  const show = useShowChange();
  const mayEdit = useMay(OPERATIONS) && onboarding.may_edit;
  if (!mayEdit) return null;
  const missing = onboarding.missing.kyc;
  const submit = async (reason: string | undefined) => {
    await show(await post("/accounts/:account_id/onboarding/submit", { account_id: onboarding.account_id, reason }));
    toast("The application was submitted.");
  };
  return (
    <Card
      title="Submit for review"
      hint="After that, details and documents can be changed only if a reviewer returns the application."
      actions={
        <Button look="primary" disabled={missing.length > 0} onClick={() => setAsking(true)}>
          Submit for review
        </Button>
      }
    >
      {missing.length > 0 && <MissingList missing={missing} />}
      {asking && (
        <ReasonDialog title={`Submit ${onboarding.name} for review?`} action="Submit" onClose={() => setAsking(false)} run={submit}>
          The reviewers will find it under KYC pending{onboarding.missing.agreement.length > 0 && ". The signed agreement can follow later"}
          .
        </ReasonDialog>
      )}
    </Card>
  );
}

function MissingList({ missing }: { readonly missing: readonly string[] }): ReactNode {
  return (
    <div className="text-soft">
      <p>Still missing:</p>
      <ul className="list-disc pl-5">
        {missing.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

function Reviews({ onboarding }: { readonly onboarding: Onboarding }): ReactNode {
  const mayReview = useMay(SETTLERS) && onboarding.state === "submitted";
  return (
    <Card title="Reviews" hint="With both approved, the client can transact.">
      {onboarding.barred !== null && mayReview && <Notice>{onboarding.barred}</Notice>}
      <div className="divide-y divide-line">
        <ReviewRow onboarding={onboarding} review="kyc" mayReview={mayReview && onboarding.barred === null} />
        <ReviewRow onboarding={onboarding} review="agreement" mayReview={mayReview && onboarding.barred === null} />
      </div>
    </Card>
  );
}

type RowProps = { readonly onboarding: Onboarding; readonly review: "kyc" | "agreement"; readonly mayReview: boolean };

function ReviewRow({ onboarding, review, mayReview }: RowProps): ReactNode {
  const [asked, setAsked] = useState<"approved" | "returned" | null>(null);
  const show = useShowChange();
  const isDone = onboarding[review] !== "pending";
  const missing = onboarding.missing[review];
  const name = REVIEW_NAMES[review];
  const decide = async (reason: string | undefined) => {
    const { account_id: accountId, version } = onboarding;
    if (asked === null || reason === undefined) return;
    const decision = { account_id: accountId, version, review, decision: asked, reason };
    await show(await post("/accounts/:account_id/onboarding/review", decision));
    toast(asked === "approved" ? `${name} was approved.` : "The application was returned.");
  };
  return (
    <div className="space-y-2 py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex items-center gap-2 font-medium">
          {name} <Pending done={isDone} label={review === "kyc" ? "Verified" : "Signed"} />
        </p>
        {mayReview && !isDone && (
          <div className="flex flex-wrap gap-2">
            <Button look="danger" onClick={() => setAsked("returned")}>
              Return ({name})
            </Button>
            <Button look="primary" disabled={missing.length > 0} onClick={() => setAsked("approved")}>
              Approve {name}
            </Button>
          </div>
        )}
      </div>
      {mayReview && !isDone && missing.length > 0 && <MissingList missing={missing} />}
      {asked !== null && (
        <ReasonDialog
          title={asked === "approved" ? `Approve ${name} of ${onboarding.name}?` : `Return the application of ${onboarding.name}?`}
          action={asked === "approved" ? `Approve ${name}` : "Return"}
          danger={asked === "returned"}
          required
          onClose={() => setAsked(null)}
          run={decide}
        >
          {asked === "approved"
            ? "Say what you compared. With KYC and agreement approved, the client can transact immediately."
            : "Say what has to be changed. The authors can then edit the application and submit it again."}
        </ReasonDialog>
      )}
    </div>
  );
}

function History({ onboarding }: { readonly onboarding: Onboarding }): ReactNode {
  if (onboarding.reviews.length === 0) return null;
  return (
    <Card title="History of reviews">
      <ul className="space-y-3">
        {onboarding.reviews.map((one) => (
          <li key={one.review_id}>
            <span className="flex flex-wrap items-center gap-2">
              <Badge tone={one.decision === "approved" ? "good" : "bad"}>
                {REVIEW_NAMES[one.review]} {one.decision}
              </Badge>
              <span className="text-soft">
                {one.by_name ?? one.by}, <Time value={one.at} />
              </span>
            </span>
            <span className="block break-words">{one.reason}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
