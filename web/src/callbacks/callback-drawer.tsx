import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Send } from "lucide-react";
import type { ReactNode } from "react";
import { get, post } from "../common-api.ts";
import { callbacksText } from "../messages/en/callbacks.ts";
import { fill } from "../messages/fill.ts";
import { Button } from "../ui/button.tsx";
import { ErrorCard } from "../ui/error-card.tsx";
import { Status } from "../ui/formats/badge.tsx";
import { Code } from "../ui/formats/copy.tsx";
import { Time } from "../ui/formats/time.tsx";
import { useAttempt } from "../ui/forms/attempt.ts";
import { Drawer } from "../ui/overlays/drawer.tsx";
import { toast } from "../ui/overlays/toast.tsx";
import { Facts } from "../ui/page.tsx";
import { QueryView } from "../ui/requests/query-view.tsx";
import { SkeletonCard } from "../ui/skeleton.tsx";
import { type CallbackDetail, KIND_NAMES } from "./callback.ts";
import { Attempts, DeliveryState, ExactRequest } from "./delivery.tsx";

const POLL_MILLISECONDS = 2_000;

/** What differs between the portal's and the console's view of a callback. */
type Side = {
  readonly mayResend: boolean;
  /** Label of the client's reference (urid) on this site. */
  readonly reference: string;
  /** Additional facts that this site shows, by label. */
  readonly more?: (callback: CallbackDetail) => Readonly<Record<string, ReactNode>>;
};

export function CallbackView({ callbackId, side }: { readonly callbackId: string; readonly side: Side }): ReactNode {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const key = ["/callbacks", callbackId];
  const detail = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get("/callbacks/:callback_id", { callback_id: callbackId }, signal),
    refetchInterval: (query) => (query.state.data?.state === "delivered" && !query.state.data.in_flight ? false : POLL_MILLISECONDS),
  });
  const { busy, error, attempt } = useAttempt();
  const resend = () =>
    void attempt(async () => {
      queries.setQueryData(key, await post("/callbacks/:callback_id/resend", { callback_id: callbackId }));
      await queries.invalidateQueries({ queryKey: ["/callbacks", "list"] });
      toast(callbacksText.theCallbackIsBeingSent);
    });
  const footer = (
    <Button look="primary" icon={Send} busy={busy} disabled={detail.data === undefined} onClick={resend}>
      {callbacksText.resend}
    </Button>
  );
  return (
    <Drawer
      title={
        detail.data
          ? fill(callbacksText.callbackOf, { kind: KIND_NAMES[detail.data.kind], orderId: detail.data.order_id })
          : callbacksText.callback
      }
      onClose={() => void navigate({ to: "/callbacks", search: true })}
      {...(side.mayResend ? { footer } : {})}
    >
      {error !== null && <ErrorCard error={error} />}
      <QueryView query={detail} skeleton={<SkeletonCard lines={8} />}>
        {(data) => <Detail callback={data} side={side} />}
      </QueryView>
    </Drawer>
  );
}

function Detail({ callback, side }: { readonly callback: CallbackDetail; readonly side: Side }): ReactNode {
  return (
    <>
      <Facts
        facts={Object.entries({
          [callbacksText.delivery]: <DeliveryState callback={callback} />,
          [callbacksText.statusSent]: <Status value={callback.status} />,
          [callbacksText.order]: (
            <Link to="/transactions/$orderId" params={{ orderId: callback.order_id }} className="link font-mono">
              {callback.order_id}
            </Link>
          ),
          ...side.more?.(callback),
          [side.reference]: <Code text={callback.urid} />,
          ...(callback.complaint_ref === null ? {} : { Complaint: <Code text={callback.complaint_ref} /> }),
          [callbacksText.callbackId]: <Code text={callback.callback_id} />,
          [callbacksText.created]: <Time value={callback.created_at} />,
          [callbacksText.delivered]: <Time value={callback.delivered_at} none={callbacksText.notYet} />,
          [callbacksText.nextAttempt]: <Time value={callback.next_at} none={callbacksText.noneAlreadyDelivered} />,
        })}
      />
      <Attempts attempts={callback.attempt_log} />
      <ExactRequest callback={callback} />
    </>
  );
}
