#!/usr/bin/env node
// Verifies a signed statement. It needs Node.js 20 and nothing else: read it before you trust it.
//   node verify-statement.mjs FILE [--key KEY_ID] [--anchor ANCHOR_FILE] [--json]
// KEY_ID is the fingerprint of the public key that you have from the portal or from an earlier audit. Without it, any key will do.
// ANCHOR_FILE is the file that the service writes outside its database, with the folder ANCHOR_FILE.marks beside it.
import { createHash, createPublicKey, verify } from "node:crypto";
import { createReadStream, existsSync, realpathSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const MARK_BYTES = 8;
const hash = (...parts) => parts.reduce((sum, part) => sum.update(part), createHash("sha256")).digest();
export const hex = (...parts) => hash(...parts).toString("hex");
const leafOf = (bytes) => hash(Buffer.of(0), bytes);

/** The Merkle tree of RFC 9162, section 2.1.1, which keeps one hash for each level. */
function merkleTree() {
  const parts = [];
  const node = (left, right) => hash(Buffer.of(1), left, right);
  const add = (leaf) => {
    let right = { hash: leaf, leaves: 1 };
    for (; parts.at(-1)?.leaves === right.leaves; right = { hash: node(parts.pop().hash, right.hash), leaves: 2 * right.leaves });
    parts.push(right);
  };
  const root = () => (parts.length === 0 ? hash() : parts.slice(0, -1).reduceRight((sum, part) => node(part.hash, sum), parts.at(-1).hash));
  return { add, root: () => root().toString("hex") };
}

/** The lines of a file as bytes, each with its number. */
export async function* linesOf(path) {
  let [rest, number] = [Buffer.alloc(0), 0];
  for await (const chunk of createReadStream(path)) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      yield { number: ++number, bytes: rest.subarray(0, end) };
      rest = rest.subarray(end + 1);
    }
  }
  if (rest.length > 0) yield { number: ++number, bytes: rest };
}

export function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Checks signatures with the keys of the file, whose ids are their fingerprints. */
export function keyring(pinned) {
  const keys = new Map();
  const add = ({ key_id: id, public_key: pem }) => {
    const der = createPublicKey(pem).export({ type: "spki", format: "der" });
    if (hex(der).slice(0, 32) === id) keys.set(id, pem);
  };
  const fault = ({ signed, signature } = {}, keyId = "") => {
    if (pinned !== null && keyId !== pinned) return `is signed with the key ${keyId}, not with ${pinned}`;
    if (!keys.has(keyId)) return `is signed with the key ${keyId}, which the file does not contain`;
    return verify(null, Buffer.from(String(signed)), keys.get(keyId), Buffer.from(String(signature), "base64"))
      ? null
      : "has a wrong signature";
  };
  return { add, fault, ids: () => [...keys.keys()] };
}

/** Reads the anchor file: every signing run with the hash of its text. */
export async function readAnchor(path) {
  const runs = [];
  for await (const { bytes } of linesOf(path)) {
    const line = readJson(bytes);
    if (line?.signed !== undefined) runs.push({ hash: hex(line.signed), run: JSON.parse(line.signed) });
  }
  return { path, runs };
}

/** The days of a statement's account beside the anchor file, from the runs whose signed root they match. */
async function anchoredDays({ path, runs }, { account_id: accountId, from, to }) {
  const days = new Map();
  for (const { hash: runHash, run } of runs.filter(({ run }) => run.day >= from && run.day <= to)) {
    const [file, tree] = [`${path}.marks/${runHash}.jsonl`, merkleTree()];
    let own = null;
    for await (const { bytes } of existsSync(file) ? linesOf(file) : []) {
      const line = readJson(bytes);
      tree.add(leafOf(Buffer.from(line.hash, "hex")));
      if (line.account_id === accountId) own = { hash: line.hash, marks: Buffer.from(line.marks, "base64") };
    }
    // Of two runs for one day, the first one counts.
    if (own !== null && tree.root() === run.root && !days.has(run.day)) days.set(run.day, own);
  }
  return days;
}

/** Verifies the transfers of one signed day and names the first one that is not as it was signed. */
function dayCheck(signed, start, report, outside) {
  const tree = merkleTree();
  const isGapless = signed.lines === signed.last_seq - signed.first_seq + 1;
  let [place, isNamed, marks, isGenuine] = [0, false, Buffer.alloc(0), null];
  const name = (line, seq, why) => {
    if (!isNamed) isNamed = report({ line, day: signed.day, seq, why });
  };
  const hasMark = (leaf) => {
    if (isGenuine === null && hex(marks) !== signed.marks && outside) marks = outside.marks;
    isGenuine ??= hex(marks) === signed.marks;
    return !isGenuine || marks.subarray(place * MARK_BYTES, (place + 1) * MARK_BYTES).equals(leaf.subarray(0, MARK_BYTES));
  };
  const transfer = (seq, bytes, line) => {
    const [leaf, expected] = [leafOf(bytes), signed.first_seq + place];
    if (isGapless && seq > expected && place < signed.lines) name(line, expected, `Transfer ${expected} was removed before this line.`);
    else if (isGapless && seq !== expected) name(line, seq, `Transfer ${seq} was added here or is in the wrong place.`);
    else if (!hasMark(leaf)) name(line, expected, `Transfer ${expected} was changed after it was signed.`);
    tree.add(leaf);
    place += 1;
  };
  const end = () => {
    const last = signed.first_seq + place;
    if (place < signed.lines) name(start, last, `Transfer ${last} was removed from the end of the day.`);
    const range = `Transfers ${signed.first_seq} to ${signed.last_seq}`;
    if (tree.root() !== signed.root) name(start, undefined, `${range} are not those that were signed, and their marks were changed too.`);
  };
  const addMarks = (text) => {
    marks = Buffer.concat([marks, Buffer.from(text, "base64")]);
  };
  return { transfer, addMarks, end };
}

/** Verifies a statement; `anchored` holds the account's days of the anchor file. */
function statementCheck(head, keys, report, anchored) {
  let [previous, day, lines, days, ended] = [null, null, 0, 0, false];
  const startDay = (entry, number) => {
    const signed = readJson(entry.signed) ?? {};
    const fault = (why) => report({ line: number, day: signed.day, why: `The signed day ${signed.day} ${why}.` });
    const [wrong, outside] = [keys.fault(entry, signed.key_id), anchored.get(signed.day)];
    if (wrong !== null) fault(wrong);
    if (signed.type !== "ledger day" || signed.account_id !== head.account_id) fault("belongs to something else");
    if (previous !== null && signed.previous !== previous) fault("does not continue the day before it: a day was changed or removed");
    if (outside && outside.hash !== hex(entry.signed)) fault("is not the one that was anchored");
    anchored.delete(signed.day);
    [previous, day, days] = [hex(entry.signed), dayCheck(signed, number, report, outside), days + 1];
  };
  const line = (entry, bytes, number) => {
    if (entry?.type === "key") return keys.add(entry);
    if (entry?.type === "marks") return day?.addMarks(entry.marks);
    if (entry?.type === "day" || entry?.type === "end") day?.end();
    if (entry?.type === "day") return startDay(entry, number);
    if (entry?.type === "end") ended = { ...entry, number };
    else if (day === null || ended) report({ line: number, why: "This line belongs to no signed day." });
    else {
      day.transfer(entry?.seq, bytes, number);
      lines += 1;
    }
  };
  const finish = () => {
    if (!ended) report({ why: "The file is cut off." });
    else if (ended.days !== days || ended.lines !== lines) report({ line: ended.number, why: "Days or lines were added or removed." });
    for (const missing of anchored.keys())
      report({ day: missing, why: `The day ${missing} was signed and anchored, but is missing here.` });
    return `account ${head.account_id}, signed days: ${days}, transfers: ${lines}`;
  };
  return { line, finish };
}

/** Verifies a signed statement. Returns what it holds and every fault, with the file's line where there is one. */
export async function verifyFile(path, { key = null, anchor = null } = {}) {
  const [faults, keys] = [[], keyring(key)];
  const outside = anchor === null ? { runs: [] } : await readAnchor(anchor);
  let check = null;
  for await (const { number, bytes } of linesOf(path)) {
    const entry = readJson(bytes);
    if (check !== null) check.line(entry, bytes, number);
    else if (entry?.type !== "statement") break;
    else check = statementCheck(entry, keys, (fault) => faults.push(fault) > 0, await anchoredDays(outside, entry));
  }
  if (check === null) throw new Error(`${path} is not a signed statement.`);
  return { holds: check.finish(), faults, keys: keys.ids() };
}

/** Runs a verification as a command, unless this file is imported. Exit codes: 0 as signed, 1 not as signed, 2 not checked. */
export async function runAsCommand(url, verification) {
  if (url !== pathToFileURL(realpathSync(process.argv[1])).href) return;
  try {
    const options = { key: { type: "string" }, anchor: { type: "string" }, json: { type: "boolean" } };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const program = basename(process.argv[1]);
    if (positionals.length !== 1) throw new Error(`Name one file: node ${program} FILE [--key KEY_ID] [--anchor ANCHOR_FILE] [--json]`);
    const { holds, faults, keys } = await verification(positionals[0], values);
    process.exitCode = faults.length > 0 ? 1 : 0;
    if (values.json) return void process.stdout.write(`${JSON.stringify({ holds, faults, keys })}\n`);
    for (const { line, why } of faults) process.stderr.write(line === undefined ? `${why}\n` : `line ${line}: ${why}\n`);
    process.stdout.write(faults.length > 0 ? "NOT AS SIGNED\n" : `As signed: ${holds}. Signed with the key ${keys.join(", ")}.\n`);
  } catch (error) {
    process.stderr.write(`It could not be checked: ${error.message}\n`);
    process.exitCode = 2;
  }
}

await runAsCommand(import.meta.url, verifyFile);
