import { Play } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { toast } from "../../ui/toast.tsx";
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
    post("/sandbox/recharge", { ending, operator, ...(amount.trim() === "" ? {} : { amount: amount.trim() }) }),
  );
  const options = useOperatorOptions();
  const run = (ending: Digits) =>
    recharge.mutate(ending, {
      onSuccess: ({ transaction }) => toast(`${transaction.order_id} of ${transaction.account}: ${transaction.shown}.`),
    });
  const button: Column<SimulatedResult> = {
    header: "Run",
    right: true,
    cell: ({ digits }) => (
      <Button
        icon={Play}
        aria-label={`Run ${digits}`}
        busy={recharge.isPending && recharge.variables === digits}
        onClick={() => run(digits)}
      >
        Run
      </Button>
    ),
  };
  return (
    <Card title="Magic numbers" hint="A number that ends in these digits always has the same outcome, here and in your program." flush>
      {isAllowed && (
        <div className="flex flex-wrap items-end gap-3 px-5 pb-4">
          <Select
            label="Operator"
            className="w-48"
            options={options}
            value={operator}
            onChange={(event) => setOperator(event.target.value)}
          />
          <Field
            label="Amount in ₹"
            className="w-36"
            inputMode="decimal"
            autoComplete="off"
            placeholder="Minimum"
            value={amount}
            onChange={(event) => setAmount(event.target.value)}
          />
        </div>
      )}
      <DataTable
        label="Magic numbers"
        columns={isAllowed ? [...COLUMNS, button] : COLUMNS}
        rows={endings}
        rowKey={(row) => row.digits}
        empty="The simulator has no magic numbers."
      />
    </Card>
  );
}

const COLUMNS: readonly Column<SimulatedResult>[] = [
  { header: "Ends in", cell: (row) => <code className="whitespace-nowrap font-mono">…{row.digits}</code> },
  { header: "What happens", cell: (row) => row.meaning },
];
