import { expect, onTestFinished, test } from "vitest";
import { JSON_SPOKEN } from "../../../server/src/domain/providers/testing/definitions.ts";
import { startUnrulyServer } from "../../../server/src/domain/providers/testing/unruly-server.ts";
import { type FundedAccount, openFundedAccount, orderDetail, recharge } from "../../testing/accounts.ts";
import { corprail, type Serving, serving, temporaryFolder } from "../../testing/processes.ts";
import { description, providerFiles } from "../../testing/provider-files.ts";

const MINUTES = 60_000;

// The feed takes a change in within a second; the rest is for a busy machine.
const TAKEN_IN = { interval: 100 };

type Ended = { readonly status: string; readonly operatorRef: unknown; readonly provider: string; readonly orderId: string };

async function rechargeOnce(service: Serving, account: FundedAccount): Promise<Ended> {
  const reply = await recharge(service, account, { operator: "AT", account: "9876543000", amount: "10" });
  const { provider } = await orderDetail(service, reply.order_id);
  return { status: reply.status, operatorRef: reply.operator_ref, provider, orderId: reply.order_id };
}

async function refusedStatus(service: Serving, account: FundedAccount): Promise<string> {
  return (await recharge(service, account, { operator: "AT", account: "9876543000", amount: "10" })).status;
}

/** The first recharge that goes there, once the service has taken the change in. */
async function firstTo(service: Serving, account: FundedAccount, provider: string): Promise<Ended> {
  let last: Ended | undefined;
  await expect
    .poll(async () => {
      last = await rechargeOnce(service, account);
      return last.provider;
    }, TAKEN_IN)
    .toBe(provider);
  if (!last) throw new Error("No recharge was made.");
  return last;
}

test("a provider that is saved, routed and switched while the service runs gets its orders, and then none", {
  timeout: 3 * MINUTES,
}, async () => {
  const variables = { CORPRAIL_DATA_DIR: temporaryFolder() };
  const service = await serving(variables);
  const account = await openFundedAccount(service, "100000.00");
  const upstream = await startUnrulyServer("success", JSON_SPOKEN.words);
  onTestFinished(() => upstream.close());
  const provider = async (...given: readonly string[]) => {
    const ended = await corprail(["provider", ...given], variables);
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining("The service is running") });
    return ended.stdout;
  };
  expect(await rechargeOnce(service, account)).toMatchObject({ status: "SUCCESS", provider: "simulator" });

  await provider("save", providerFiles(description("acme", upstream.origin), "token=sh-much-secret\n").file);
  expect(await provider("route", "recharge", "AT", "acme", "--priority", "1")).toContain("recharge AT goes to acme.");
  const sent = await firstTo(service, account, "acme");
  expect(sent).toMatchObject({ status: "SUCCESS", operatorRef: "OP1" });
  const [arrived] = upstream.received;
  expect(arrived).toMatchObject({ method: "POST", url: "/pay", headers: { authorization: "Bearer sh-much-secret" } });
  expect(JSON.parse(arrived?.body ?? "")).toEqual({ ref: sent.orderId, number: "9876543000", paise: 1000 });

  // Beside acme and after it, another provider takes over; without that route orders would be refused.
  const second = await startUnrulyServer("success", JSON_SPOKEN.words);
  onTestFinished(() => second.close());
  await provider("save", providerFiles(description("beta", second.origin), "token=also-secret\n").file);
  await provider("route", "recharge", "AT", "beta", "--priority", "2");
  expect(await provider("disable", "acme")).toContain("recharge AT goes to beta.");
  expect(await firstTo(service, account, "beta")).toMatchObject({ status: "SUCCESS" });
  const before = upstream.received.length;
  expect(await rechargeOnce(service, account)).toMatchObject({ status: "SUCCESS", provider: "beta" });
  expect(upstream.received).toHaveLength(before);

  await provider("enable", "acme");
  expect(await firstTo(service, account, "acme")).toMatchObject({ status: "SUCCESS", operatorRef: "OP1" });
  await provider("unroute", "recharge", "AT", "beta");
  await provider("disable", "acme");
  // Nobody is left: the reply is a refusal, and nothing is created. The simulator does not step in.
  await expect.poll(() => refusedStatus(service, account), TAKEN_IN).toBe("failed");
  expect(await provider("unroute", "recharge", "AT", "acme")).toContain("No provider is available for recharge AT");
  expect(await refusedStatus(service, account)).toBe("failed");

  expect(await corprail(["ledger", "verify"], variables)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("The ledger is consistent"),
  });
  expect(await corprail(["audit", "verify"], variables)).toMatchObject({ code: 0 });
  expect(await service.stop()).toBe(0);
});
