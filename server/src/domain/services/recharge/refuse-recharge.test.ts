import { describe, expect, test } from "vitest";
import { accountWith } from "../../../api/client/gate/testing/account.ts";
import type { Account } from "../../accounts/account.ts";
import type { Catalogue, Operator, Service } from "../../catalog/catalogue.ts";
import { money } from "../../orders/testing/fixture.ts";
import { type RechargeDetails, refuseKnown, refuseRecharge } from "./refuse-recharge.ts";

const NOON = Date.parse("2026-11-15T12:00:00+05:30");

type Case = {
  readonly account: Partial<Account>;
  readonly service: Partial<Service>;
  readonly operator: Partial<Operator>;
  readonly details: Partial<RechargeDetails>;
  readonly served?: boolean;
};

const NOTHING: Case = { account: {}, service: {}, operator: {}, details: {} };

function catalogueOf(one: Case): Catalogue {
  const operator = {
    operator: "AT",
    name: "Airtel",
    kind: "mobile_prepaid",
    accountLabel: "Mobile number",
    accountPattern: /^[6-9][0-9]{9}$/u,
    accountExample: "9876543000",
    minAmount: money(10),
    maxAmount: money(5_000),
    denominations: [],
    enabled: true,
    ...one.operator,
  };
  const service = {
    service: "recharge",
    name: "Recharge",
    signing: "optional",
    enabled: true,
    opensAt: null,
    closesAt: null,
    ...one.service,
  };
  return {
    service: () => service,
    operator: (code: string) => (code === "AT" ? operator : null),
  } as unknown as Catalogue;
}

function refuse(one: Case) {
  const details = { target: "9876543000", operatorCode: "AT", amount: money(10), ...one.details };
  return refuseRecharge({
    account: accountWith(one.account),
    catalogue: catalogueOf(one),
    details,
    now: NOON,
    isServed: () => one.served ?? true,
  });
}

type Check = { readonly error: string; readonly shape: string; readonly spoil: Partial<Case> };

// Contract, section 2, check 8, in its order; the known reference, the daily limit and the balance belong to the writer.
const CHECKS: readonly Check[] = [
  { error: "account_inactive", shape: "account", spoil: { account: { standing: "inactive" } } },
  { error: "account_paused", shape: "account", spoil: { account: { standing: "paused" } } },
  { error: "kyc_not_verified", shape: "account", spoil: { account: { kyc: "pending" } } },
  { error: "agreement_not_signed", shape: "account", spoil: { account: { agreement: "pending" } } },
  { error: "service_closed", shape: "account", spoil: { service: { opensAt: "13:00", closesAt: "14:00" } } },
  { error: "service_not_enabled", shape: "ordinary", spoil: { account: { services: new Set(["bills"]) } } },
  { error: "wallet_suspended", shape: "ordinary", spoil: { account: { wallet: "suspended" } } },
  { error: "service_off", shape: "ordinary", spoil: { service: { enabled: false } } },
  { error: "unknown_operator", shape: "rejected", spoil: { details: { operatorCode: "ZZ" } } },
  { error: "operator_off", shape: "ordinary", spoil: { operator: { enabled: false } } },
  { error: "operator_off", shape: "ordinary", spoil: { served: false } },
  { error: "invalid_request", shape: "rejected", spoil: { details: { target: "12345" } } },
  { error: "amount_out_of_range", shape: "rejected", spoil: { details: { amount: money(9.9999) } } },
];

/** Several things wrong at once; of two wrongs in one field the earlier check's stays. */
function spoiled(...checks: readonly Check[]): Case {
  return checks.toReversed().reduce(
    (one, { spoil }) => ({
      account: { ...one.account, ...spoil.account },
      service: { ...one.service, ...spoil.service },
      operator: { ...one.operator, ...spoil.operator },
      details: { ...one.details, ...spoil.details },
      served: spoil.served ?? one.served ?? true,
    }),
    NOTHING,
  );
}

const outcomeOf = (one: Case) => {
  const against = refuse(one);
  return against && { error: against.refusal.error, shape: against.shape };
};

test("nothing stands against an ordinary recharge", () => {
  expect(refuse(NOTHING)).toBeNull();
});

describe("the order of checks", () => {
  test.each(CHECKS)("$error alone refuses", (check) => {
    expect(outcomeOf(spoiled(check))).toEqual({ error: check.error, shape: check.shape });
  });

  const pairs = CHECKS.flatMap((first, place) => CHECKS.slice(place + 1).map((second) => ({ first, second })));
  test.each(pairs)("$first.error comes before $second.error", ({ first, second }) => {
    expect(outcomeOf(spoiled(first, second))).toEqual({ error: first.error, shape: first.shape });
  });

  test.each(CHECKS.map((check, place) => ({ check, rest: CHECKS.slice(place) })))(
    "$check.error comes before all that follow it",
    ({ check, rest }) => {
      expect(outcomeOf(spoiled(...rest))).toEqual({ error: check.error, shape: check.shape });
    },
  );
});

describe("amounts", () => {
  test.each([10, 10.0001, 4_999.9999, 5_000])("%d is within the operator's range", (rupees) => {
    expect(refuse({ ...NOTHING, details: { amount: money(rupees) } })).toBeNull();
  });

  test.each([0.0001, 9.9999, 5_000.0001, 999_999])("%d is not", (rupees) => {
    expect(outcomeOf({ ...NOTHING, details: { amount: money(rupees) } })?.error).toBe("amount_out_of_range");
  });

  test("an operator with denominations takes just those", () => {
    const operator = { denominations: [money(49), money(99)] };
    expect(refuse({ ...NOTHING, operator, details: { amount: money(99) } })).toBeNull();
    expect(outcomeOf({ ...NOTHING, operator, details: { amount: money(98) } })?.error).toBe("amount_out_of_range");
  });
});

test("a wrong account is named with its field and an example", () => {
  expect(refuse(spoiled({ error: "", shape: "", spoil: { details: { target: "12345" } } }))?.refusal.fields).toEqual({
    account: expect.stringContaining("9876543000"),
  });
});

describe("against a known reference with other details", () => {
  const known = (one: Case) => refuseKnown(accountWith(one.account), catalogueOf(one))?.error ?? null;
  const STANDS = new Set([
    "account_inactive",
    "account_paused",
    "kyc_not_verified",
    "agreement_not_signed",
    "service_not_enabled",
    "service_off",
  ]);

  test.each(CHECKS)("$error stands just when it is an account reason or a switched-off service", (check) => {
    expect(known(spoiled(check))).toBe(STANDS.has(check.error) ? check.error : null);
  });

  test("what does not stand hides nothing that does", () => {
    const named = (...errors: readonly string[]) => spoiled(...CHECKS.filter((check) => errors.includes(check.error)));
    expect(known(named("service_closed", "service_not_enabled"))).toBe("service_not_enabled");
    expect(known(named("wallet_suspended", "service_off"))).toBe("service_off");
  });
});
