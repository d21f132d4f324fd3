import type { AccountDetail } from "../accounts/read-account.ts";
import type { AuditRow } from "../audit/list.ts";
import type { Operator, Service } from "../catalogue/catalogue.ts";
import { SERVICE_NAMES } from "../catalogue/definitions.ts";
import { indiaDateTime } from "../kernel/india-time.ts";
import { formatMoney, type Money } from "../kernel/money.ts";
import type { OperatorKeyRow } from "./key-store.ts";

// What things look like on the wire of this API.

export function accountView({ account, signingSecrets, callbackSecretSet }: AccountDetail) {
  return {
    account_id: account.account_id,
    name: account.name,
    sandbox: account.sandbox,
    standing: account.standing,
    kyc: account.kyc,
    agreement: account.agreement,
    wallet: account.wallet,
    signing_required: account.signing_required,
    money_per_minute: account.money_per_minute,
    get_per_minute: account.get_per_minute,
    daily_limit: account.daily_limit === null ? null : formatMoney(account.daily_limit as Money),
    services: Object.fromEntries(SERVICE_NAMES.map((service) => [service, account.services.includes(service)])),
    allowlist: account.allowlist,
    callback_url: account.callback_url,
    complaint_callback_url: account.complaint_callback_url,
    callback_version: account.callback_version,
    signing_secrets: signingSecrets.map((secret) => ({
      credential_id: secret.credentialId,
      created_at: time(secret.createdAt),
      expires_at: secret.expiresAt === null ? null : time(secret.expiresAt),
    })),
    callback_secret_set: callbackSecretSet,
    created_at: time(account.created_at),
  };
}

export function serviceView(service: Service) {
  return {
    service: service.service,
    name: service.name,
    signing: service.signing,
    enabled: service.enabled,
    opens_at: service.opensAt,
    closes_at: service.closesAt,
  };
}

export function operatorView(operator: Operator) {
  return {
    operator: operator.operator,
    name: operator.name,
    kind: operator.kind,
    account_label: operator.accountLabel,
    account_pattern: operator.accountPattern.source,
    account_example: operator.accountExample,
    min_amount: formatMoney(operator.minAmount),
    max_amount: formatMoney(operator.maxAmount),
    denominations: operator.denominations.map(formatMoney),
    enabled: operator.enabled,
  };
}

export function keyView(key: OperatorKeyRow) {
  return { key_id: key.key_id, name: key.name, created_at: time(key.created_at) };
}

export function auditView(entry: AuditRow) {
  return {
    seq: Number(entry.seq),
    at: time(entry.at),
    actor: entry.actor,
    action: entry.action,
    subject_kind: entry.subject_kind,
    subject_id: entry.subject_id,
    details: JSON.parse(entry.details) as unknown,
    hash: entry.hash.toString("hex"),
  };
}

function time(at: Date): string {
  return indiaDateTime(at.getTime());
}
