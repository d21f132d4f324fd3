import type { ReactNode } from "react";
import { Time } from "../../ui/formats/time.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Card } from "../../ui/page.tsx";
import { ADMINS, OPERATIONS, useMay } from "../session.ts";
import { type Account, useAccountPost } from "./account.ts";
import { Allowlist } from "./allowlist.tsx";
import { NewSecret } from "./new-secret.tsx";
import { ReasonButton } from "./reason-button.tsx";
import { Row } from "./settings/setting-row.tsx";
import { TokenRows } from "./token-rows.tsx";

/** The client's API credentials and IP allowlist. */
export function AccessTab({ account }: { readonly account: Account }): ReactNode {
  const open = account.closed_at === null;
  const [mayList, maySecrets] = [useMay(OPERATIONS) && open, useMay(ADMINS) && open];
  return (
    <div className="space-y-6">
      <Card title="Credentials" hint="New credentials are shown once. Send them to the client over a private channel.">
        <Tokens account={account} isAllowed={maySecrets} />
        <SigningSecrets account={account} isAllowed={maySecrets} />
      </Card>
      <Allowlist account={account} isAllowed={mayList} />
    </div>
  );
}

type PartProps = { readonly account: Account; readonly isAllowed: boolean };

function Tokens({ account, isAllowed }: PartProps): ReactNode {
  const send = useAccountPost();
  const create = async (reason: string | undefined) =>
    (await send("/accounts/:account_id/token", { account_id: account.account_id, reason })).api_token;
  const action = (
    <NewSecret account={account} create={create} name="API token" button="Replace token" danger>
      The old primary token stops working immediately. Calls with it are refused until the client's servers use the new token. Version 2
      callbacks are hashed with the new token from the next attempt.
    </NewSecret>
  );
  return <TokenRows account={account} isAllowed={isAllowed} replace={action} />;
}

function SigningSecrets({ account, isAllowed }: PartProps): ReactNode {
  const send = useAccountPost();
  const current = account.signing_secrets.find((secret) => secret.expires_at === null);
  const old = account.signing_secrets.filter((secret) => secret.expires_at !== null);
  const revoke = async (reason: string | undefined) => {
    await send("/accounts/:account_id/signing-secret/revoke-old", { account_id: account.account_id, reason });
    toast("The replaced signing secrets were revoked.");
  };
  const create = async (reason: string | undefined) =>
    (await send("/accounts/:account_id/signing-secret", { account_id: account.account_id, reason })).signing_secret;
  const make = (
    <NewSecret
      account={account}
      create={create}
      name="Signing secret"
      button={current === undefined ? "Create signing secret" : "Replace signing secret"}
    >
      {current === undefined
        ? "The client signs requests with this secret. Bills, transfers, bus and AEPS requests are refused without a signature."
        : "The old secret keeps working for 24 hours, so that the client can update its servers one by one."}
    </NewSecret>
  );
  const end = (
    <ReasonButton
      account={account}
      label="Revoke now"
      title="Revoke the replaced signing secrets?"
      action="Revoke secrets"
      danger
      run={revoke}
    >
      Requests signed with a replaced secret will be refused immediately.
    </ReasonButton>
  );
  return (
    <>
      <Row
        label="Signing secret"
        value={current === undefined ? <span className="font-normal text-soft">None yet</span> : <Created at={current.created_at} />}
        {...(isAllowed ? { action: make } : {})}
      />
      {old.map((secret, index) => (
        <Row
          key={secret.credential_id}
          label="Replaced signing secret"
          value={
            <>
              Works until <Time value={secret.expires_at} />
            </>
          }
          {...(isAllowed && index === 0 ? { action: end } : {})}
        />
      ))}
    </>
  );
}

function Created({ at }: { readonly at: string }): ReactNode {
  return (
    <>
      Created <Time value={at} />
    </>
  );
}
