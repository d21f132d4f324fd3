const AT_ONCE = 32;
const PER_MINUTE = 1_000_000;
const MONEY = "9999999999";

/**
 * Accounts that can do nothing but succeed: full wallets, the highest budgets, signing on.
 *
 * @param {{ call: (path: string, body?: object) => Promise<object> }} service @param {number} count
 * @returns {Promise<{ accountId: string, token: string, secret: string }[]>}
 */
export async function makeAccounts(service, count) {
  const made = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const name = `Bench ${++next}`;
      made.push(await makeAccount(service, name));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return made;
}

async function makeAccount({ call }, name) {
  const { account_id: accountId, api_token: token } = await call("/accounts", { name });
  await call(`/accounts/${accountId}/allowlist`, { entries: ["127.0.0.1"] });
  await call(`/accounts/${accountId}`, { signing_required: true, money_per_minute: PER_MINUTE, get_per_minute: PER_MINUTE });
  await call(`/accounts/${accountId}/wallet`, { amount: MONEY, reference: "bench", note: "bench" });
  const { signing_secret: secret } = await call(`/accounts/${accountId}/signing-secret`, {});
  return { accountId, token, secret };
}
