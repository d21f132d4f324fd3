// The service's delivery engine in a process of its own, on an outbox that is filled before each round.

import { changeAccount } from "../../server/dist/domain/accounts/change-account.js";
import { createAccount } from "../../server/dist/domain/accounts/create-account.js";
import { replaceCallbackSecret } from "../../server/dist/domain/accounts/credentials/replace-callback-secret.js";
import { startCallbacks } from "../../server/dist/domain/callbacks/start-callbacks.js";
import { systemClock } from "../../server/dist/platform/core/clock.js";
import { randomIds } from "../../server/dist/platform/core/ids.js";
import { ensureKeyFile } from "../../server/dist/platform/crypto/key-file.js";
import { loadVault } from "../../server/dist/platform/crypto/vault.js";
import { connect } from "../../server/dist/platform/db/connection.js";
import { parseRange } from "../../server/dist/platform/network/address.js";
import { createLog } from "../../server/dist/platform/observability/log.js";
import { createMetrics } from "../../server/dist/platform/observability/metrics.js";
import { serveTasks } from "../serve-tasks.mjs";

const [url, role, keyPath] = process.argv.slice(2);
// As many as the service has.
const CONNECTIONS = 10;
const ACCOUNTS_AT_ONCE = 8;
// What hangs then is given back; what is answered is recorded.
const GRACE_MILLISECONDS = 250;

await ensureKeyFile(keyPath);
const { sql } = connect({ url, role: role === "" ? null : role, connections: CONNECTIONS });
const { sql: owner } = connect({ url, role: null, connections: 1 });
const metrics = createMetrics();
const ctx = { sql, vault: await loadVault(keyPath), clock: systemClock(0), ids: randomIds(), refresh: async () => {} };
let accountIds = [];
let engine = null;

/** An account for each URL, version 3; answers their callback secrets. */
async function prepare({ urls }) {
  const accounts = [];
  let next = 0;
  const work = async () => {
    while (next < urls.length) {
      const place = next++;
      accounts[place] = await account(place, urls[place]);
    }
  };
  await Promise.all(Array.from({ length: ACCOUNTS_AT_ONCE }, work));
  accountIds = accounts.map((one) => one.accountId);
  return accounts.map((one) => one.secret);
}

async function account(place, callbackUrl) {
  const { accountId } = await createAccount(ctx, "bench", { name: `Bench ${place}`, sandbox: false });
  const { callbackSecret } = await replaceCallbackSecret(ctx, "bench", { accountId });
  await changeAccount(ctx, "bench", { accountId, callbackUrl, callbackVersion: 3 });
  return { accountId, secret: callbackSecret };
}

/** Callbacks of all accounts in turn; `oldest` of them are the first account's and older than the others. */
async function fill({ count, oldest }) {
  await owner`truncate callbacks, callback_attempts, callback_claims, callback_targets`;
  await owner`
    insert into callbacks (account_id, callback_id, kind, order_id, urid, status, amount, target, operator_ref, next_at, settings_version, created_at)
    select a.account_id, n.id, 'status', 'O' || n.id, gen_random_uuid()::text, 'SUCCESS', 100000, '9876543000', 'SIM123456789012', n.at,
      a.callback_settings_version, n.at
    from (
      select n, to_char(n, 'FM0000000000') || upper(substr(md5(random()::text), 1, 8)) as id,
        now() - case when n <= ${oldest} then interval '1 hour' else interval '1 second' end as at
      from generate_series(1, ${count + oldest}::integer) n) n
    join accounts a on a.account_id = (${accountIds}::text[])[case when n.n <= ${oldest} then 1
      else 1 + n.n % ${accountIds.length}::integer end]`;
  await owner`analyze callbacks`;
}

async function start() {
  metrics.registry.clear();
  engine = await startCallbacks({
    ...ctx,
    processId: ctx.ids.request(),
    log: createLog("error"),
    metrics,
    allow: [parseRange("127.0.0.1")],
  });
}

/** Answers how many attempts were logged as delivered. */
async function stop() {
  await engine.close(GRACE_MILLISECONDS);
  const [{ logged }] = await owner`select count(*)::integer as logged from callback_attempts where http_status = 200`;
  return logged;
}

serveTasks({ prepare, fill, start, stop });
