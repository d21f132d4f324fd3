import { z } from "zod";
import type { EntryCursor } from "../../../domain/ledger/browse-entries.ts";

const CURSOR = /^([0-9]{1,13})\.([A-Z0-9]{0,40})\.([0-9]{1,18})$/;

/** The cursor after a page of ledger entries. */
export const entryCursor = z.string().transform((text, ctx): EntryCursor => {
  const [, at, accountId, seq] = CURSOR.exec(Buffer.from(text, "base64url").toString("latin1")) ?? [];
  if (at !== undefined && accountId !== undefined && seq !== undefined) return { at: Number(at), accountId, seq: BigInt(seq) };
  ctx.addIssue("Must be a `next` of an earlier page.");
  return z.NEVER;
});

export function writeEntryCursor({ at, accountId, seq }: EntryCursor): string {
  return Buffer.from(`${at}.${accountId}.${seq}`).toString("base64url");
}
