import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Select } from "../../ui/forms/field.tsx";
import { Card, Notice } from "../../ui/page.tsx";
import { ApiError } from "../../ui/requests/api.ts";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get } from "../api.ts";
import { type Mapping, type Preview, type ReconciliationDetail, useReconciliationPost } from "./data.ts";
import { FirstRows } from "./first-rows.tsx";
import { StatusValues } from "./status-values.tsx";

/** Maps the file's columns before the run. The service proposes a mapping that staff can change. */
export function MappingStep({ reconciliation }: { readonly reconciliation: ReconciliationDetail }): ReactNode {
  const id = reconciliation.reconciliation_id;
  const query = useQuery({
    queryKey: ["/reconciliations", id, "preview", reconciliation.job_id],
    queryFn: ({ signal }) => get("/reconciliations/:reconciliation_id/preview", { reconciliation_id: id }, signal),
  });
  return (
    <QueryView query={query} skeleton={<SkeletonCard lines={6} />}>
      {(preview) => <MappingForm key={reconciliation.job_id} reconciliation={reconciliation} preview={preview} />}
    </QueryView>
  );
}

const USES = [
  { name: "reference", label: "Our order id", hint: "The reference that was sent to the provider.", optional: true },
  { name: "provider_reference", label: "The provider's reference", hint: "Finds the order when a line has no order id.", optional: true },
  { name: "amount", label: "Amount", hint: "In rupees.", optional: false },
  { name: "status", label: "Status", hint: "Values that mean success, failed or pending.", optional: false },
] as const;

type Props = { readonly reconciliation: ReconciliationDetail; readonly preview: Preview };

function MappingForm({ reconciliation, preview }: Props): ReactNode {
  const [mapping, setMapping] = useState<Mapping>(preview.proposal);
  const send = useReconciliationPost();
  const navigate = useNavigate();
  const { busy, error, attempt } = useAttempt();
  const errors = error instanceof ApiError ? error.fields : {};
  const run = () =>
    attempt(async () => {
      await send("/reconciliations/:reconciliation_id/run", {
        reconciliation_id: reconciliation.reconciliation_id,
        ...mapping,
        // The service says which column must be chosen.
        amount: mapping.amount ?? "",
        status: mapping.status ?? "",
      });
      await navigate({
        to: "/reconciliation/$reconciliationId",
        params: { reconciliationId: reconciliation.reconciliation_id },
        search: {},
      });
    });
  const statusWords = preview.columns.find((column) => column.name === mapping.status)?.words ?? null;
  return (
    <div className="space-y-5">
      {preview.known && reconciliation.mapping === null && (
        <Notice tone="accent">This mapping was used for the provider's last file.</Notice>
      )}
      <Card title="Columns" hint="The mapping is saved for this provider's next file.">
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {USES.map((use) => (
            <ColumnChoice key={use.name} use={use} preview={preview} mapping={mapping} onChange={setMapping} error={errors[use.name]} />
          ))}
        </div>
      </Card>
      {mapping.status !== null && (
        <Card title="Status values" hint="Choose a meaning for every value of the status column before the run.">
          <StatusValues
            words={statusWords}
            mapping={mapping}
            onChange={setMapping}
            error={errors["success"] ?? errors["failed"] ?? errors["pending"]}
          />
        </Card>
      )}
      <FirstRows preview={preview} mapping={mapping} />
      {error !== null && Object.keys(errors).length === 0 && <ErrorCard error={error} />}
      <div className="flex justify-end">
        <Button look="primary" icon={Play} busy={busy} onClick={() => void run()}>
          Run
        </Button>
      </div>
    </div>
  );
}

type ChoiceProps = {
  readonly use: (typeof USES)[number];
  readonly preview: Preview;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
  readonly error: string | undefined;
};

function ColumnChoice({ use, preview, mapping, onChange, error }: ChoiceProps): ReactNode {
  const none = { value: "", label: use.optional ? "None" : "Choose a column" };
  const index = preview.columns.findIndex((column) => column.name === mapping[use.name]);
  const example = preview.examples[0]?.cells[index];
  return (
    <Select
      label={use.label}
      hint={example === undefined || example === "" ? use.hint : `Example: ${example}`}
      error={error}
      options={[none, ...preview.columns.map(({ name }) => ({ value: name, label: name }))]}
      value={mapping[use.name] ?? ""}
      onChange={(event) => onChange({ ...mapping, [use.name]: event.target.value === "" ? null : event.target.value })}
    />
  );
}
