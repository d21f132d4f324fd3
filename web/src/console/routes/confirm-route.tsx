import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field } from "../../ui/forms/field.tsx";
import { Facts } from "../../ui/page.tsx";
import { ReasonField } from "../reason-dialog.tsx";
import { GoingLive } from "./going-live.tsx";
import { ANY, operatorText, type Proposal, serviceText } from "./route.ts";
import { RouteImpact } from "./route-impact.tsx";

const CONFIRMATION = "all services";

type ConfirmRouteProps = {
  readonly proposal: Proposal;
  /** Whether this makes the installation live. */
  readonly goesLive: boolean;
  readonly action: string;
  readonly onBack: () => void;
  readonly onConfirm: (reason: string | undefined) => Promise<unknown>;
};

/** Shows what a route will hit and asks before it is saved. A route for all services asks for the words. */
export function ConfirmRoute({ proposal, goesLive, action, onBack, onConfirm }: ConfirmRouteProps): ReactNode {
  const { register, handleSubmit, formState, setValue, watch } = useForm({ defaultValues: { understood: false, words: "", reason: "" } });
  const { busy, error, attempt } = useAttempt();
  const { errors } = formState;
  const confirm = handleSubmit(({ reason }) => attempt(() => onConfirm(reason.trim() === "" ? undefined : reason.trim())));
  return (
    <form onSubmit={confirm} className="space-y-4" noValidate>
      <Facts
        facts={[
          ["Orders for", `${serviceText(proposal.service)}, ${operatorText(proposal.operator)}`],
          ["Go to", `${proposal.provider}, priority ${proposal.priority}, weight ${proposal.weight}`],
        ]}
      />
      <RouteImpact proposal={proposal} />
      {goesLive && (
        <GoingLive
          error={errors.understood?.message}
          {...register("understood", { required: "Confirm that the installation goes live." })}
        />
      )}
      {proposal.service === ANY && (
        <Field
          label={`Type “${CONFIRMATION}” to confirm`}
          autoComplete="off"
          error={errors.words?.message}
          {...register("words", { validate: (text) => text.trim().toLowerCase() === CONFIRMATION || `Type the words ${CONFIRMATION}.` })}
        />
      )}
      <ReasonField value={watch("reason")} onChange={(text) => setValue("reason", text)} />
      {error !== null && <ErrorCard error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" look="primary" busy={busy}>
          {action}
        </Button>
      </div>
    </form>
  );
}
