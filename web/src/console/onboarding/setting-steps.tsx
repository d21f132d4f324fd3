import { useQuery } from "@tanstack/react-query";
import { Percent, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type Column, ListTable } from "../../ui/lists/data-table.tsx";
import { Card, Notice } from "../../ui/page.tsx";
import { Allowlist } from "../accounts/allowlist.tsx";
import { Services } from "../accounts/settings/services.tsx";
import { SettingRow } from "../accounts/settings/setting-row.tsx";
import { ACCOUNT_SETTINGS, CALLBACK_SETTINGS, type Setting } from "../accounts/settings/settings.ts";
import { useList } from "../api.ts";
import { type Rule, rateText, type ServiceNames, serviceNamesQuery, whatText } from "../pricing/rule.ts";
import { SetRule } from "../pricing/set-rule.tsx";
import { MONEY, OPERATIONS, useMay } from "../session.ts";
import { Continue, type StepProps } from "./step.tsx";

// These steps change the account itself, with the same calls and the same questions as its drawer.

const LIMITS = ["signing_required", "money_per_minute", "get_per_minute", "daily_limit"];
const NO_NAMES: ServiceNames = new Map();

export function ServicesStep({ account, onNext }: StepProps): ReactNode {
  return (
    <>
      <Services account={account} isAllowed={useMay(OPERATIONS) && account.closed_at === null} />
      <Continue onNext={onNext} />
    </>
  );
}

export function LimitsStep({ account, onNext }: StepProps): ReactNode {
  const settings = ACCOUNT_SETTINGS.filter(({ name }) => LIMITS.includes(name));
  return (
    <>
      <Settings title="Limits" hint="How much the client may call and recharge." account={account} settings={settings} />
      <Continue onNext={onNext} />
    </>
  );
}

export function CallbackStep({ account, onNext }: StepProps): ReactNode {
  return (
    <>
      <Settings
        title="Callback"
        hint="Where the client is told of final states. The client can also set it in the portal."
        account={account}
        settings={CALLBACK_SETTINGS}
      />
      <Continue onNext={onNext} />
    </>
  );
}

type SettingsProps = Pick<StepProps, "account"> & {
  readonly title: string;
  readonly hint: string;
  readonly settings: readonly Setting[];
};

function Settings({ title, hint, account, settings }: SettingsProps): ReactNode {
  const isAllowed = useMay(OPERATIONS) && account.closed_at === null;
  return (
    <Card title={title} hint={hint}>
      {settings.map((setting) => (
        <SettingRow key={setting.name} account={account} setting={setting} isAllowed={isAllowed} />
      ))}
    </Card>
  );
}

export function AddressesStep({ account, onNext }: StepProps): ReactNode {
  return (
    <>
      <Allowlist account={account} isAllowed={useMay(OPERATIONS) && account.closed_at === null} />
      <Continue onNext={onNext} />
    </>
  );
}

/** The fees and commissions of this account alone. Without any, the rules for all accounts apply. */
export function PricesStep({ account, onNext }: StepProps): ReactNode {
  const list = useList("/pricing", { account_id: account.account_id });
  const services = useQuery(serviceNamesQuery).data ?? NO_NAMES;
  const [setting, setSetting] = useState(false);
  const mayPrice = useMay(MONEY);
  const set = (
    <Button icon={Plus} onClick={() => setSetting(true)}>
      Set rule
    </Button>
  );
  return (
    <>
      {!mayPrice && <Notice>Only an admin or a finance colleague can set prices. You can continue without.</Notice>}
      <Card title="Prices" hint="Fees and commissions of this client." flush {...(mayPrice ? { actions: set } : {})}>
        <ListTable
          label="Rules of this client"
          list={list}
          columns={columnsOf(services)}
          rowKey={(rule) => rule.rule_id}
          link={(rule) => ({ to: "/pricing/$ruleId", params: { ruleId: rule.rule_id } })}
          empty={
            <EmptyState icon={Percent}>Rules of this client will appear here. Until then, the rules for all accounts apply.</EmptyState>
          }
        />
      </Card>
      <Continue onNext={onNext} />
      {setting && <SetRule accountId={account.account_id} onClose={() => setSetting(false)} />}
    </>
  );
}

function columnsOf(services: ServiceNames): readonly Column<Rule>[] {
  return [
    { header: "Applies to", cell: (rule) => whatText(rule, services) },
    { header: "Fee", cell: (rule) => rateText(rule.fee) || "None" },
    { header: "Commission", cell: (rule) => rateText(rule.commission) || "None" },
  ];
}
