import { type ReactNode, useState } from "react";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { Badge } from "../../../ui/formats/badge.tsx";
import { Code } from "../../../ui/formats/copy.tsx";
import { Time } from "../../../ui/formats/time.tsx";
import { toast } from "../../../ui/overlays/toast.tsx";
import { Card, Facts } from "../../../ui/page.tsx";
import { clientFact } from "../../clients/client-fact.tsx";
import { ReasonDialog } from "../../reason-dialog.tsx";
import { ADMINS, OPERATIONS, useMay } from "../../session.ts";
import { type Account, useAccountPost } from "../account.ts";
import { AccountStatus } from "../account-status.tsx";
import { Services } from "./services.tsx";
import { SettingRow } from "./setting-row.tsx";
import { ACCOUNT_SETTINGS } from "./settings.ts";

export function SettingsTab({ account }: { readonly account: Account }): ReactNode {
  const open = account.closed_at === null;
  const isAllowed = useMay(OPERATIONS) && open;
  const mayClose = useMay(ADMINS) && open;
  return (
    <div className="space-y-6">
      <Facts
        facts={[
          ["Account id", <Code key="id" text={account.account_id} />],
          ["Standing", <AccountStatus key="standing" account={account} />],
          [
            "Kind",
            account.sandbox ? (
              <Badge key="kind" tone="accent">
                Sandbox
              </Badge>
            ) : (
              "Live"
            ),
          ],
          ["Created", <Time key="since" value={account.created_at} />],
        ]}
      />
      <div className="flex flex-wrap gap-2">
        <LinkButton to="/transactions" search={{ account_id: account.account_id }}>
          Transactions
        </LinkButton>
        <LinkButton to="/pricing" search={{ account_id: account.account_id }}>
          Pricing
        </LinkButton>
      </div>
      <Card title="Settings">
        {ACCOUNT_SETTINGS.map((setting) => (
          <SettingRow key={setting.name} account={account} setting={setting} isAllowed={isAllowed} />
        ))}
      </Card>
      <Services account={account} isAllowed={isAllowed} />
      {mayClose && <Close account={account} />}
    </div>
  );
}

function Close({ account }: { readonly account: Account }): ReactNode {
  const [asking, setAsking] = useState(false);
  const send = useAccountPost();
  const close = async (reason: string | undefined) => {
    await send("/accounts/:account_id/close", { account_id: account.account_id, reason });
    toast(`The account of ${account.name} was closed.`);
  };
  return (
    <Card
      title="Close account"
      hint="This cannot be undone. The wallet must be empty first: pay the money out and wait until every order is final."
      actions={
        <Button look="danger" onClick={() => setAsking(true)}>
          Close permanently
        </Button>
      }
    >
      {asking && (
        <ReasonDialog
          title={`Close the account of ${account.name}?`}
          action="Close permanently"
          danger
          facts={[clientFact(account)]}
          onClose={() => setAsking(false)}
          run={close}
        >
          Every call will be refused, and the account cannot be reopened. You and the client's members can still view its history.
        </ReasonDialog>
      )}
    </Card>
  );
}
