import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { ImpactOf } from "./impact.tsx";
import { rateOf, rateText, type ServiceNames } from "./rule.ts";
import type { TermsText } from "./terms.ts";

const CONFIRMATION = "all accounts";

type ConfirmForAllProps = {
  readonly terms: TermsText;
  readonly services: ServiceNames;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onBack: () => void;
  readonly onConfirm: () => void;
};

/** Asks for a typed confirmation of a rule for all accounts and shows its impact. */
export function ConfirmForAll({ terms, services, busy, error, onBack, onConfirm }: ConfirmForAllProps): ReactNode {
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim().toLowerCase() === CONFIRMATION) onConfirm();
    else setWrong(true);
  };
  return (
    <form onSubmit={confirm} className="space-y-5" noValidate>
      <Notice tone="bad">
        <p>
          <b>This rule applies to every client.</b> It changes what clients pay and earn, except clients that have their own rule.
        </p>
      </Notice>
      <Facts
        facts={[
          ["Applies to", "All accounts"],
          ["Service", terms.service === "" ? "All services" : (services.get(terms.service) ?? terms.service)],
          ...(terms.service !== "" && terms.operator !== "" ? [["Operator", terms.operator] as const] : []),
          ["Fee", rateText(rateOf(terms.fee)) || "None"],
          ["Commission", rateText(rateOf(terms.commission)) || "None"],
        ]}
      />
      <ImpactOf terms={terms} />
      <Field
        label={`Type “${CONFIRMATION}” to confirm`}
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setWrong(false);
        }}
        error={isWrong ? `Type the words ${CONFIRMATION}, or go back and choose one account.` : undefined}
      />
      {error !== null && <ErrorCard error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" look="danger" busy={busy}>
          Set rule for all accounts
        </Button>
      </div>
    </form>
  );
}
