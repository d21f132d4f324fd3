import { setTimeout as wait } from "node:timers/promises";
import { Corprail } from "@corprail/sdk";

const AMOUNT = "10.00";
const FIRST_NUMBER = 9_000_000_000;
const PAUSE_MILLISECONDS = 100;
const TIMEOUT_MILLISECONDS = 5_000;
// Counts over all faults: a number is charged once in the whole run.
let next = 0;

/**
 * Clients as they are in production: the SDK, signed, with retries; an order without a final answer is sent again with the
 * same reference until it has one.
 *
 * @param {{ port: number, accounts: readonly { token: string, secret: string }[] }} options
 */
export function startClients({ port, accounts }) {
  /** @type {{ urid: string, number: string, client: Corprail, outcome: string, orderId: string, at: number, seconds: number }[]} */
  const acknowledged = [];
  let [isStopping, failures] = [false, 0];
  const place = async (client) => {
    const order = { urid: `ha-${next}`, number: String(FIRST_NUMBER + next) };
    next++;
    const begun = performance.now();
    for (;;) {
      const result = await recharge(client, order);
      if (result?.outcome === "succeeded" || result?.outcome === "failed") {
        const at = performance.now();
        acknowledged.push({ ...order, client, outcome: result.outcome, orderId: result.orderId, at, seconds: (at - begun) / 1000 });
        return;
      }
      failures++;
      await wait(PAUSE_MILLISECONDS);
    }
  };
  const work = async (account) => {
    const client = clientOf(account, port);
    while (!isStopping) {
      await place(client);
      await wait(PAUSE_MILLISECONDS);
    }
  };
  const ended = Promise.all(accounts.map(work));
  // A fault in a client ends the run when it stops; until then the error must not be reported as unhandled.
  ended.catch(() => {});
  return {
    acknowledged,
    /** Replies without a final state so far: errors, time-outs and pending orders. */
    failures: () => failures,
    /** Every order that was begun gets its final answer. */
    stop: async () => {
      isStopping = true;
      await ended;
    },
  };
}

/** Whether a process already knows the account's signing secret: another process hears of a new one within a second. */
export async function knowsAccount(account, port) {
  await clientOf(account, port).account.balance();
  return true;
}

function clientOf({ token, secret }, port) {
  return new Corprail({
    baseUrl: `http://127.0.0.1:${port}`,
    ...{ token, signingSecret: secret, timeoutMs: TIMEOUT_MILLISECONDS, maxRetries: 1, maxRetryAfterMs: 1_000 },
  });
}

async function recharge(client, { urid, number }) {
  try {
    return await client.recharge.create({ urid, account: number, operator: "AT", amount: AMOUNT });
  } catch (error) {
    // A refusal that no retry changes is a fault of the run.
    if (error?.httpStatus >= 400 && error.httpStatus < 500 && error.httpStatus !== 429) throw error;
    return null;
  }
}
