import { OPERATOR_KEY, type Serving } from "./processes.ts";

/** Accounts that may call from here, as often as a test likes. */
export async function openAccounts(service: Serving, count: number): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (let number = 1; number <= count; number++) {
    const created = await operatorPost(service, "/accounts", { name: `Account ${number}` });
    const path = `/accounts/${created["account_id"]}`;
    await operatorPost(service, `${path}/allowlist`, { entries: ["127.0.0.1"] });
    await operatorPost(service, path, { money_per_minute: 1_000_000, get_per_minute: 1_000_000 });
    tokens.push(String(created["api_token"]));
  }
  return tokens;
}

/** The status that a client with this token gets. */
export async function call(service: Serving, token: string): Promise<number> {
  const reply = await fetch(`${service.base}/api/corp/v1/services`, { headers: { "X-Api-Token": token } });
  await reply.arrayBuffer();
  return reply.status;
}

async function operatorPost(service: Serving, path: string, body: object): Promise<Record<string, unknown>> {
  const reply = await fetch(`${service.base}/api/operator/v1${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${OPERATOR_KEY}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as Record<string, unknown>;
}
