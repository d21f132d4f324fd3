import { type ReactNode, useState } from "react";
import { SecretCard } from "../../ui/secret-card.tsx";
import { type Account, useAccountPost } from "./account.ts";
import { AskButton } from "./ask-button.tsx";

type MakeSecretProps = {
  readonly account: Account;
  readonly path: string;
  /** Of the answer. */
  readonly field: string;
  readonly name: string;
  readonly button: string;
  readonly danger?: boolean;
  /** What it does to the one before. */
  readonly children: ReactNode;
};

/** Asks, makes a new secret, and shows it once. */
export function MakeSecret({ account, path, field, name, button, danger = false, children }: MakeSecretProps): ReactNode {
  const send = useAccountPost(account.account_id);
  const [made, setMade] = useState<string | null>(null);
  const make = async (reason: string | undefined) => {
    const answer = await send<Readonly<Record<string, string>>>(path, { reason });
    setMade(answer[field] ?? "");
  };
  return (
    <>
      <AskButton label={button} title={`${button}?`} action={button} danger={danger} run={make}>
        {children}
      </AskButton>
      {made !== null && (
        <SecretCard title={`${name} of ${account.name}`} name={name} secret={made} onStored={() => setMade(null)}>
          Hand it over by a way that only the client reads.
        </SecretCard>
      )}
    </>
  );
}
