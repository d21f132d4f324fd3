import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Bug } from "lucide-react";
import type { ReactNode } from "react";
import { Bodies } from "../../api-log/bodies.tsx";
import { statusTone } from "../../api-log/call.tsx";
import { logsText } from "../../messages/en/logs.ts";
import { tokensText } from "../../messages/en/tokens.ts";
import { fill } from "../../messages/fill.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { CodeBlock } from "../../ui/formats/code-block.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Time } from "../../ui/formats/time.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get } from "../api.ts";
import { type CallDetail, signedText, sixLines } from "./call.ts";

const BODY_TITLES = {
  query: tokensText.queryMasked,
  body: tokensText.requestBodyMasked,
  reply: tokensText.replyMasked,
  none: tokensText.bodiesWereNotKept,
};

export function CallDrawer(): ReactNode {
  const { callId } = useParams({ from: "/shell/logs/$callId" });
  const navigate = useNavigate();
  const detail = useQuery({
    queryKey: ["/logs", callId],
    queryFn: ({ signal }) => get("/logs/:call_id", { call_id: callId }, signal),
  });
  return (
    <Drawer
      title={detail.data ? `${detail.data.method} ${detail.data.path}` : logsText.call}
      onClose={() => void navigate({ to: "/logs", search: true })}
    >
      <QueryView query={detail} skeleton={<SkeletonCard lines={8} />}>
        {(data) => (
          <>
            <CallFacts call={data} />
            {data.error === "invalid_signature" && <RefusedSignature call={data} />}
            <Bodies call={data} titles={BODY_TITLES} />
          </>
        )}
      </QueryView>
    </Drawer>
  );
}

function CallFacts({ call }: { readonly call: CallDetail }): ReactNode {
  const none = <span className="text-soft">{logsText.none}</span>;
  return (
    <Facts
      facts={Object.entries({
        [logsText.time]: <Time value={call.at} />,
        [logsText.httpStatus]: <Badge tone={statusTone(call.status)}>{call.status}</Badge>,
        [logsText.error]: call.error === null ? none : <code className="font-mono">{call.error}</code>,
        [logsText.code]: call.code ?? none,
        [logsText.method]: call.method,
        [logsText.path]: <code className="break-all font-mono">{call.path}</code>,
        [logsText.yourReference]: call.urid === null ? none : <Code text={call.urid} />,
        [logsText.order]: call.order_id === null ? none : <OrderLink orderId={call.order_id} />,
        [logsText.signedWith]: signedText(call),
        [logsText.address]: call.address,
        [logsText.duration]: fill(logsText.ms, { milliseconds: Math.ceil(call.milliseconds) }),
        [logsText.requestId]: <Code text={call.request_id} />,
        ...(call.times > 1 ? { Represents: fill(logsText.callsOfThisKind, { times: countText(call.times) }) } : {}),
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
    return <Notice>{logsText.theSixLinesOfThis}</Notice>;
  }
  return (
    <section aria-label={logsText.refusedSignature} className="space-y-3">
      <h3 className="font-semibold">{logsText.refusedSignature}</h3>
      <Notice tone="bad">{call.signature.reason}</Notice>
      <CodeBlock title={logsText.sixLinesComputedByThe} code={sixLines(call.signature)} />
      <LinkButton to="/signature-debugger" search={{ call: call.call_id }} look="primary">
        <Bug aria-hidden className="size-4" />
        {logsText.openInTheSignatureDebugger}
      </LinkButton>
    </section>
  );
}
