import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { StatusView } from "../../status/status-view.tsx";
import { ApiError } from "../../ui/api.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get } from "../api.ts";

const REFRESH_MILLISECONDS = 60_000;

/** The platform's status: services, operators, incidents and maintenance. */
export function StatusPage(): ReactNode {
  const status = useQuery({
    queryKey: ["/status"],
    queryFn: ({ signal }) => get("/status", {}, signal),
    refetchInterval: REFRESH_MILLISECONDS,
  });
  const isOff = status.error instanceof ApiError && status.error.status === 404;
  return (
    <>
      <PageHeader title="Status">Services and operators now, incidents, and planned maintenance.</PageHeader>
      {isOff ? (
        <Card>
          <EmptyState>The platform does not publish its status at the moment.</EmptyState>
        </Card>
      ) : (
        <QueryView query={status} skeleton={<SkeletonCard lines={10} />}>
          {(page) => (
            <>
              <StatusView status={page} />
              {page.visibility === "public" && (
                <p className="mt-6 text-soft">
                  Everybody can read the{" "}
                  <a className="underline" href="/status">
                    status page
                  </a>{" "}
                  and subscribe to its{" "}
                  <a className="underline" href="/status.atom">
                    Atom feed
                  </a>
                  .
                </p>
              )}
            </>
          )}
        </QueryView>
      )}
    </>
  );
}
