import { type ReactNode, useState } from "react";
import { SecretCard } from "../../ui/forms/secret-card.tsx";
import type { Account } from "./account.ts";
import { ReasonButton } from "./reason-button.tsx";

type NewSecretProps = {
  readonly account: Account;
  /** Creates the secret and returns it. */
  readonly create: (reason: string | undefined) => Promise<string>;
  readonly name: string;
  readonly button: string;
  readonly danger?: boolean;
  /** What happens to the previous secret. */
  readonly children: ReactNode;
};

/** Asks for confirmation, creates a new secret, and shows it once. */
export function NewSecret({ account, create, name, button, danger = false, children }: NewSecretProps): ReactNode {
  const [made, setMade] = useState<string | null>(null);
  const make = async (reason: string | undefined) => setMade(await create(reason));
  return (
    <>
      <ReasonButton account={account} label={button} title={`${button}?`} action={button} danger={danger} run={make}>
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
