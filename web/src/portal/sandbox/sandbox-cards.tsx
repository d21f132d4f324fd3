import { type FormEvent, type ReactNode, useState } from "react";
import { sandboxText } from "../../messages/en/sandbox.ts";
import { fill } from "../../messages/fill.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { moneyText } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { plainAmount } from "../../ui/forms/typed-money.ts";
import { toast } from "../../ui/overlays/toast.tsx";
import { Card, Facts, Stat } from "../../ui/page.tsx";
import { post } from "../api.ts";
import { type SandboxAccount, useSandboxChange } from "./data.ts";
import { SandboxUrls } from "./sandbox-urls.tsx";

type Props = { readonly sandboxAccount: SandboxAccount; readonly isAllowed: boolean; readonly onToken: (token: string) => void };

/** Sandbox account's wallet and settings. */
export function SandboxCards({ sandboxAccount, isAllowed, onToken }: Props): ReactNode {
  const replace = useSandboxChange(() => post("/sandbox/token"));
  const newToken = () => replace.mutate(undefined, { onSuccess: ({ api_token: token }) => onToken(token) });
  const addresses = useSandboxChange(() => post("/sandbox/allowlist"));
  const copyAddresses = () => addresses.mutate(undefined, { onSuccess: () => toast(sandboxText.theLiveAccountsAddressesWere) });
  return (
    <div className="grid gap-4 lg:grid-cols-3">
      <div className="grid content-start gap-4 sm:grid-cols-2 lg:grid-cols-1">
        <Stat label={sandboxText.balanceInTestMoney}>
          <Money value={sandboxAccount.balance} />
        </Stat>
        <Stat label={sandboxText.heldForPendingTransactions}>
          <Money value={sandboxAccount.held} />
        </Stat>
      </div>
      <Card
        className="lg:col-span-2"
        title={sandboxText.sandboxAccount}
        {...(isAllowed
          ? {
              actions: (
                <div className="flex flex-wrap gap-2">
                  <Button busy={addresses.isPending} onClick={copyAddresses}>
                    {sandboxText.copyLiveAddresses}
                  </Button>
                  <Button busy={replace.isPending} onClick={newToken}>
                    {sandboxText.replaceToken}
                  </Button>
                </div>
              ),
            }
          : {})}
      >
        <div className="space-y-5">
          <Facts
            facts={[
              [sandboxText.account, <Code key="id" text={sandboxAccount.account_id} />],
              [
                sandboxText.addresses,
                sandboxAccount.allowlist.length === 0 ? sandboxText.noneAllCallsAreRefused : sandboxAccount.allowlist.join(", "),
              ],
              [sandboxText.created, <Time key="at" value={sandboxAccount.created_at} />],
            ]}
          />
          <SandboxUrls sandboxAccount={sandboxAccount} isAllowed={isAllowed} />
          {isAllowed && <TopUp />}
        </div>
      </Card>
    </div>
  );
}

function TopUp(): ReactNode {
  const [amount, setAmount] = useState("10000");
  const plain = plainAmount(amount);
  const topUp = useSandboxChange(() => post("/sandbox/top-up", { amount: plain }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    topUp.mutate(undefined, { onSuccess: () => toast(fill(sandboxText.ofTestMoneyWasAdded, { amount: moneyText(plain) })) });
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3 border-line border-t pt-4">
      <Field
        label={sandboxText.testMoneyIn}
        inputMode="decimal"
        autoComplete="off"
        className="w-40"
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
      />
      <Button type="submit" busy={topUp.isPending}>
        {sandboxText.topUp}
      </Button>
    </form>
  );
}
