import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { statusText } from "../../messages/en/status.ts";
import { rich } from "../../messages/rich.tsx";
import { StatusView } from "../../status/status-view.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { ApiError } from "../../ui/requests/api.ts";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get } from "../api.ts";
import { StatusSubscriptions } from "./subscriptions.tsx";

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
      <PageHeader title={statusText.status}>{statusText.servicesAndOperatorsNowIncidents}</PageHeader>
      {isOff ? (
        <Card>
          <EmptyState>{statusText.thePlatformDoesNotPublish}</EmptyState>
        </Card>
      ) : (
        <QueryView query={status} skeleton={<SkeletonCard lines={10} />}>
          {(page) => (
            <>
              <StatusView status={page} />
              <div className="mt-6">
                <StatusSubscriptions />
              </div>
              {page.visibility === "public" && (
                <p className="mt-6 text-soft">
                  {rich(statusText.everybodyCanRead, {
                    page: (text) => (
                      <a className="underline" href="/status">
                        {text}
                      </a>
                    ),
                    feed: (text) => (
                      <a className="underline" href="/status.atom">
                        {text}
                      </a>
                    ),
                  })}
                </p>
              )}
            </>
          )}
        </QueryView>
      )}
    </>
  );
}
