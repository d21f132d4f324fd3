import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Controller, useForm } from "react-hook-form";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Money } from "../../ui/formats/money.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field, Select, showFieldErrors } from "../../ui/forms/field.tsx";
import { AMOUNT } from "../../ui/forms/typed-money.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { Facts } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get } from "../api.ts";
import { type AccountChoice, UNMATCHED, UNMATCHED_MESSAGE } from "../clients/account-choice.ts";
import { AccountField } from "../clients/account-field.tsx";
import { type Preview, type ServiceNames, serviceNamesQuery, whatText, whoseText } from "./rule.ts";

type Values = { account_id: AccountChoice; service: string; operator: string; amount: string };
const NAMES = ["account_id", "service", "operator", "amount"] as const;

type PreviewOrderProps = { readonly onClose: () => void };

/** Previews which rule applies to an order, and its fee and commission. */
export function PreviewOrder({ onClose }: PreviewOrderProps): ReactNode {
  const services = useQuery(serviceNamesQuery);
  return (
    <Dialog title="Preview an order" onClose={onClose}>
      <QueryView query={services} skeleton={<SkeletonCard lines={5} />}>
        {(names) => <OrderForm onClose={onClose} services={names} />}
      </QueryView>
    </Dialog>
  );
}

function OrderForm({ onClose, services }: PreviewOrderProps & { readonly services: ServiceNames }): ReactNode {
  const { register, control, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: { account_id: "", service: "recharge", operator: "AT", amount: "100" },
  });
  const { errors } = formState;
  const { busy, error, attempt } = useAttempt();
  const [found, setFound] = useState<Preview | null>(null);
  const options = [...services].map(([value, label]) => ({ value, label }));
  const ask = async (values: Values) => {
    setFound(null);
    try {
      setFound(await get("/pricing/preview", { ...values, account_id: String(values.account_id) }));
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, NAMES, setError)) throw refused;
    }
  };
  return (
    <form onSubmit={handleSubmit((values) => attempt(() => ask(values)))} className="space-y-4" noValidate>
      <p className="text-soft">Shows the fee and commission of an order accepted now. No order is created.</p>
      <Controller
        control={control}
        name="account_id"
        rules={{ validate: (choice) => (choice === UNMATCHED ? UNMATCHED_MESSAGE : choice !== "" || "Choose an account.") }}
        render={({ field }) => (
          <AccountField label="Account" value={field.value} onChange={field.onChange} error={errors.account_id?.message} />
        )}
      />
      <div className="grid grid-cols-2 gap-4">
        <Select label="Service" options={options} error={errors.service?.message} {...register("service")} />
        <Field
          label="Operator"
          autoComplete="off"
          error={errors.operator?.message}
          {...register("operator", { required: "Enter an operator." })}
        />
      </div>
      <Field
        label="Amount in ₹"
        inputMode="decimal"
        autoComplete="off"
        error={errors.amount?.message}
        {...register("amount", { ...AMOUNT, required: "Enter an amount." })}
      />
      {error !== null && <ErrorCard error={error} />}
      {found !== null && <PreviewResult preview={found} services={services} onLeave={onClose} />}
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={busy}>
          Show fee and commission
        </Button>
      </div>
    </form>
  );
}

type PreviewResultProps = { readonly preview: Preview; readonly services: ServiceNames; readonly onLeave: () => void };

function PreviewResult({ preview, services, onLeave }: PreviewResultProps): ReactNode {
  const { rule } = preview;
  return (
    <section aria-label="Fee and commission" aria-live="polite" className="rounded-lg border border-line bg-sunken px-4 py-3">
      <Facts
        facts={[
          ["Fee", <Money key="fee" value={preview.fee} />],
          ["Commission", <Money key="commission" value={preview.commission} />],
          [
            "Rule",
            rule === null ? (
              "No rule applies"
            ) : (
              <Link key="rule" to="/pricing/$ruleId" params={{ ruleId: rule.rule_id }} onClick={onLeave} className="link">
                {whoseText(rule)}: {whatText(rule, services)}
              </Link>
            ),
          ],
        ]}
      />
      <p className="mt-2 text-soft text-xs">Bills and transfers have an additional fee of their own.</p>
    </section>
  );
}
