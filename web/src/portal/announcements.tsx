import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Megaphone, X } from "lucide-react";
import type { ReactNode } from "react";
import { portalText } from "../messages/en/portal.ts";
import { fill } from "../messages/fill.ts";
import { IconButton } from "../ui/button.tsx";
import { get, post } from "./api.ts";
import { useSession } from "./session.ts";
import { Viewing } from "./viewing.tsx";

const KEY = ["/announcements"];
const REFRESH_MILLISECONDS = 300_000;

/** What the portal shows above every page. */
export function PortalBanner(): ReactNode {
  return (
    <>
      <Viewing />
      <Announcements />
    </>
  );
}

/** The platform's announcements until the member dismisses them. */
function Announcements(): ReactNode {
  const queries = useQueryClient();
  const isViewing = useSession()?.viewing === true;
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => get("/announcements", {}, signal),
    refetchInterval: REFRESH_MILLISECONDS,
  });
  const dismiss = async (announcementId: string) =>
    queries.setQueryData(KEY, await post("/announcements/:announcement_id/dismiss", { announcement_id: announcementId }));
  return (data?.items ?? []).map((one) => (
    <aside
      key={one.announcement_id}
      aria-label={fill(portalText.announcement, { title: one.title })}
      className="flex items-center gap-3 border-accent/40 border-b bg-accent-tint px-4 py-1 lg:px-8"
    >
      <Megaphone aria-hidden className="size-5 shrink-0 text-accent" />
      <p className="min-w-0 grow whitespace-pre-line break-words">
        <strong className="font-semibold">{one.title}</strong> {one.text}
      </p>
      {!isViewing && (
        <IconButton icon={X} label={fill(portalText.dismiss, { title: one.title })} onClick={() => void dismiss(one.announcement_id)} />
      )}
    </aside>
  ));
}
