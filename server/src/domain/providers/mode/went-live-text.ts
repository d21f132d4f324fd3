import { formatMoney } from "../../../platform/core/money.ts";
import type { WentLive } from "../routing/save-route.ts";

/** The message for staff who saved the first route to a real provider. */
export function wentLiveText({ accounts, amount }: WentLive): string {
  const held =
    accounts === 0
      ? []
      : [
          `${accounts === 1 ? "One account holds" : `${accounts} accounts hold`} ${formatMoney(amount)} rupees that were booked in trial and can be spent now: take back what is not real.`,
        ];
  return [
    "This was the first route to a real provider: the installation is live from now on, and stays live.",
    "The simulator serves sandbox accounts only; what has no real provider is refused.",
    ...held,
  ].join(" ");
}
