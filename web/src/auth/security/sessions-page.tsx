import { useQuery } from "@tanstack/react-query";
import { Monitor, Smartphone } from "lucide-react";
import { type ReactNode, useState } from "react";
import { securityText } from "../../messages/en/security.ts";
import { fill } from "../../messages/fill.ts";
import { rich } from "../../messages/rich.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { ConfirmDialog } from "../../ui/overlays/dialog.tsx";
import { toastError } from "../../ui/overlays/toast.tsx";
import { Card } from "../../ui/page.tsx";
import { authApi } from "../../ui/requests/auth-api.ts";
import { SkeletonCard } from "../../ui/skeleton.tsx";
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
      title={securityText.whereYouAreSignedIn}
      hint={securityText.endAnySessionYouDo}
      actions={others.length > 0 && <Button onClick={() => setSelected("others")}>{securityText.signOutEverywhereElse}</Button>}
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
          {session.current && <Badge tone="accent">{securityText.thisSession}</Badge>}
        </p>
        <p className="text-soft text-xs">
          {rich(securityText.fromLastSeenSignedIn, {
            address: <span className="font-mono">{session.address}</span>,
            lastSeen: <Time value={session.last_seen_at} />,
            signedIn: <Time value={session.created_at} />,
          })}
        </p>
      </div>
      {!session.current && (
        <Button look="danger" aria-label={fill(securityText.endTheSessionOfFrom, { name, address: session.address })} onClick={onEnd}>
          {securityText.end}
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
    all ? securityText.youAreSignedOutEverywhere : securityText.theSessionHasEnded,
  );
  return (
    <ConfirmDialog
      title={all ? securityText.signOutEverywhereElseTitle : securityText.endThisSession}
      action={all ? securityText.signOutEverywhereElse : securityText.endTheSession}
      danger
      busy={end.isPending}
      onClose={onClose}
      onConfirm={() => end.mutate(undefined, { onSettled: onClose, onError: toastError })}
    >
      {all
        ? securityText.allYourOtherBrowsersMust
        : fill(securityText.fromMustSignInAgain, { name: deviceOf(selected.user_agent).name, address: selected.address })}
    </ConfirmDialog>
  );
}
