import { type ReactNode, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { countText } from "../../../ui/formats/format.ts";
import { Money } from "../../../ui/formats/money.tsx";
import type { Account } from "../account.ts";
import { ChangeSetting } from "./change-setting.tsx";
import { choiceOf, type Setting, textOf } from "./settings.ts";

type SettingRowProps = { readonly account: Account; readonly setting: Setting; readonly isAllowed: boolean };

/** A setting with its current value and a button to change it. */
export function SettingRow({ account, setting, isAllowed }: SettingRowProps): ReactNode {
  const [changing, setChanging] = useState(false);
  return (
    <Row
      label={setting.label}
      value={<SettingValue account={account} setting={setting} />}
      {...(isAllowed
        ? {
            action: (
              <Button aria-label={`Change: ${setting.label}`} onClick={() => setChanging(true)}>
                Change
              </Button>
            ),
          }
        : {})}
    >
      {changing && <ChangeSetting account={account} setting={setting} onClose={() => setChanging(false)} />}
    </Row>
  );
}

type RowProps = {
  readonly label: string;
  readonly value: ReactNode;
  readonly action?: ReactNode;
  /** Open dialogs. */
  readonly children?: ReactNode;
};

/** A labelled value with an action. */
export function Row({ label, value, action, children }: RowProps): ReactNode {
  return (
    <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-b py-2 last:border-b-0">
      <div className="min-w-0 grow basis-44">
        <p className="text-soft text-xs">{label}</p>
        <div className="break-words font-medium">{value}</div>
      </div>
      {action !== undefined && <div className="flex shrink-0 flex-wrap gap-2">{action}</div>}
      {children}
    </div>
  );
}

function SettingValue({ account, setting }: Omit<SettingRowProps, "isAllowed">): ReactNode {
  const text = textOf(account, setting);
  if (setting.kind === "choice") return choiceOf(setting, text)?.label ?? text;
  if (setting.kind === "count") return `${countText(Number(text))} ${setting.unit}`;
  if (text === "") return <span className="font-normal text-soft">{setting.none}</span>;
  return setting.kind === "amount" ? <Money value={text} /> : <code className="break-all font-mono text-[0.8125rem]">{text}</code>;
}
