import type { ReactNode } from "react";
import { Card } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { ADMINS, OPERATIONS, useMay } from "../session.ts";
import { type Account, useAccountPost } from "./account.ts";
import { Allowlist } from "./allowlist.tsx";
import { AskButton } from "./ask-button.tsx";
import { MakeSecret } from "./make-secret.tsx";
import { Row } from "./setting-row.tsx";

/** How this client's servers come in: the addresses, the token and the signing secrets. */
export function AccessTab({ account }: { readonly account: Account }): ReactNode {
  const open = account.closed_at === null;
  const [mayList, maySecrets] = [useMay(OPERATIONS) && open, useMay(ADMINS) && open];
  return (
    <div className="space-y-6">
      <Card title="Credentials" hint="A new one is shown once. Hand it over by a way that only the client reads.">
        <Token account={account} may={maySecrets} />
        <SigningSecrets account={account} may={maySecrets} />
      </Card>
      <Allowlist account={account} may={mayList} />
    </div>
  );
}

type PartProps = { readonly account: Account; readonly may: boolean };

function Token({ account, may }: PartProps): ReactNode {
  const action = (
    <MakeSecret account={account} path="/token" field="api_token" name="API token" button="Replace token" danger>
      The old token ends at once: every call with it is refused until the client's servers have the new one. Version 2 callbacks are hashed
      with the new one from the next attempt on.
    </MakeSecret>
  );
  return <Row label="API token" value={account.sandbox ? "tok_test_…" : "tok_live_…"} {...(may ? { action } : {})} />;
}

function SigningSecrets({ account, may }: PartProps): ReactNode {
  const send = useAccountPost(account.account_id);
  const current = account.signing_secrets.find((secret) => secret.expires_at === null);
  const old = account.signing_secrets.filter((secret) => secret.expires_at !== null);
  const revoke = async (reason: string | undefined) => {
    await send("/signing-secret/revoke-old", { reason });
    toast("The replaced signing secrets have ended.");
  };
  const make = (
    <MakeSecret
      account={account}
      path="/signing-secret"
      field="signing_secret"
      name="Signing secret"
      button={current === undefined ? "Create signing secret" : "Replace signing secret"}
    >
      {current === undefined
        ? "Bills, transfers, bus and AEPS are refused without a signature. The client signs with this secret."
        : "The one before it works for another 24 hours, so that the client's servers can change over one by one."}
    </MakeSecret>
  );
  const end = (
    <AskButton label="End it now" title="End the replaced signing secrets now?" action="End now" danger run={revoke}>
      Calls that are signed with a replaced secret are refused from this moment.
    </AskButton>
  );
  return (
    <>
      <Row
        label="Signing secret"
        value={current === undefined ? <span className="font-normal text-soft">none yet</span> : <Made at={current.created_at} />}
        {...(may ? { action: make } : {})}
      />
      {old.map((secret, place) => (
        <Row
          key={secret.credential_id}
          label="Replaced signing secret"
          value={
            <>
              Works until <Time value={secret.expires_at} />
            </>
          }
          {...(may && place === 0 ? { action: end } : {})}
        />
      ))}
    </>
  );
}

function Made({ at }: { readonly at: string }): ReactNode {
  return (
    <>
      Made <Time value={at} />
    </>
  );
}
