import { Play } from "lucide-react";
import { type ReactNode, useState } from "react";
import { sandboxText } from "../../messages/en/sandbox.ts";
import { fill } from "../../messages/fill.ts";
import { serverText } from "../../messages/server-text.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Select } from "../../ui/forms/field.tsx";
import { plainAmount } from "../../ui/forms/typed-money.ts";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Card } from "../../ui/page.tsx";
import { post } from "../api.ts";
import { useOperatorOptions } from "../catalogue.ts";
import { type SimulatedResult, useSandboxChange } from "./data.ts";

type Digits = SimulatedResult["digits"];
type Props = { readonly endings: readonly SimulatedResult[]; readonly isAllowed: boolean };

/** The magic numbers, each with a button that runs it. */
export function Trigger({ endings, isAllowed }: Props): ReactNode {
  const [operator, setOperator] = useState("AT");
  const [amount, setAmount] = useState("");
  const recharge = useSandboxChange((ending: Digits) =>
    post("/sandbox/recharge", { ending, operator, ...(amount.trim() === "" ? {} : { amount: plainAmount(amount) }) }),
  );
  const options = useOperatorOptions();
  const run = (ending: Digits) =>
    recharge.mutate(ending, {
      onSuccess: ({ transaction }) =>
        toast(fill(sandboxText.outcome, { orderId: transaction.order_id, account: transaction.account, shown: transaction.shown })),
    });
  const button: Column<SimulatedResult> = {
    header: sandboxText.run,
    right: true,
    cell: ({ digits }) => (
      <Button
        icon={Play}
        aria-label={fill(sandboxText.runDigits, { digits })}
        busy={recharge.isPending && recharge.variables === digits}
        onClick={() => run(digits)}
      >
        {sandboxText.run}
      </Button>
    ),
  };
  return (
    <Card title={sandboxText.magicNumbers} hint={sandboxText.aNumberThatEndsIn} flush>
      {isAllowed && (
        <div className="flex flex-wrap items-end gap-3 px-5 pb-4">
          <Select
            label={sandboxText.operator}
            className="w-48"
            options={options}
            value={operator}
            onChange={(event) => setOperator(event.target.value)}
          />
          <Field
            label={sandboxText.amountIn}
            className="w-36"
            inputMode="decimal"
            autoComplete="off"
            placeholder={sandboxText.minimum}
            value={amount}
            onChange={(event) => setAmount(event.target.value)}
          />
        </div>
      )}
      <DataTable
        label={sandboxText.magicNumbers}
        columns={isAllowed ? [...COLUMNS, button] : COLUMNS}
        rows={endings}
        rowKey={(row) => row.digits}
        empty={sandboxText.theSimulatorHasNoMagic}
      />
    </Card>
  );
}

const COLUMNS: readonly Column<SimulatedResult>[] = [
  { header: sandboxText.endsIn, cell: (row) => <code className="whitespace-nowrap font-mono">…{row.digits}</code> },
  { header: sandboxText.whatHappens, cell: (row) => serverText(row.meaning) },
];
