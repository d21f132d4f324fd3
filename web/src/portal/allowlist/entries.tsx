import { Network, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { widthOf } from "../../ui/address-range.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field, showFieldErrors } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { WideRangeDialog } from "../../ui/wide-range-dialog.tsx";
import { useMay } from "../session.ts";
import { type Allowlist, useChangeAllowlist } from "./allowlist.ts";

type Entry = Allowlist["entries"][number];

export function Entries({ entries }: { readonly entries: readonly Entry[] }): ReactNode {
  const isAllowed = useMay("builders");
  const change = useChangeAllowlist();
  const [removing, setRemoving] = useState<string | null>(null);
  const { busy, error, attempt } = useAttempt();
  const remove = (entry: string) =>
    void attempt(async () => {
      setRemoving(null);
      await change("remove", entry);
      toast(`${entry} was removed. Calls from it are refused.`);
    });
  const columns: readonly Column<Entry>[] = [
    { header: "Address", cell: (row) => <EntryName row={row} /> },
    { header: "Last hit", wideOnly: true, cell: (row) => <Time value={row.last_hit_at} /> },
    ...(isAllowed ? [removeColumn(busy, setRemoving)] : []),
  ];
  return (
    <Card title="Allowed addresses" flush>
      {error !== null && (
        <div className="px-5 pb-4">
          <ErrorCard error={error} />
        </div>
      )}
      {isAllowed && <AddForm />}
      <DataTable
        label="Allowed addresses"
        columns={columns}
        rows={entries}
        rowKey={(row) => row.entry}
        empty={
          <EmptyState icon={Network} code="curl -4 https://ifconfig.me" codeTitle="Find the address your server calls from">
            Allowed addresses will appear here. Until you add one, every call is refused.
          </EmptyState>
        }
      />
      {removing !== null && (
        <ConfirmDialog
          title={`Remove ${removing}?`}
          action="Remove"
          danger
          busy={busy}
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(null)}
        >
          {entries.length === 1
            ? "This is the last entry. Without it, every call is refused."
            : "Calls from this address will be refused immediately with ip_not_allowed, code 2428."}
        </ConfirmDialog>
      )}
    </Card>
  );
}

function EntryName({ row }: { readonly row: Entry }): ReactNode {
  return (
    <>
      <code className="whitespace-nowrap font-mono text-[0.8125rem]">{row.entry}</code>
      <span className="block text-soft text-xs sm:hidden">
        Last hit: <Time value={row.last_hit_at} />
      </span>
    </>
  );
}

function removeColumn(busy: boolean, onRemove: (entry: string) => void): Column<Entry> {
  return {
    header: "Change",
    right: true,
    cell: (row) => <IconButton icon={Trash2} label={`Remove ${row.entry}`} disabled={busy} onClick={() => onRemove(row.entry)} />,
  };
}

function AddForm(): ReactNode {
  const change = useChangeAllowlist();
  const { busy, error, attempt } = useAttempt();
  const [asked, setAsked] = useState<string | null>(null);
  const { register, handleSubmit, reset, setError, formState } = useForm<{ entry: string }>({ defaultValues: { entry: "" } });
  const add = (entry: string) =>
    attempt(async () => {
      try {
        await change("add", entry);
        reset();
        toast(`${entry} was added. Calls from it are accepted.`);
      } catch (refused) {
        if (!showFieldErrors(refused, ["entry"], setError)) throw refused;
      }
    }).finally(() => setAsked(null));
  const submit = handleSubmit(({ entry }) => (widthOf(entry).kind === "ordinary" ? void add(entry.trim()) : setAsked(entry.trim())));
  return (
    <>
      <form onSubmit={(event) => void submit(event)} noValidate className="space-y-3 px-5 pb-4">
        <div className="flex flex-wrap items-start gap-3">
          <Field
            label="Address or CIDR range"
            className="min-w-0 grow basis-56"
            autoComplete="off"
            spellCheck={false}
            placeholder="203.0.113.10 or 203.0.113.0/24"
            error={formState.errors.entry?.message}
            {...register("entry", { required: "Enter an address or a CIDR range." })}
          />
          <Button type="submit" look="primary" busy={busy} className="mt-6.5">
            Add
          </Button>
        </div>
        {error !== null && <ErrorCard error={error} />}
      </form>
      {asked !== null && (
        <WideRangeDialog
          entry={asked}
          account="your account"
          busy={busy}
          onClose={() => setAsked(null)}
          onConfirm={() => void add(asked)}
        />
      )}
    </>
  );
}
