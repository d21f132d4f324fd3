import { useQuery } from "@tanstack/react-query";
import type { InputHTMLAttributes, ReactNode, Ref } from "react";
import { countText } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { Checkbox } from "../../ui/forms/field.tsx";
import { Notice } from "../../ui/page.tsx";
import { systemQuery } from "../system/data.ts";

type GoingLiveProps = InputHTMLAttributes<HTMLInputElement> & { readonly error: string | undefined; ref?: Ref<HTMLInputElement> };

/** Warns that the first route to a real provider makes the installation live, and asks for confirmation. */
export function GoingLive({ error, ...field }: GoingLiveProps): ReactNode {
  return (
    <Notice>
      <div className="space-y-2">
        <p>
          This is the first route to a real provider. It makes the installation live, and this cannot be undone. The simulator will then
          serve only sandbox accounts, and orders without a real provider are refused.
        </p>
        <TrialMoney />
        <Checkbox label="Go live: real money moves from now on." {...field} />
        {error !== undefined && (
          <p role="alert" className="text-bad text-xs">
            {error}
          </p>
        )}
      </div>
    </Notice>
  );
}

/** Warns about wallet balances that were credited in trial mode. */
function TrialMoney(): ReactNode {
  const money = useQuery(systemQuery).data?.trial_money;
  if (!money || money.accounts === 0) return null;
  const many = money.accounts === 1 ? "One account holds" : `${countText(money.accounts)} accounts hold`;
  return (
    <p>
      {many} <Money value={money.amount} className="font-semibold" /> that was credited in trial mode. It can be spent for real once the
      installation is live. Debit money that is not real first.
    </p>
  );
}
