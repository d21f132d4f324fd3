import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { walletText } from "../../messages/en/wallet.ts";
import { Chart, type Series } from "../../ui/charts/chart.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { moneyText, moneyTick, shortDay } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { Card, PageHeader, Stat } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { type Wallet, walletQuery } from "./data.ts";
import { LowBalance } from "./low-balance.tsx";
import { SignedDays } from "./signed-days.tsx";
import { Statement } from "./statement.tsx";

const BALANCE: readonly Series[] = [{ key: "balance", label: walletText.balance, tone: "accent" }];

export function WalletPage(): ReactNode {
  const { data, error, refetch } = useQuery(walletQuery);
  return (
    <>
      <PageHeader title={walletText.wallet}>{walletText.yourAvailableBalanceTheAmount}</PageHeader>
      {error && data === undefined ? (
        <ErrorCard error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="space-y-6">
          <Figures wallet={data} />
          <div className="grid gap-4 xl:grid-cols-3">
            <Card className="xl:col-span-2">{data === undefined ? <Skeleton className="h-76" /> : <BalanceChart wallet={data} />}</Card>
            <LowBalance wallet={data} />
          </div>
          <Statement />
          <SignedDays />
        </div>
      )}
      <Outlet />
    </>
  );
}

function Figures({ wallet }: { readonly wallet: Wallet | undefined }): ReactNode {
  const skeleton = <Skeleton className="h-6 max-w-40" />;
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <Stat
        label={walletText.balance}
        note={wallet?.below ? <span className="font-medium text-bad">{walletText.belowTheLowBalanceThreshold}</span> : walletText.available}
      >
        {wallet ? <Money value={wallet.balance} /> : skeleton}
      </Stat>
      <Stat label={walletText.held} note={walletText.forPendingTransactions}>
        {wallet ? <Money value={wallet.held} /> : skeleton}
      </Stat>
      <Stat label={walletText.lowBalanceThreshold} note={walletText.oneEmailEachTime}>
        {wallet ? wallet.threshold === null ? walletText.none : <Money value={wallet.threshold} /> : skeleton}
      </Stat>
    </div>
  );
}

function BalanceChart({ wallet }: { readonly wallet: Wallet }): ReactNode {
  return (
    <Chart
      title={walletText.balanceAtTheEndOf}
      kind="line"
      x="day"
      xLabel={walletText.dayIst}
      series={BALANCE}
      points={wallet.chart.map(({ day, balance }) => ({ day: shortDay(day), balance: Number(balance) }))}
      format={(value) => moneyText(Number(value).toFixed(4))}
      tick={moneyTick}
    />
  );
}
