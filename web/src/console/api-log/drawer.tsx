import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Bodies } from "../../api-log/bodies.tsx";
import { statusTone } from "../../api-log/call.tsx";
import type { Schemas } from "../../operator-api.ts";
import { Badge } from "../../ui/formats/badge.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Time } from "../../ui/formats/time.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { Facts } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get } from "../api.ts";

const TITLES = {
  query: "Query (masked)",
  body: "Request body (masked)",
  reply: "Reply (masked)",
  none: "The bodies of this call were not kept. By default they are kept for failures only.",
};

export function CallDrawer(): ReactNode {
  const { accountId, callId } = useParams({ from: "/console/api-log/$accountId/$callId" });
  const navigate = useNavigate();
  const detail = useQuery({
    queryKey: ["/api-calls", accountId, callId],
    queryFn: ({ signal }) => get("/accounts/:account_id/api-calls/:call_id", { account_id: accountId, call_id: callId }, signal),
  });
  return (
    <Drawer
      title={detail.data ? `${detail.data.method} ${detail.data.path}` : "Call"}
      onClose={() => void navigate({ to: "/api-log", search: true })}
    >
      <QueryView query={detail} skeleton={<SkeletonCard lines={8} />}>
        {(call) => (
          <>
            <CallFacts call={call} accountId={accountId} />
            <Bodies call={call} titles={TITLES} />
          </>
        )}
      </QueryView>
    </Drawer>
  );
}

function CallFacts({ call, accountId }: { readonly call: Schemas["CallDetail"]; readonly accountId: string }): ReactNode {
  const none = <span className="text-soft">None</span>;
  return (
    <Facts
      facts={Object.entries({
        Account: (
          <Link to="/accounts/$accountId" params={{ accountId }} className="link font-mono">
            {accountId}
          </Link>
        ),
        Time: <Time value={call.at} />,
        "HTTP status": <Badge tone={statusTone(call.status)}>{call.status}</Badge>,
        Error: call.error === null ? none : <code className="font-mono">{call.error}</code>,
        Code: call.code ?? none,
        Path: <code className="break-all font-mono">{call.path}</code>,
        "Client's reference": call.urid === null ? none : <Code text={call.urid} />,
        Order: call.order_id === null ? none : <Code text={call.order_id} />,
        "API token": call.token_id === null ? none : <Code text={call.token_id} />,
        Address: call.address,
        Duration: `${Math.ceil(call.milliseconds)} ms`,
        "Request id": <Code text={call.request_id} />,
        ...(call.times > 1 ? { Represents: `${countText(call.times)} calls of this kind` } : {}),
      })}
    />
  );
}
