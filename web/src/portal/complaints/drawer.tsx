import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { reasonText, stageText } from "../../complaints/labels.ts";
import { Status } from "../../ui/badge.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Money } from "../../ui/money.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { get } from "../api.ts";
import type { Complaint } from "./data.ts";

const REFRESH_MILLISECONDS = 5000;

export function ComplaintDrawer(): ReactNode {
  const { complaintRef } = useParams({ from: "/shell/complaints/$complaintRef" });
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: ["/complaints", complaintRef],
    queryFn: ({ signal }) => get("/complaints/:complaint_ref", { complaint_ref: complaintRef }, signal),
    refetchInterval: ({ state }) => (state.data?.status === "OPEN" ? REFRESH_MILLISECONDS : false),
  });
  return (
    <Drawer title={`Complaint ${complaintRef}`} onClose={() => void navigate({ to: "/complaints", search: true })}>
      {error && data === undefined && <ErrorCard error={error} onRetry={() => void refetch()} />}
      {!error && data === undefined && <SkeletonCard lines={8} />}
      {data && <View complaint={data} />}
    </Drawer>
  );
}

function View({ complaint }: { readonly complaint: Complaint }): ReactNode {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-lg font-semibold">{reasonText(complaint.reason_code)}</p>
        <Status value={complaint.status} />
      </div>
      {complaint.status === "OPEN" ? (
        <Notice>
          {stageText(complaint.stage)}. A decision is due by <Time value={complaint.due_by} />.
        </Notice>
      ) : (
        <Notice tone="good">
          <p className="break-words">{complaint.reason === "" ? "The complaint was decided." : complaint.reason}</p>
          {complaint.status === "REFUNDED" && (
            <p className="mt-1">
              <Money value={complaint.refund_amount} /> was refunded to your wallet.
            </p>
          )}
        </Notice>
      )}
      <Facts facts={factsOf(complaint)} />
    </>
  );
}

// A refund reverses a successful transaction, which pages show as "Reversed".
function shownStatus({ status, transaction_status: now }: Complaint): string {
  return status === "REFUNDED" && now === "FAILED" ? "Reversed" : now;
}

function factsOf(complaint: Complaint): readonly (readonly [string, ReactNode])[] {
  return [
    [
      "Transaction",
      <Link key="order" to="/transactions/$orderId" params={{ orderId: complaint.order_id }} className="link font-mono">
        {complaint.order_id}
      </Link>,
    ],
    ["Your urid", complaint.urid],
    ["Transaction status", <Status key="now" value={shownStatus(complaint)} />],
    ["Service", complaint.service],
    [
      "Description",
      <span key="description" className="whitespace-pre-wrap">
        {complaint.description}
      </span>,
    ],
    ["Stage", stageText(complaint.stage)],
    ["Raised", <Time key="raised" value={complaint.raised_at} />],
    ["Due by", <Time key="due" value={complaint.due_by} />],
    ["Decided", <Time key="resolved" value={complaint.resolved_at} none="Not yet" />],
  ];
}
