import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import { Bell as BellIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Schemas } from "../../operator-api.ts";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { toastError } from "../../ui/overlays/toast.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get, post } from "../api.ts";
import { useActorNames } from "../audit/entry.ts";
import { notificationText } from "./notification-text.ts";

type Notification = Schemas["Notification"];

const KEY = ["/notifications"];
const REFRESH_MILLISECONDS = 15_000;

/** The bell of the header: how many unread notifications there are, and their list. */
export function Bell(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => get("/notifications", {}, signal),
    refetchInterval: REFRESH_MILLISECONDS,
  });
  const unread = query.data?.unread ?? 0;
  const mark = useMarkRead();
  const unreadIds = query.data?.items.filter((one) => !one.read).map((one) => one.notification_id) ?? [];
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-label={unread === 0 ? "Notifications" : `Notifications, ${unread} unread`}
        title="Notifications"
        className="relative inline-flex size-10 shrink-0 items-center justify-center rounded-md text-soft hover:bg-sunken hover:text-ink"
      >
        <BellIcon aria-hidden className="size-5" />
        {unread > 0 && (
          <span
            aria-hidden
            className="absolute top-0.5 right-0 min-w-4.5 rounded-full bg-accent px-1 text-center text-[0.6875rem] leading-4.5 font-semibold text-on-accent"
          >
            {unread > 99 ? "99+" : unread}
          </span>
        )}
      </button>
      {isOpen && (
        <Drawer
          title="Notifications"
          onClose={() => setOpen(false)}
          {...(unread === 0
            ? {}
            : {
                footer: (
                  <Button busy={mark.isPending} onClick={() => mark.mutate(unreadIds)}>
                    Mark all as read
                  </Button>
                ),
              })}
        >
          <QueryView query={query} skeleton={<SkeletonCard lines={6} />}>
            {({ items }) =>
              items.length === 0 ? (
                <EmptyState icon={BellIcon}>
                  New complaints, items that colleagues assign to you, their notes, alerts, requests for approval and your finished jobs
                  will appear here.
                </EmptyState>
              ) : (
                <ul aria-label="Notifications" className="space-y-1">
                  {items.map((one) => (
                    <Entry key={one.notification_id} notification={one} onOpen={() => setOpen(false)} mark={(id) => mark.mutate([id])} />
                  ))}
                </ul>
              )
            }
          </QueryView>
        </Drawer>
      )}
    </>
  );
}

function useMarkRead() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly string[]) => post("/notifications/read", { notification_ids: [...ids] }),
    onError: toastError,
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

type EntryProps = { readonly notification: Notification; readonly onOpen: () => void; readonly mark: (id: string) => void };

function Entry({ notification, onOpen, mark }: EntryProps): ReactNode {
  const nameOf = useActorNames();
  const { title, text } = notificationText(notification, nameOf);
  const open = () => {
    if (!notification.read) mark(notification.notification_id);
    onOpen();
  };
  return (
    <li>
      <Link
        {...linkOf(notification)}
        onClick={open}
        className={classes("flex gap-3 rounded-md px-3 py-2.5 hover:bg-sunken", !notification.read && "bg-accent-tint")}
      >
        <span aria-hidden className={classes("mt-1.5 size-2 shrink-0 rounded-full", notification.read ? "bg-transparent" : "bg-accent")} />
        <span className="min-w-0">
          <span className={classes("block break-words", !notification.read && "font-medium")}>
            {!notification.read && <span className="sr-only">Unread: </span>}
            {title}
          </span>
          {text !== "" && <span className="line-clamp-3 block whitespace-pre-wrap break-words text-soft">{text}</span>}
          <span className="block text-soft text-xs">
            <Time value={notification.at} />
          </span>
        </span>
      </Link>
    </li>
  );
}

function linkOf({ subject_kind: kind, subject_id: id }: Notification): LinkProps {
  switch (kind) {
    case "complaint":
      // In the page's default view the complaint might be missing from the list behind it, which does no harm.
      return { to: "/complaints/$complaintRef", params: { complaintRef: id } } as LinkProps;
    case "order":
      return { to: "/transactions/$orderId", params: { orderId: id } } as LinkProps;
    case "alert":
      return { to: "/alerts/$alertId", params: { alertId: id } } as LinkProps;
    case "approval":
      return { to: "/approvals/$approvalId", params: { approvalId: id } } as LinkProps;
    case "job":
      return { to: "/jobs/$jobId", params: { jobId: id } } as LinkProps;
  }
}
