// The baseline: the usual way to write this, one awaited statement after the other, a transaction to accept and one
// to settle. Same schema, same driver, a pool of twenty, and no HTTP, signature, nonce or budget to pay for.

import { referenceDigest } from "../../server/dist/domain/orders/reference-digest.js";
import { randomIds } from "../../server/dist/platform/core/ids.js";
import { connect } from "../../server/dist/platform/db/connection.js";
import { serveTasks } from "../serve-tasks.mjs";
import { createWindow } from "../window.mjs";

const [url, role, providerPort] = process.argv.slice(2);
const POOL = 20;
// Enough for the pool to be busy always; more would only wait longer.
const LOOPS = 64;
const ACCOUNTS = 100;
const AMOUNT = 100_000n;
const { sql } = connect({ url, role: role === "" ? null : role, connections: POOL });
const ids = randomIds();
const accountIds = Array.from({ length: ACCOUNTS }, () => ids.account());

async function accept(accountId, orderId) {
  await sql.begin(async (tx) => {
    const [wallet] = await tx`select available, held, seq from wallets where account_id = ${accountId} for update`;
    if (wallet.available < AMOUNT) throw new Error("The wallet does not cover it.");
    const now = new Date();
    const reference = crypto.randomUUID();
    const digest = referenceDigest({ accountId, service: "recharge", reference, operation: "" });
    await tx`
      with known as (
        insert into order_references (account_id, digest, order_id) values (${accountId}, ${digest}, ${orderId}))
      insert into orders (account_id, order_id, service, reference, fingerprint, state, amount, amount_text, target, operator, provider,
        process_id, created_at, updated_at)
      values (${accountId}, ${orderId}, 'recharge', ${reference}, 'AT 9876543000 10.0000', 0, ${AMOUNT}, '10.00', '9876543000',
        'AT', 'simulator', 'plain', ${now}, ${now})`;
    await tx`
      insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, order_id, narration, at)
      values (${accountId}, ${wallet.seq + 1n}, 'hold', 'available', 'held', ${AMOUNT}, ${wallet.available - AMOUNT}, ${orderId},
        'recharge AT 9876543000', ${now})`;
    await tx`
      update wallets set available = available - ${AMOUNT}, held = held + ${AMOUNT}, seq = seq + 1 where account_id = ${accountId}`;
  });
}

/** Sends the order and keeps, as the service does, what was said and the provider's own id. */
async function send(accountId, orderId) {
  const startedAt = new Date();
  const request = JSON.stringify({ reference: orderId, number: "9876543000", operator: "AT", amount: "10.00" });
  const answer = await fetch(`http://127.0.0.1:${providerPort}/recharges`, {
    method: "POST",
    headers: { authorization: "Bearer bench-token", "content-type": "application/json" },
    body: request,
  });
  const reply = await answer.text();
  const { status, txn_id: providerRef } = JSON.parse(reply);
  if (status !== "SUCCESS") throw new Error(`The provider answered ${status}.`);
  await sql`
    insert into provider_exchanges (account_id, order_id, exchange_id, attempt, provider, operation, at, milliseconds, request, reply)
    values (${accountId}, ${orderId}, ${ids.entry(startedAt.getTime())}, 1, 'bench', 'recharge.pay', ${startedAt},
      ${Date.now() - startedAt.getTime()}, ${`POST /recharges\n\n${request}`}, ${`${answer.status}\n\n${reply}`})`;
  await sql`
    insert into order_provider_refs (account_id, order_id, attempt, provider, provider_ref, at)
    values (${accountId}, ${orderId}, 1, 'bench', ${providerRef}, ${new Date()})`;
}

async function settle(accountId, orderId) {
  await sql.begin(async (tx) => {
    const [wallet] = await tx`select available, seq from wallets where account_id = ${accountId} for update`;
    const now = new Date();
    await tx`
      update orders set state = 1, operator_ref = 'SIM123456789012', updated_at = ${now}
      where account_id = ${accountId} and order_id = ${orderId} and state = 0`;
    await tx`
      insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, order_id, narration, at)
      values (${accountId}, ${wallet.seq + 1n}, 'capture', 'held', 'cleared', ${AMOUNT}, ${wallet.available}, ${orderId},
        'recharge AT 9876543000', ${now})`;
    await tx`update wallets set held = held - ${AMOUNT}, cleared = cleared + ${AMOUNT}, seq = seq + 1 where account_id = ${accountId}`;
  });
}

async function run(options) {
  const window = createWindow({ ...options, underWay: LOOPS });
  let next = 0;
  const loop = async () => {
    for (let wanted = true; wanted; wanted = window.note(true)) {
      const accountId = accountIds[next++ % ACCOUNTS];
      const orderId = ids.order(Date.now());
      await accept(accountId, orderId);
      if (providerPort !== undefined) await send(accountId, orderId);
      await settle(accountId, orderId);
    }
  };
  await Promise.all(Array.from({ length: LOOPS }, loop));
  return window.perSecond();
}

async function seed() {
  await sql`
    insert into wallets (account_id, available, funding)
    select account_id, 1000000000000000, -1000000000000000 from unnest(${accountIds}::text[]) as a (account_id)`;
}

serveTasks({ seed, run });
