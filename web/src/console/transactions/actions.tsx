import { useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { post } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Notice } from "../../ui/page.tsx";
import { SETTLERS, useMay } from "../session.ts";
import { ByHand, type Deed, deedsFor } from "./by-hand.tsx";
import { type Finding, type OrderDetail, orderQuery } from "./order.ts";

/** What can be done to an order as it stands now. */
export function OrderActions({ detail }: { readonly detail: OrderDetail }): ReactNode {
  const may = useMay(SETTLERS);
  const [deed, setDeed] = useState<Deed | null>(null);
  const deeds = deedsFor(detail);
  if (!may || (deeds.length === 0 && detail.order.status !== "pending")) return null;
  return (
    <>
      {detail.order.status === "pending" && <Requery orderId={detail.order.order_id} />}
      {deeds.map((one) => (
        <Button key={one.path} look={one.danger ? "danger" : "plain"} onClick={() => setDeed(one)}>
          {one.action}
        </Button>
      ))}
      {deed !== null && <ByHand deed={deed} order={detail.order} onClose={() => setDeed(null)} />}
    </>
  );
}

/** Asks the provider now and shows what it said. */
function Requery({ orderId }: { readonly orderId: string }): ReactNode {
  const queries = useQueryClient();
  const [finding, setFinding] = useState<Finding | null>(null);
  const { busy, error, attempt, forget } = useAttempt();
  const ask = () =>
    attempt(async () => {
      const answer = await post<OrderDetail & { readonly finding: Finding }>(`/orders/${orderId}/requery`);
      setFinding(answer.finding);
      queries.setQueryData(orderQuery(orderId).queryKey, answer);
      await queries.invalidateQueries({ queryKey: ["/orders", "list"] });
    });
  const close = () => {
    setFinding(null);
    forget();
  };
  return (
    <>
      <Button icon={RefreshCw} busy={busy} onClick={() => void ask()}>
        Ask the provider
      </Button>
      {(finding !== null || error !== null) && (
        <Dialog title="Ask the provider" onClose={close} footer={<Button onClick={close}>Close</Button>}>
          {error !== null ? <ErrorCard error={error} /> : finding !== null && <Said finding={finding} />}
        </Dialog>
      )}
    </>
  );
}

const SAID: Readonly<Record<string, string>> = {
  succeeded: "succeeded",
  declined: "was declined",
  reversed: "was taken back",
  not_found: "is not known there",
  pending: "is still pending",
  unknown: "could not be told",
};

function Said({ finding: { provider, said, detail, applied } }: { readonly finding: Finding }): ReactNode {
  return (
    <Notice tone={applied ? "good" : "wait"}>
      <div role="status">
        <p>
          <b>{provider}</b> says that it {SAID[said] ?? said}. <span className="break-words">{detail}</span>
        </p>
        <p className="mt-1">
          {applied ? "That is definite: the transaction has ended by it." : "That is not definite: nothing was changed."}
        </p>
      </div>
    </Notice>
  );
}
