import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Status } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Money } from "../../ui/money.tsx";
import { Card, Facts, Notice } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { rateText } from "../pricing/rule.ts";
import { type Approval, stateOf, whoText } from "./approval.ts";
import { ruleName, ruleText } from "./rules.ts";

type Fact = readonly [name: string, value: ReactNode];

/** Everything there is to know before one agrees, and what became of it. */
export function ApprovalFacts({ one }: { readonly one: Approval }): ReactNode {
  return (
    <>
      <State one={one} />
      <Card title="What is asked for">
        <Facts facts={askedFacts(one)} />
      </Card>
      {one.kind === "wallet" && typeof one.balance_before === "string" && (
        <Card title="The wallet">
          <Facts
            facts={[
              ["Balance before", <Money key="before" value={one.balance_before} />],
              ["Balance after", <Money key="after" value={one.balance_after ?? "0"} />],
            ]}
          />
        </Card>
      )}
      <Card title="Who and when">
        <Facts facts={userFacts(one)} />
      </Card>
      <LinkButton to="/audit" search={{ subject_kind: "approval", subject_id: one.approval_id }}>
        Its audit trail
      </LinkButton>
    </>
  );
}

const SAYS: Readonly<Record<Approval["state"], string>> = {
  waiting: "Nothing has happened yet.",
  approved: "It was approved and is being done.",
  rejected: "It was rejected; nothing happened.",
  withdrawn: "It was withdrawn; nothing happened.",
  expired: "Nobody decided in time; nothing happened.",
  done: "It was approved and done.",
  failed: "It was approved but could not be done any more; nothing changed.",
};

function State({ one }: { readonly one: Approval }): ReactNode {
  const why = one.state === "failed" ? one.result?.["reason"] : null;
  const own = one.state === "waiting" && one.mine;
  return (
    <Notice tone={one.state === "done" ? "good" : one.state === "failed" ? "bad" : "wait"}>
      <p className="flex flex-wrap items-center gap-2">
        <Status {...stateOf(one)} /> <span>{SAYS[one.state]}</span>
      </p>
      {typeof why === "string" && <p className="mt-1 font-medium">{why}</p>}
      {one.may_decide && one.barred !== null && <p className="mt-1 font-medium">{one.barred}</p>}
      {own && <p className="mt-1">You have asked for it, so somebody else has to decide.</p>}
    </Notice>
  );
}

function askedFacts(one: Approval): readonly Fact[] {
  const { amount, account_id: accountId, order_id: orderId, input } = one;
  const text = (name: string) => (typeof input[name] === "string" && input[name] !== "" ? String(input[name]) : null);
  const facts: readonly (readonly [string, ReactNode | null])[] = [
    ["Amount", amount === null ? null : <Money key="amount" value={amount} />],
    ["Account", accountId === null ? null : <Account key="account" accountId={accountId} name={one.account_name} />],
    ["Order", orderId === null ? null : <Order key="order" orderId={orderId} />],
    ["Complaint", text("complaint_ref")],
    ["Reconciliation", reconciliation(input)],
    ["Orders", typeof input["count"] === "number" ? String(input["count"]) : null],
    ["To become", text("status")],
    ["Operator's reference", text("operator_ref")],
    ["Reference", text("reference")],
    ["Note", text("note")],
    ["Whose orders", input["all_accounts"] === true ? "All accounts" : null],
    ["Service", text("service")],
    ["Operator", text("operator")],
    ["Fee", rate(input["fee"])],
    ["Commission", rate(input["commission"])],
    ["Begins on", typeof input["valid_from"] === "number" ? indiaDay(input["valid_from"]) : null],
    ["Provider", text("provider")],
    ["New", input["new"] === true ? "Yes" : null],
    ["Sends to", text("addresses_to")],
    ["Sent to before", text("addresses_from")],
    ["Parts that change", list(input["settings_changed"])],
    ["Secrets that change", list(input["secrets_changed"])],
    ["Name of the key", text("key_id") === null ? null : text("name")],
    ["Reason given", text("reason")],
    ...Object.entries(input.changes ?? {}).map(
      ([name, { from, to }]) => [ruleName(name), `${ruleText(name, from)} → ${ruleText(name, to)}`] as const,
    ),
  ];
  return facts.filter(([, value]) => value !== null);
}

function list(names: unknown): string | null {
  return Array.isArray(names) && names.length > 0 ? names.join(", ") : null;
}

type WrittenRate = { readonly flat: string; readonly basis_points: string; readonly min?: string; readonly max?: string };

function rate(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const { flat, basis_points: points, min = null, max = null } = value as WrittenRate;
  const percent = `${Math.floor(Number(points) / 100)}.${String(Number(points) % 100).padStart(2, "0")}`;
  return rateText({ percent, flat, min, max }) || "None";
}

function indiaDay(milliseconds: number): string {
  return new Date(milliseconds).toLocaleDateString("en-IN", { timeZone: "Asia/Kolkata", dateStyle: "medium" });
}

function reconciliation({ reconciliation_id: id, item }: Approval["input"]): ReactNode | null {
  if (typeof id !== "string") return null;
  return (
    <Link to="/reconciliation/$reconciliationId" params={{ reconciliationId: id }} className="link">
      {typeof item === "number" ? `Line ${item} of its file` : "All that can be settled"}
    </Link>
  );
}

function Account({ accountId, name }: { readonly accountId: string; readonly name: string | null }): ReactNode {
  return (
    <Link to="/accounts/$accountId" params={{ accountId }} className="link">
      {name ?? accountId}
    </Link>
  );
}

function Order({ orderId }: { readonly orderId: string }): ReactNode {
  return (
    <Link to="/transactions/$orderId" params={{ orderId }} className="link font-mono">
      {orderId}
    </Link>
  );
}

function userFacts(one: Approval): readonly Fact[] {
  const facts: Fact[] = [
    ["Asked for by", whoText(one.made_by, one.made_by_name)],
    ["Asked for", <Time key="made" value={one.created_at} />],
  ];
  if (one.state === "waiting") facts.push(["Expires", <Time key="expires" value={one.expires_at} />]);
  if (one.decided_by !== null && one.state !== "expired") {
    facts.push(["Decided by", whoText(one.decided_by, one.decided_by_name)]);
    facts.push(["Decided", <Time key="decided" value={one.decided_at} />]);
  }
  if (one.reason !== null) facts.push(["Reason", one.reason]);
  if (one.finished_at !== null) facts.push(["Ended", <Time key="ended" value={one.finished_at} />]);
  return facts;
}
