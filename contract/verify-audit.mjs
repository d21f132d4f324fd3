#!/usr/bin/env node
// Verifies an export of the audit log. It needs Node.js 20 and verify-statement.mjs beside it, and nothing else.
//   node verify-audit.mjs FILE [--key KEY_ID] [--anchor ANCHOR_FILE] [--json]
import { hex, keyring, linesOf, readAnchor, readJson, runAsCommand } from "./verify-statement.mjs";

/** Verifies the chain of its entries, the signed runs in it and in the anchor file, and its signed end. */
function auditCheck(keys, report, anchored) {
  const [hashes, runs] = [[""], anchored.map(({ run }) => ({ ...run, where: "in the anchor file" }))];
  let [end, isBroken] = [null, false];
  const chained = (entry, bytes, number) => {
    const isNext = entry[0] === String(hashes.length);
    const why = isNext ? `Entry ${hashes.length - 1} was changed.` : `Entry ${hashes.length} is missing.`;
    if (!isBroken && (!isNext || entry[7] !== hashes.at(-1))) isBroken = report({ line: number, why });
    hashes.push(hex(bytes));
  };
  const line = (entry, bytes, number) => {
    if (Array.isArray(entry)) return chained(entry, bytes, number);
    if (entry?.type === "key") return keys.add(entry);
    const signed = readJson(entry?.signed) ?? {};
    const wrong = keys.fault(entry, signed.key_id);
    const name = signed.run === undefined ? signed.type : `${signed.type} ${signed.run}`;
    if (wrong !== null) report({ line: number, why: `The ${name} ${wrong}.` });
    if (entry?.type === "end") end = signed;
    else runs.push({ ...signed, where: "in this file" });
  };
  const finish = () => {
    const count = hashes.length - 1;
    if (end?.entries !== count) report({ why: `${end?.entries ?? "More"} entries were exported, but ${count} are here.` });
    else if (end.hash !== hashes.at(-1) && !isBroken) report({ why: `Entry ${count} was changed.` });
    const other = runs.find((run) => hashes[run.audit_seq] !== run.audit_hash);
    if (other) report({ why: `Up to entry ${other.audit_seq} the log is not the one of run ${other.run} (${other.day}, ${other.where}).` });
    return `audit log, entries: ${count}`;
  };
  return { line, finish };
}

/** Verifies an export of the audit log. Returns what it holds and every fault, with the file's line where there is one. */
export async function verifyFile(path, { key = null, anchor = null } = {}) {
  const [faults, keys] = [[], keyring(key)];
  const { runs } = anchor === null ? { runs: [] } : await readAnchor(anchor);
  const check = auditCheck(keys, (fault) => faults.push(fault) > 0, runs);
  for await (const { number, bytes } of linesOf(path)) {
    const entry = readJson(bytes);
    if (number === 1 && entry?.type !== "audit log") throw new Error(`${path} is not an export of the audit log.`);
    if (number > 1) check.line(entry, bytes, number);
  }
  return { holds: check.finish(), faults, keys: keys.ids() };
}

await runAsCommand(import.meta.url, verifyFile);
