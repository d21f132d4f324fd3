import { type ReactNode, useState } from "react";
import type { Schemas } from "../../operator-api.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Status } from "../../ui/formats/badge.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { toast } from "../../ui/overlays/toast.tsx";
import { Card, Notice } from "../../ui/page.tsx";
import { ADMINS, OPERATIONS, SUPPORT, useMay } from "../session.ts";
import { type Account, useAccountPost } from "./account.ts";
import { NewSecret } from "./new-secret.tsx";
import { ReasonButton } from "./reason-button.tsx";
import { Row, SettingRow } from "./settings/setting-row.tsx";
import { CALLBACK_SETTINGS } from "./settings/settings.ts";

/** The client's callback URLs, version and delivery. */
export function CallbacksTab({ account }: { readonly account: Account }): ReactNode {
  const open = account.closed_at === null;
  const [isAllowed, maySecrets, mayTest] = [useMay(OPERATIONS) && open, useMay(ADMINS) && open, useMay(SUPPORT) && open];
  return (
    <div className="space-y-6">
      <Card title="URLs">
        {CALLBACK_SETTINGS.map((setting) => (
          <SettingRow key={setting.name} account={account} setting={setting} isAllowed={isAllowed} />
        ))}
      </Card>
      <Card title="Version and secret">
        <Version account={account} isAllowed={isAllowed} />
        <Secret account={account} isAllowed={maySecrets} />
      </Card>
      <Card title="Delivery">
        <Delivery account={account} isAllowed={isAllowed} />
        {mayTest && <TestComplaint account={account} />}
      </Card>
    </div>
  );
}

type PartProps = { readonly account: Account; readonly isAllowed: boolean };

function Version({ account, isAllowed }: PartProps): ReactNode {
  const send = useAccountPost();
  const { callback_version: version } = account;
  const changeVersion = (to: 2 | 3) => async (reason: string | undefined) => {
    await send("/accounts/:account_id", { account_id: account.account_id, callback_version: to, reason });
    toast(`Callbacks are now sent in version ${to}.`);
  };
  const back = (
    <ReasonButton
      account={account}
      label="Return to version 2"
      title="Return to version 2?"
      action="Return to version 2"
      danger
      run={changeVersion(2)}
    >
      From the next attempt, callbacks carry the version 2 hash instead of a signature. A receiver that supports only version 3 refuses
      them. Clients cannot make this change themselves.
    </ReasonButton>
  );
  const forth = (
    <ReasonButton
      account={account}
      label="Switch to version 3"
      title="Switch to version 3?"
      action="Switch to version 3"
      run={changeVersion(3)}
    >
      From the next attempt, callbacks are signed with the callback secret. A receiver that supports only version 2 refuses them.
    </ReasonButton>
  );
  return <Row label="Callback version" value={`Version ${version}`} {...(isAllowed ? { action: version === 3 ? back : forth } : {})} />;
}

function Secret({ account, isAllowed }: PartProps): ReactNode {
  const button = account.callback_secret_set ? "Replace callback secret" : "Create callback secret";
  const send = useAccountPost();
  const create = async (reason: string | undefined) =>
    (await send("/accounts/:account_id/callback-secret", { account_id: account.account_id, reason })).callback_secret;
  const action = (
    <NewSecret account={account} create={create} name="Callback secret" button={button} danger={account.callback_secret_set}>
      {account.callback_secret_set
        ? "Version 3 callbacks are signed with the new secret from the next attempt. The old secret stops working immediately."
        : "Version 3 callbacks are signed with this secret. The client needs it to verify them."}
    </NewSecret>
  );
  return <Row label="Callback secret" value={account.callback_secret_set ? "Set" : "None yet"} {...(isAllowed ? { action } : {})} />;
}

function Delivery({ account, isAllowed }: PartProps): ReactNode {
  const send = useAccountPost();
  const pause = async (reason: string | undefined) => {
    await send("/accounts/:account_id/callbacks/pause", { account_id: account.account_id, reason });
    toast("Callbacks are paused.");
  };
  const resume = async (reason: string | undefined) => {
    await send("/accounts/:account_id/callbacks/resume", { account_id: account.account_id, reason });
    toast("Callbacks are being sent again.");
  };
  const action = account.callbacks_paused ? (
    <ReasonButton account={account} label="Resume" title="Resume callbacks?" action="Resume" run={resume}>
      All waiting callbacks are sent now, in order.
    </ReasonButton>
  ) : (
    <ReasonButton account={account} label="Pause" title="Pause callbacks?" action="Pause" danger run={pause}>
      No callbacks are sent to this client until you resume them. Callbacks created meanwhile are kept.
    </ReasonButton>
  );
  const state = account.callbacks_paused ? <Status value="paused" /> : <Status value="active" label="Sending" />;
  return <Row label="Delivery" value={state} {...(isAllowed ? { action } : {})} />;
}

type Tested = Schemas["TestDelivery"];

function TestComplaint({ account }: { readonly account: Account }): ReactNode {
  const send = useAccountPost();
  const [tested, setTested] = useState<Tested | null>(null);
  const { busy, error, attempt } = useAttempt();
  const test = () =>
    attempt(async () => {
      setTested(null);
      setTested(await send("/accounts/:account_id/test-complaint", { account_id: account.account_id }));
    });
  return (
    <div className="space-y-3 pt-3">
      <Button busy={busy} onClick={() => void test()}>
        Send test complaint callback
      </Button>
      {error !== null && <ErrorCard error={error} />}
      {tested !== null && (
        <Notice tone={tested.delivered ? "good" : "bad"}>
          <p role="status">
            {tested.delivered ? `The receiver responded with ${tested.http_status}.` : `The callback was not delivered: ${whyNot(tested)}.`}
          </p>
        </Notice>
      )}
    </div>
  );
}

function whyNot({ http_status: status, error }: Tested): string {
  return status === null ? (error ?? "no response") : `the receiver responded with ${status}`;
}
