import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field, showFieldErrors } from "../../ui/forms/field.tsx";
import { Dialog, FormEnd } from "../../ui/overlays/dialog.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Facts } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { post } from "../api.ts";
import { isWaitingAction } from "../approvals/approval.ts";
import { useShowApproval } from "../approvals/show-approval.ts";
import { ReasonField } from "../reason-dialog.tsx";
import { MONEY, useMay } from "../session.ts";
import { changesOf, LABELS, SETTING_NAMES, settingText, type TransferSettings, transferSettingsQuery } from "./transfer-settings.ts";
import { SettingsImpactOf } from "./transfer-settings-impact.tsx";

/** Limits and fees of money transfers for the whole installation. */
export function TransferSettingsCard(): ReactNode {
  const query = useQuery(transferSettingsQuery);
  const isAllowed = useMay(MONEY);
  const [changing, setChanging] = useState(false);
  return (
    <section aria-labelledby="limits-and-fees" className="space-y-3">
      <h3 id="limits-and-fees" className="font-semibold">
        Limits and fees
      </h3>
      <QueryView query={query} skeleton={<SkeletonCard lines={6} />}>
        {(settings) => (
          <>
            <Facts facts={SETTING_NAMES.map((name) => [LABELS[name], settingText(name, settings[name])])} />
            {isAllowed && <Button onClick={() => setChanging(true)}>Change limits and fees</Button>}
            {changing && <ChangeSettings settings={settings} onClose={() => setChanging(false)} />}
          </>
        )}
      </QueryView>
    </section>
  );
}

type Values = TransferSettings & { reason: string };
type ChangeProps = { readonly settings: TransferSettings; readonly onClose: () => void };

function ChangeSettings({ settings, onClose }: ChangeProps): ReactNode {
  const queries = useQueryClient();
  const showApproval = useShowApproval();
  const form = useForm<Values>({ defaultValues: { ...settings, reason: "" } });
  const { busy, error, attempt, forget } = useAttempt();
  const { reason, ...typed } = form.watch();
  const changes = changesOf(settings, typed);
  const save = form.handleSubmit(() =>
    attempt(async () => {
      try {
        const answer = await post("/services/transfers/settings", { ...changes, reason: reason.trim() || undefined });
        if (isWaitingAction(answer)) return await showApproval(answer);
        await queries.invalidateQueries({ queryKey: ["/services"] });
        toast("The limits and fees apply from the next quote.");
        onClose();
      } catch (refused) {
        if (!showFieldErrors<Values>(refused, SETTING_NAMES, form.setError)) throw refused;
      }
    }),
  );
  return (
    <Dialog title="Change limits and fees of transfers" wide onClose={onClose}>
      <form onSubmit={(event) => void save(event)} onChange={forget} className="space-y-4" noValidate>
        <p className="text-soft">The limits and fees apply to all clients from the next quote. Existing quotes keep their price.</p>
        <Fields form={form} />
        <SettingsImpactOf settings={settings} changes={changes} />
        <ReasonField value={reason} onChange={(text) => form.setValue("reason", text)} />
        {error !== null && <ErrorCard error={error} />}
        <FormEnd onClose={onClose} busy={busy} disabled={Object.keys(changes).length === 0}>
          Set limits and fees
        </FormEnd>
      </form>
    </Dialog>
  );
}

function Fields({ form }: { readonly form: UseFormReturn<Values> }): ReactNode {
  const { register, formState } = form;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {SETTING_NAMES.map((name) => (
        <Field
          key={name}
          label={LABELS[name]}
          hint={name === "fee_percent" ? "Percentage of the amount, with at most two decimals." : "In rupees."}
          inputMode="decimal"
          autoComplete="off"
          error={formState.errors[name]?.message}
          {...register(name)}
        />
      ))}
    </div>
  );
}
