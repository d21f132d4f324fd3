import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { get } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, FormEnd } from "../../ui/dialog.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Checkbox, Field, showFieldErrors } from "../../ui/field.tsx";
import { Card, Facts } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { toast } from "../../ui/toast.tsx";
import { ReasonField } from "../reason-dialog.tsx";
import { ADMINS, useMay } from "../session.ts";
import { type Approval, type Held, type Rules, useApprovalPost } from "./approval.ts";
import { ruleName, ruleText } from "./rules.ts";
import { Waits } from "./waits.tsx";

/** When a second person has to approve. */
export function RulesCard(): ReactNode {
  const query = useQuery({ queryKey: ["/approval-rules"], queryFn: ({ signal }) => get<Rules>("/approval-rules", {}, signal) });
  const may = useMay(ADMINS);
  const [changing, setChanging] = useState(false);
  const change = <Button onClick={() => setChanging(true)}>Change the rules</Button>;
  return (
    <Card
      title="When a second person has to approve"
      hint="Stricter rules apply at once; looser ones wait for approval. Without a threshold nothing waits."
      {...(may && query.data ? { actions: change } : {})}
    >
      <QueryView query={query} skeleton={<SkeletonCard />}>
        {(rules) => (
          <>
            <Facts
              facts={Object.entries(rules).map(([name, value]) => [
                ruleName(name),
                <span key={name} className="whitespace-nowrap">
                  {ruleText(name, value)}
                </span>,
              ])}
            />
            {changing && <ChangeRules rules={rules} onClose={() => setChanging(false)} />}
          </>
        )}
      </QueryView>
    </Card>
  );
}

type Values = {
  wallet_threshold: string;
  order_threshold: string;
  keys_included: boolean;
  pricing_included: boolean;
  providers_included: boolean;
  expire_hours: string;
  new_person_hours: string;
  reason: string;
};
const NAMES = ["wallet_threshold", "order_threshold", "expire_hours", "new_person_hours"] as const;

function ChangeRules({ rules, onClose }: { readonly rules: Rules; readonly onClose: () => void }): ReactNode {
  const send = useApprovalPost();
  const form = useForm<Values>({
    defaultValues: {
      wallet_threshold: rules.wallet_threshold ?? "",
      order_threshold: rules.order_threshold ?? "",
      keys_included: rules.keys_included,
      pricing_included: rules.pricing_included,
      providers_included: rules.providers_included,
      expire_hours: String(rules.expire_hours),
      new_person_hours: String(rules.new_person_hours),
      reason: "",
    },
  });
  const [held, setHeld] = useState<Approval | null>(null);
  const { busy, error, attempt } = useAttempt();
  const save = form.handleSubmit((values) =>
    attempt(async () => {
      try {
        const answer = await send<Rules | Held>("/approval-rules", bodyOf(values));
        if ("approval" in answer) return setHeld(answer.approval);
        toast("The rules hold from this moment.");
        onClose();
      } catch (refused) {
        if (!showFieldErrors<Values>(refused, NAMES, form.setError)) throw refused;
      }
    }),
  );
  return (
    <Dialog title="Change the rules" onClose={onClose}>
      {held !== null ? (
        <Waits approval={held} onClose={onClose} />
      ) : (
        <form onSubmit={(event) => void save(event)} className="space-y-4" noValidate>
          <Fields form={form} />
          {error !== null && <ErrorCard error={error} />}
          <FormEnd onClose={onClose} busy={busy}>
            Save
          </FormEnd>
        </form>
      )}
    </Dialog>
  );
}

function bodyOf(values: Values): object {
  const amount = (text: string) => (text.trim() === "" ? null : text.trim());
  const reason = values.reason.trim();
  return {
    wallet_threshold: amount(values.wallet_threshold),
    order_threshold: amount(values.order_threshold),
    keys_included: values.keys_included,
    pricing_included: values.pricing_included,
    providers_included: values.providers_included,
    expire_hours: Number(values.expire_hours),
    new_person_hours: Number(values.new_person_hours),
    ...(reason === "" ? {} : { reason }),
  };
}

function Fields({ form }: { readonly form: UseFormReturn<Values> }): ReactNode {
  const { register, formState, setValue, watch } = form;
  const { errors } = formState;
  const amount = { inputMode: "decimal", autoComplete: "off", placeholder: "off" } as const;
  return (
    <>
      <Field
        {...amount}
        label="Top-ups and debits from"
        hint="In rupees, by one person to one account within 24 hours. Empty: nobody else has to agree."
        error={errors.wallet_threshold?.message}
        {...register("wallet_threshold")}
      />
      <Field
        {...amount}
        label="Changes of orders from"
        hint="Settling, reversing, refunding, cancelling, and complaints cleared with a refund, added up in the same way."
        error={errors.order_threshold?.message}
        {...register("order_threshold")}
      />
      <Field
        label="Expires after hours"
        type="number"
        min={1}
        max={720}
        error={errors.expire_hours?.message}
        {...register("expire_hours", { required: "Enter a number of hours." })}
      />
      <Field
        label="New people do not approve for hours"
        hint="Whoever was invited, given a role or let in again cannot approve for whoever did that, nor the other way round."
        type="number"
        min={0}
        max={8760}
        error={errors.new_person_hours?.message}
        {...register("new_person_hours", { required: "Enter a number of hours." })}
      />
      <p className="font-medium">While one of the thresholds is set</p>
      <Checkbox label="Operator keys are subject to this too. A key counts as whoever made it." {...register("keys_included")} />
      <Checkbox label="Fee and commission rules need approval." {...register("pricing_included")} />
      <Checkbox label="New providers, their descriptions and secrets need approval." {...register("providers_included")} />
      <p className="text-soft text-xs">New operator keys, and looser rules here, need approval in any case.</p>
      <ReasonField value={watch("reason")} onChange={(words) => setValue("reason", words)} />
    </>
  );
}
