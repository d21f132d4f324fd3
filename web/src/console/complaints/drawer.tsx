import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ComplaintHead, DecisionNotice, timeFacts, transactionFacts } from "../../complaints/detail.tsx";
import { Status } from "../../ui/formats/badge.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { isNonZero } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { QueueNav } from "../../ui/lists/queue-nav.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { type Fact, Facts, Notice } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { useServiceName } from "../names.ts";
import { SETTLERS, useMay } from "../session.ts";
import { WorkPanel } from "../work/work-panel.tsx";
import { type Complaint, type ComplaintDetail, complaintQuery } from "./complaint.ts";
import { Decide } from "./decide.tsx";
import { Due } from "./due.tsx";
import { useComplaintQueue } from "./queue.ts";

export function ComplaintDrawer(): ReactNode {
  const { complaintRef } = useParams({ from: "/console/complaints/$complaintRef" });
  const navigate = useNavigate();
  const query = useQuery(complaintQuery(complaintRef));
  const isAllowed = useMay(SETTLERS);
  return (
    <Drawer
      title={`Complaint ${complaintRef}`}
      nav={
        <QueueNav
          list={useComplaintQueue()}
          keyOf={(row) => row.complaint_ref}
          current={complaintRef}
          open={(ref) => void navigate({ to: "/complaints/$complaintRef", params: { complaintRef: ref }, search: true })}
        />
      }
      onClose={() => void navigate({ to: "/complaints", search: true })}
      {...(isAllowed && query.data?.status === "OPEN" ? { footer: <Decide complaint={query.data} /> } : {})}
    >
      <QueryView query={query} skeleton={<SkeletonCard lines={8} />}>
        {(complaint) => <View complaint={complaint} />}
      </QueryView>
    </Drawer>
  );
}

function View({ complaint }: { readonly complaint: ComplaintDetail }): ReactNode {
  const serviceName = useServiceName(complaint.service);
  return (
    <>
      <ComplaintHead complaint={complaint}>
        {complaint.status === "OPEN" ? <Due by={complaint.due_by} /> : <Status value={complaint.status} />}
      </ComplaintHead>
      <Outcome complaint={complaint} />
      <blockquote className="whitespace-pre-wrap break-words border-line-strong border-l-2 pl-4">{complaint.description}</blockquote>
      <Facts facts={factsOf(complaint, serviceName)} />
      <WorkPanel subject={{ kind: "complaint", id: complaint.complaint_ref }} />
    </>
  );
}

function Outcome({ complaint }: { readonly complaint: Complaint }): ReactNode {
  if (complaint.status !== "OPEN") return <DecisionNotice complaint={complaint} wallet="the client's wallet" />;
  if (complaint.stage === "refund_blocked") {
    return (
      <Notice tone="bad">
        The refund could not be posted: {complaint.blocked_by ?? "the reason is unknown."} Fix the cause, then decide again.
      </Notice>
    );
  }
  return complaint.transaction_status === "pending" ? (
    <Notice>The transaction is pending. Requery its provider or settle it first, then decide the complaint.</Notice>
  ) : null;
}

/** For staff only: the words are the provider's own. */
function providerFacts({ at_provider: answer }: ComplaintDetail): readonly Fact[] {
  if (answer === null) return [];
  const taken = answer.provider_complaint_ref;
  return [
    ["Provider's reference", taken === null ? "Not taken yet" : <Code key="taken" text={taken} />],
    ["Provider's last answer", answer.last_answer === "" ? "None yet" : answer.last_answer],
    ["Provider asked next", <Time key="next" value={answer.next_at} />],
  ];
}

function factsOf(complaint: ComplaintDetail, serviceName: string): readonly Fact[] {
  return [
    [
      "Client",
      <Link key="client" to="/accounts/$accountId" params={{ accountId: complaint.account_id }} className="link">
        {complaint.account_name}
      </Link>,
    ],
    ...transactionFacts(complaint),
    ["Amount", <Money key="amount" value={complaint.amount} />],
    ...(isNonZero(complaint.fee) ? [["Fee", <Money key="fee" value={complaint.fee} />] as const] : []),
    ["Number", <Code key="account" text={complaint.account} />],
    ["Service", `${serviceName}, ${complaint.operator}`],
    ["Provider", complaint.provider],
    ...providerFacts(complaint),
    ["Client's urid", <Code key="urid" text={complaint.urid} />],
    ...timeFacts(complaint),
  ];
}
