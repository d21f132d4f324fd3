import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { countText } from "../../../ui/formats/format.ts";
import { Time } from "../../../ui/formats/time.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { DataTable } from "../../../ui/lists/data-table.tsx";
import { toast } from "../../../ui/overlays/toast.tsx";
import { Card, Stat } from "../../../ui/page.tsx";
import { post } from "../../api.ts";
import { ReasonDialog } from "../../reason-dialog.tsx";
import { useProvidersChanged } from "../provider.ts";
import type { Version, Versions } from "./versions-page.tsx";

/** The candidate of a provider: its figures, its share of new orders, and what it reads otherwise. */
export function CandidateCard({ versions }: { readonly versions: Versions }): ReactNode {
  const candidate = versions.versions.find(({ state }) => state === "candidate");
  if (candidate === undefined) {
    return (
      <Card title="Candidate">
        <p className="text-soft">
          There is no candidate. Edit the definition and press “Save as candidate” to try a change beside the current version.
        </p>
      </Card>
    );
  }
  return (
    <>
      <Card title={`Candidate: version ${candidate.version}`} hint={stateText(versions.percent)}>
        <div className="mb-5 grid gap-3 sm:grid-cols-3">
          <Stat label="Answers read again">{countText(candidate.compared)}</Stat>
          <Stat label="Read otherwise">{countText(candidate.differing)}</Stat>
          <Stat label="Share of new orders">{versions.percent} %</Stat>
        </div>
        <Rollout key={`${candidate.version} ${versions.percent}`} versions={versions} candidate={candidate} />
      </Card>
      <Differences versions={versions} />
    </>
  );
}

function stateText(percent: number): string {
  if (percent === 0)
    return "Shadow: all orders use the current version, and the candidate reads their answers again. Nothing is sent twice.";
  return `Roll-out: ${percent} % of new orders use the candidate. It reads the answers of the others again.`;
}

function Rollout({ versions, candidate }: { readonly versions: Versions; readonly candidate: Version }): ReactNode {
  const { provider, percent } = versions;
  const { version } = candidate;
  const [share, setShare] = useState(String(percent));
  const [asked, setAsked] = useState<"share" | "drop" | null>(null);
  const changed = useProvidersChanged();
  const isValid = /^(?:\d{1,2}|100)$/.test(share);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (isValid) setAsked("share");
  };
  return (
    <form onSubmit={save} noValidate className="space-y-3">
      <div className="flex flex-wrap items-start gap-2">
        <Field
          label="Share of new orders, in percent"
          hint="0 reads answers again and sends nothing."
          inputMode="numeric"
          className="min-w-0 flex-1 basis-48"
          error={isValid ? undefined : "Enter a whole number from 0 to 100."}
          value={share}
          onChange={(event) => setShare(event.target.value)}
        />
        <Button type="submit" look="primary" className="mt-7" disabled={Number(share) === percent}>
          Set share
        </Button>
        <Button look="danger" className="sm:mt-7" onClick={() => setAsked("drop")}>
          Drop candidate
        </Button>
      </div>
      {asked === "share" && (
        <ReasonDialog
          title={`Give version ${version} of ${provider} ${share} % of new orders?`}
          action="Set share"
          onClose={() => setAsked(null)}
          run={async (reason) => {
            await post("/providers/:provider/rollout", { provider, version, percent: Number(share), ...(reason ? { reason } : {}) });
            await changed();
            toast(`${share} % of the new orders of ${provider} use version ${version}.`);
          }}
        >
          {impactText(versions, Number(share))}
          {candidate.differing > 0 &&
            ` It read ${candidate.differing} of ${candidate.compared} answers otherwise than the current version.`}
        </ReasonDialog>
      )}
      {asked === "drop" && (
        <ReasonDialog
          title={`Drop version ${version} of ${provider}?`}
          action="Drop candidate"
          danger
          onClose={() => setAsked(null)}
          run={async (reason) => {
            await post("/providers/:provider/candidate/drop", { provider, version, ...(reason ? { reason } : {}) });
            await changed();
            toast(`Version ${version} of ${provider} was dropped.`);
          }}
        >
          New orders use the current version. Orders that were sent with version {version} are finished by it.
        </ReasonDialog>
      )}
    </form>
  );
}

function impactText({ versions }: Versions, share: number): string {
  const orders = versions.reduce((sum, { last_day: day }) => sum + day.succeeded + day.failed + day.pending, 0);
  return `Of the ${countText(orders)} orders of the last day, about ${countText(Math.round((orders * share) / 100))} would have used it.`;
}

function Differences({ versions: { differences } }: { readonly versions: Versions }): ReactNode {
  return (
    <Card title="What the candidate reads otherwise" hint="The newest 50 answers." flush={differences.length > 0}>
      <DataTable
        label="Differences"
        rows={differences}
        rowKey={(one) => one.difference_id}
        empty={<p className="text-soft">Answers that the candidate reads otherwise than the current version appear here.</p>}
        columns={[
          { header: "Time", cell: ({ at }) => <Time value={at} /> },
          { header: "Operation", cell: ({ operation }) => operation },
          { header: "Reference", wideOnly: true, cell: ({ reference }) => <code className="break-all font-mono">{reference}</code> },
          {
            header: "Current version, then candidate",
            cell: ({ fields }) => (
              <ul>
                {fields.map(({ field, current, candidate }) => (
                  <li key={field} className="break-words">
                    <span className="text-soft">{field.replace("_", " ")}:</span> {current ?? "none"} → {candidate ?? "none"}
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </Card>
  );
}
