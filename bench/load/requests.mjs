import { createHash, createHmac, randomUUID } from "node:crypto";

const PATH = "/api/corp/v1/recharge";
// Ends with none of the simulator's special numbers.
const SUCCEEDS = "9876543000";
const EMPTY_SHA256 = createHash("sha256").digest("hex");

/**
 * Whole requests as bytes, signed by their accounts in turn. Nonces and references are random, which is what
 * clients send and the worst case for every index they end in.
 *
 * @typedef {{ token: string, secret: string }} Account
 * @typedef {{ account: number, reference: string }} Placed
 */

/**
 * @param {readonly Account[]} accounts @param {number} count @param {string} [target]
 * @returns {{ requests: Buffer[], placed: Placed[] }}
 */
export function signRecharges(accounts, count, target = SUCCEEDS) {
  const requests = [];
  const placed = [];
  for (let at = 0; at < count; at++) {
    const account = at % accounts.length;
    const reference = randomUUID();
    requests.push(recharge(accounts[account], reference, target));
    placed.push({ account, reference });
  }
  return { requests, placed };
}

/** @param {readonly Account[]} accounts @param {readonly Placed[]} placed @param {number} count */
export function signLookUps(accounts, placed, count) {
  return Array.from({ length: count }, () => {
    const { account, reference } = placed[Math.floor(Math.random() * placed.length)];
    return lookUp(accounts[account], reference);
  });
}

function recharge(account, reference, target) {
  const body = `{"account":"${target}","operator":"AT","amount":"10.00","urid":"${reference}"}`;
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const head = signedHead(account, "POST", PATH, "", bodyHash);
  return Buffer.from(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`, "latin1");
}

function lookUp(account, reference) {
  return Buffer.from(`${signedHead(account, "GET", PATH, `urid=${reference}`, EMPTY_SHA256)}\r\n`, "latin1");
}

function signedHead(account, method, path, query, bodyHash) {
  const timestamp = Math.floor(Date.now() / 1000);
  const nonce = randomUUID();
  const signed = [method, path, query, bodyHash, timestamp, nonce].join("\n");
  const signature = createHmac("sha256", account.secret).update(signed).digest("hex");
  const target = query === "" ? path : `${path}?${query}`;
  return (
    `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Token: ${account.token}\r\n` +
    `X-Api-Timestamp: ${timestamp}\r\nX-Api-Nonce: ${nonce}\r\nX-Api-Signature: ${signature}\r\n`
  );
}
