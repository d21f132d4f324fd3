import { indiaDate, indiaDateTime, indiaMidnight } from "../../../../platform/core/india-time.ts";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import { failureSentence, parseFailure } from "../../../shared/failure.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import { maskedAadhaar } from "../authentication/aadhaar.ts";
import type { Address } from "../provider-service.ts";

export type OutletState = "OTP_PENDING" | "BIOMETRIC_PENDING" | "ACTIVE" | "SUSPENDED" | "REJECTED";
export type OutletStatus = OutletState | "REKYC_REQUIRED";

export type Outlet = {
  readonly accountId: string;
  readonly outletId: string;
  readonly state: OutletState;
  readonly reason: string;
  readonly provider: string;
  /** Null until the provider has registered the outlet. */
  readonly agentCode: string | null;
  /** The provider's web page on which the owner completes the registration; null for most providers. */
  readonly onboardingUrl: string | null;
  readonly mobile: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly shopName: string;
  readonly shopType: string;
  readonly panMasked: string;
  readonly aadhaarLast4: string;
  readonly ownerDigest: Buffer;
  readonly address: Address;
  readonly bankAccountMasked: string;
  readonly ifsc: string;
  readonly deviceModel: string;
  readonly deviceSerial: string;
  readonly latitude: string;
  readonly longitude: string;
  readonly otpRef: string | null;
  readonly otpSentAt: number | null;
  readonly dailyAuthUntil: number | null;
  readonly lastUsedAt: number;
  readonly createdAt: number;
  readonly updatedAt: number;
};

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const IDLE_MILLISECONDS = 90 * DAY_MILLISECONDS;

/** Contract, section 6: an active outlet that was not used for 90 days needs a new KYC. */
export function statusOf(outlet: Pick<Outlet, "state" | "lastUsedAt">, now: number): OutletStatus {
  return outlet.state === "ACTIVE" && now - outlet.lastUsedAt >= IDLE_MILLISECONDS ? "REKYC_REQUIRED" : outlet.state;
}

export function outletNotFound(): Refusal {
  return refused("outlet_not_found", "The account has no outlet with this outlet_id.");
}

const WHY_NOT: Readonly<Record<Exclude<OutletStatus, "ACTIVE" | "REKYC_REQUIRED">, string>> = {
  OTP_PENDING: "The outlet's mobile is not verified yet.",
  BIOMETRIC_PENDING: "The outlet is waiting for its owner's biometric.",
  SUSPENDED: "The outlet is suspended.",
  REJECTED: "The outlet was rejected.",
};

/** Returns why the outlet cannot be used; null when it can. */
export function refuseUse(outlet: Outlet, now: number): Refusal | null {
  const status = statusOf(outlet, now);
  if (status === "ACTIVE") return null;
  if (status !== "REKYC_REQUIRED") return refused("outlet_not_active", WHY_NOT[status]);
  return refused("rekyc_required", "The outlet was not used for 90 days. Its owner must give a biometric again.");
}

/** The same for a transaction, which also needs the daily authentication. */
export function refuseTransaction(outlet: Outlet, now: number): Refusal | null {
  const refusal = refuseUse(outlet, now);
  if (refusal) return refusal;
  const authenticated = outlet.dailyAuthUntil !== null && now < outlet.dailyAuthUntil;
  return authenticated
    ? null
    : refused("daily_auth_required", "The outlet's owner has not authenticated today. Call POST /aeps/auth with type DAILY.");
}

/** When the current day in India ends. */
export function endOfDay(now: number): number {
  return (indiaMidnight(indiaDate(now)) ?? 0) + DAY_MILLISECONDS;
}

/** An outlet as the client sees it. */
export function outletRecord(outlet: Outlet, now: number): JsonObject {
  const authenticated = outlet.dailyAuthUntil !== null && now < outlet.dailyAuthUntil;
  return {
    outlet_id: outlet.outletId,
    status: statusOf(outlet, now),
    reason: failureSentence(parseFailure(outlet.reason)) ?? "",
    mobile: outlet.mobile,
    email: outlet.email,
    first_name: outlet.firstName,
    last_name: outlet.lastName,
    shop_name: outlet.shopName,
    shop_type: outlet.shopType,
    pan_masked: outlet.panMasked,
    aadhaar_masked: maskedAadhaar(outlet.aadhaarLast4),
    address: outlet.address,
    bank_account_masked: outlet.bankAccountMasked,
    ifsc: outlet.ifsc,
    device: { model: outlet.deviceModel, serial: outlet.deviceSerial },
    daily_auth_until: authenticated ? Math.floor((outlet.dailyAuthUntil ?? 0) / 1000) : null,
    ...(outlet.onboardingUrl === null ? {} : { onboarding_url: outlet.onboardingUrl }),
    created_at: indiaDateTime(outlet.createdAt),
    updated_at: indiaDateTime(outlet.updatedAt),
  };
}
