import { type ReactNode, useState } from "react";
import { SecretCard } from "../../ui/secret-card.tsx";
import { type Account, useAccountPost } from "./account.ts";
import { ReasonButton } from "./reason-button.tsx";

type NewSecretProps = {
  readonly account: Account;
  readonly path: string;
  /** Name of the response field that holds the secret. */
  readonly field: string;
  readonly name: string;
  readonly button: string;
  readonly danger?: boolean;
  /** What happens to the previous secret. */
  readonly children: ReactNode;
};

/** Asks for confirmation, creates a new secret, and shows it once. */
export function NewSecret({ account, path, field, name, button, danger = false, children }: NewSecretProps): ReactNode {
  const send = useAccountPost(account.account_id);
  const [made, setMade] = useState<string | null>(null);
  const make = async (reason: string | undefined) => {
    const answer = await send<Readonly<Record<string, string>>>(path, { reason });
    setMade(answer[field] ?? "");
  };
  return (
    <>
      <ReasonButton label={button} title={`${button}?`} action={button} danger={danger} run={make}>
        {children}
      </ReasonButton>
      {made !== null && (
        <SecretCard title={`${name} of ${account.name}`} name={name} secret={made} onStored={() => setMade(null)}>
          Send it to the client over a private channel.
        </SecretCard>
      )}
    </>
  );
}
