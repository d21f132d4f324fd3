import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LinkButton } from "../../ui/button.tsx";
import { Status } from "../../ui/formats/badge.tsx";
import { Money } from "../../ui/formats/money.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Card, Facts, Notice } from "../../ui/page.tsx";
import { BulkItems } from "../bulk/bulk-items.tsx";
import { clientFact } from "../clients/client-fact.tsx";
import { accessText } from "../keys/key.ts";
import { rateText } from "../pricing/rule.ts";
import { type Approval, kindText, stateOf, whoText } from "./approval.ts";
import { ruleName, ruleText } from "./rules.ts";

type Fact = readonly [name: string, value: ReactNode];

/** The details of an approval request and its outcome. */
export function ApprovalFacts({ approval }: { readonly approval: Approval }): ReactNode {
  return (
    <>
      <State approval={approval} />
      <Card title="Request">
        <Facts facts={requestFacts(approval)} />
      </Card>
      {approval.kind === "wallet" && typeof approval.balance_before === "string" && (
        <Card title="Wallet">
          <Facts
            facts={[
              ["Balance before", <Money key="before" value={approval.balance_before} />],
              ["Balance after", <Money key="after" value={approval.balance_after ?? "0"} />],
            ]}
          />
        </Card>
      )}
      {approval.kind === "bulk_settle" && <BulkItems selectionId={String(approval.input["selection_id"])} />}
      <Card title="Requester and decision">
        <Facts facts={userFacts(approval)} />
      </Card>
      <LinkButton to="/audit" search={{ subject_kind: "approval", subject_id: approval.approval_id }}>
        Show audit log
      </LinkButton>
    </>
  );
}

const STATE_TEXTS: Readonly<Record<Approval["state"], string>> = {
  waiting: "Nothing has changed yet.",
  approved: "The request was approved and is being carried out.",
  rejected: "The request was rejected. Nothing was changed.",
  withdrawn: "The request was withdrawn. Nothing was changed.",
  expired: "The request expired without a decision. Nothing was changed.",
  done: "The request was approved and carried out.",
  failed: "The request was approved but could no longer be carried out. Nothing was changed.",
};

function stateText({ kind, state }: Approval): string {
  if (kind !== "cancel" || state !== "approved") return STATE_TEXTS[state];
  return "The request was approved. The provider has not said yet whether the ticket is cancelled. The transaction shows the calls so far, and there you can decide the cancellation.";
}

function State({ approval }: { readonly approval: Approval }): ReactNode {
  const why = approval.state === "failed" ? approval.result?.["reason"] : null;
  const isOwn = approval.state === "waiting" && approval.mine;
  return (
    <Notice tone={approval.state === "done" ? "good" : approval.state === "failed" ? "bad" : "wait"}>
      <p className="flex flex-wrap items-center gap-2">
        <Status {...stateOf(approval)} /> <span>{stateText(approval)}</span>
      </p>
      {typeof why === "string" && <p className="mt-1 font-medium">{why}</p>}
      {approval.may_decide && approval.barred !== null && <p className="mt-1 font-medium">{approval.barred}</p>}
      {isOwn && <p className="mt-1">You made this request, so another person must decide.</p>}
    </Notice>
  );
}

/** What a request is about, for the dialogs that decide it. */
export function subjectFacts(approval: Approval): readonly Fact[] {
  const { amount, account_id: accountId, account_name: name, order_id: orderId } = approval;
  return [
    ["Request", kindText(approval)],
    ...(accountId === null ? [] : [clientFact({ account_id: accountId, name: name ?? "" })]),
    ...(orderId === null ? [] : [["Order", <code key="order" className="font-mono">{`${orderId}`}</code>] as const]),
    ...(amount === null ? [] : [["Amount", <Money key="amount" value={amount} className="font-semibold" />] as const]),
  ];
}

function requestFacts(approval: Approval): readonly Fact[] {
  const { amount, account_id: accountId, order_id: orderId, input } = approval;
  const text = (name: string) => (typeof input[name] === "string" && input[name] !== "" ? String(input[name]) : null);
  const facts: readonly (readonly [string, ReactNode | null])[] = [
    ["Amount", amount === null ? null : <Money key="amount" value={amount} />],
    ["Account", accountId === null ? null : <Account key="account" accountId={accountId} name={approval.account_name} />],
    ["Order", orderId === null ? null : <Order key="order" orderId={orderId} />],
    ["Complaint", text("complaint_ref")],
    ["Reconciliation", reconciliation(input)],
    ["Orders", typeof input["count"] === "number" ? String(input["count"]) : null],
    ["New status", text("status")],
    ["Operator's reference", text("operator_ref")],
    ["Reference", text("reference")],
    ["Note", text("note")],
    ["Applies to", input["all_accounts"] === true ? "All accounts" : null],
    ["Service", text("service")],
    ["Operator", text("operator")],
    ["Fee", rate(input["fee"])],
    ["Commission", rate(input["commission"])],
    ["Starts on", typeof input["valid_from"] === "number" ? indiaDay(input["valid_from"]) : null],
    ["Provider", text("provider")],
    ["New", input["new"] === true ? "Yes" : null],
    ["Calls these addresses", text("addresses_to")],
    ["Called before", text("addresses_from")],
    ["Changed settings", list(input["settings_changed"])],
    ["Changed secrets", list(input["secrets_changed"])],
    ...(text("key_id") === null ? [] : keyFacts(text)),
    ...(approval.kind === "single_sign_on" ? signOnFacts(input) : []),
    ["Reason", text("reason")],
    ...Object.entries(input.changes ?? {}).map(
      ([name, { from, to }]) => [ruleName(name), `${ruleText(name, from)} → ${ruleText(name, to)}`] as const,
    ),
  ];
  return facts.filter(([, value]) => value !== null);
}

/** An approver must see what the key may do. */
function keyFacts(text: (name: string) => string | null): readonly (readonly [string, ReactNode])[] {
  const expiresAt = text("expires_at");
  return [
    ["Key name", text("name")],
    ["Access", accessText(text("role"))],
    ["Works from", text("source_addresses") ?? "Everywhere"],
    ["Expires", <Time key="expires" value={expiresAt} none="Never" />],
  ];
}

/** An approver must see whom the identity provider could let in, and with which roles. */
function signOnFacts(input: Approval["input"]): readonly (readonly [string, ReactNode])[] {
  if (input["removes"] === true) return [["Identity provider", "Is removed"]];
  const rules = Array.isArray(input["role_map"]) ? (input["role_map"] as readonly { value: string; role: string }[]) : [];
  const yes = (name: string) => (input[name] === true ? "Yes" : "No");
  return [
    ["Identity provider", String(input["name"])],
    ["Issuer", String(input["issuer"])],
    ["Client ID", String(input["client_id"])],
    ["Client secret", input["client_secret"] === "new" ? "New" : input["client_secret"] === "none" ? "None" : "Unchanged"],
    ["Email domains", list(input["domains"]) ?? "None"],
    ["Roles by claim", list(rules.map(({ value, role }) => `${value} = ${role}`)) ?? "None"],
    ["Default role", String(input["default_role"] ?? "None")],
    ["Claims may give the role admin", yes("grants_manager")],
    ["Creates members", yes("creates_members")],
    ["Second factor", input["second_factor"] === "provider" ? "The identity provider asks for it" : "This site asks for it"],
    ["Enforced", yes("enforced")],
    ["On", yes("enabled")],
  ];
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
      {typeof item === "number" ? `Line ${item} of the file` : "All lines that can be settled"}
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

function userFacts(approval: Approval): readonly Fact[] {
  const facts: Fact[] = [
    ["Requested by", whoText(approval.made_by, approval.made_by_name)],
    ["Requested", <Time key="made" value={approval.created_at} />],
  ];
  if (approval.state === "waiting") facts.push(["Expires", <Time key="expires" value={approval.expires_at} />]);
  if (approval.decided_by !== null && approval.state !== "expired") {
    facts.push(["Decided by", whoText(approval.decided_by, approval.decided_by_name)]);
    facts.push(["Decided", <Time key="decided" value={approval.decided_at} />]);
  }
  if (approval.reason !== null) facts.push(["Reason for the decision", approval.reason]);
  if (approval.finished_at !== null) facts.push(["Finished", <Time key="ended" value={approval.finished_at} />]);
  return facts;
}
