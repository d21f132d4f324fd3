import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field } from "../../ui/field.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { ImpactOf } from "./impact.tsx";
import { rateOf, rateText, type ServiceNames } from "./rule.ts";
import type { TermsText } from "./terms.ts";

const WORDS = "all accounts";

type ConfirmForAllProps = {
  readonly terms: TermsText;
  readonly services: ServiceNames;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onBack: () => void;
  readonly onConfirm: () => void;
};

/** A rule for everybody is asked about in words, with what it would have done. */
export function ConfirmForAll({ terms, services, busy, error, onBack, onConfirm }: ConfirmForAllProps): ReactNode {
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim().toLowerCase() === WORDS) onConfirm();
    else setWrong(true);
  };
  return (
    <form onSubmit={confirm} className="space-y-5" noValidate>
      <Notice tone="bad">
        <p>
          <b>This rule is for every client.</b> It changes what all of them pay or earn, except where a client has a rule of its own.
        </p>
      </Notice>
      <Facts
        facts={[
          ["Whose orders", "All accounts"],
          ["Service", terms.service === "" ? "All services" : (services.get(terms.service) ?? terms.service)],
          ...(terms.service !== "" && terms.operator !== "" ? [["Operator", terms.operator] as const] : []),
          ["Fee", rateText(rateOf(terms.fee)) || "None"],
          ["Commission", rateText(rateOf(terms.commission)) || "None"],
        ]}
      />
      <ImpactOf terms={terms} />
      <Field
        label={`Type “${WORDS}” to confirm`}
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setWrong(false);
        }}
        error={isWrong ? `Type the words ${WORDS}, or go back and choose one account.` : undefined}
      />
      {error !== null && <ErrorCard error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" look="danger" busy={busy}>
          Set the rule for all accounts
        </Button>
      </div>
    </form>
  );
}
