import type { Service } from "./service.ts";

export type JsonRecord = Readonly<Record<string, unknown>>;
export type OperatorReply = { readonly status: number; readonly body: JsonRecord };

/** Makes a call of the operator API. */
export async function operator(service: Service, method: "GET" | "POST", path: string, body?: JsonRecord): Promise<OperatorReply> {
  const reply = await fetch(`${service.url}/api/operator/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${service.operatorKey}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: (await reply.json()) as JsonRecord };
}

/** Makes a change that must succeed. */
export async function change(service: Service, path: string, body: JsonRecord = {}): Promise<JsonRecord> {
  const reply = await operator(service, "POST", path, body);
  if (reply.status >= 300) throw new Error(`POST ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

export type Client = { readonly accountId: string; readonly token: string; readonly secret: string };

export type Wanted = {
  readonly allowlist?: readonly string[];
  readonly services?: Readonly<Record<string, boolean>>;
  readonly settings?: JsonRecord;
  readonly sandbox?: boolean;
};

/** A client's account that allows calls from loopback and, by default, has a signing secret. */
export async function newClient(service: Service, wanted: Wanted = {}): Promise<Client> {
  const created = await change(service, "/accounts", { name: "Asha Stores", sandbox: wanted.sandbox ?? false });
  const accountId = String(created["account_id"]);
  await change(service, `/accounts/${accountId}/allowlist`, { entries: wanted.allowlist ?? ["127.0.0.0/8", "::1"] });
  if (wanted.services) await change(service, `/accounts/${accountId}/services`, wanted.services);
  if (wanted.settings) await change(service, `/accounts/${accountId}`, wanted.settings);
  return { accountId, token: String(created["api_token"]), secret: await newSigningSecret(service, accountId) };
}

export async function newSigningSecret(service: Service, accountId: string): Promise<string> {
  return String((await change(service, `/accounts/${accountId}/signing-secret`))["signing_secret"]);
}

export async function newCallbackSecret(service: Service, accountId: string): Promise<string> {
  return String((await change(service, `/accounts/${accountId}/callback-secret`))["callback_secret"]);
}
