import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { apiAccessText } from "../../messages/en/api-access.ts";
import { fill } from "../../messages/fill.ts";
import { Badge } from "../../ui/formats/badge.tsx";
import { Card, Facts, PageHeader } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { callbackSettingsQuery } from "../callback-settings.ts";
import { TestComplaint } from "./test-complaint.tsx";
import { Urls } from "./urls.tsx";

export function ApiAccessPage(): ReactNode {
  const settings = useQuery(callbackSettingsQuery);
  return (
    <>
      <PageHeader title={apiAccessText.apiAccess}>{apiAccessText.theURLsWhereYourServers}</PageHeader>
      <QueryView
        query={settings}
        skeleton={
          <div className="space-y-4">
            <SkeletonCard lines={3} />
            <SkeletonCard lines={7} />
            <SkeletonCard lines={4} />
          </div>
        }
      >
        {(data) => (
          <div className="space-y-4">
            <Card title="API">
              <Facts
                facts={Object.entries({
                  API: <code className="break-all font-mono">{`${location.origin}/api/corp/v1`}</code>,
                  [apiAccessText.callbackVersion]: (
                    <span className="flex flex-wrap items-center gap-3">
                      <Badge tone={data.version === 3 ? "good" : "plain"}>{fill(apiAccessText.version, { version: data.version })}</Badge>
                      {data.version === 2 && (
                        <Link to="/allowlist" hash="callback-security" className="link">
                          {apiAccessText.switchToVersion3}
                        </Link>
                      )}
                    </span>
                  ),
                })}
              />
            </Card>
            <Urls settings={data} />
            <TestComplaint settings={data} />
          </div>
        )}
      </QueryView>
    </>
  );
}
