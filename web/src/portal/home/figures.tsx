import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { homeText } from "../../messages/en/home.ts";
import { fill, plural } from "../../messages/fill.ts";
import { rich } from "../../messages/rich.tsx";
import { classes } from "../../ui/classes.ts";
import { countText } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { Stat } from "../../ui/page.tsx";
import type { Home } from "./data.ts";

const MAX_COUNT = 1000;

export function Figures({ home }: { readonly home: Home }): ReactNode {
  const { today } = home;
  return (
    <FigureGrid>
      <Stat label={homeText.balance} note={<BalanceNote home={home} />}>
        <Money value={home.balance} />
      </Stat>
      <Stat label={homeText.valueToday} note={plural(homeText.transactionCount, today.count, { count: countText(today.count) })}>
        <Money value={today.value} />
      </Stat>
      <Stat
        label={homeText.successRateToday}
        note={fill(homeText.succeededFailedPending, {
          success: countText(today.success),
          failed: countText(today.failed),
          pending: countText(today.pending),
        })}
      >
        {today.success_rate === null ? "–" : rateText(today.success_rate)}
      </Stat>
      <Stat
        label={homeText.pendingOver10Minutes}
        note={
          <Link to="/transactions" search={{ status: "pending" }} className="link">
            {homeText.showPendingTransactions}
          </Link>
        }
      >
        <WarningCount count={home.pending_old.count} tone="text-wait" />
      </Stat>
      <Stat
        label={homeText.failingCallbacks}
        note={
          <Link to="/callbacks" search={{ state: "waiting" }} className="link">
            {homeText.showUndeliveredCallbacks}
          </Link>
        }
      >
        <WarningCount count={home.callbacks_failing.count} tone="text-bad" />
      </Stat>
    </FigureGrid>
  );
}

/** Rows of three and two on wide screens, so that amounts in crores fit. */
export function FigureGrid({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="grid gap-4 sm:grid-cols-2 sm:*:last:col-span-2 lg:grid-cols-6 lg:*:col-span-2 lg:*:nth-4:col-span-3 lg:*:last:col-span-3">
      {children}
    </div>
  );
}

function rateText(rate: number): string {
  return `${(rate * 100).toFixed(rate === 1 ? 0 : 1)} %`;
}

function WarningCount({ count, tone }: { readonly count: number; readonly tone: string }): ReactNode {
  return (
    <span className={classes(count > 0 && tone)}>
      {count >= MAX_COUNT ? fill(homeText.orMore, { count: countText(MAX_COUNT) }) : countText(count)}
    </span>
  );
}

function BalanceNote({ home: { low_balance: lowBalance } }: { readonly home: Home }): ReactNode {
  if (lowBalance === null) {
    return (
      <Link to="/wallet" className="link">
        {homeText.setALowBalanceThreshold}
      </Link>
    );
  }
  return (
    <span className={classes(lowBalance.below && "font-medium text-bad")}>
      {rich(lowBalance.below ? homeText.belowTheLowBalanceThreshold : homeText.lowBalanceThreshold, {
        amount: <Money value={lowBalance.threshold} />,
      })}
    </span>
  );
}
