import { useQuery } from "@tanstack/react-query";
import { Monitor, Smartphone } from "lucide-react";
import { type ReactNode, useState } from "react";
import { authApi } from "../../ui/auth-api.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Card } from "../../ui/page.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { toastError } from "../../ui/toast.tsx";
import { type OpenSession, securityQuery, useSecurityChange } from "./data.ts";
import { deviceOf } from "./device.ts";

export function SessionsPage(): ReactNode {
  const { data, error, refetch } = useQuery(securityQuery);
  const [selected, setSelected] = useState<OpenSession | "others" | null>(null);
  if (error && data === undefined) return <ErrorCard error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonCard lines={5} />;
  const others = data.sessions.filter((session) => !session.current);
  return (
    <Card
      title="Where you are signed in"
      hint="End any session you do not recognise, then change your password."
      actions={others.length > 0 && <Button onClick={() => setSelected("others")}>Sign out everywhere else</Button>}
    >
      <ul className="divide-y divide-line">
        {data.sessions.map((session) => (
          <SessionItem key={session.session_id} session={session} onEnd={() => setSelected(session)} />
        ))}
      </ul>
      {selected && <EndSession selected={selected} onClose={() => setSelected(null)} />}
    </Card>
  );
}

function SessionItem({ session, onEnd }: { readonly session: OpenSession; readonly onEnd: () => void }): ReactNode {
  const { name, phone } = deviceOf(session.user_agent);
  const Icon = phone ? Smartphone : Monitor;
  return (
    <li className="flex items-center gap-4 py-3 first:pt-0 last:pb-0">
      <Icon aria-hidden className="size-5 shrink-0 text-soft" />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span title={session.user_agent}>{name}</span>
          {session.current && <Badge tone="accent">This session</Badge>}
        </p>
        <p className="text-soft text-xs">
          From <span className="font-mono">{session.address}</span>, last seen <Time value={session.last_seen_at} />, signed in{" "}
          <Time value={session.created_at} />
        </p>
      </div>
      {!session.current && (
        <Button look="danger" aria-label={`End the session of ${name} from ${session.address}`} onClick={onEnd}>
          End
        </Button>
      )}
    </li>
  );
}

function EndSession({ selected, onClose }: { readonly selected: OpenSession | "others"; readonly onClose: () => void }): ReactNode {
  const all = selected === "others";
  const end = useSecurityChange(
    (): Promise<unknown> =>
      all
        ? authApi.post("/security/sessions/revoke-others")
        : authApi.post("/security/sessions/:session_id/revoke", { session_id: selected.session_id }),
    all ? "You are signed out everywhere else." : "The session has ended.",
  );
  return (
    <ConfirmDialog
      title={all ? "Sign out everywhere else?" : "End this session?"}
      action={all ? "Sign out everywhere else" : "End the session"}
      danger
      busy={end.isPending}
      onClose={onClose}
      onConfirm={() => end.mutate(undefined, { onSettled: onClose, onError: toastError })}
    >
      {all
        ? "All your other browsers must sign in again."
        : `${deviceOf(selected.user_agent).name} from ${selected.address} must sign in again.`}
    </ConfirmDialog>
  );
}
