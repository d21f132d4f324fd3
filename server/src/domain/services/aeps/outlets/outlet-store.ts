import type { Queryable } from "../../../../platform/db/connection.ts";
import type { Row } from "../../../../platform/db/schema/row-types.ts";
import type { Address, Registered } from "../provider-service.ts";
import type { Outlet, OutletState } from "./outlet.ts";

type OutletRow = Pick<
  Row<"aeps_outlets">,
  | "account_id"
  | "outlet_id"
  | "reason"
  | "provider"
  | "agent_code"
  | "onboarding_url"
  | "mobile"
  | "email"
  | "first_name"
  | "last_name"
  | "shop_name"
  | "shop_type"
  | "pan_masked"
  | "aadhaar_last4"
  | "owner_digest"
  | "bank_account_masked"
  | "ifsc"
  | "device_model"
  | "device_serial"
  | "latitude"
  | "longitude"
  | "otp_ref"
  | "otp_sent_at"
  | "daily_auth_until"
  | "last_used_at"
  | "created_at"
  | "updated_at"
> & {
  readonly state: OutletState;
  readonly address: Address;
};

function columns(sql: Queryable) {
  return sql`account_id, outlet_id, state, reason, provider, agent_code, onboarding_url, mobile, email, first_name, last_name, shop_name,
    shop_type, pan_masked, aadhaar_last4, owner_digest, address, bank_account_masked, ifsc, device_model, device_serial, latitude,
    longitude, otp_ref, otp_sent_at, daily_auth_until, last_used_at, created_at, updated_at`;
}

function toOutlet(row: OutletRow): Outlet {
  return {
    accountId: row.account_id,
    outletId: row.outlet_id,
    state: row.state,
    reason: row.reason,
    provider: row.provider,
    agentCode: row.agent_code,
    onboardingUrl: row.onboarding_url,
    mobile: row.mobile,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    shopName: row.shop_name,
    shopType: row.shop_type,
    panMasked: row.pan_masked,
    aadhaarLast4: row.aadhaar_last4,
    ownerDigest: row.owner_digest,
    address: row.address,
    bankAccountMasked: row.bank_account_masked,
    ifsc: row.ifsc,
    deviceModel: row.device_model,
    deviceSerial: row.device_serial,
    latitude: row.latitude,
    longitude: row.longitude,
    otpRef: row.otp_ref,
    otpSentAt: row.otp_sent_at?.getTime() ?? null,
    dailyAuthUntil: row.daily_auth_until?.getTime() ?? null,
    lastUsedAt: row.last_used_at.getTime(),
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
  };
}

export type OutletKey = Pick<Outlet, "accountId" | "outletId">;

export async function findOutlet(sql: Queryable, key: OutletKey): Promise<Outlet | null> {
  const [row] = await sql<OutletRow[]>`
    select ${columns(sql)} from aeps_outlets where account_id = ${key.accountId} and outlet_id = ${key.outletId}`;
  return row ? toOutlet(row) : null;
}

/** The outlet, locked until the transaction ends. */
export async function lockOutlet(sql: Queryable, key: OutletKey): Promise<Outlet | null> {
  const [row] = await sql<OutletRow[]>`
    select ${columns(sql)} from aeps_outlets where account_id = ${key.accountId} and outlet_id = ${key.outletId} for update`;
  return row ? toOutlet(row) : null;
}

/** Lists outlets, newest first; only those before `before`, when it is given. */
export async function listOutlets(sql: Queryable, accountId: string, before: string | null, limit: number): Promise<readonly Outlet[]> {
  const rows = await sql<OutletRow[]>`
    select ${columns(sql)} from aeps_outlets
    where account_id = ${accountId} ${before === null ? sql`` : sql`and outlet_id < ${before}`}
    order by outlet_id desc limit ${limit}`;
  return rows.map(toOutlet);
}

export type NewOutletRow = Omit<
  Outlet,
  "state" | "reason" | "agentCode" | "onboardingUrl" | "otpRef" | "otpSentAt" | "dailyAuthUntil" | "lastUsedAt" | "updatedAt"
>;

export async function insertOutlet(sql: Queryable, outlet: NewOutletRow): Promise<void> {
  const at = new Date(outlet.createdAt);
  await sql`
    insert into aeps_outlets (account_id, outlet_id, state, provider, mobile, email, first_name, last_name, shop_name, shop_type,
      pan_masked, aadhaar_last4, owner_digest, address, bank_account_masked, ifsc, device_model, device_serial,
      latitude, longitude, last_used_at, created_at, updated_at)
    values (${outlet.accountId}, ${outlet.outletId}, 'OTP_PENDING', ${outlet.provider}, ${outlet.mobile}, ${outlet.email},
      ${outlet.firstName}, ${outlet.lastName}, ${outlet.shopName}, ${outlet.shopType}, ${outlet.panMasked}, ${outlet.aadhaarLast4},
      ${outlet.ownerDigest}, ${JSON.stringify(outlet.address)}::text::jsonb, ${outlet.bankAccountMasked}, ${outlet.ifsc},
      ${outlet.deviceModel}, ${outlet.deviceSerial}, ${outlet.latitude}, ${outlet.longitude}, ${at}, ${at}, ${at})`;
}

/** Stores what the provider gave the outlet; an existing agent code is kept. */
export async function storeRegistration(sql: Queryable, key: OutletKey, registered: Registered): Promise<void> {
  await sql`
    update aeps_outlets set agent_code = ${registered.agentCode}, onboarding_url = ${registered.onboardingUrl}
    where account_id = ${key.accountId} and outlet_id = ${key.outletId} and agent_code is null`;
}

/** Marks when a password was asked for, before the provider sends it; the earlier one stays valid. Null takes that back. */
export async function noteSending(sql: Queryable, key: OutletKey, at: Date | null): Promise<void> {
  await sql`
    update aeps_outlets set otp_sent_at = ${at} where account_id = ${key.accountId} and outlet_id = ${key.outletId}`;
}

export async function noteOtp(sql: Queryable, key: OutletKey, otpRef: string, at: Date): Promise<void> {
  await sql`
    update aeps_outlets set otp_ref = ${otpRef}, otp_sent_at = ${at}
    where account_id = ${key.accountId} and outlet_id = ${key.outletId} and state = 'OTP_PENDING'`;
}

/**
 * Counts an authentication of the owner by its day in India. Returns false if the day had too many wrong numbers before:
 * then nothing is counted, and the answer must not depend on the number.
 */
export async function countOwnerAuthentication(
  sql: Queryable,
  key: OutletKey,
  { day, isWrong, maxWrong }: { readonly day: string; readonly isWrong: boolean; readonly maxWrong: number },
): Promise<boolean> {
  const { count } = await sql`
    update aeps_outlets set wrong_owner_day = ${day}::text::date,
      wrong_owner_count = case when wrong_owner_day = ${day}::text::date then wrong_owner_count else 0 end + ${isWrong ? 1 : 0}
    where account_id = ${key.accountId} and outlet_id = ${key.outletId}
      and (wrong_owner_day is distinct from ${day}::text::date or wrong_owner_count < ${maxWrong})`;
  return count === 1;
}

export type StateChange = { readonly from: OutletState; readonly to: OutletState; readonly reason: string; readonly at: Date };

/** Returns false when the outlet is already in another state. Reaching ACTIVE counts as use. */
export async function changeState(sql: Queryable, key: OutletKey, change: StateChange): Promise<boolean> {
  const { count } = await sql`
    update aeps_outlets set state = ${change.to}, reason = ${change.reason}, last_used_at = ${change.at}, updated_at = ${change.at}
    where account_id = ${key.accountId} and outlet_id = ${key.outletId} and state = ${change.from}`;
  return count === 1;
}

/** Returns false when the outlet is no longer active. */
export async function noteDailyAuth(sql: Queryable, key: OutletKey, until: Date, at: Date): Promise<boolean> {
  const { count } = await sql`
    update aeps_outlets set daily_auth_until = ${until}, last_used_at = ${at}
    where account_id = ${key.accountId} and outlet_id = ${key.outletId} and state = 'ACTIVE'`;
  return count === 1;
}

export async function noteUse(sql: Queryable, key: OutletKey, at: Date): Promise<boolean> {
  const { count } = await sql`
    update aeps_outlets set last_used_at = ${at}
    where account_id = ${key.accountId} and outlet_id = ${key.outletId} and state = 'ACTIVE'`;
  return count === 1;
}
