import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Send } from "lucide-react";
import type { ReactNode } from "react";
import { get, post } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Status } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/copy.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { countText } from "../../ui/format.ts";
import { Facts } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { useMay } from "../session.ts";
import { WireRequestBlock } from "../wire-request.tsx";
import { type Attempt, type CallbackDetail, KIND_NAMES, stateLabel } from "./callback.ts";

const POLL_MILLISECONDS = 2_000;

export function CallbackDrawer(): ReactNode {
  const { callbackId } = useParams({ from: "/shell/callbacks/$callbackId" });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const may = useMay("workers");
  const key = ["/callbacks", callbackId];
  const detail = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<CallbackDetail>(`/callbacks/${callbackId}`, {}, signal),
    refetchInterval: (query) => (query.state.data?.state === "delivered" && !query.state.data.in_flight ? false : POLL_MILLISECONDS),
  });
  const { busy, error, attempt } = useAttempt();
  const resend = () =>
    void attempt(async () => {
      const shown = await post<CallbackDetail>(`/callbacks/${callbackId}/resend`);
      queries.setQueryData(key, shown);
      await queries.invalidateQueries({ queryKey: ["/callbacks", "list"] });
      toast("It is being sent now.");
    });
  return (
    <Drawer
      title={detail.data ? `${KIND_NAMES[detail.data.kind]} callback of ${detail.data.order_id}` : "Callback"}
      onClose={() => void navigate({ to: "/callbacks", search: true })}
      {...(may
        ? {
            footer: (
              <Button look="primary" icon={Send} busy={busy} disabled={detail.data === undefined} onClick={resend}>
                Resend
              </Button>
            ),
          }
        : {})}
    >
      {error !== null && <ErrorCard error={error} />}
      <QueryView query={detail} skeleton={<SkeletonCard lines={8} />}>
        {(data) => <Detail callback={data} />}
      </QueryView>
    </Drawer>
  );
}

function Detail({ callback }: { readonly callback: CallbackDetail }): ReactNode {
  const label = stateLabel(callback);
  const failing = callback.state === "waiting" && callback.attempts > 0;
  return (
    <>
      <Facts
        facts={Object.entries({
          Delivery: <Status value={failing ? "failed" : callback.state} {...(label === undefined ? {} : { label })} />,
          Says: <Status value={callback.status} />,
          Order: (
            <Link to={"/transactions/$orderId" as string} params={{ orderId: callback.order_id } as never} className="link font-mono">
              {callback.order_id}
            </Link>
          ),
          "Your reference": <Code text={callback.urid} />,
          ...(callback.complaint_ref === null ? {} : { Complaint: <Code text={callback.complaint_ref} /> }),
          "Callback id": <Code text={callback.callback_id} />,
          Created: <Time value={callback.created_at} />,
          Delivered: <Time value={callback.delivered_at} none="not yet" />,
          "Next attempt": <Time value={callback.next_at} none="none: it was delivered" />,
        })}
      />
      <Attempts attempts={callback.attempt_log} />
      <section aria-label="The request" className="space-y-2">
        <h3 className="font-semibold">The exact request</h3>
        <p className="text-soft">As it would be sent now; time, nonce and signature are made anew at every attempt.</p>
        {callback.request === null ? (
          <p>{callback.request_missing}</p>
        ) : (
          <WireRequestBlock title={`Version ${callback.version}`} request={callback.request} />
        )}
      </section>
    </>
  );
}

function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }): ReactNode {
  return (
    <section aria-label="Attempts" className="space-y-2">
      <h3 className="font-semibold">Attempts</h3>
      {attempts.length === 0 ? (
        <p className="text-soft">None yet; each will stand here with its answer.</p>
      ) : (
        <ol className="space-y-2">
          {attempts.map((attempt) => (
            <li key={attempt.attempt} className="space-y-1 rounded-lg border border-line p-3">
              <div className="flex flex-wrap items-center justify-between gap-2">
                <span className="flex flex-wrap items-center gap-2">
                  <span className="font-medium">Attempt {attempt.attempt}</span>
                  <Status
                    value={attempt.error === null ? "delivered" : "failed"}
                    label={attempt.http_status === null ? "No answer" : `HTTP ${attempt.http_status}`}
                  />
                </span>
                <Time value={attempt.at} />
              </div>
              {attempt.error !== null && <p className="break-words text-bad">{attempt.error}</p>}
              <p className="break-all text-soft text-xs">
                {attempt.url} · version {attempt.version} · {countText(attempt.milliseconds)} ms
              </p>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
