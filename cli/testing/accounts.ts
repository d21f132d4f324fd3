import { randomBytes } from "node:crypto";
import { OPERATOR_KEY, type Serving } from "./processes.ts";

/** Accounts that may call from here, as often as a test likes. */
export async function openAccounts(service: Serving, count: number): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (let number = 1; number <= count; number++) tokens.push((await openAccount(service, `Account ${number}`)).token);
  return tokens;
}

export type FundedAccount = { readonly accountId: string; readonly token: string };

/** An account that has money. */
export async function openFundedAccount(service: Serving, amount: string): Promise<FundedAccount> {
  const account = await openAccount(service, "Funded");
  await operatorCall(service, "POST", `/accounts/${account.accountId}/wallet`, { amount, reference: "first" });
  return account;
}

/** The status that a client with this token gets. */
export async function call(service: Serving, token: string): Promise<number> {
  const reply = await fetch(`${service.base}/api/corp/v1/services`, { headers: { "X-Api-Token": token } });
  await reply.arrayBuffer();
  return reply.status;
}

type Recharge = { readonly operator: string; readonly account: string; readonly amount: string };
type RechargeReply = { readonly status: string; readonly order_id: string; readonly operator_ref: unknown };

/** A new recharge through the client API. */
export async function recharge(service: Serving, { token }: FundedAccount, wanted: Recharge): Promise<RechargeReply> {
  const reply = await fetch(`${service.base}/api/corp/v1/recharge`, {
    method: "POST",
    headers: { "X-Api-Token": token, "Content-Type": "application/json" },
    body: JSON.stringify({ ...wanted, urid: randomBytes(8).toString("hex") }),
  });
  if (!reply.ok) throw new Error(`The recharge was answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as RechargeReply;
}

export async function orderDetail(service: Serving, orderId: string): Promise<{ readonly provider: string }> {
  const { order } = await operatorCall(service, "GET", `/orders/${orderId}`);
  return order as { readonly provider: string };
}

async function openAccount(service: Serving, name: string): Promise<FundedAccount> {
  const created = await operatorCall(service, "POST", "/accounts", { name });
  const path = `/accounts/${created["account_id"]}`;
  await operatorCall(service, "POST", `${path}/allowlist`, { entries: ["127.0.0.1"] });
  await operatorCall(service, "POST", path, { money_per_minute: 1_000_000, get_per_minute: 1_000_000 });
  return { accountId: String(created["account_id"]), token: String(created["api_token"]) };
}

async function operatorCall(service: Serving, method: "GET" | "POST", path: string, body?: object): Promise<Record<string, unknown>> {
  const reply = await fetch(`${service.base}/api/operator/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${OPERATOR_KEY}`, ...(body ? { "Content-Type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as Record<string, unknown>;
}
