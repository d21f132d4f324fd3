import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Pause, Play } from "lucide-react";
import { type ReactNode, useState } from "react";
import { KIND_NAMES } from "../../callbacks/callback.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { ConfirmDialog } from "../../ui/overlays/dialog.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get, post } from "../api.ts";
import { OPERATIONS, SUPPORT, useMay } from "../session.ts";
import { RecoverButton } from "./recover.tsx";
import { TARGET_STATES, type Target, waitingText } from "./target.ts";

const POLL_MILLISECONDS = 3_000;

/** A receiver with problems. The query gives null when the receiver has recovered. */
export function ReceiverDrawer(): ReactNode {
  const { receiver } = useParams({ from: "/console/callbacks/receivers/$receiver" });
  const [accountId = "", kind = ""] = receiver.split(".");
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ["/callbacks/targets", accountId, kind],
    queryFn: async ({ signal }) => {
      const { items } = await get("/callbacks/targets", { account_id: accountId }, signal);
      return items.find((target) => target.kind === kind) ?? null;
    },
    refetchInterval: POLL_MILLISECONDS,
  });
  return (
    <Drawer
      title={query.data ? `${KIND_NAMES[query.data.kind]} callbacks of ${query.data.account_name}` : "Receiver"}
      onClose={() => void navigate({ to: "/callbacks", search: true })}
      footer={<Actions accountId={accountId} name={query.data?.account_name} paused={query.data?.paused ?? false} />}
    >
      <QueryView query={query} skeleton={<SkeletonCard lines={8} />}>
        {(target) => (target === null ? <Notice tone="good">This receiver has no problems now.</Notice> : <About target={target} />)}
      </QueryView>
      <p className="flex flex-wrap gap-2">
        <LinkButton to="/callbacks" search={{ account_id: accountId, state: "waiting" }}>
          Show waiting callbacks
        </LinkButton>
        <LinkButton to="/accounts/$accountId" params={{ accountId }}>
          Show account
        </LinkButton>
      </p>
    </Drawer>
  );
}

function About({ target }: { readonly target: Target }): ReactNode {
  const { label, tone, description } = TARGET_STATES[target.state];
  return (
    <>
      <Notice tone={tone === "bad" ? "bad" : "wait"}>{description}</Notice>
      <Facts
        facts={[
          [
            "State",
            <Badge key="state" tone={tone}>
              {label}
            </Badge>,
          ],
          ["Account", <Code key="account" text={target.account_id} />],
          ["URL", target.url === null ? "None" : <Code key="url" text={target.url} />],
          ["Version", target.version],
          ["Failures in a row", target.failures],
          ["Waiting", waitingText(target)],
          ["Oldest", <Time key="oldest" value={target.oldest_at} />],
          ["Last response", target.last_http_status === null ? (target.last_error ?? "None yet") : `HTTP ${target.last_http_status}`],
          ["Next probe", <Time key="probe" value={target.probe_at} none="None, the breaker is closed" />],
          ["Next attempt", <Time key="next" value={target.next_at} />],
        ]}
      />
    </>
  );
}

type ActionsProps = { readonly accountId: string; readonly name: string | undefined; readonly paused: boolean };

function Actions({ accountId, name, paused }: ActionsProps): ReactNode {
  const queries = useQueryClient();
  const [maySupport, operations] = [useMay(SUPPORT), useMay(OPERATIONS)];
  const [asking, setAsking] = useState(false);
  const { busy, error, attempt } = useAttempt();
  const change = (verb: "pause" | "resume") =>
    void attempt(async () => {
      await post(`/accounts/:account_id/callbacks/${verb}`, { account_id: accountId });
      setAsking(false);
      await queries.invalidateQueries({ queryKey: ["/callbacks/targets"] });
      toast(verb === "pause" ? "The account's callbacks are paused." : "The account's callbacks are being sent again.");
    });
  return (
    <>
      {error !== null && <ErrorCard error={error} />}
      {maySupport && <RecoverButton accountId={accountId} />}
      {operations && paused && (
        <Button look="primary" icon={Play} busy={busy} onClick={() => change("resume")}>
          Resume
        </Button>
      )}
      {operations && !paused && (
        <Button icon={Pause} onClick={() => setAsking(true)}>
          Pause
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          title={`Pause the callbacks of ${name ?? accountId}?`}
          action="Pause callbacks"
          danger
          busy={busy}
          onConfirm={() => change("pause")}
          onClose={() => setAsking(false)}
        >
          No callbacks are sent to the account's URLs until you resume them. Callbacks created meanwhile are kept.
        </ConfirmDialog>
      )}
    </>
  );
}
