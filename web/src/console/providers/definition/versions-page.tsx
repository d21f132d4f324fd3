import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Schemas } from "../../../operator-api.ts";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { Badge, type Tone } from "../../../ui/formats/badge.tsx";
import { countText } from "../../../ui/formats/format.ts";
import { Time } from "../../../ui/formats/time.tsx";
import { DataTable } from "../../../ui/lists/data-table.tsx";
import { Card, PageHeader } from "../../../ui/page.tsx";
import { QueryView } from "../../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../../ui/skeleton.tsx";
import { get } from "../../api.ts";
import { useActorNames } from "../../audit/entry.ts";
import { CandidateCard } from "./candidate-card.tsx";
import { PromoteDialog } from "./promote-dialog.tsx";

export type Versions = Schemas["ProviderVersions"];
export type Version = Versions["versions"][number];

const REFRESH_MILLISECONDS = 5_000;

/** The versions of a provider's description, and the roll-out of a candidate. */
export function VersionsPage(): ReactNode {
  const { provider } = useParams({ from: "/console/providers/$provider/versions" });
  const query = useQuery({
    queryKey: ["/providers", provider, "versions"],
    queryFn: ({ signal }) => get("/providers/:provider/versions", { provider }, signal),
    refetchInterval: REFRESH_MILLISECONDS,
  });
  const actions = (
    <>
      <LinkButton to="/providers/$provider/definition" params={{ provider }}>
        Edit the definition
      </LinkButton>
      <LinkButton to="/providers/$provider" params={{ provider }}>
        Back to {provider}
      </LinkButton>
    </>
  );
  return (
    <>
      <PageHeader title={`Versions of ${provider}`} actions={actions}>
        An order is finished by the version with which it was sent, also after another version has become current.
      </PageHeader>
      <QueryView query={query} skeleton={<SkeletonCard lines={10} />}>
        {(versions) => (
          <div className="space-y-6">
            <CandidateCard versions={versions} />
            <VersionList versions={versions} />
          </div>
        )}
      </QueryView>
    </>
  );
}

const TONES: Readonly<Record<Version["state"], Tone>> = { current: "good", candidate: "wait", earlier: "plain" };

function VersionList({ versions: { provider, versions } }: { readonly versions: Versions }): ReactNode {
  const [promoted, setPromoted] = useState<Version | null>(null);
  const nameOf = useActorNames();
  return (
    <Card title="All versions" hint="The figures count the orders of the last day." flush>
      <DataTable
        label="Versions"
        rows={versions}
        rowKey={({ version }) => String(version)}
        empty={null}
        columns={[
          {
            header: "Version",
            cell: ({ version, state }) => (
              <span className="flex flex-wrap items-center gap-2">
                {version} <Badge tone={TONES[state]}>{state}</Badge>
              </span>
            ),
          },
          {
            header: "Saved",
            cell: ({ created_at: at, created_by: by, reason, last_day: counts }) => (
              <>
                <Time value={at} /> <span className="text-soft">by {nameOf(by)}</span>
                {reason !== null && <p className="max-w-prose break-words text-soft text-xs">{reason}</p>}
                <p className="text-soft text-xs sm:hidden">
                  {countText(counts.succeeded)} succeeded, {countText(counts.failed)} failed, {countText(counts.pending)} in doubt
                </p>
              </>
            ),
          },
          { header: "Succeeded", right: true, wideOnly: true, cell: ({ last_day: counts }) => countText(counts.succeeded) },
          { header: "Failed", right: true, wideOnly: true, cell: ({ last_day: counts }) => countText(counts.failed) },
          { header: "In doubt", right: true, wideOnly: true, cell: ({ last_day: counts }) => countText(counts.pending) },
          { header: "Differences", right: true, wideOnly: true, cell: differenceText },
          {
            header: "",
            right: true,
            cell: (version) =>
              version.state !== "current" && (
                <Button aria-label={`Make version ${version.version} current`} onClick={() => setPromoted(version)}>
                  {version.state === "earlier" ? "Go back" : "Make current"}
                </Button>
              ),
          },
        ]}
      />
      {promoted !== null && <PromoteDialog provider={provider} version={promoted} onClose={() => setPromoted(null)} />}
    </Card>
  );
}

function differenceText({ compared, differing }: Version): string {
  return compared === 0 ? "–" : `${countText(differing)} of ${countText(compared)}`;
}
