import { useQueryClient } from "@tanstack/react-query";
import { Network, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { widthOf } from "../../ui/forms/address-range.ts";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field } from "../../ui/forms/field.tsx";
import { WideRangeDialog } from "../../ui/forms/wide-range-dialog.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Card } from "../../ui/page.tsx";
import { ApiError } from "../../ui/requests/api.ts";
import { clientFact } from "../clients/client-fact.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { type Account, accountQuery, useAccountPost } from "./account.ts";

type AllowlistProps = { readonly account: Account; readonly isAllowed: boolean };

/** The addresses that the client may call from. */
export function Allowlist({ account, isAllowed }: AllowlistProps): ReactNode {
  const [removing, setRemoving] = useState<string | null>(null);
  const change = useAllowlist(account.account_id);
  const remove = async (entry: string, reason: string | undefined) => {
    await change((entries) => entries.filter((known) => known !== entry), reason);
    toast(`${entry} was removed. Calls from it are refused.`);
  };
  return (
    <Card title="IP allowlist" hint="Calls from other addresses are refused with code 2428.">
      {isAllowed && <AddEntry account={account} />}
      {account.allowlist.length === 0 ? (
        <EmptyState icon={Network}>Allowed addresses will appear here. Until one is added, every call is refused.</EmptyState>
      ) : (
        <ul>
          {account.allowlist.map((entry) => (
            <li key={entry} className="flex min-h-11 items-center justify-between gap-3 border-line border-b last:border-b-0">
              <code className="break-all font-mono text-[0.8125rem]">{entry}</code>
              {isAllowed && <IconButton icon={Trash2} label={`Remove ${entry}`} onClick={() => setRemoving(entry)} />}
            </li>
          ))}
        </ul>
      )}
      {removing !== null && (
        <ReasonDialog
          title={`Remove ${removing}?`}
          action="Remove"
          danger
          facts={[clientFact(account)]}
          onClose={() => setRemoving(null)}
          run={(reason) => remove(removing, reason)}
        >
          {account.allowlist.length === 1
            ? "This is the last entry. Without it, every call is refused."
            : "Calls from this address will be refused immediately with ip_not_allowed, code 2428."}
        </ReasonDialog>
      )}
    </Card>
  );
}

function AddEntry({ account }: Pick<AllowlistProps, "account">): ReactNode {
  const change = useAllowlist(account.account_id);
  const { busy, error, attempt } = useAttempt();
  const [asked, setAsked] = useState<string | null>(null);
  const { register, handleSubmit, reset, setError, formState } = useForm<{ entry: string }>({ defaultValues: { entry: "" } });
  const add = (entry: string) =>
    attempt(async () => {
      try {
        await change((entries) => [...entries, entry]);
        reset();
        toast(`${entry} was added. Calls from it are accepted.`);
      } catch (refused) {
        const why = refused instanceof ApiError ? refused.fields["entries"] : undefined;
        if (why === undefined) throw refused;
        setError("entry", { message: why });
      }
    }).finally(() => setAsked(null));
  const submit = handleSubmit(({ entry }) => (widthOf(entry).kind === "ordinary" ? void add(entry.trim()) : setAsked(entry.trim())));
  return (
    <>
      <form onSubmit={(event) => void submit(event)} noValidate className="space-y-3 pb-3">
        <div className="flex flex-wrap items-start gap-3">
          <Field
            label="Address or CIDR range"
            className="min-w-0 grow basis-52"
            autoComplete="off"
            spellCheck={false}
            placeholder="203.0.113.10 or 203.0.113.0/24"
            error={formState.errors.entry?.message}
            {...register("entry", { required: "Enter an address or a CIDR range." })}
          />
          <Button type="submit" busy={busy} className="mt-6.5">
            Add
          </Button>
        </div>
        {error !== null && <ErrorCard error={error} />}
      </form>
      {asked !== null && (
        <WideRangeDialog
          entry={asked}
          account={account.name}
          busy={busy}
          onClose={() => setAsked(null)}
          onConfirm={() => void add(asked)}
        />
      )}
    </>
  );
}

/** The API replaces the whole list, so the list is read first to keep entries that others have just added. */
function useAllowlist(accountId: string) {
  const queries = useQueryClient();
  const send = useAccountPost();
  return async (edit: (entries: readonly string[]) => readonly string[], reason?: string): Promise<void> => {
    const { allowlist } = await queries.fetchQuery({ ...accountQuery(accountId), staleTime: 0 });
    await send("/accounts/:account_id/allowlist", { account_id: accountId, entries: edit(allowlist), reason });
  };
}
