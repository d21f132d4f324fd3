import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Megaphone, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { isEnded, type StatusEvent, StatusView } from "../../status/status-view.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Select } from "../../ui/forms/field.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get, post } from "../api.ts";
import { ReasonDialog } from "../reason-dialog.tsx";
import { OPERATIONS, useMay } from "../session.ts";
import { NewAnnouncement, NewEvent, UpdateEvent } from "./dialogs.tsx";

const REFRESH_MILLISECONDS = 60_000;

type Opened = { readonly kind: "event" } | { readonly kind: "announcement" } | { readonly kind: "update"; readonly event: StatusEvent };

/** The status page as clients see it, with what staff can write on it. */
export function StatusPage(): ReactNode {
  const status = useQuery({
    queryKey: ["/status"],
    queryFn: ({ signal }) => get("/status", {}, signal),
    refetchInterval: REFRESH_MILLISECONDS,
  });
  const isAllowed = useMay(OPERATIONS);
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const update = (event: StatusEvent) =>
    isAllowed && !isEnded(event) && <Button onClick={() => setOpened({ kind: "update", event })}>Add update</Button>;
  return (
    <>
      <PageHeader
        title="Status page"
        actions={
          isAllowed && (
            <>
              <Button icon={Megaphone} onClick={() => setOpened({ kind: "announcement" })}>
                Announce
              </Button>
              <Button look="primary" icon={Plus} onClick={() => setOpened({ kind: "event" })}>
                New incident or maintenance
              </Button>
            </>
          )
        }
      >
        What clients see. States are measured; incidents, maintenance and announcements are yours. Name no client and no provider.
      </PageHeader>
      <QueryView query={status} skeleton={<SkeletonCard lines={10} />}>
        {(page) => (
          <div className="space-y-6">
            <Visibility visibility={page.visibility} isAllowed={isAllowed} />
            <StatusView status={page} actions={update} />
            <Announcements isAllowed={isAllowed} />
            {opened?.kind === "event" && <NewEvent components={page.components} onClose={close} />}
          </div>
        )}
      </QueryView>
      {opened?.kind === "announcement" && <NewAnnouncement onClose={close} />}
      {opened?.kind === "update" && <UpdateEvent event={opened.event} onClose={close} />}
    </>
  );
}

const VISIBILITIES = [
  { value: "public", label: "Public" },
  { value: "clients", label: "Clients only" },
  { value: "off", label: "Off" },
];

const VISIBILITY_HINTS = {
  public: "Everybody can read it at /status, and members in the portal.",
  clients: "Members read it in the portal.",
  off: "Nobody sees it.",
};

type VisibilityProps = { readonly visibility: "public" | "clients" | "off"; readonly isAllowed: boolean };

function Visibility({ visibility, isAllowed }: VisibilityProps): ReactNode {
  const queries = useQueryClient();
  const [wanted, setWanted] = useState<VisibilityProps["visibility"] | null>(null);
  const change = async (reason: string | undefined) => {
    if (wanted === null) return;
    queries.setQueryData(["/status"], await post("/status", { visibility: wanted, reason }));
    toast("The visibility was changed.");
  };
  return (
    <Card title="Who sees it">
      <div className="max-w-md">
        <Select
          label="Visibility"
          hint={VISIBILITY_HINTS[visibility]}
          options={VISIBILITIES}
          value={visibility}
          disabled={!isAllowed}
          onChange={(event) => setWanted(event.target.value as VisibilityProps["visibility"])}
        />
      </div>
      {wanted !== null && wanted !== visibility && (
        <ReasonDialog title="Change who sees the status page?" action="Change" onClose={() => setWanted(null)} run={change}>
          {wanted === "public"
            ? "Everybody on the internet can read the states of services and operators, incidents and maintenance. It names no client, no provider and no volume."
            : "The public page stops within a minute."}
        </ReasonDialog>
      )}
    </Card>
  );
}

function Announcements({ isAllowed }: { readonly isAllowed: boolean }): ReactNode {
  const queries = useQueryClient();
  const list = useQuery({ queryKey: ["/announcements"], queryFn: ({ signal }) => get("/announcements", {}, signal) });
  const { busy, error, attempt } = useAttempt();
  const withdraw = (announcementId: string) =>
    void attempt(async () =>
      queries.setQueryData(["/announcements"], await post("/announcements/:announcement_id/withdraw", { announcement_id: announcementId })),
    );
  return (
    <Card title="Announcements" hint="Shown above every page of the portal until a member dismisses them.">
      {error !== null && <ErrorCard error={error} />}
      <QueryView query={list} skeleton={<SkeletonCard lines={2} />}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={Megaphone}>Announcements to clients will appear here.</EmptyState>
          ) : (
            <ul className="divide-y divide-line">
              {items.map((one) => (
                <li key={one.announcement_id} className="flex flex-wrap items-start justify-between gap-3 py-3">
                  <span className="min-w-0">
                    <span className="block break-words font-medium">{one.title}</span>
                    <span className="block whitespace-pre-line break-words">{one.text}</span>
                    <span className="text-soft text-xs">
                      <Time value={one.shown_from} />
                    </span>
                  </span>
                  {one.withdrawn_at !== null && <Badge>Withdrawn</Badge>}
                  {one.withdrawn_at === null && isAllowed && (
                    <Button busy={busy} aria-label={`Withdraw: ${one.title}`} onClick={() => withdraw(one.announcement_id)}>
                      Withdraw
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Card>
  );
}
