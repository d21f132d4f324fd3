import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Bug } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Code } from "../../ui/copy.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { countText } from "../../ui/format.ts";
import { Facts, Notice } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { get } from "../api.ts";
import { type CallDetail, signedText, sixLines, statusTone } from "./call.ts";

export function CallDrawer(): ReactNode {
  const { callId } = useParams({ from: "/shell/logs/$callId" });
  const navigate = useNavigate();
  const detail = useQuery({
    queryKey: ["/logs", callId],
    queryFn: ({ signal }) => get("/logs/:call_id", { call_id: callId }, signal),
  });
  return (
    <Drawer
      title={detail.data ? `${detail.data.method} ${detail.data.path}` : "Call"}
      onClose={() => void navigate({ to: "/logs", search: true })}
    >
      <QueryView query={detail} skeleton={<SkeletonCard lines={8} />}>
        {(data) => (
          <>
            <CallFacts call={data} />
            {data.error === "invalid_signature" && <RefusedSignature call={data} />}
          </>
        )}
      </QueryView>
    </Drawer>
  );
}

function CallFacts({ call }: { readonly call: CallDetail }): ReactNode {
  const none = <span className="text-soft">None</span>;
  return (
    <Facts
      facts={Object.entries({
        Time: <Time value={call.at} />,
        "HTTP status": <Badge tone={statusTone(call.status)}>{call.status}</Badge>,
        Error: call.error === null ? none : <code className="font-mono">{call.error}</code>,
        Code: call.code ?? none,
        Method: call.method,
        Path: <code className="break-all font-mono">{call.path}</code>,
        "Your reference": call.urid === null ? none : <Code text={call.urid} />,
        Order: call.order_id === null ? none : <OrderLink orderId={call.order_id} />,
        "Signed with": signedText(call),
        Address: call.address,
        Duration: `${Math.ceil(call.milliseconds)} ms`,
        "Request id": <Code text={call.request_id} />,
        ...(call.times > 1 ? { Represents: `${countText(call.times)} calls of this kind` } : {}),
      })}
    />
  );
}

function OrderLink({ orderId }: { readonly orderId: string }): ReactNode {
  return (
    <Link to={"/transactions/$orderId" as string} params={{ orderId } as never} className="link font-mono">
      {orderId}
    </Link>
  );
}

function RefusedSignature({ call }: { readonly call: CallDetail }): ReactNode {
  if (call.signature === null) {
    return <Notice>The six lines of this call are no longer stored. Only those of the latest refused signatures are kept.</Notice>;
  }
  return (
    <section aria-label="Refused signature" className="space-y-3">
      <h3 className="font-semibold">Refused signature</h3>
      <Notice tone="bad">{call.signature.reason}</Notice>
      <CodeBlock title="Six lines computed by the service" code={sixLines(call.signature)} />
      <LinkButton to="/signature-debugger" search={{ call: call.call_id }} look="primary">
        <Bug aria-hidden className="size-4" /> Open in the signature debugger
      </LinkButton>
    </section>
  );
}
