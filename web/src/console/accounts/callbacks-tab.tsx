import { type ReactNode, useState } from "react";
import { useAttempt } from "../../ui/attempt.ts";
import { Status } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Card, Notice } from "../../ui/page.tsx";
import { toast } from "../../ui/toast.tsx";
import { ADMINS, OPERATIONS, SUPPORT, useMay } from "../session.ts";
import { type Account, useAccountPost } from "./account.ts";
import { AskButton } from "./ask-button.tsx";
import { MakeSecret } from "./make-secret.tsx";
import { Row, SettingRow } from "./setting-row.tsx";
import { CALLBACK_SETTINGS } from "./settings.ts";

/** What this client is told, where and in which form. */
export function CallbacksTab({ account }: { readonly account: Account }): ReactNode {
  const open = account.closed_at === null;
  const [may, maySecrets, mayTest] = [useMay(OPERATIONS) && open, useMay(ADMINS) && open, useMay(SUPPORT) && open];
  return (
    <div className="space-y-6">
      <Card title="Addresses">
        {CALLBACK_SETTINGS.map((setting) => (
          <SettingRow key={setting.name} account={account} setting={setting} may={may} />
        ))}
      </Card>
      <Card title="Form">
        <Version account={account} may={may} />
        <Secret account={account} may={maySecrets} />
      </Card>
      <Card title="Delivery">
        <Delivery account={account} may={may} />
        {mayTest && <TestComplaint account={account} />}
      </Card>
    </div>
  );
}

type PartProps = { readonly account: Account; readonly may: boolean };

function Version({ account, may }: PartProps): ReactNode {
  const send = useAccountPost(account.account_id);
  const { callback_version: version } = account;
  const turn = (to: 2 | 3) => async (reason: string | undefined) => {
    await send("", { callback_version: to, reason });
    toast(`Callbacks are sent in version ${to}.`);
  };
  const back = (
    <AskButton label="Return to version 2" title="Return to version 2?" action="Return to version 2" danger run={turn(2)}>
      Callbacks are sent with the hash of version 2 instead of a signature, from the next attempt on. A receiver that only knows version 3
      refuses them. The client cannot do this themselves.
    </AskButton>
  );
  const forth = (
    <AskButton label="Switch to version 3" title="Switch to version 3?" action="Switch to version 3" run={turn(3)}>
      Callbacks are signed with the callback secret from the next attempt on. A receiver that only knows version 2 refuses them.
    </AskButton>
  );
  return <Row label="Callback version" value={`Version ${version}`} {...(may ? { action: version === 3 ? back : forth } : {})} />;
}

function Secret({ account, may }: PartProps): ReactNode {
  const button = account.callback_secret_set ? "Replace callback secret" : "Create callback secret";
  const action = (
    <MakeSecret
      account={account}
      path="/callback-secret"
      field="callback_secret"
      name="Callback secret"
      button={button}
      danger={account.callback_secret_set}
    >
      {account.callback_secret_set
        ? "Version 3 callbacks are signed with the new one from the next attempt on; the old one ends at once."
        : "Version 3 callbacks are signed with it. The client needs it to check them."}
    </MakeSecret>
  );
  return <Row label="Callback secret" value={account.callback_secret_set ? "Set" : "None yet"} {...(may ? { action } : {})} />;
}

function Delivery({ account, may }: PartProps): ReactNode {
  const send = useAccountPost(account.account_id);
  const pause = async (reason: string | undefined) => {
    await send("/callbacks/pause", { reason });
    toast("Callbacks wait until they are resumed.");
  };
  const resume = async (reason: string | undefined) => {
    await send("/callbacks/resume", { reason });
    toast("Callbacks go out again.");
  };
  const action = account.callbacks_paused ? (
    <AskButton label="Resume" title="Resume the callbacks?" action="Resume" run={resume}>
      Everything that has waited is sent now, in order.
    </AskButton>
  ) : (
    <AskButton label="Pause" title="Pause the callbacks?" action="Pause" danger run={pause}>
      Nothing is sent to this client until you resume it. Nothing is lost: what happens meanwhile waits.
    </AskButton>
  );
  const state = account.callbacks_paused ? <Status value="paused" /> : <Status value="active" label="Sending" />;
  return <Row label="Delivery" value={state} {...(may ? { action } : {})} />;
}

type Tested = { readonly delivered: boolean; readonly http_status: number | null; readonly error: string | null };

function TestComplaint({ account }: { readonly account: Account }): ReactNode {
  const send = useAccountPost(account.account_id);
  const [tested, setTested] = useState<Tested | null>(null);
  const { busy, error, attempt } = useAttempt();
  const test = () =>
    attempt(async () => {
      setTested(null);
      setTested(await send<Tested>("/test-complaint"));
    });
  return (
    <div className="space-y-3 pt-3">
      <Button busy={busy} onClick={() => void test()}>
        Send test complaint callback
      </Button>
      {error !== null && <ErrorCard error={error} />}
      {tested !== null && (
        <Notice tone={tested.delivered ? "good" : "bad"}>
          <p role="status">{tested.delivered ? `The receiver answered ${tested.http_status}.` : `It did not arrive: ${whyNot(tested)}.`}</p>
        </Notice>
      )}
    </div>
  );
}

function whyNot({ http_status: status, error }: Tested): string {
  return status === null ? (error ?? "no answer") : `the receiver answered ${status}`;
}
