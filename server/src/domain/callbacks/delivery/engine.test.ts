import { afterEach, beforeEach, expect, test } from "vitest";
import { createToken, makePrimary } from "../../accounts/credentials/manage-tokens.ts";
import { replaceToken } from "../../accounts/credentials/replace-token.ts";
import { createFixture, type Fixture, until } from "../testing/fixture.ts";
import { fieldsOf, ofOrder, startReceiver, type TestReceiver } from "../testing/receiver.ts";
import { isValidVersion2, isValidVersion3 } from "../testing/verify.ts";

let fixture: Fixture;
const receivers: TestReceiver[] = [];
beforeEach(async () => {
  fixture = await createFixture();
});
afterEach(async () => {
  await fixture.close();
  for (const receiver of receivers.splice(0)) await receiver.close();
});

async function receiverWith(...args: Parameters<typeof startReceiver>): Promise<TestReceiver> {
  const receiver = await startReceiver(...args);
  receivers.push(receiver);
  return receiver;
}

const delivered = (callbackId: string) =>
  until(async () => {
    const row = await fixture.row(callbackId);
    return row.state === "delivered" && row;
  });
const failed = (callbackId: string, attempts: number) =>
  until(async () => {
    const row = await fixture.row(callbackId);
    return row.attempts >= attempts && row.claim_id === null && row;
  });

test("a callback of the outbox is delivered once, signed, and its attempt logged", async () => {
  const receiver = await receiverWith();
  const account = await fixture.account({ status: `${receiver.url}?shop=a+b`, complaint: `${receiver.url}/complaints` });
  const worker = await fixture.worker();
  const id = await fixture.tell(account, { orderId: "ORDERONE0001" });
  const complaint = await fixture.tell(account, { orderId: "ORDERONE0001", kind: "complaint" });
  worker.wake();
  await Promise.all([delivered(id), delivered(complaint)]);
  expect(receiver.got.map((one) => one.path).sort()).toEqual(["/cb", "/cb/complaints"]);
  expect(receiver.got.every((one) => isValidVersion2(one, account.token))).toBe(true);
  const [status] = receiver.got.filter((one) => one.path === "/cb");
  expect(status?.query).toMatchObject({ shop: "a b", v: "2", status: "SUCCESS", orderid: "ORDERONE0001", amount: "10.5000" });
  expect(status?.target).toContain("shop=a%20b");
  const attempts = await fixture.sql`select attempt, url, version, http_status, error from callback_attempts where callback_id = ${id}`;
  expect(attempts).toEqual([{ attempt: 1, url: `${receiver.url}?shop=a+b`, version: 2, http_status: 200, error: null }]);
});

test("failures are retried after their back-off until a 2xx, every time with another ts and nonce", async () => {
  const receiver = await receiverWith((_received, count) => (count < 5 ? 500 : 204));
  const account = await fixture.account({ status: receiver.url });
  const secret = await fixture.toVersion3(account.accountId);
  const worker = await fixture.worker({ chance: () => 0.5 });
  const id = await fixture.tell(account);
  worker.wake();
  for (const [place, seconds] of [5, 15, 60, 300].entries()) {
    const row = await failed(id, place + 1);
    const wait = row.next_at.getTime() - fixture.settings.clock.now();
    expect(Math.abs(wait - seconds * 1000)).toBeLessThan(2_000);
    fixture.settings.clock.advance(seconds * 1000 + 10);
    worker.wake();
  }
  expect(await delivered(id)).toMatchObject({ attempts: 5, last_http_status: 204 });
  expect(receiver.got.every((one) => isValidVersion3(one, secret))).toBe(true);
  expect(new Set(receiver.got.map((one) => fieldsOf(one)["nonce"])).size).toBe(5);
  expect(new Set(receiver.got.map((one) => fieldsOf(one)["ts"])).size).toBe(5);
  expect(receiver.got.every((one) => one.headers["x-callback-timestamp"] === fieldsOf(one)["ts"])).toBe(true);
});

test("a reversal never overtakes a success that is still being retried, and follows it at once", async () => {
  let isOpen = false;
  const receiver = await receiverWith(() => (isOpen ? 200 : 503));
  const account = await fixture.account({ status: receiver.url });
  const workers = [await fixture.worker(), await fixture.worker()];
  const now = fixture.settings.clock.now();
  const success = await fixture.tell(account, { orderId: "REVERSED0001", status: "SUCCESS", at: now - 1000 });
  for (const worker of workers) worker.wake();
  await failed(success, 1);
  const reversal = await fixture.tell(account, { orderId: "REVERSED0001", status: "FAILED" });
  for (const seconds of [7, 20, 80]) {
    // Read before the clock moves: from then on a worker may try by itself.
    const { attempts } = await fixture.row(success);
    fixture.settings.clock.advance(seconds * 1000);
    for (const worker of workers) worker.wake();
    await failed(success, attempts + 1);
  }
  isOpen = true;
  fixture.settings.clock.advance(400_000);
  for (const worker of workers) worker.wake();
  await delivered(reversal);
  const statuses = receiver.got.map((one) => fieldsOf(one)["status"]);
  expect(statuses).toEqual(["SUCCESS", "SUCCESS", "SUCCESS", "SUCCESS", "SUCCESS", "FAILED"]);
});

test("changed URL, version, secret and token apply at once to waiting callbacks", async () => {
  const old = await receiverWith(() => 503);
  const next = await receiverWith(() => 503);
  const account = await fixture.account({ status: old.url });
  const worker = await fixture.worker();
  const id = await fixture.tell(account);
  worker.wake();
  await failed(id, 1);
  const { ctx } = fixture.settings;
  await fixture.change(account.accountId, { callbackUrl: next.url });
  await worker.makeDue([account.accountId]);
  await failed(id, 2);
  const replaced = await replaceToken(ctx, "test", { accountId: account.accountId });
  await worker.makeDue([account.accountId]);
  await failed(id, 3);
  const secret = await fixture.toVersion3(account.accountId);
  // Without a notification, because settings change in other processes too.
  await failed(id, 4);
  const another = await fixture.newSecret(account.accountId);
  await failed(id, 5);
  expect(old.got).toHaveLength(1);
  expect(old.got.every((one) => isValidVersion2(one, account.token))).toBe(true);
  const [first, second, third, fourth] = next.got;
  if (!first || !second || !third || !fourth || replaced.kind !== "done") throw new Error("too few attempts");
  expect(isValidVersion2(first, account.token)).toBe(true);
  expect(isValidVersion2(second, replaced.apiToken) && !isValidVersion2(second, account.token)).toBe(true);
  const stamps = [...old.got, ...next.got].map((one) => Number(fieldsOf(one)["ts"]));
  expect(stamps.every((ts, place) => place === 0 || ts > (stamps[place - 1] ?? 0))).toBe(true);
  const posts = next.got.filter((one) => one.method === "POST");
  expect(posts.some((one) => isValidVersion3(one, secret)) && posts.some((one) => isValidVersion3(one, another))).toBe(true);
});

test("version 2 callbacks are keyed with the primary token, whatever other tokens there are", async () => {
  const receiver = await receiverWith(() => 503);
  const { accountId, token, ...account } = await fixture.account({ status: receiver.url });
  const { ctx } = fixture.settings;
  const limits = { scopes: null, readOnly: false, expiresAt: null };
  const added = await createToken(ctx, "test", { accountId, name: "Second", ...limits });
  if (added.kind !== "done") throw new Error("not created");
  const worker = await fixture.worker();
  const id = await fixture.tell({ ...account, accountId, token });
  worker.wake();
  await failed(id, 1);
  await makePrimary(ctx, "test", { accountId, tokenId: added.tokenId });
  await worker.makeDue([accountId]);
  await failed(id, 2);
  const [first, second] = receiver.got;
  if (!first || !second) throw new Error("too few attempts");
  expect([isValidVersion2(first, token), isValidVersion2(second, added.apiToken)]).toEqual([true, true]);
});

test("removing the URL parks waiting callbacks, and a new URL sends them", async () => {
  const receiver = await receiverWith(() => 503);
  const well = await receiverWith();
  const account = await fixture.account({ status: receiver.url });
  const worker = await fixture.worker();
  const id = await fixture.tell(account);
  worker.wake();
  await failed(id, 1);
  await fixture.change(account.accountId, { callbackUrl: null });
  fixture.settings.clock.advance(3_600_000);
  await worker.makeDue([account.accountId]);
  const probe = await fixture.account({ status: well.url });
  await delivered(await fixture.tell(probe));
  expect(receiver.got).toHaveLength(1);
  await fixture.change(account.accountId, { callbackUrl: well.url });
  await worker.makeDue([account.accountId]);
  await delivered(id);
});

test("after ten failures in a row one probe a minute is sent, but first attempts and early retries always", async () => {
  let status = 503;
  const receiver = await receiverWith(() => status);
  const account = await fixture.account({ status: receiver.url });
  const worker = await fixture.worker({ chance: () => 0.5 });
  const old = await Promise.all(Array.from({ length: 4 }, () => fixture.tell(account)));
  worker.wake();
  for (const [place, seconds] of [5, 15, 60].entries()) {
    await Promise.all(old.map((id) => failed(id, place + 1)));
    fixture.settings.clock.advance(seconds * 1000 + 10);
    worker.wake();
  }
  const broken = async () => (await fixture.sql<{ probe_at: Date | null }[]>`select probe_at from callback_targets`)[0]?.probe_at;
  await until(async () => (await broken()) ?? false);
  const attemptsOfOld = async () => (await Promise.all(old.map((id) => fixture.row(id)))).reduce((sum, row) => sum + row.attempts, 0);
  // Twelve failures have opened the breaker; of the four due callbacks one is sent as the probe.
  await until(async () => (await attemptsOfOld()) === 13);
  const young = await fixture.tell(account);
  worker.wake();
  await failed(young, 1);
  expect(await attemptsOfOld()).toBe(13);
  fixture.settings.clock.advance(5_010);
  worker.wake();
  await failed(young, 2);
  expect(await attemptsOfOld()).toBe(13);
  status = 200;
  fixture.settings.clock.advance(400_000);
  worker.wake();
  await Promise.all([...old, young].map(delivered));
  expect(await broken()).toBeNull();
});

test("a hung receiver with the oldest thousand rows does not delay ninety-nine others", async () => {
  const hung = await receiverWith(() => new Promise(() => {}));
  const well = await receiverWith();
  const dead = await fixture.account({ status: hung.url });
  const past = fixture.settings.clock.now() - 3_600_000;
  await Promise.all(Array.from({ length: 1000 }, (_, place) => fixture.tell(dead, { at: past + place })));
  const accounts = await Promise.all(Array.from({ length: 99 }, () => fixture.account({ status: well.url })));
  const worker = await fixture.worker();
  await hung.wait(() => true, 8);
  const from = performance.now();
  await Promise.all(accounts.flatMap((account) => [fixture.tell(account), fixture.tell(account)]));
  worker.wake();
  await well.wait(() => true, 198);
  expect(performance.now() - from).toBeLessThan(20_000);
  expect(hung.got).toHaveLength(8);
});

test("hung receivers leave half of a worker's slots to the others", async () => {
  const hung = await receiverWith(() => new Promise(() => {}));
  const well = await receiverWith();
  const dead = await Promise.all(Array.from({ length: 6 }, () => fixture.account({ status: hung.url })));
  for (const account of dead) for (let count = 0; count < 8; count++) await fixture.tell(account);
  await fixture.sql`insert into callback_targets (account_id, kind, settings_version, failures) select account_id, 'status', callback_settings_version, 3 from accounts`;
  const worker = await fixture.worker({ limits: { inFlight: 16, troubledInFlight: 8 } });
  await hung.wait(() => true, 8);
  const account = await fixture.account({ status: well.url });
  await fixture.tell(account);
  worker.wake();
  await well.wait(() => true);
  expect(hung.got).toHaveLength(8);
});

test("two workers deliver every row exactly once", async () => {
  const receiver = await receiverWith();
  const accounts = await Promise.all(Array.from({ length: 10 }, () => fixture.account({ status: receiver.url })));
  const ids = await Promise.all(accounts.flatMap((account) => Array.from({ length: 30 }, () => fixture.tell(account))));
  await Promise.all([fixture.worker(), fixture.worker()]);
  await receiver.wait(() => true, 300);
  await Promise.all(ids.map(delivered));
  expect(receiver.got).toHaveLength(300);
  expect(new Set(receiver.got.map((one) => one.query["orderid"])).size).toBe(300);
});

test("a stopping worker finishes what it can and releases the rest, due at once", async () => {
  let answer: (() => void) | undefined;
  const slow = await receiverWith(
    () =>
      new Promise((resolve) => {
        answer = () => resolve(200);
      }),
  );
  const hung = await receiverWith(() => new Promise(() => {}));
  const [ends, hangs] = [await fixture.account({ status: slow.url }), await fixture.account({ status: hung.url })];
  const worker = await fixture.worker();
  const [ending, hanging] = [await fixture.tell(ends), await fixture.tell(hangs)];
  worker.wake();
  await Promise.all([slow.wait(() => true), hung.wait(() => true)]);
  const closing = worker.close(500);
  answer?.();
  await closing;
  expect(await fixture.row(ending)).toMatchObject({ state: "delivered" });
  const row = await fixture.row(hanging);
  expect(row).toMatchObject({ state: "waiting", claim_id: null, attempts: 0 });
  expect(row.next_at.getTime()).toBeLessThanOrEqual(fixture.settings.clock.now());
});

test("a clock that is set back does not make callbacks wait for the time it showed", async () => {
  const receiver = await receiverWith(() => 503);
  const account = await fixture.account({ status: receiver.url });
  fixture.settings.clock.advance(7 * 86_400_000);
  const ahead = await fixture.worker();
  const id = await fixture.tell(account);
  const fresh = await fixture.tell(account, { orderId: "FRESH0000001" });
  ahead.wake();
  await Promise.all([failed(id, 1), failed(fresh, 1)]);
  await ahead.close();
  fixture.settings.clock.advance(-7 * 86_400_000);
  await fixture.worker();
  await Promise.all([failed(id, 2), failed(fresh, 2)]);
  const [last] = receiver.got.filter(ofOrder("FRESH0000001")).slice(-1);
  expect(Math.abs(Number(last?.query["ts"]) - Date.now() / 1000)).toBeLessThan(60);
});

test("callbacks with an undecryptable key or an invalid URL fail without affecting others", async () => {
  const receiver = await receiverWith();
  const [keyless, broken, well] = [
    await fixture.account({ status: receiver.url }),
    await fixture.account({ status: receiver.url }),
    await fixture.account({ status: receiver.url }),
  ];
  await fixture.sql`update credentials set sealed = '\\x00' where account_id = ${keyless.accountId}`;
  await fixture.sql`update accounts set callback_url = 'nonsense' where account_id = ${broken.accountId}`;
  const worker = await fixture.worker();
  const ids = [await fixture.tell(keyless), await fixture.tell(broken), await fixture.tell(well)] as const;
  worker.wake();
  expect((await failed(ids[0], 1)).last_error).toBe("The API token for signing could not be decrypted.");
  expect((await failed(ids[1], 1)).last_error).toBe("The callback URL is not a valid URL.");
  await delivered(ids[2]);
});
