import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { allowlistText } from "../../messages/en/allowlist.ts";
import { PageHeader } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { callbackSettingsQuery } from "../callback-settings.ts";
import { allowlistQuery } from "./allowlist.ts";
import { CallbackSecurity } from "./callback-security.tsx";
import { Entries } from "./entries.tsx";
import { Refused } from "./refused.tsx";

export function AllowlistPage(): ReactNode {
  const allowlist = useQuery(allowlistQuery);
  const settings = useQuery(callbackSettingsQuery);
  return (
    <>
      <PageHeader title={allowlistText.apiIpAllowlist}>{allowlistText.onlyTheseAddressesMayCall}</PageHeader>
      <div className="space-y-4">
        <QueryView query={allowlist} skeleton={<SkeletonCard lines={8} />}>
          {(data) => (
            <div className="space-y-4">
              <Entries entries={data.entries} />
              <Refused refused={data.refused} entries={data.entries.map(({ entry }) => entry)} />
            </div>
          )}
        </QueryView>
        <div id="callback-security">
          <QueryView query={settings} skeleton={<SkeletonCard lines={8} />}>
            {(data) => <CallbackSecurity settings={data} />}
          </QueryView>
        </div>
      </div>
    </>
  );
}
