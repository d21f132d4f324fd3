import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { REASON_OPTIONS } from "../../complaints/labels.ts";
import { complaintsText } from "../../messages/en/complaints.ts";
import { fill } from "../../messages/fill.ts";
import type { PortalApi } from "../../portal-api.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field, Select, showFieldErrors, TextArea } from "../../ui/forms/field.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Notice } from "../../ui/page.tsx";
import { post } from "../api.ts";
import { useMay } from "../session.ts";

type Values = { order_id: string; reason: PortalApi["POST /complaints"]["input"]["reason"]; description: string };
const [MIN_LENGTH, MAX_LENGTH] = [5, 500];

/** Raises a complaint. The URL may preset the transaction. */
export function RaiseDrawer(): ReactNode {
  const navigate = useNavigate();
  const isAllowed = useMay("workers");
  return (
    <Drawer title={complaintsText.raiseComplaint} onClose={() => void navigate({ to: "/complaints" })}>
      {isAllowed ? <RaiseForm /> : <Notice>{complaintsText.yourRoleIsReadOnly}</Notice>}
    </Drawer>
  );
}

function RaiseForm(): ReactNode {
  const { order_id: orderId = "" } = useSearch({ from: "/shell/complaints/new" });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { busy, error, attempt, forget } = useAttempt();
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: { order_id: orderId, reason: "not_credited", description: "" },
  });
  const { errors } = formState;
  const raise = async (values: Values) => {
    try {
      const { complaint_ref: complaintRef } = await post("/complaints", { ...values, order_id: values.order_id.trim() });
      await Promise.all(["/complaints", "/transactions"].map((key) => queries.invalidateQueries({ queryKey: [key] })));
      toast(fill(complaintsText.complaintWasRaised, { complaintRef }));
      await navigate({ to: "/complaints/$complaintRef", params: { complaintRef }, search: {}, replace: true });
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, ["order_id", "reason", "description"], setError)) throw refused;
    }
  };
  return (
    <form onSubmit={handleSubmit((values) => attempt(() => raise(values)))} onChange={forget} className="space-y-4" noValidate>
      <Field
        label={complaintsText.orderId}
        spellCheck={false}
        autoComplete="off"
        hint={complaintsText.theTransactionThatTheComplaint}
        error={errors.order_id?.message}
        {...register("order_id", { required: complaintsText.enterTheOrderId })}
      />
      <Select label={complaintsText.reason} options={REASON_OPTIONS} error={errors.reason?.message} {...register("reason")} />
      <TextArea
        label={complaintsText.description}
        rows={5}
        hint={complaintsText.describeWhatTheCustomerSees}
        error={errors.description?.message}
        {...register("description", {
          minLength: { value: MIN_LENGTH, message: fill(complaintsText.enterAtLeastCharacters, { minlength: MIN_LENGTH }) },
          maxLength: { value: MAX_LENGTH, message: fill(complaintsText.enterAtMostCharacters, { maxlength: MAX_LENGTH }) },
          required: complaintsText.describeWhatWentWrong,
        })}
      />
      {error !== null && <ErrorCard error={error} />}
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={busy}>
          {complaintsText.raiseComplaint}
        </Button>
      </div>
    </form>
  );
}
