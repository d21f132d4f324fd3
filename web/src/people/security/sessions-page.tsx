import { useQuery } from "@tanstack/react-query";
import { Monitor, Smartphone } from "lucide-react";
import { type ReactNode, useState } from "react";
import { post } from "../../ui/api.ts";
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
  const [ending, setEnding] = useState<OpenSession | "others" | null>(null);
  if (error && data === undefined) return <ErrorCard error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonCard lines={5} />;
  const others = data.sessions.filter((session) => !session.current);
  return (
    <Card
      title="Where you are signed in"
      hint="End what you do not know, then change your password."
      actions={others.length > 0 && <Button onClick={() => setEnding("others")}>Sign out everywhere else</Button>}
    >
      <ul className="divide-y divide-line">
        {data.sessions.map((session) => (
          <OneSession key={session.session_id} session={session} onEnd={() => setEnding(session)} />
        ))}
      </ul>
      {ending && <End ending={ending} onClose={() => setEnding(null)} />}
    </Card>
  );
}

function OneSession({ session, onEnd }: { readonly session: OpenSession; readonly onEnd: () => void }): ReactNode {
  const { name, phone } = deviceOf(session.user_agent);
  const Icon = phone ? Smartphone : Monitor;
  return (
    <li className="flex items-center gap-4 py-3 first:pt-0 last:pb-0">
      <Icon aria-hidden className="size-5 shrink-0 text-soft" />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span title={session.user_agent}>{name}</span>
          {session.current && <Badge tone="accent">This one</Badge>}
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

function End({ ending, onClose }: { readonly ending: OpenSession | "others"; readonly onClose: () => void }): ReactNode {
  const all = ending === "others";
  const end = useSecurityChange(
    () => post(all ? "/security/sessions/revoke-others" : `/security/sessions/${ending.session_id}/revoke`),
    all ? "You are signed out everywhere else." : "That session has ended.",
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
        ? "Every other browser has to sign in again."
        : `${deviceOf(ending.user_agent).name} from ${ending.address} has to sign in again.`}
    </ConfirmDialog>
  );
}
