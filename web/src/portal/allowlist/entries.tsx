import { Network, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { allowlistText } from "../../messages/en/allowlist.ts";
import { fill } from "../../messages/fill.ts";
import { rich } from "../../messages/rich.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { widthOf } from "../../ui/forms/address-range.ts";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field, showFieldErrors } from "../../ui/forms/field.tsx";
import { WideRangeDialog } from "../../ui/forms/wide-range-dialog.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { ConfirmDialog } from "../../ui/overlays/dialog.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Card } from "../../ui/page.tsx";
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
      toast(fill(allowlistText.wasRemovedCallsFromIt, { entry }));
    });
  const columns: readonly Column<Entry>[] = [
    { header: allowlistText.address, cell: (row) => <EntryName row={row} /> },
    { header: allowlistText.lastHit, wideOnly: true, cell: (row) => <Time value={row.last_hit_at} /> },
    ...(isAllowed ? [removeColumn(busy, setRemoving)] : []),
  ];
  return (
    <Card title={allowlistText.allowedAddresses} flush>
      {error !== null && (
        <div className="px-5 pb-4">
          <ErrorCard error={error} />
        </div>
      )}
      {isAllowed && <AddForm />}
      <DataTable
        label={allowlistText.allowedAddresses}
        columns={columns}
        rows={entries}
        rowKey={(row) => row.entry}
        empty={
          <EmptyState icon={Network} code="curl -4 https://ifconfig.me" codeTitle={allowlistText.findTheAddressYourServer}>
            {allowlistText.allowedAddressesWillAppearHere}
          </EmptyState>
        }
      />
      {removing !== null && (
        <ConfirmDialog
          title={fill(allowlistText.removeTitle, { removing })}
          action={allowlistText.remove}
          danger
          busy={busy}
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(null)}
        >
          {entries.length === 1 ? allowlistText.thisIsTheLastEntry : allowlistText.callsFromThisAddressWill}
        </ConfirmDialog>
      )}
    </Card>
  );
}

function EntryName({ row }: { readonly row: Entry }): ReactNode {
  return (
    <>
      <code className="whitespace-nowrap font-mono text-[0.8125rem]">{row.entry}</code>
      <span className="block text-soft text-xs sm:hidden">{rich(allowlistText.lastHitAt, { time: <Time value={row.last_hit_at} /> })}</span>
    </>
  );
}

function removeColumn(busy: boolean, onRemove: (entry: string) => void): Column<Entry> {
  return {
    header: allowlistText.change,
    right: true,
    cell: (row) => (
      <IconButton
        icon={Trash2}
        label={fill(allowlistText.removeEntry, { entry: row.entry })}
        disabled={busy}
        onClick={() => onRemove(row.entry)}
      />
    ),
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
        toast(fill(allowlistText.entryWasAdded, { entry }));
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
            label={allowlistText.addressOrCidrRange}
            className="min-w-0 grow basis-56"
            autoComplete="off"
            spellCheck={false}
            placeholder={allowlistText.addressExample}
            error={formState.errors.entry?.message}
            {...register("entry", { required: allowlistText.enterAnAddressOrA })}
          />
          <Button type="submit" look="primary" busy={busy} className="mt-6.5">
            {allowlistText.add}
          </Button>
        </div>
        {error !== null && <ErrorCard error={error} />}
      </form>
      {asked !== null && (
        <WideRangeDialog
          entry={asked}
          account={allowlistText.yourAccount}
          busy={busy}
          onClose={() => setAsked(null)}
          onConfirm={() => void add(asked)}
        />
      )}
    </>
  );
}
