import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ComplaintHead, DecisionNotice, timeFacts, transactionFacts } from "../../complaints/detail.tsx";
import { stageText } from "../../complaints/labels.ts";
import { complaintsText } from "../../messages/en/complaints.ts";
import { fill } from "../../messages/fill.ts";
import { rich } from "../../messages/rich.tsx";
import type { Schemas } from "../../portal-api.ts";
import { Status } from "../../ui/formats/badge.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get } from "../api.ts";

const REFRESH_MILLISECONDS = 5000;

export function ComplaintDrawer(): ReactNode {
  const { complaintRef } = useParams({ from: "/shell/complaints/$complaintRef" });
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ["/complaints", complaintRef],
    queryFn: ({ signal }) => get("/complaints/:complaint_ref", { complaint_ref: complaintRef }, signal),
    refetchInterval: ({ state }) => (state.data?.status === "OPEN" ? REFRESH_MILLISECONDS : false),
  });
  return (
    <Drawer
      title={fill(complaintsText.complaintTitle, { complaintRef })}
      onClose={() => void navigate({ to: "/complaints", search: true })}
    >
      <QueryView query={query} skeleton={<SkeletonCard lines={8} />}>
        {(complaint) => <View complaint={complaint} />}
      </QueryView>
    </Drawer>
  );
}

function View({ complaint }: { readonly complaint: Schemas["Complaint"] }): ReactNode {
  const description = (
    <span key="description" className="whitespace-pre-wrap">
      {complaint.description}
    </span>
  );
  return (
    <>
      <ComplaintHead complaint={complaint}>
        <Status value={complaint.status} />
      </ComplaintHead>
      {complaint.status === "OPEN" ? (
        <Notice>
          {rich(complaintsText.aDecisionIsDueBy, { stage: stageText(complaint.stage), time: <Time value={complaint.due_by} /> })}
        </Notice>
      ) : (
        <DecisionNotice complaint={complaint} wallet={complaintsText.yourWallet} />
      )}
      <Facts
        facts={[
          ...transactionFacts(complaint),
          [complaintsText.yourUrid, <Code key="urid" text={complaint.urid} />],
          [complaintsText.service, complaint.service],
          [complaintsText.description, description],
          [complaintsText.stage, stageText(complaint.stage)],
          ...timeFacts(complaint),
        ]}
      />
    </>
  );
}
